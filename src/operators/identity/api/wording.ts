// Words of conditions are for people; machines match type, status and reason. Whoever takes over from another version, or from the
// reference operator, finds the same said in other words: to write each status anew for that would wake every watcher for nothing (M4).
import { type Condition, findCondition, type StoredCondition } from '#kube'

/** What these say in `True` changes while the reason stays: who has to do what next. */
const tellsMore: readonly string[] = ['RoleMigrated', 'SigningKeyRotated', 'SigningKeysProven']

/** The conditions, with the words that stand there where the same good news was said of this generation before. */
export function keepWording(
  conditions: readonly Condition[],
  held: readonly StoredCondition[] | undefined,
  generation: number | undefined,
): readonly Condition[] {
  return conditions.map(condition => {
    const before = findCondition(held, condition.type)
    const isSaid = before?.status === 'True' && condition.status === 'True' && before.reason === condition.reason
    if (!isSaid || before.observedGeneration !== generation || tellsMore.includes(condition.type)) return condition
    return condition.reason === 'AnnotationRepaired' ? condition : { ...condition, message: before.message }
  })
}
