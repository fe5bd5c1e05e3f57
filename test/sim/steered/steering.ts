// How people steer a rollout in the simulator, by annotations on the set, and what each of these annotations promises. For subjects that drive
// the ReplicaSet controller.
import { findCondition, type KubeObject } from '#kube'
import {
  type ServiceAccountRoleReplicaSet as ReplicaSet,
  replicaSetKind,
  roleKind,
  type ServiceAccountRole,
} from '#operators/identity/api'
import type { Deed, Effect, Invariant, World } from '#simulator'
import { deed, edits } from '../deeds.ts'

const prefix = 'aws.identity.appthrust.io'
const mergePatch = 'application/merge-patch+json'

export function steers(path: string, what: 'paused' | 'rollback', value: 'true' | null, afterMs: number | undefined): Deed {
  const label = `${value === null ? 'end' : 'ask for'} ${what} of ${path.split('/').at(-1)}`
  return edits(label, { path }, { metadata: { annotations: { [`${prefix}/rollout-${what}`]: value } } }, afterMs)
}

/** Whoever asks takes it back after a while. */
export function asksForAWhile(what: 'paused' | 'rollback', path: string, forMs: number): Deed {
  const asks = steers(path, what, 'true', undefined)
  const run = async (world: World): Promise<void> => {
    await asks.run(world)
    world.parkDeed(steers(path, what, null, forMs))
  }
  return { ...asks, run }
}

/** A request that nobody made before. */
export function retries(path: string, afterMs: number | undefined): Deed {
  return deed(`retry ${path.split('/').at(-1)}`, path, afterMs, async world => {
    const held = world.find('hub', path)?.metadata.annotations?.[`${prefix}/rollout-retry`] ?? '0'
    const body = { metadata: { annotations: { [`${prefix}/rollout-retry`]: String(Number(held) + 1) } } }
    await world.act('hub', 'PATCH', path, body, mergePatch)
  })
}

/** What a set still tells of steering that is over depends on who saw it in time, and is no end that two runs share (D1). */
export function withoutPastSteering(object: KubeObject): unknown {
  const { status } = object as ReplicaSet & KubeObject
  if (object.kind !== replicaSetKind.type.kind || status?.conditions === undefined) return object
  const isPast = (one: { readonly type: string; readonly status: string }): boolean =>
    one.status !== 'True' && ['RolloutPaused', 'RolloutStopped', 'RolloutRetried', 'RolloutRolledBack'].includes(one.type)
  return { ...object, status: { ...status, conditions: status.conditions.filter(one => !isPast(one)) } }
}

/** What of a set's steering is not at its end, while nobody steers any more. */
export function unsteered({ metadata, spec, status }: ReplicaSet): string | undefined {
  const request = metadata.annotations?.[`${prefix}/rollout-retry`]
  if (status?.retry?.request !== request) return `it answers ${status?.retry?.request}, and was asked for ${request}`
  const held = (status?.conditions ?? []).filter(
    one => /^Rollout(?:Paused|Stopped|Retried|RolledBack)$/.test(one.type) && one.status === 'True',
  )
  if (held.length > 0) return `it says ${held.map(({ type }) => type).join(', ')}`
  const completed = JSON.stringify(status?.completedTemplate?.spec)
  return completed === JSON.stringify(spec.template.spec) ? undefined : `${completed} counts as rolled out last`
}

/** What a run has shown of one set so far. */
interface Past {
  /** Templates that its spec had, in their order. */
  readonly templates: string[]
  /** Since when each request to try again is answered. */
  readonly answers: Map<string, string>
  /** Clusters that were well with a template. */
  readonly well: Map<string, Set<string>>
  /** Roles by uid and generation that were well once: what is not well any more broke by itself. */
  readonly wellOnce: Set<string>
  /** Of clusters that the status says are out of time: which Role that was said of. */
  readonly late: Map<string, string>
}

const pasts = new WeakMap<World, Past>()

