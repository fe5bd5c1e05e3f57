// What a policy says of a request: each validation that fails, in the words of the real server.
import { type CelMap, type CelValue, EvalError } from '#schema'
import { type ExpressionSurroundings, evaluate, failureOf, withoutRights } from '../expressions.ts'
import { meetsConditions } from '../match-conditions.ts'
import type { AdmissionPolicy, AuditAnnotation, PolicyVariable, Validation } from './policy-config.ts'

export interface Objection {
  readonly message: string
  readonly reason: string
  /** The request is refused whatever the actions of the binding. */
  readonly isFinal?: boolean
}

const reasonDefault = 'Invalid'
/** A message longer than this is not shown. */
const messageLengthMax = 5 * 1024

/** Nothing when all is well, or when the policy is not about such a request. */
export function judge(policy: AdmissionPolicy, surroundings: ExpressionSurroundings): readonly Objection[] {
  const failure = (message: string): readonly Objection[] => (policy.ignoresFailure ? [] : [{ message, reason: reasonDefault }])
  const isMeant = meetsConditions(policy.matchConditions, surroundings)
  if (isMeant === false) return []
  if (isMeant !== true) return failure(isMeant.problem)
  const whole = new Map([...surroundings, ['variables', new Variables(policy.variables, surroundings)]])
  const objections = policy.validations.flatMap(validation => {
    const outcome = evaluate(validation.expression, whole)
    if ('problem' in outcome) return failure(failureOf(validation.expression, outcome.problem))
    return outcome.value === true ? [] : [{ message: messageOf(validation, whole), reason: validation.reason ?? reasonDefault }]
  })
  return [...objections, ...policy.auditAnnotations.flatMap(annotation => unaudited(annotation, policy, whole))]
}

/** No records are kept here, but a request of which nothing can be recorded is refused as elsewhere. */
function unaudited(
  { valueExpression }: AuditAnnotation,
  { ignoresFailure }: AdmissionPolicy,
  surroundings: ExpressionSurroundings,
): readonly Objection[] {
  const outcome = evaluate(valueExpression, surroundings)
  if (ignoresFailure || !('problem' in outcome)) return []
  return [{ message: failureOf(valueExpression, outcome.problem), reason: reasonDefault, isFinal: true }]
}

/** What its expression says, else its message, else the expression. */
function messageOf({ expression, message, messageExpression }: Validation, surroundings: ExpressionSurroundings): string {
  const otherwise = message ?? `failed expression: ${expression.trim()}`
  if (messageExpression === undefined) return otherwise
  const outcome = evaluate(messageExpression, withoutRights(surroundings))
  const said = 'value' in outcome && typeof outcome.value === 'string' ? outcome.value.trim() : ''
  return said === '' || said.length > messageLengthMax || said.includes('\n') ? otherwise : said
}

/** Each is computed when first asked for, and once; it may speak of those before it. */
class Variables implements CelMap {
  readonly kind = 'map'
  readonly #expressions: ReadonlyMap<string, string>
  readonly #surroundings: ExpressionSurroundings
  readonly #values = new Map<string, CelValue>()

  constructor(variables: readonly PolicyVariable[], surroundings: ExpressionSurroundings) {
    this.#expressions = new Map(variables.map(({ name, expression }) => [name, expression]))
    this.#surroundings = new Map([...surroundings, ['variables', this]])
  }

  get size(): number {
    return this.#expressions.size
  }

  get(key: CelValue): CelValue | undefined {
    const expression = typeof key === 'string' ? this.#expressions.get(key) : undefined
    if (expression === undefined || typeof key !== 'string') return undefined
    const known = this.#values.get(key)
    if (known !== undefined) return known
    const outcome = evaluate(expression, this.#surroundings)
    if ('problem' in outcome) throw new EvalError(`composited variable "${key}" fails to evaluate: ${outcome.problem}`)
    this.#values.set(key, outcome.value)
    return outcome.value
  }

  keys(): readonly CelValue[] {
    return [...this.#expressions.keys()]
  }
}
