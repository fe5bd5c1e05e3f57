// Which Secrets the operator takes values from: those that its settings name, and no other, so that whoever takes the operator over has
// those Secrets and not all of the cluster. What an operator keeps in Secrets of its own goes nowhere, whatever the settings name.
import { isNamed, type NamedObjects, type ObjectKey, renderKey } from '#kube'
import { carriesOwnLabels, type Holder, reservedName } from './protected-objects.ts'

/** Why a Secret's values may not be used, with the next step; `held` once it was read. */
export function refusedSource(key: ObjectKey, held: Holder | undefined, list: NamedObjects): string | undefined {
  const isOperators = reservedName('Secret', key) !== undefined || (held !== undefined && carriesOwnLabels(held))
  if (isOperators) return `the secret ${renderKey(key)} is an operator's own, whose values go nowhere: name another`
  return isNamed(list, key) ? undefined : unlistedMessage(key)
}

export function unlistedMessage(key: ObjectKey): string {
  const name = renderKey(key)
  return `the secret ${name} is not among those that this operator may use: add ${name} to --allow-secrets and apply the rights that vouch render prints`
}