export interface SteeredSet {
  readonly path: string
  /** Clusters that are selected for as long as the set is there. */
  readonly always: readonly string[]
  /** So many may fail and the rollout goes on. */
  readonly failuresMax: number
}

export function steeringInvariants(set: SteeredSet): readonly Invariant[] {
  const check = (look: (effect: Effect, world: World, live: ReplicaSet) => string | undefined): Invariant['check'] => {
    return (effect, world) => {
      const live = world.find('hub', set.path) as ReplicaSet | undefined
      // Its Roles have the name of the set; others are not asked what this one promises.
      const isOfIt = (effect.after ?? effect.before)?.metadata.name === live?.metadata.name
      return live === undefined || !isOfIt ? undefined : look(effect, world, live)
    }
  }
  return [
    { code: 'paused', check: check((effect, _, live) => heldStill(effect, live)) },
    { code: 'rolled-back', check: check((effect, _, live) => takenBack(effect, live)) },
    { code: 'stopped', check: check((effect, world, live) => stopped(effect, world, live, set.failuresMax)) },
    { code: 'retried', check: check((effect, world) => answeredOnce(effect, pastOf(world))) },
    { code: 'completed', check: check((effect, world) => completedInTurn(effect, pastOf(world), set.always)) },
    // Last: it notes what the others will rest on.
    { code: 'noted', check: check(note) },
  ]
}

/** Whether the Role has a template of the set, of whatever time, and has not been well since it got it. */
export function isInFlight(world: World, role: ServiceAccountRole): boolean {
  const { templates, wellOnce } = pastOf(world)
  return templates.includes(JSON.stringify(role.spec)) && !isWell(role) && !wellOnce.has(versionOf(role))
}

function versionOf({ metadata }: ServiceAccountRole): string {
  return `${metadata.uid}/${metadata.generation}`
}

function pastOf(world: World): Past {
  const held = pasts.get(world)
  if (held !== undefined) return held
  const past: Past = { templates: [], answers: new Map(), well: new Map(), wellOnce: new Set(), late: new Map() }
  pasts.set(world, past)
  return past
}

/** The Role in which a process begins something with this effect: it makes it, or gives it another spec. */
function begunBy({ by, before, after, subresource }: Effect): ServiceAccountRole | undefined {
  if (by === 'user' || subresource !== undefined || !isRole(after)) return undefined
  return before === undefined || specOf(before) !== specOf(after) ? after : undefined
}

function isRole(object: KubeObject | undefined): object is ServiceAccountRole & KubeObject {
  return object?.kind === roleKind.type.kind
}

function specOf(object: KubeObject): string {
  return JSON.stringify((object as ServiceAccountRole & KubeObject).spec)
}

function says({ status }: ReplicaSet, type: string): boolean {
  return findCondition(status?.conditions, type)?.status === 'True'
}

function isAsked({ metadata }: ReplicaSet, what: 'paused' | 'rollback'): boolean {
  return metadata.annotations?.[`${prefix}/rollout-${what}`] === 'true'
}

/** Who has told that the rollout is paused begins nothing until it is resumed. */
function heldStill(effect: Effect, live: ReplicaSet): string | undefined {
  if (begunBy(effect) === undefined || !isAsked(live, 'paused') || !says(live, 'RolloutPaused')) return undefined
  return `${effect.by} writes ${effect.key} while the rollout says that it is paused`
}

/** Who has told that the rollout is taken back gives nobody anything but the former template. */
function takenBack(effect: Effect, live: ReplicaSet): string | undefined {
  const role = begunBy(effect)
  const former = live.status?.completedTemplate
  if (role === undefined || former === undefined || !isAsked(live, 'rollback') || !says(live, 'RolloutRolledBack'))
    return undefined
  return specOf(role) === JSON.stringify(former.spec) ? undefined : `${effect.key} is not taken back: ${specOf(role)}`
}

