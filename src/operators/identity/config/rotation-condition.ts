// What is said of a rotation: where it stands, what it waits for, and what a person can do about it.
import { renderDuration } from '#base'
import type { Condition } from '#kube'
import { conditionTypes, type Reason } from '../api/conditions.ts'
import { annotations } from '../api/labels.ts'
import type { KeyRing } from './key-ring.ts'
import type { RotationStep, RotationTimes } from './rotation.ts'

export interface RotationTold {
  readonly ring: KeyRing
  readonly step: RotationStep
  readonly wish: { readonly request: string | undefined }
  readonly maxAge: number | 'unreadable' | undefined
  readonly signer: string | undefined
  readonly times: RotationTimes
}

/** `undefined` where a rotation was never asked for: a Config as the reference operator knows it stays as it is. */
export function rotationCondition({ ring, step, wish, maxAge, signer, times }: RotationTold): Condition | undefined {
  const say = (status: 'True' | 'False', reason: Reason, message: string): Condition => ({
    type: conditionTypes.signingKeyRotated,
    status,
    reason,
    message,
  })
  const { keyId } = ring.current.public
  if (ring.next !== undefined && ring.nextPublishedMs === undefined) {
    return say('False', 'SigningKeyPublished', `key ${ring.next.public.keyId} is being published beside ${keyId}`)
  }
  if (ring.next !== undefined) {
    const wait = renderDuration(times.propagationMs)
    return say('False', 'SigningKeyPropagating', `key ${ring.next.public.keyId} is published; it signs after ${wait}`)
  }
  if (ring.previous !== undefined && ring.retiresMs === undefined) {
    const who =
      signer === undefined
        ? `which key the cluster signs with cannot be told: state it in the annotation ${annotations.signingKeyInUse} of the signing Secret`
        : `the cluster still signs with ${signer}`
    return say('False', 'SigningKeyHandover', `the API server is to sign with key ${keyId} of the signing Secret; ${who}`)
  }
  if (ring.previous !== undefined) {
    const grace = renderDuration(times.graceMs)
    return say('False', 'SigningKeyRetiring', `the cluster signs with ${keyId}; ${ring.previous.keyId} stays for ${grace}`)
  }
  if (maxAge === 'unreadable') {
    const message = `annotation ${annotations.signingKeyMaxAge} is no duration of a day or more, such as 720h; the key does not age`
    return say('False', 'InvalidSpec', message)
  }
  if (ring.request === undefined && wish.request === undefined && maxAge === undefined) return undefined
  return step.phase === 'steady' ? say('True', 'SigningKeyCurrent', `key ${keyId} signs, and no other is accepted`) : undefined
}
