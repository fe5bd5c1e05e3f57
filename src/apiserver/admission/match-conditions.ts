// Match conditions of webhooks and policies: expressions all of which must hold for the owner to have a say.
import { type ExpressionSurroundings, evaluate, failureOf } from './expressions.ts'

export interface MatchCondition {
  readonly name: string
  readonly expression: string
}

/** Whether all hold, or the first that cannot be judged. One that is false settles it, even if another cannot be judged. */
export function meetsConditions(
  conditions: readonly MatchCondition[],
  surroundings: ExpressionSurroundings,
): boolean | { readonly problem: string } {
  let problem: string | undefined
  for (const { expression } of conditions) {
    const outcome = evaluate(expression, surroundings)
    if ('problem' in outcome) problem ??= failureOf(expression, outcome.problem)
    else if (outcome.value === false) return false
    else if (outcome.value !== true) problem ??= failureOf(expression, 'the expression gives no boolean')
  }
  return problem === undefined ? true : { problem }
}