/** While more are out of time than may, nothing is begun: by what was told last, of Roles that have not been well or changed since. */
function stopped(effect: Effect, world: World, live: ReplicaSet, failuresMax: number): string | undefined {
  const begun = begunBy(effect)
  const isRetried = live.metadata.annotations?.[`${prefix}/rollout-retry`] !== live.status?.retry?.request
  if (begun === undefined || isRetried) return undefined
  const late = [...pastOf(world).late].filter(([cluster, version]) => {
    const role = roleIn(world, cluster, live)
    return role !== undefined && versionOf(role) === version && specOf(role) === specOf(begun) && isInFlight(world, role)
  })
  if (late.length <= failuresMax) return undefined
  return `${effect.by} writes ${effect.key} although ${late.map(([cluster]) => cluster).join(', ')} failed`
}

function roleIn(world: World, cluster: string, { metadata }: ReplicaSet): (ServiceAccountRole & KubeObject) | undefined {
  return [...world.objects()].find(
    (object): object is ServiceAccountRole & KubeObject =>
      isRole(object) && object.metadata.namespace === cluster && object.metadata.name === metadata.name,
  )
}

/** A request to try again is taken up once, whoever leads, and none is taken up again after a later one. */
function answeredOnce({ by, before, after }: Effect, { answers }: Past): string | undefined {
  if (by === 'user' || after?.kind !== replicaSetKind.type.kind) return undefined
  const [past, now] = [before, after].map(object => (object as ReplicaSet | undefined)?.status?.retry)
  if (past !== undefined && now === undefined) return `request ${past.request} is forgotten`
  if (now === undefined || (past?.request === now.request && past.since === now.since)) return undefined
  const since = answers.get(now.request)
  return since === undefined ? undefined : `request ${now.request} was taken up at ${since}, and again at ${now.since}`
}

/** What a rollback brings back is never an older template than before, and one with which each cluster was well. */
function completedInTurn(
  { by, before, after }: Effect,
  { templates, well }: Past,
  always: readonly string[],
): string | undefined {
  if (by === 'user' || after?.kind !== replicaSetKind.type.kind) return undefined
  const [past, now] = [before, after].map(object => (object as ReplicaSet | undefined)?.status?.completedTemplate)
  if (past !== undefined && now === undefined) return 'the template that was rolled out last is forgotten'
  if (now === undefined || JSON.stringify(past) === JSON.stringify(now)) return undefined
  const spec = JSON.stringify(now.spec)
  const [from, to] = [past === undefined ? -1 : templates.indexOf(JSON.stringify(past.spec)), templates.indexOf(spec)]
  if (to < from) return `template ${to} counts as rolled out after template ${from}`
  const missing = always.filter(cluster => well.get(spec)?.has(cluster) !== true)
  return missing.length === 0
    ? undefined
    : `template ${to} counts as rolled out, and ${missing.join(', ')} was never well with it`
}

function note(effect: Effect, world: World, live: ReplicaSet): undefined {
  const past = pastOf(world)
  const template = JSON.stringify(live.spec.template.spec)
  if (!past.templates.includes(template)) past.templates.push(template)
  const { retry } = live.status ?? {}
  if (retry !== undefined && !past.answers.has(retry.request)) past.answers.set(retry.request, retry.since)
  const { after } = effect
  if (isRole(after) && isWell(after)) {
    const spec = specOf(after)
    past.well.set(spec, (past.well.get(spec) ?? new Set()).add(after.metadata.namespace ?? ''))
    past.wellOnce.add(versionOf(after))
  }
  if (effect.by === 'user' || after?.kind !== replicaSetKind.type.kind) return
  past.late.clear()
  for (const { clusterName, phase } of live.status?.clusters ?? []) {
    const role = phase === 'TimedOut' ? roleIn(world, clusterName, live) : undefined
    if (role !== undefined) past.late.set(clusterName, versionOf(role))
  }
}

/** Ready, and of the generation that stands there. */
export function isWell({ metadata, status }: ServiceAccountRole): boolean {
  const ready = findCondition(status?.conditions, 'Ready')
  return ready?.status === 'True' && ready.observedGeneration === metadata.generation
}
