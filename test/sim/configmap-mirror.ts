// The example operator in the simulator: two replicas with leader election, sources that come, change and go, strangers who meddle.
import type { KubeObject } from '#kube'
import { type AnyController, defineController, troubleReasons } from '#runtime'
import type { Deed, Effect, ObjectRole, ProcessContext, Subject, World } from '#simulator'
import { configMapMirror, decide, observe, type Seen } from '../../examples/configmap-mirror/mirror.ts'
import { creates, deed, edits, puts, removes, takesLease, tearsDown } from './deeds.ts'
import { runProbed } from './probed.ts'

type ConfigMap = KubeObject & { readonly data?: Readonly<Record<string, string>> }

const home = 'default'
const ownerLabel = 'mirror.example.com/owner-uid'
const finalizer = 'mirror.example.com/copies'
const statusAnnotation = 'mirror.example.com/status'
const targetsAnnotation = 'mirror.example.com/to'
const leaseMs = 240_000
const teams = ['team-a', 'team-b', 'team-c']
/** Nobody ever makes this namespace. */
const absentTeam = 'nowhere'
const collection = (namespace: string): string => `/api/v1/namespaces/${namespace}/configmaps`
const path = (namespace: string, name: string): string => `${collection(namespace)}/${name}`

export const configMapMirrorSubject: Subject = {
  name: 'configmap-mirror',
  servers: ['hub'],
  objects: () =>
    teams.map(name => ({
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name },
      spec: { finalizers: ['kubernetes'] },
    })),
  replicas: 2,
  versions: 2,
  start,
  script: [
    foreign('team-b', 'banner', undefined),
    { ...create('theme', ['team-a', 'team-b'], { color: 'green' }, 0), creates: true },
    { ...create('banner', ['team-b', 'team-c'], { text: 'hello' }, 0), creates: true },
    change('theme', { data: { color: 'blue' } }, 4_000),
    retarget('theme', ['team-b', 'team-c'], 8_000),
    create('brief', ['team-a'], { a: 'b' }, 8_000),
    change('banner', { data: { text: 'bye' } }, 12_000),
    remove(home, 'brief', 14_000),
    create('brief', ['team-a', 'team-c'], { a: 'c' }, 18_000),
    remove(home, 'theme', 22_000),
    // Its copy in team-c is one too many from here on, and nothing else happens to it any more.
    retarget('brief', ['team-a'], 24_000),
    // Two things are in its way for good, and the one that takes a call to find out stands first.
    foreign('team-b', 'stuck', 26_000),
    create('stuck', [absentTeam, 'team-b'], { never: 'there' }, 28_000),
  ],
  disturbances: [
    { ...change('theme', { data: { color: 'red' } }, undefined, 'team-b'), fault: 'F18' },
    {
      ...change('banner', { metadata: { annotations: { 'stranger.example.com/note': 'mine' } } }, undefined, 'team-c'),
      fault: 'F18',
    },
    { ...remove('team-c', 'banner', undefined), fault: 'F19' },
    { ...remove('team-a', 'brief', undefined), fault: 'F19' },
    { ...takeOver('team-c', 'banner'), fault: 'F19' },
    // The name is taken between our look and our call.
    { ...foreign('team-a', 'brief', undefined), fault: 'F19' },
    { ...change('banner', { metadata: { finalizers: null } }, undefined, home), fault: 'F20' },
    { ...tearsDown('team-c', copyAt), fault: 'F17' },
    { ...takesLease(home, 'mirror', leaseMs), fault: 'F18' },
  ],
  roleOf,
  ownerUidOf: ({ metadata }) => metadata.labels?.[ownerLabel],
  purposeOf: ({ metadata }) => metadata.namespace ?? '',
  isWanted: (claim, copy) => targetsOf(claim).includes(copy.metadata.namespace ?? ''),
  statusOf: ({ metadata }) => JSON.parse(metadata.annotations?.[statusAnnotation] ?? 'null') as unknown,
  readsAtRestPerMinute: looksAtStrangers,
  finalizer,
  leaseMs,
  reasons: ['Copied', ...Object.keys(troubleReasons)],
  invariants: [{ code: 'S9', check: readyMeansCopied }],
  unfinished,
  settleMs: 600_000,
  settleStreamsMs: 240_000,
}

