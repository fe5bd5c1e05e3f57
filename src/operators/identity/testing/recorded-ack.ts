// What ACK's own controllers (IAM 1.6.3, EKS 1.13.0) wrote about new children, in order and with the times between, as recorded beside
// the reference operator on a real API server. Played back at the children of a test, it shows what an operator makes of each step.
import { given } from '#base'
import { type KubeObject, keyOf, type ResourceType, type StoredObject } from '#kube'
import type { KubeClient } from '#kube/client'
import { associationKind, roleKind as iamRoleKind, policyKind, providerKind } from '../children/kinds.ts'

interface Said {
  readonly type: string
  readonly status: 'True' | 'False' | 'Unknown'
  readonly reason?: string
  readonly message?: string
}

interface Step {
  /** After the step before, and the first one after the creation. */
  readonly afterMs: number
  readonly finalizer?: true
  readonly conditions?: readonly Said[]
}

const message = 'Resource synced successfully'
const late = 'Late initialization successful'
const again = 'role created, requeuing to trigger updates'
const unsure = 'Unable to determine if desired resource state matches latest observed state'

const isSynced: readonly Said[] = [
  { type: 'ACK.ResourceSynced', status: 'True', reason: '', message },
  { type: 'Ready', status: 'True', reason: '', message },
]
const isInitialized: Said = { type: 'ACK.LateInitialized', status: 'True', reason: late, message: late }
const willLookAgain: readonly Said[] = [
  { type: 'ACK.Recoverable', status: 'True', message: again },
  { type: 'ACK.ResourceSynced', status: 'Unknown', reason: again, message: unsure },
  { type: 'Ready', status: 'False', reason: 'ACK.Recoverable', message: again },
]

const recordings: Readonly<Record<string, readonly Step[]>> = {
  Role: [
    { afterMs: 36, finalizer: true },
    { afterMs: 9, conditions: willLookAgain },
    { afterMs: 69, conditions: [isInitialized, ...isSynced] },
  ],
  Policy: [
    { afterMs: 6, finalizer: true },
    { afterMs: 69, conditions: [isInitialized, ...isSynced] },
  ],
  PodIdentityAssociation: [
    { afterMs: 5, finalizer: true },
    { afterMs: 15, conditions: isSynced },
  ],
  OpenIDConnectProvider: [
    { afterMs: 10, finalizer: true },
    { afterMs: 54, conditions: [isInitialized, ...isSynced] },
  ],
}

const kinds = [iamRoleKind, policyKind, associationKind, providerKind]

export interface RecordedAck {
  /** How many writes were played. */
  readonly writes: number
  /** Plays the next step of each child; false when none is left. */
  step(between: (ms: number) => Promise<void>): Promise<boolean>
}

export function recordedAck(
  client: KubeClient,
  options: { readonly account: string; readonly nowMs: () => number },
): RecordedAck {
  const places = new Map<string, number>()
  let writes = 0
  const play = async (type: ResourceType, object: StoredObject, { finalizer, conditions = [] }: Step): Promise<void> => {
    writes++
    if (finalizer === true) {
      const body = { metadata: { finalizers: [`finalizers.${type.group}/${type.kind}`] } }
      await client.patch(type, keyOf(object), 'merge', body)
      return
    }
    const time = `${new Date(options.nowMs()).toISOString().slice(0, 19)}Z`
    const arn = arnOf(object, options.account)
    const status = {
      ackResourceMetadata: { ownerAccountID: options.account, region: 'eu-west-1', ...given({ arn }) },
      conditions: conditions.map(said => ({ ...said, lastTransitionTime: time })),
    }
    await client.patch(type, keyOf(object), 'merge', { status }, { subresource: 'status' })
  }
  return {
    get writes() {
      return writes
    },
    step: async between => {
      for (const { type } of kinds) {
        for (const object of (await client.list(type)).items) {
          const place = places.get(object.metadata.uid) ?? 0
          const next = recordings[type.kind]?.[place]
          if (next === undefined) continue
          places.set(object.metadata.uid, place + 1)
          await between(next.afterMs)
          await play(type, object, next)
          return true
        }
      }
      return false
    },
  }
}

function arnOf(object: KubeObject, account: string): string | undefined {
  const { name, url } = (object as { readonly spec?: { readonly name?: string; readonly url?: string } }).spec ?? {}
  switch (object.kind) {
    case 'Role':
      return `arn:aws:iam::${account}:role/${name ?? ''}`
    case 'Policy':
      return `arn:aws:iam::${account}:policy/${name ?? ''}`
    case 'OpenIDConnectProvider':
      return `arn:aws:iam::${account}:oidc-provider/${(url ?? '').replace('https://', '')}`
    default:
      return undefined
  }
}
