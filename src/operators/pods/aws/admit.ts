// One review, one snapshot, one answer (S19): pure, and applied to its own output it changes nothing.
import { type AddOperation, isObject, type PatchValue } from '../patch.ts'
import type { Warn } from './annotations.ts'
import { type AwsWebhookOptions, type IdentitySnapshot, mirrorAnnotation } from './api.ts'
import { decideInjection } from './decide.ts'
import { inject } from './inject.ts'

export interface AdmitOptions {
  /** `request.object` of the review. */
  readonly object: PatchValue
  readonly snapshot: IdentitySnapshot
  readonly flags: AwsWebhookOptions
  readonly randomBelow: (below: number) => number
  readonly warn: Warn
  /** The pod is let in and will not work as it is. Default: `warn`. */
  readonly broken?: Warn
  /** Why something was left out that is left out by rule. */
  readonly note?: Warn
}

/**
 * Operations to send; empty means: allowed as it is. The kind is not examined (2.2.3): whatever else is sent here keeps its pod in a
 * template, names no ServiceAccount where a pod does, and so has no identity.
 */
export function admitPod(options: AdmitOptions): readonly AddOperation[] {
  const { object, flags, warn } = options
  if (!isObject(object) || !isObject(object['spec'])) return []
  const metadata = isObject(object['metadata']) ? object['metadata'] : {}
  const annotations = isObject(metadata['annotations']) ? metadata['annotations'] : {}
  // A mirror pod's spec belongs to its node; the API server refuses changes to it (F-26).
  if (typeof annotations[mirrorAnnotation] === 'string') return []
  const expiration = annotations[`${flags.annotationPrefix}/token-expiration`]
  const injection = decideInjection({
    snapshot: options.snapshot,
    podExpiration: typeof expiration === 'string' ? expiration : undefined,
    flags,
    randomBelow: options.randomBelow,
    warn,
  })
  if (injection === undefined) return []
  for (const { message, fields } of options.snapshot.oddities ?? []) warn(message, fields)
  return inject(object, injection, flags, { warn, broken: options.broken ?? warn, note: options.note ?? (() => {}) })
}
