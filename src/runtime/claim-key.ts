import { type ObjectKey, renderKey } from '#kube'

/** Names one claim, in the hub (`cluster` is empty) or in a cluster of the fleet. What a queue holds and a reconcile is called with. */
export interface ClaimKey extends ObjectKey {
  readonly cluster: string
}

/** `namespace/name`, with `cluster:` before it outside the hub. A cluster name holds no colon (fleet.ts refuses it), so it is unambiguous. */
export function renderClaimKey(key: ClaimKey): string {
  return key.cluster === '' ? renderKey(key) : `${key.cluster}:${renderKey(key)}`
}

export function claimKey(key: ObjectKey & { readonly cluster?: string }): ClaimKey {
  return { cluster: key.cluster ?? '', namespace: key.namespace, name: key.name }
}
