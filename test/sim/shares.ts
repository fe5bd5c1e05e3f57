// Replicas that share the work by shards over Leases, in the simulator: three shards with claims of one namespace each, two replicas of which
// each is killed, paused, cut off and started again; nobody else's lease is worked under, and nothing is forgotten when a shard moves.
import { configMaps, type KubeObject } from '#kube'
import { type ClaimKey, type Reads, troubleReasons } from '#runtime'
import type { Deed, Effect, ObjectRole, ProcessContext, Subject, World } from '#simulator'
import { shardLeaseName } from '../../src/runtime/shards/lease-names.ts'
import { shardOf } from '../../src/runtime/shards/shard-of.ts'
import {
  type ConfigMap,
  finalizer,
  Greeting,
  greeting,
  greetingController,
  greetingCrd,
  greetingReconciler,
  ownerLabel,
  type SeenGreeting,
} from '../../src/runtime/testing/greeting.ts'
import { creates, edits, puts, removes, takesLease } from './deeds.ts'
import { runProbed } from './probed.ts'

const home = 'default'
const shards = 3
/** One in each shard. */
const places = ['team-0', 'team-1', 'team-2', 'team-3', 'team-4'].filter(
  (place, index, all) => all.findIndex(other => shardOf(other, shards) === shardOf(place, shards)) === index,
)
const [north = '', south = '', east = ''] = places
const leaseMs = 240_000
const leases = { namespace: home, name: 'sharer', count: shards }
const leaseOf = (namespace: string): string => shardLeaseName(leases, shardOf(namespace, shards))
const greetingsIn = (place: string): string => `/apis/${Greeting.apiVersion}/namespaces/${place}/greetings`
const copiesIn = (place: string): string => `/api/v1/namespaces/${place}/configmaps`

export const sharesSubject: Subject = {
  name: 'shares',
  servers: ['hub'],
  objects: () => [greetingCrd, ...places.map(name => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }))],
  replicas: 2,
  start,
  script: [
    { ...create(north, 'a', 0), creates: true },
    { ...create(south, 'a', 0), creates: true },
    { ...create(east, 'a', 0), creates: true },
    say(north, 'a', 'again', 4_000),
    say(south, 'a', 'again', 8_000),
    create(east, 'b', 10_000),
    removes(`delete ${north}/a`, { path: `${greetingsIn(north)}/a` }, 14_000),
    say(east, 'b', 'more', 16_000),
    create(north, 'a', 20_000),
    removes(`delete ${south}/a`, { path: `${greetingsIn(south)}/a` }, 24_000),
  ],
  disturbances: [
    { ...edits('edit a copy', { path: `${copiesIn(south)}/a` }, { data: { text: 'red' } }, undefined), fault: 'F18' },
    { ...removes('delete a copy', { path: `${copiesIn(east)}/a` }, undefined), fault: 'F19' },
    { ...foreign(east, 'b'), fault: 'F19' },
    { ...takesLease(home, leaseOf(south), leaseMs), fault: 'F18' },
  ],
  roleOf,
  ownerUidOf: ({ metadata }) => metadata.labels?.[ownerLabel],
  purposeOf: ({ metadata }) => metadata.namespace ?? '',
  isWanted: (claim, copy) => claim.metadata.namespace === copy.metadata.namespace,
  readsAtRestPerMinute: looksAtStrangers,
  finalizer,
  leaseMs,
  leaseOf,
  reasons: ['Copied', 'Empty', ...Object.keys(troubleReasons)],
  invariants: [{ code: 'kept', check: leasesAreKept }],
  unfinished,
  // A lease that has to run out by a clock at half the rate, of one that was believed alive just before.
  settleMs: 1_200_000,
  settleStreamsMs: 600_000,
}

function start(process: ProcessContext): Promise<void> {
  return runProbed(process, {
    controllers: [greetingController({ reconciler: { observe: observeWell, decide: decideWell } })],
    lease: { namespace: home, name: leases.name },
    leaseMs,
    shards,
  })
}

/** A shard that has just come may come with a cache whose stream stands still: a claim that goes asks the server for what it has left (S26). */
async function observeWell(key: ClaimKey, world: Reads, signal: AbortSignal): Promise<SeenGreeting> {
  const seen = await greetingReconciler.observe(key, world, signal)
  const { claim } = seen
  if (claim?.metadata.deletionTimestamp === undefined || seen.copies.length > 0) return seen
  const copy = await world.read<ConfigMap>(configMaps, key, signal)
  return copy?.metadata.labels?.[ownerLabel] === claim.metadata.uid ? { ...seen, copies: [{ cluster: '', object: copy }] } : seen
}

