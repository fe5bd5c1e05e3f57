import type { PolicyDocument, PolicyPrincipal, Statement } from './policy-document.ts'

/**
 * The one text of a document: compact JSON, members in a fixed order, condition operators and keys sorted by bytes. Characters that
 * HTML and JavaScript trip over are escaped, because the text is compared byte by byte with what other programs wrote.
 */
export function renderPolicy({ version, id, statements }: PolicyDocument): string {
  const value = {
    ...(version !== undefined && { Version: version }),
    ...(id !== undefined && { Id: id }),
    Statement: statements.map(statementValue),
  }
  return JSON.stringify(value).replaceAll(/[<>&\u2028\u2029]/g, escaped)
}

function statementValue(statement: Statement): Readonly<Record<string, unknown>> {
  const { sid, effect, principal, notPrincipal, action, notAction, resource, notResource, condition } = statement
  const members: readonly (readonly [string, unknown])[] = [
    ['Sid', sid],
    ['Effect', effect],
    ['Principal', principal === undefined ? undefined : principalValue(principal)],
    ['NotPrincipal', notPrincipal === undefined ? undefined : principalValue(notPrincipal)],
    ['Action', action],
    ['NotAction', notAction],
    ['Resource', resource],
    ['NotResource', notResource],
    ['Condition', condition === undefined ? undefined : sorted(condition, keys => sorted(keys, values => values))],
  ]
  return Object.fromEntries(members.filter(([, value]) => value !== undefined))
}

function principalValue(principal: PolicyPrincipal): unknown {
  return principal === '*' ? '*' : sorted(principal, values => values)
}

function sorted<T>(record: Readonly<Record<string, T>>, render: (value: T) => unknown): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(record)
      .sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
      .map(([key, value]) => [key, render(value)]),
  )
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
