// The calls by which a lease is read, taken, renewed, handed over and followed.
import type { Clock, Log, Random } from '#base'
import { leases, type ObjectKey, type StoredObject } from '#kube'
import type { KubeClient } from '#kube/client'
import { Informer } from '../informer/informer.ts'
import { isLease, type Lease, releaseLease } from './lease.ts'

export interface LeasePlace {
  readonly client: KubeClient
  readonly clock: Clock
  readonly lease: ObjectKey
}

interface CallLimits {
  readonly signal: AbortSignal
  readonly timeoutMs: number
}

/** The end of a process does not wait longer than this for its lease. */
const lastCallMs = 2_000

export function readLease({ client, lease }: LeasePlace, limits: CallLimits): Promise<(Lease & StoredObject) | undefined> {
  return client.find<Lease & StoredObject>(leases, lease, limits)
}

/** Makes the lease, or changes what is held of it, as long as nobody else changed it meanwhile. */
export function writeLease(
  { client }: LeasePlace,
  { held, wish }: { readonly held: Lease | undefined; readonly wish: Lease },
  limits: CallLimits,
): Promise<Lease & StoredObject> {
  return held === undefined ? client.create(leases, wish, limits) : client.update(leases, wish, limits)
}

export async function handOverLease({ client, clock }: LeasePlace, own: Lease & StoredObject): Promise<void> {
  await client.update(leases, releaseLease(own, clock.now()), { timeoutMs: lastCallMs })
}

/** Removes the very lease that was ours. */
export async function removeLease({ client, lease }: LeasePlace, own: Lease & StoredObject): Promise<void> {
  const { uid, resourceVersion } = own.metadata
  await client.delete(leases, lease, { preconditions: { uid, resourceVersion }, timeoutMs: lastCallMs })
}

/** Tells of each state of the lease until the signal aborts. */
export async function watchLease(
  { client, clock, random, log, lease }: LeasePlace & { readonly random: Random; readonly log: Log },
  notice: (held: Lease & StoredObject) => void,
  signal: AbortSignal,
): Promise<void> {
  const informer = new Informer({
    client,
    clock,
    random: random.fork('lease-watch'),
    log,
    type: leases,
    namespace: lease.namespace,
    fieldSelector: `metadata.name=${lease.name}`,
    listing: 'pages',
    limits: { auditMs: 0 },
  })
  informer.cache.listen(({ object }) => {
    if (isLease(object)) notice(object)
  })
  await informer.run(signal)
}