function start(process: ProcessContext): Promise<void> {
  return runProbed(process, {
    controllers: [process.version === 0 ? configMapMirror : otherMirror],
    listing: process.version === 0 ? 'stream' : 'pages',
    lease: { namespace: 'default', name: 'mirror' },
    leaseMs,
  })
}

/**
 * Another version of the operator: it means the same and goes about it in another order, one claim at a time, over lists in pages. What
 * goes stands beside what comes, and not behind it, where a name that somebody else has would hold it up for good.
 */
const otherMirror: AnyController = defineController<Seen>({
  ...configMapMirror,
  workers: 1,
  reconciler: {
    observe,
    decide: seen => {
      const plan = decide(seen)
      const goes = plan.actions.filter(({ kind }) => kind === 'delete').map(action => [action])
      const others = plan.actions.filter(({ kind }) => kind !== 'delete')
      const actions = others.map(action =>
        action.kind === 'together' ? { ...action, branches: [...action.branches, ...goes] } : action,
      )
      return { ...plan, actions: actions.some(({ kind }) => kind === 'together') ? actions : plan.actions }
    },
  },
})

function roleOf(object: KubeObject): ObjectRole {
  if (object.kind === 'Lease') return 'lease'
  if (object.kind === 'Event') return 'event'
  if (object.kind !== 'ConfigMap') return 'other'
  return object.metadata.namespace === home ? 'claim' : 'external'
}

function copyAt({ kind, metadata }: KubeObject): string | undefined {
  return kind === 'ConfigMap' ? path(metadata.namespace ?? '', metadata.name ?? '') : undefined
}

function targetsOf(claim: KubeObject): readonly string[] {
  return (claim.metadata.annotations?.[targetsAnnotation] ?? '').split(',').filter(name => name !== '')
}

function unfinished(world: World): string | undefined {
  for (const object of world.objects()) {
    const name = `${object.metadata.namespace}/${object.metadata.name}`
    if (roleOf(object) === 'claim') {
      if (object.metadata.deletionTimestamp !== undefined) return `${name} is still terminating`
      const missing = targetsOf(object).find(team => !isCopied(world, object, team))
      if (missing !== undefined) return `${name} is not copied into ${missing}`
      const wrong = wrongStatus(world, object)
      if (wrong !== undefined) return `${name} ${wrong}`
    } else if (roleOf(object) === 'external') {
      const owner = object.metadata.labels?.[ownerLabel]
      if (owner === undefined || world.released.has(owner)) continue
      const claim = [...world.objects()].find(({ metadata }) => metadata.uid === owner)
      if (claim === undefined || !targetsOf(claim).includes(object.metadata.namespace ?? '')) return `${name} is a copy too many`
    }
  }
  return undefined
}

