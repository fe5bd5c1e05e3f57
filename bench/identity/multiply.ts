// A past in which there are thousands of bindings: copies of one that converged, in the state of an API server. Whether they are what
// thousands that converged would have been is for the operator to say: at rest it writes nothing.
import { iamRoleName, ownerLabel } from '../../src/operators/identity/names.ts'

export interface Multiply {
  readonly namespace: string
  /** Of the binding, and of its ServiceAccount. */
  readonly name: string
  readonly uid: string
  readonly count: number
}

interface Line {
  readonly rev: number
  readonly table: string
  readonly key: string
  readonly object: { readonly metadata: { readonly uid: string } }
}

/** Of `snapshot()`, for the server that begins with it. */
export function multiplied(snapshot: string, { namespace, name, uid, count }: Multiply): string {
  const [head = '', ...lines] = snapshot.split('\n').filter(line => line !== '')
  const header = JSON.parse(head) as { revision: number }
  const isOfIt = new RegExp(`\\b${name}\\b`)
  const originals = lines.filter(line => isOfIt.test(line) && (JSON.parse(line) as Line).table !== 'events')
  const named = namesOf({ namespace, name, uid })
  const copies: string[] = []
  for (let index = 0; index < count; index++) {
    const copyName = `copy-${index}`
    const copyUid = uidOf(uid, index)
    const copied = namesOf({ namespace, name: copyName, uid: copyUid })
    const names = named.map((from, at): readonly [string, string] => [from, copied[at] ?? ''])
    for (const original of originals) copies.push(copyOf(original, { names, index, rev: ++header.revision }))
  }
  return [JSON.stringify(header), ...lines, ...copies, ''].join('\n')
}

function copyOf(
  line: string,
  { names, index, rev }: { readonly names: readonly (readonly [string, string])[]; readonly index: number; readonly rev: number },
): string {
  let text = line
  for (const [from, to] of names) text = text.replaceAll(new RegExp(`\\b${from}\\b`, 'g'), to)
  for (const uid of new Set(line.match(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g)))
    text = text.replaceAll(uid, uidOf(uid, index))
  text = text.replace(/"resourceVersion":"\d+"/, `"resourceVersion":"${rev}"`)
  return text.replace(/^\{"rev":\d+/, `{"rev":${rev}`)
}

/** Those with a hash first, which hold the others. */
function namesOf({ namespace, name, uid }: Pick<Multiply, 'namespace' | 'name' | 'uid'>): readonly string[] {
  return [
    iamRoleName({ namespace, name, uid }),
    ownerLabel({ namespace, name }),
    ownerLabel({ namespace: 'default', name }),
    name,
  ]
}

function uidOf(uid: string, index: number): string {
  return `${uid.slice(0, -8)}${index.toString(16).padStart(8, '0')}`
}
