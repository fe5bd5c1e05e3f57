// Principals that a stored trust or resource policy names are bound to unique ids (§4.1): a role that is deleted and made again
// under its old name is another role. The rest of the text stays as it was sent, byte for byte.
import { type JsonNode, JsonTextError, parseJsonText } from '#base'

/** Rewrites the values of `AWS` in `Principal` and `NotPrincipal`; where `rename` answers `undefined` the value stays. */
export function withPrincipals(text: string, rename: (principal: string) => string | undefined): string {
  let root: JsonNode
  try {
    root = parseJsonText(text)
  } catch (error) {
    if (error instanceof JsonTextError) return text
    throw error
  }
  const edits = principalNodes(root).flatMap(node => {
    const written = JSON.stringify(node.value)
    const renamed = text.startsWith(written, node.at) ? rename(node.value) : undefined
    return renamed === undefined ? [] : [{ at: node.at, length: written.length, text: JSON.stringify(renamed) }]
  })
  let result = ''
  let end = 0
  for (const edit of edits.toSorted((a, b) => a.at - b.at)) {
    result += text.slice(end, edit.at) + edit.text
    end = edit.at + edit.length
  }
  return result + text.slice(end)
}

/** Cheap answer to "could any id stand in this text?", since most texts have none. */
export function mayHoldIds(text: string): boolean {
  return /"A(?:ROA|IDA)[A-Z2-7]{17}/.test(text)
}

type TextNode = JsonNode & { readonly kind: 'string' }

function principalNodes(root: JsonNode): readonly TextNode[] {
  return memberValues(root, 'Statement')
    .flatMap(itemsOf)
    .flatMap(statement => [...memberValues(statement, 'Principal'), ...memberValues(statement, 'NotPrincipal')])
    .flatMap(principal => memberValues(principal, 'AWS'))
    .flatMap(itemsOf)
    .filter(node => node.kind === 'string')
}

function memberValues(node: JsonNode, name: string): readonly JsonNode[] {
  return node.kind === 'object' ? node.members.filter(member => member.name === name).map(member => member.value) : []
}

function itemsOf(node: JsonNode): readonly JsonNode[] {
  return node.kind === 'array' ? node.items : [node]
}