/** What the cache never showed does not go by an event either: whoever waits for its end looks again. */
const decideWell: typeof greetingReconciler.decide = (seen, now) => {
  const plan = greetingReconciler.decide(seen, now)
  if (seen.claim?.metadata.deletionTimestamp === undefined || seen.copies.length === 0) return plan
  return { ...plan, next: { kind: 'look-again', afterMs: 10_000, why: 'its copy goes' } }
}

function roleOf({ kind }: KubeObject): ObjectRole {
  if (kind === 'Lease') return 'lease'
  if (kind === 'Event') return 'event'
  if (kind === 'Greeting') return 'claim'
  return kind === 'ConfigMap' ? 'external' : 'other'
}

/** When each lease was last written, by the world's clock. */
const written = new WeakMap<World, Map<string, number>>()

/** A lease is taken from somebody else only when that one let go of it or did not renew it: by a clock at twice the rate, for half of it. */
function leasesAreKept({ by, before, after }: Effect, world: World): string | undefined {
  const [held, next] = [leaseIn(before), leaseIn(after)]
  if (next === undefined || after?.metadata.name === undefined) return undefined
  // Who takes it once more without saying when has not renewed it: nobody can see that.
  if (by === 'user' && held === next) return undefined
  const times = written.get(world) ?? new Map<string, number>()
  written.set(world, times)
  const { nowMs } = world.scheduler
  const ageMs = nowMs - (times.get(after.metadata.name) ?? Number.NEGATIVE_INFINITY)
  times.set(after.metadata.name, nowMs)
  if (by === 'user' || held === undefined || held === '' || next === '' || held === next || ageMs >= leaseMs / 2) return undefined
  return `${by} takes ${after.metadata.name} from ${held}, which renewed it ${ageMs} ms before`
}

function leaseIn(object: KubeObject | undefined): string | undefined {
  return object?.kind === 'Lease' ? ((object as { spec?: { holderIdentity?: string } }).spec?.holderIdentity ?? '') : undefined
}

const claimsOf = (world: World): readonly KubeObject[] => [...world.objects()].filter(object => roleOf(object) === 'claim')

function copyOf(world: World, { metadata }: KubeObject): KubeObject | undefined {
  return world.find('hub', `${copiesIn(metadata.namespace ?? '')}/${metadata.name}`)
}

function isOwned(world: World, claim: KubeObject): boolean {
  return copyOf(world, claim)?.metadata.labels?.[ownerLabel] === claim.metadata.uid
}

function unfinished(world: World): string | undefined {
  for (const claim of claimsOf(world)) {
    const { name, namespace, deletionTimestamp } = claim.metadata
    if (deletionTimestamp !== undefined) return `${namespace}/${name} is still terminating`
    const copy = copyOf(world, claim)
    if (copy === undefined) return `${namespace}/${name} has no copy`
    const { spec, status } = claim as KubeObject & Claim
    if (isOwned(world, claim) && (copy as KubeObject & Copy).data?.['text'] !== spec.text)
      return `${namespace}/${name} says something else`
    const said = status?.conditions?.find(({ type }) => type === 'Ready')?.status
    const expected = isOwned(world, claim) ? 'True' : 'False'
    if (said !== expected) return `${namespace}/${name} says Ready=${said ?? 'nothing'}, though it is ${expected}`
  }
  return undefined
}

interface Claim {
  readonly spec: { readonly text: string }
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] }
}

interface Copy {
  readonly data?: Readonly<Record<string, string>>
}

function looksAtStrangers(world: World): number {
  const strangers = claimsOf(world).filter(claim => !isOwned(world, claim)).length
  return strangers * (2 * Math.max(...[...world.processes.values()].map(({ clock }) => clock.rate)) + 0.5)
}

function inPlace(place: string, name: string): KubeObject {
  const claim = greeting(name)
  return { ...claim, metadata: { ...claim.metadata, namespace: place } }
}

function create(place: string, name: string, afterMs: number): Deed {
  return creates(`create ${place}/${name}`, { path: greetingsIn(place) }, inPlace(place, name), afterMs)
}

function say(place: string, name: string, text: string, afterMs: number): Deed {
  return edits(`say ${text} in ${place}/${name}`, { path: `${greetingsIn(place)}/${name}` }, { spec: { text } }, afterMs)
}

function foreign(place: string, name: string): Deed {
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace: place, name }, data: { foreign: 'yes' } }
  return puts(`foreign ${place}/${name}`, { path: copiesIn(place) }, object, undefined)
}