/** Ready=True is said only of a claim each of whose copies was there once: who never made one cannot know of it (S9). */
function readyMeansCopied(effect: Effect, world: World): string | undefined {
  const claim = effect.after
  if (claim === undefined || effect.by === 'user' || roleOf(claim) !== 'claim') return undefined
  // A ConfigMap has no generation: the message is what says which targets it speaks of.
  const said = /copied into ([^"\\]+)/.exec(claim.metadata.annotations?.[statusAnnotation] ?? '')?.[1]?.split(', ') ?? []
  const wasMade = (team: string): boolean =>
    world.effects.some(
      ({ after }) => after?.metadata.namespace === team && after.metadata.labels?.[ownerLabel] === claim.metadata.uid,
    )
  const never = said.find(team => !wasMade(team))
  return never === undefined
    ? undefined
    : `${claim.metadata.name} is said to be copied into ${never}, where no copy of it ever was`
}

function saidReady(claim: KubeObject | undefined): { readonly status: string; readonly reason?: string } | undefined {
  const status = JSON.parse(claim?.metadata.annotations?.[statusAnnotation] ?? '{}') as {
    conditions?: { type: string; status: string; reason?: string }[]
  }
  return status.conditions?.find(({ type }) => type === 'Ready')
}

/** The status must say what is: Ready when every copy is ours, and not when somebody else's object stands in the way (S9). */
function wrongStatus(world: World, claim: KubeObject): string | undefined {
  const said = saidReady(claim)
  const isOurs = (team: string): boolean =>
    world.find('hub', path(team, claim.metadata.name ?? ''))?.metadata.labels?.[ownerLabel] === claim.metadata.uid
  const inTheWay = targetsOf(claim).find(team => !isOurs(team))
  const expected = inTheWay === undefined ? 'True' : 'False'
  if (said?.status !== expected) return `says Ready=${said?.status ?? 'nothing'}, though it is ${expected}`
  // Of several obstacles the first one in the order of the targets is told, however long it took to find out (P7).
  const reason = inTheWay === undefined ? 'Copied' : inTheWay === absentTeam ? 'NamespaceMissing' : 'OwnedByAnother'
  return said.reason === reason ? undefined : `says ${said.reason}, though the first thing to say is ${reason}`
}

/**
 * Whether a name is still somebody else's is asked of the server: an unmarked object may just have been marked. One read for each such
 * name and look; the looks are half a minute apart or more, by the clock of whoever leads. One look more, since a stream that stalled is
 * noticed late, and what it held back is news.
 */
function looksAtStrangers(world: World): number {
  const isStranger = (claim: KubeObject, team: string): boolean => {
    const copy = world.find('hub', path(team, claim.metadata.name ?? ''))
    return copy !== undefined && copy.metadata.labels?.[ownerLabel] !== claim.metadata.uid
  }
  const claims = [...world.objects()].filter(object => roleOf(object) === 'claim')
  const names = claims.flatMap(claim => targetsOf(claim).filter(team => isStranger(claim, team)))
  const fastest = Math.max(...[...world.processes.values()].map(({ clock }) => clock.rate))
  return names.length * (2 * fastest + 0.5)
}

/** A ConfigMap of that name that carries no mark is somebody else's, and counts as dealt with. */
function isCopied(world: World, claim: ConfigMap, team: string): boolean {
  if (team === absentTeam) return true
  const copy = world.find('hub', path(team, claim.metadata.name ?? '')) as ConfigMap | undefined
  if (copy === undefined) return false
  const owner = copy.metadata.labels?.[ownerLabel]
  if (owner === undefined || world.released.has(owner)) return true
  return owner === claim.metadata.uid && JSON.stringify(copy.data ?? {}) === JSON.stringify(claim.data ?? {})
}

function create(name: string, to: readonly string[], data: Readonly<Record<string, string>>, afterMs: number): Deed {
  const metadata = {
    namespace: home,
    name,
    labels: { 'mirror.example.com/source': 'true' },
    annotations: { [targetsAnnotation]: to.join(',') },
  }
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data }
  return creates(`create ${name}`, { path: collection(home) }, object, afterMs)
}

function foreign(namespace: string, name: string, afterMs: number | undefined): Deed {
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace, name }, data: { foreign: 'yes' } }
  return puts(`foreign ${namespace}/${name}`, { path: collection(namespace) }, object, afterMs)
}

function change(name: string, patch: unknown, afterMs: number | undefined, namespace = home): Deed {
  return edits(`change ${namespace}/${name} ${JSON.stringify(patch)}`, { path: path(namespace, name) }, patch, afterMs)
}

function retarget(name: string, to: readonly string[], afterMs: number): Deed {
  return change(name, { metadata: { annotations: { [targetsAnnotation]: to.join(',') } } }, afterMs)
}

function remove(namespace: string, name: string, afterMs: number | undefined): Deed {
  return removes(`delete ${namespace}/${name}`, { path: path(namespace, name) }, afterMs)
}

/** The copy is deleted and somebody else takes its name at once. */
function takeOver(namespace: string, name: string): Deed {
  return deed(`take over ${namespace}/${name}`, path(namespace, name), undefined, async world => {
    await world.act('hub', 'DELETE', path(namespace, name))
    await world.act('hub', 'POST', collection(namespace), {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { namespace, name },
      data: { theirs: 'now' },
    })
  })
}
