import type { StoredObject } from '#kube'

/** One change of a cache, told in the moment it happens. */
export type Change<T extends StoredObject = StoredObject> =
  /** `initial`: it was there when the informer first listed, so it is no news after a restart. */
  | { readonly kind: 'added'; readonly object: T; readonly initial: boolean }
  | { readonly kind: 'changed'; readonly object: T; readonly previous: T }
  /** `object` is the last state that was known, which need not be the last there was. */
  | { readonly kind: 'removed'; readonly object: T }

/** Runs inside the change: it must not wait, throw or write to the cache. It puts a key in a queue, as a rule. */
export type Listener<T extends StoredObject = StoredObject> = (change: Change<T>) => void

/** Why an informer does not follow the server at this moment. */
export type BehindWhy =
  | 'starting'
  | 'kind-missing'
  | 'forbidden'
  | 'unauthenticated'
  | 'unreachable'
  | 'throttled'
  /** The server answered with a state older than one we have seen (F11). */
  | 'older'
  | 'error'
  | 'stopped'

export type InformerState =
  | { readonly kind: 'live' }
  | { readonly kind: 'listing'; readonly sinceMs: number }
  | { readonly kind: 'behind'; readonly why: BehindWhy; readonly message: string; readonly sinceMs: number }
