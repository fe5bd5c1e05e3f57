import { type KubeObject, renderMicroTime, type StoredObject } from '#kube'

export interface Lease extends KubeObject {
  readonly spec: {
    readonly holderIdentity?: string
    readonly leaseDurationSeconds?: number
    readonly acquireTime?: string
    readonly renewTime?: string
    readonly leaseTransitions?: number
  }
}

export function isLease(object: StoredObject): object is Lease & StoredObject {
  return object.kind === 'Lease' && 'spec' in object && typeof object.spec === 'object' && object.spec !== null
}

export interface LeaseWish {
  readonly identity: string
  readonly leaseDurationMs: number
  readonly now: number
}

/** The lease as it should be when we hold it: taken over from `held`, renewed, or new. The times in it are for people only (W8). */
export function takeLease(held: Lease | undefined, key: { namespace: string; name: string }, wish: LeaseWish): Lease {
  const time = renderMicroTime(wish.now)
  const renewed = held?.spec.holderIdentity === wish.identity
  return {
    ...(held ?? { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: key }),
    spec: {
      holderIdentity: wish.identity,
      leaseDurationSeconds: Math.ceil(wish.leaseDurationMs / 1_000),
      acquireTime: renewed ? (held.spec.acquireTime ?? time) : time,
      renewTime: time,
      leaseTransitions: (held?.spec.leaseTransitions ?? 0) + (renewed || held === undefined ? 0 : 1),
    },
  }
}

/** Nobody's any more, and for the shortest time that the API allows: the next one need not wait. */
export function releaseLease(held: Lease, now: number): Lease {
  return { ...held, spec: { ...held.spec, holderIdentity: '', leaseDurationSeconds: 1, renewTime: renderMicroTime(now) } }
}
