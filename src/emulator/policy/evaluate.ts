// One policy against one request: which statements match, and which came close.
import type { ConditionContext } from './conditions.ts'
import { conditionHolds, describeCondition, lookupIn } from './conditions.ts'
import type { Policy, PolicyStatement, PrincipalSet } from './document.ts'
import type { ContextLookup } from './pattern.ts'
import { matchesPattern } from './pattern.ts'

/** How a resource policy named the caller; the weight of its grant depends on it (§4.5). */
export type Grade = 'caller' | 'role' | 'account' | 'anyone'

export interface PolicyRequest {
  readonly action: string
  readonly resource: string
  readonly context: ConditionContext
  /** For policies with principals: how this value of a `Principal` element names the caller, if it does. */
  readonly gradeOf?: (type: string, value: string) => Grade | undefined
}

export interface StatementMatch {
  readonly statement: PolicyStatement
  readonly grade: Grade | undefined
}

export interface Evaluation {
  readonly denies: readonly StatementMatch[]
  readonly allows: readonly StatementMatch[]
  /** Statements that speak of this action but did not match, with the reason; for explanations only. */
  readonly misses: readonly string[]
}

export function evaluatePolicy(policy: Policy, request: PolicyRequest): Evaluation {
  const denies: StatementMatch[] = []
  const allows: StatementMatch[] = []
  const misses: string[] = []
  const lookup = lookupIn(request.context)
  for (const statement of policy.statements) {
    if (!actionMatches(statement, request.action)) continue
    const result = matchStatement(statement, request, lookup)
    if (typeof result === 'string') misses.push(`${statementName(statement)}: ${result}`)
    else if (statement.effect === 'Deny') denies.push(result)
    else allows.push(result)
  }
  return { denies, allows, misses }
}

/** `statement 2 "ReadOnly"` */
export function statementName(statement: PolicyStatement): string {
  return statement.sid === undefined ? `statement ${statement.index}` : `statement ${statement.index} "${statement.sid}"`
}

/** A match, or the reason why there is none. */
function matchStatement(statement: PolicyStatement, request: PolicyRequest, lookup: ContextLookup): StatementMatch | string {
  const { resources, principals } = statement
  if (resources !== undefined) {
    const named = resources.patterns.some(pattern => matchesPattern(pattern, request.resource, lookup))
    if (named === resources.negated) return `its resources do not cover ${request.resource}`
  }
  let grade: Grade | undefined
  if (principals !== undefined) {
    grade = principalGrade(principals, request)
    if (grade === undefined) return 'its principals do not cover the caller'
  } else if (request.gradeOf !== undefined) return 'it names no principal'
  const failed = statement.conditions.find(condition => !conditionHolds(condition, request.context))
  if (failed !== undefined) return describeCondition(failed, request.context)
  return { statement, grade }
}

function actionMatches(statement: PolicyStatement, action: string): boolean {
  const { actions } = statement
  if (actions === undefined) return false
  return actions.patterns.some(pattern => matchesPattern(pattern, action, () => undefined, true)) !== actions.negated
}

/** An account only delegates, so "*" beside it is the stronger word. */
const strength: readonly Grade[] = ['caller', 'role', 'anyone', 'account']

/** The strongest way in which the clause names the caller; a `NotPrincipal` that does not name it covers it like `*`. */
function principalGrade(set: PrincipalSet, request: PolicyRequest): Grade | undefined {
  const grades = set.values.map(({ type, value }) => request.gradeOf?.(type, value)).filter(grade => grade !== undefined)
  if (set.negated) return grades.length === 0 ? 'anyone' : undefined
  return strength.find(grade => grades.includes(grade))
}
