// A fleet in the simulator: Greetings in the hub, their copies in two target clusters, each of which has faults of its own, is away at
// times, and is told apart from an empty one.
import type { HttpResponse } from '#base'
import type { KubeObject } from '#kube'
import { troubleReasons } from '#runtime'
import type { Deed, ObjectRole, ProcessContext, Subject, World } from '#simulator'
import { finalizer, Greeting, greeting, greetingController, greetingCrd, ownerLabel } from '../../src/runtime/testing/greeting.ts'
import { creates, deed, edits, puts, removes } from './deeds.ts'
import { runProbed } from './probed.ts'

type Claim = KubeObject & {
  readonly spec: { readonly text: string; readonly clusters?: readonly string[] }
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] }
}
type Copy = KubeObject & { readonly data?: Readonly<Record<string, string>> }

const leaseMs = 240_000
const targets = ['east', 'west']
const greetingsPath = `/apis/${Greeting.apiVersion}/namespaces/default/greetings`
const copiesPath = '/api/v1/namespaces/default/configmaps'
const copyPath = (name: string): string => `${copiesPath}/${name}`

export const greetingFleetSubject: Subject = {
  name: 'greeting-fleet',
  servers: ['hub', ...targets],
  objects: server => (server === 'hub' ? [greetingCrd] : []),
  replicas: 2,
  start,
  script: [
    foreign('west', 'taken', undefined),
    { ...create('both', 'hi', ['east', 'west'], 0), creates: true },
    { ...create('taken', 'mine', ['west', 'east'], 0), creates: true },
    create('home', 'here', undefined, 2_000),
    change('both', { spec: { text: 'hello' } }, 5_000),
    create('brief', 'so long', ['east'], 8_000),
    change('both', { spec: { clusters: ['west'] } }, 11_000),
    remove('brief', 14_000),
    create('brief', 'again', ['west'], 18_000),
    // Not back to east: a delete that is under way there cannot know of a change in the hub, and no precondition spans two servers. The
    // copy would be made again, but S4 as it stands would be broken.
    change('both', { spec: { text: 'bye' } }, 22_000),
    remove('home', 26_000),
  ],
  disturbances: [
    { ...edit('east', 'both', { data: { text: 'red' } }), fault: 'F18' },
    { ...edit('west', 'both', { metadata: { annotations: { 'stranger.example.com/note': 'mine' } } }), fault: 'F18' },
    { ...removeCopy('west', 'both'), fault: 'F19' },
    { ...removeCopy('east', 'brief'), fault: 'F19' },
    { ...foreign('east', 'brief', undefined), fault: 'F19' },
    { ...change('taken', { metadata: { finalizers: null } }, undefined), fault: 'F20' },
    { ...away('east'), fault: 'F13' },
    { ...away('west'), fault: 'F13' },
  ],
  roleOf,
  ownerUidOf: ({ metadata }) => metadata.labels?.[ownerLabel],
  purposeOf: (_copy, server) => server,
  isWanted: (claim, _copy, server) => serversOf(claim as Claim).includes(server),
  readsAtRestPerMinute: looksAtStrangers,
  finalizer,
  leaseMs,
  reasons: ['Copied', 'Empty', ...Object.keys(troubleReasons)],
  invariants: [],
  unfinished,
  settleMs: 900_000,
  settleStreamsMs: 300_000,
}

function start(process: ProcessContext): Promise<void> {
  return runProbed(process, {
    controllers: [greetingController()],
    lease: { namespace: 'default', name: 'greeter' },
    leaseMs,
    clusters: targets,
  })
}

function roleOf(object: KubeObject): ObjectRole {
  if (object.kind === 'Lease') return 'lease'
  if (object.kind === 'Event') return 'event'
  if (object.kind === 'Greeting') return 'claim'
  return object.kind === 'ConfigMap' ? 'external' : 'other'
}

