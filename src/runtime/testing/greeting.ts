// A small operator with every piece of furniture, for tests of the engine: a Greeting asks for a ConfigMap of its name in each of
// `spec.namespaces` (its own by default), in the hub or in the clusters of `spec.clusters`.
import { given } from '#base'
import {
  configMaps,
  defineKind,
  type Kind,
  type KubeObject,
  type ResourceType,
  renderCrd,
  type StoredCondition,
  type StoredObject,
  schema,
} from '#kube'
import { type AnyController, type ControllerDefinition, defineController, type Reconciler } from '../controller/definition.ts'
import type { Reads } from '../informer/reads.ts'
import { indexBy } from '../informer/source.ts'
import type { Action, Plan } from '../plan/plan.ts'

interface GreetingSpec {
  readonly text: string
  readonly clusters?: readonly string[]
}

interface GreetingStatus {
  readonly observedGeneration?: number
  readonly copies?: number
  readonly conditions?: readonly StoredCondition[]
}

export const Greeting: Kind<GreetingSpec, GreetingStatus> = defineKind<GreetingSpec, GreetingStatus>({
  group: 'test.example.com',
  version: 'v1',
  kind: 'Greeting',
  plural: 'greetings',
  namespaced: true,
  description: 'Asks for a ConfigMap.',
  spec: schema.object({
    text: schema.string().describe('What it says.'),
    clusters: schema.list(schema.string()).optional().describe('Where; the hub when absent.'),
  }),
  status: schema.object({
    observedGeneration: schema.integer().optional().describe('Seen.'),
    copies: schema.integer().optional().describe('How many there are.'),
    conditions: schema.conditions().optional(),
  }),
})
export const greetings: ResourceType = Greeting.type
export const greetingCrd: KubeObject = renderCrd(Greeting)
export const finalizer = 'test.example.com/copies'
export const ownerLabel = 'test.example.com/owner'

export interface GreetingObject extends StoredObject {
  readonly spec: GreetingSpec
  readonly status?: GreetingStatus
}

export type ConfigMap = StoredObject & { readonly data?: Readonly<Record<string, string>> }

export function greeting(
  name: string,
  text = 'hello',
  clusters?: readonly string[],
): KubeObject & { readonly spec: GreetingSpec } {
  const spec = { text, ...given({ clusters }) }
  return { apiVersion: Greeting.apiVersion, kind: 'Greeting', metadata: { namespace: 'default', name }, spec }
}

export interface SeenGreeting {
  readonly claim: GreetingObject | undefined
  readonly copies: readonly { readonly cluster: string; readonly object: ConfigMap }[]
  /** Clusters that ought to be looked at and cannot be. */
  readonly unknown: readonly string[]
}

function observe(key: { namespace: string; name: string }, world: Reads): SeenGreeting {
  const claim = world.find<GreetingObject>(greetings, key)
  if (claim === undefined) return { claim, copies: [], unknown: [] }
  const isKnown = (cluster: string): boolean => world.cluster(cluster)?.isSynced(configMaps) ?? false
  const copies = ['', ...world.clusters].filter(isKnown).flatMap(cluster =>
    (world.cluster(cluster)?.byIndex<ConfigMap>(configMaps, 'owner', claim.metadata.uid) ?? []).map(object => ({
      cluster,
      object,
    })),
  )
  return { claim, copies, unknown: (claim.spec.clusters ?? []).filter(cluster => !isKnown(cluster)) }
}

function decide({ claim, copies, unknown }: SeenGreeting): Plan {
  const next = { kind: 'await-change' } as const
  if (claim === undefined) return { actions: [], conditions: [], next }
  const where = (cluster: string) => (cluster === '' ? {} : { cluster })
  const wanted = claim.metadata.deletionTimestamp === undefined ? (claim.spec.clusters ?? ['']) : []
  const surplus = copies.filter(copy => !wanted.includes(copy.cluster))
  const remove = surplus.map(({ cluster, object }): Action => ({ kind: 'delete', type: configMaps, object, ...where(cluster) }))
  if (claim.metadata.deletionTimestamp !== undefined) {
    const release: Action = { kind: 'remove-finalizer', type: greetings, object: claim, finalizer }
    const isHeld = claim.metadata.finalizers?.includes(finalizer) === true
    // P5: what cannot be seen is not taken for absent.
    if (unknown.length > 0)
      return { actions: remove, conditions: [], next: { kind: 'look-again', afterMs: 10_000, why: 'a cluster is missing' } }
    return { actions: surplus.length > 0 ? remove : isHeld ? [release] : [], conditions: [], next }
  }
  if (claim.spec.text === '') {
    const message = 'there is no text'
    const conditions = [{ type: 'Ready', status: 'False', reason: 'Empty', message }] as const
    return { actions: [], conditions, next: { kind: 'stalled', reason: 'Empty', message } }
  }
  const labels = { [ownerLabel]: claim.metadata.uid }
  const { namespace, name } = claim.metadata as { namespace: string; name: string }
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace, name, labels }, data: { text: claim.spec.text } }
  const copy = wanted.map((cluster): Action[] => [
    { kind: 'apply', type: configMaps, object, mark: { labels }, ...where(cluster) },
  ])
  return {
    actions: [
      { kind: 'add-finalizer', type: greetings, object: claim, finalizer },
      ...remove,
      { kind: 'together', branches: copy },
    ],
    conditions: [{ type: 'Ready', status: 'True', reason: 'Copied', message: `says ${claim.spec.text}` }],
    status: { copies: wanted.length },
    next,
  }
}

const owner = indexBy<ConfigMap>(({ metadata }) => {
  const uid = metadata.labels?.[ownerLabel]
  return uid === undefined ? [] : [uid]
})
const uid = indexBy(({ metadata }) => [metadata.uid])

/** The operator, with parts replaced. */
export function greetingController(more: Partial<ControllerDefinition<SeenGreeting>> = {}): AnyController {
  const toOwner = (copy: StoredObject, world: Reads) =>
    world
      .byIndex(greetings, 'uid', copy.metadata.labels?.[ownerLabel] ?? '')
      .map(({ metadata }) => ({ namespace: metadata.namespace ?? '', name: metadata.name }))
  return defineController<SeenGreeting>({
    name: 'greeter',
    claims: { type: greetings, indexes: { uid } },
    watches: [
      { type: configMaps, indexes: { owner }, toClaims: toOwner },
      { type: configMaps, indexes: { owner }, on: 'targets', toClaims: toOwner },
    ],
    toClaimsOfCluster: (_cluster, world) =>
      world.list(greetings).map(({ metadata }) => ({ namespace: metadata.namespace ?? '', name: metadata.name })),
    reconciler: { observe, decide },
    ...more,
  })
}

export const greetingReconciler: Reconciler<SeenGreeting> = { observe, decide }
