// Which Secrets the operator takes values from: those that its settings name, and no other, so that whoever takes the operator over has
// those Secrets and not all of the cluster. What an operator keeps in Secrets of its own goes nowhere, whatever the settings name.
import { isNamed, type NamedObjects, type ObjectKey, renderKey } from '#kube'
import { carriesOwnLabels, type Holder, reservedName } from './protected-objects.ts'

export interface SecretAccess {
  /** Which may be read or written at all. */
  readonly secrets: NamedObjects
  /** Values are taken from others than those of type Opaque as well: tokens of ServiceAccounts, keys of TLS. */
  readonly anySecretType: boolean
}

/** Why a Secret's values may not be used, with the next step; `held` once it was read. */
export function refusedSource(key: ObjectKey, held: Holder | undefined, access: SecretAccess): string | undefined {
  const isOperators = reservedName('Secret', key) !== undefined || (held !== undefined && carriesOwnLabels(held))
  if (isOperators) return `the secret ${renderKey(key)} is an operator's own, whose values go nowhere: name another`
  if (!isNamed(access.secrets, key)) return unlistedMessage(key)
  const type = held?.type ?? 'Opaque'
  return type === 'Opaque' || access.anySecretType ? undefined : `only opaque secrets can be used: ${renderKey(key)} is ${type}`
}

export function unlistedMessage(key: ObjectKey): string {
  const name = renderKey(key)
  return `the secret ${name} is not among those that this operator may use: add ${name} to --allow-secrets and apply the rights that vouch render prints`
}