const claimsOf = (world: World): readonly Claim[] => [...world.objects()].filter(object => roleOf(object) === 'claim') as Claim[]
const serversOf = ({ spec }: Claim): readonly string[] => spec.clusters ?? ['hub']
const copyOf = (world: World, server: string, claim: KubeObject): Copy | undefined =>
  world.find(server, copyPath(claim.metadata.name ?? '')) as Copy | undefined
const isOwnedBy = (copy: Copy | undefined, { metadata }: KubeObject): boolean =>
  copy?.metadata.labels?.[ownerLabel] === metadata.uid

function unfinished(world: World): string | undefined {
  for (const claim of claimsOf(world)) {
    const { name } = claim.metadata
    if (claim.metadata.deletionTimestamp !== undefined) return `${name} is still terminating`
    for (const server of serversOf(claim)) {
      const copy = copyOf(world, server, claim)
      if (copy === undefined) return `${name} has no copy in ${server}`
      if (isOwnedBy(copy, claim) && copy.data?.['text'] !== claim.spec.text) return `${name} says something else in ${server}`
    }
    const expected = serversOf(claim).every(server => isOwnedBy(copyOf(world, server, claim), claim)) ? 'True' : 'False'
    const said = claim.status?.conditions?.find(({ type }) => type === 'Ready')?.status
    if (said !== expected) return `${name} says Ready=${said ?? 'nothing'}, though it is ${expected}`
  }
  return copyTooMany(world)
}

function copyTooMany(world: World): string | undefined {
  for (const server of world.servers.keys()) {
    for (const object of world.objects(server)) {
      const owner = roleOf(object) === 'external' ? object.metadata.labels?.[ownerLabel] : undefined
      if (owner === undefined || world.released.has(owner)) continue
      const claim = claimsOf(world).find(({ metadata }) => metadata.uid === owner)
      if (claim === undefined || !serversOf(claim).includes(server))
        return `${object.metadata.name} in ${server} is a copy too many`
    }
  }
  return undefined
}

/** As for the example operator: one read for each name that is somebody else's, twice a minute, and one look for late news. */
function looksAtStrangers(world: World): number {
  const names = claimsOf(world).flatMap(claim =>
    serversOf(claim).filter(server => !isOwnedBy(copyOf(world, server, claim), claim)),
  )
  return names.length * (2 * Math.max(...[...world.processes.values()].map(({ clock }) => clock.rate)) + 0.5)
}

function create(name: string, text: string, clusters: readonly string[] | undefined, afterMs: number): Deed {
  return creates(`create ${name}`, { path: greetingsPath }, greeting(name, text, clusters), afterMs)
}

function change(name: string, patch: unknown, afterMs: number | undefined): Deed {
  const path = `${greetingsPath}/${name}`
  return edits(`change ${name} ${JSON.stringify(patch)}`, { path }, patch, afterMs)
}

function remove(name: string, afterMs: number): Deed {
  return removes(`delete ${name}`, { path: `${greetingsPath}/${name}` }, afterMs)
}

function edit(server: string, name: string, patch: unknown): Deed {
  return edits(`edit ${name} in ${server} ${JSON.stringify(patch)}`, { server, path: copyPath(name) }, patch, undefined)
}

function removeCopy(server: string, name: string): Deed {
  return removes(`delete ${name} in ${server}`, { server, path: copyPath(name) }, undefined)
}

function foreign(server: string, name: string, afterMs: number | undefined): Deed {
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace: 'default', name }, data: { foreign: 'yes' } }
  return puts(`foreign ${name} in ${server}`, { server, path: copiesPath }, object, afterMs)
}

/** A target is behind a broken load balancer for three minutes: what is open ends, what is asked is refused (B28). */
function away(server: string): Deed {
  return deed(`${server} is away`, `/${server}`, undefined, async world => {
    const refuse = (flight: { readonly target: string }): HttpResponse | undefined =>
      flight.target === server ? { status: 503, headers: { 'content-type': 'text/plain' }, body: null } : undefined
    world.scheduler.timer('world', 180_000, world.intercept(refuse))
    for (const stream of world.wire.streams) if (stream.label.split(' ')[1] === server) stream.end('reset')
  })
}
