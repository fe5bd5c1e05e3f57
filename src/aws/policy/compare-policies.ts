// Equality by meaning. AWS gives documents back as they were sent, but people, tools and other controllers write the same rule in
// many ways; only a difference in meaning is worth a call.
import { isAccountId } from '../names/account.ts'
import { parsePolicy } from './parse-policy.ts'
import {
  listOf,
  type OneOrMany,
  type PolicyDocument,
  type PolicyPrincipal,
  type PolicyUse,
  type Statement,
} from './policy-document.ts'

/** True when both say the same, in whatever order and with values alone or in lists. */
export function samePolicy(a: PolicyDocument, b: PolicyDocument): boolean {
  return meaningOf(a) === meaningOf(b)
}

/** Twice what any service of AWS takes; reading more would hold everybody else up. */
const policyLengthMax = 65_536

/** The same over texts. A text that is no policy, or longer than any, equals only itself. */
export function samePolicyText(a: string, b: string, use: PolicyUse): boolean {
  if (a === b) return true
  if (a.length > policyLengthMax || b.length > policyLengthMax) return false
  const [left, right] = [parsePolicy(a, use).document, parsePolicy(b, use).document]
  return left !== undefined && right !== undefined && samePolicy(left, right)
}

/** A text that is equal for documents of equal meaning: for sets and maps of documents. */
export function meaningOf({ version, id, statements }: PolicyDocument): string {
  return JSON.stringify([version ?? '2008-10-17', id ?? null, [...new Set(statements.map(statementMeaning))].sort()])
}

function statementMeaning(statement: Statement): string {
  const { sid, effect, principal, notPrincipal, action, notAction, resource, notResource, condition } = statement
  return JSON.stringify([
    sid ?? '',
    effect,
    principalMeaning(principal),
    principalMeaning(notPrincipal),
    // Actions and condition keys are compared by AWS without regard to case; resources, principals and values are not.
    setOf(action, text => text.toLowerCase()),
    setOf(notAction, text => text.toLowerCase()),
    setOf(resource),
    setOf(notResource),
    conditionMeaning(condition),
  ])
}

function principalMeaning(principal: PolicyPrincipal | undefined): unknown {
  if (principal === undefined) return null
  if (principal === '*') return [['AWS', ['*']]]
  return Object.entries(principal)
    .map(([kind, values]) => [kind, setOf(values, value => (kind === 'AWS' ? accountAsRoot(value) : value))])
    .sort(byText)
}

/** An account's number alone means its root. The partition is not known here, so the ARN form gives way to the number. */
function accountAsRoot(value: string): string {
  const account = /^arn:[a-z-]+:iam::(\d{12}):root$/.exec(value)?.[1]
  return account !== undefined && isAccountId(account) ? account : value
}

function conditionMeaning(condition: Statement['condition']): unknown {
  if (condition === undefined) return []
  return Object.entries(condition)
    .filter(([, keys]) => Object.keys(keys).length > 0)
    .map(([operator, keys]) => [
      operator,
      Object.entries(keys)
        .map(([key, values]) => [key.toLowerCase(), setOf(values)])
        .sort(byText),
    ])
    .sort(byText)
}

function setOf(values: OneOrMany | undefined, as: (text: string) => string = text => text): readonly string[] | null {
  return values === undefined ? null : [...new Set(listOf(values).map(as))].sort()
}

function byText(a: unknown, b: unknown): number {
  const [left, right] = [JSON.stringify(a), JSON.stringify(b)]
  return left < right ? -1 : left > right ? 1 : 0
}
