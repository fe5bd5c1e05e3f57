import { type ObjectKey, parseKey, renderKey } from '#kube'

/** Names one claim, in the hub (`cluster` is empty) or in a cluster of the fleet. What a queue holds and a reconcile is called with. */
export interface ClaimKey extends ObjectKey {
  readonly cluster: string
}

/** `namespace/name`, with `cluster//` before it outside the hub. No part can hold a slash, so it is unambiguous. */
export function renderClaimKey(key: ClaimKey): string {
  return key.cluster === '' ? renderKey(key) : `${key.cluster}//${renderKey(key)}`
}

export function parseClaimKey(text: string): ClaimKey {
  const slashes = text.indexOf('//')
  return slashes < 0
    ? { cluster: '', ...parseKey(text) }
    : { cluster: text.slice(0, slashes), ...parseKey(text.slice(slashes + 2)) }
}

export function claimKey(key: ObjectKey & { readonly cluster?: string }): ClaimKey {
  return { cluster: key.cluster ?? '', namespace: key.namespace, name: key.name }
}
