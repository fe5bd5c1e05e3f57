// Kinds that nobody prepared, in the simulator: random kinds of a random API, random manifests that change within the first minute, an AWS
// that loses answers and tells old ones, and people who meddle. What must hold: an object that says Ready speaks the truth of each field or
// names it (S27), nothing is made twice, nothing that was made is let go, nothing of a stranger's is taken, and updates that undo each other come
// to an end.
import { type Random, seededRandom } from '#base'
import type { KubeObject } from '#kube'
import { annotations, type Resource } from '#operators/resources'
import { troubleReasons } from '#runtime'
import { cloudName, type Deed, type Effect, type ObjectRole, type ProcessContext, type Subject, type World } from '#simulator'
import { reasons } from '../../../src/operators/resources/errors.ts'
import { isNamed, isTrueOf, jsonOf, valueOf } from '../../resources/small-truth.ts'
import type { AwsObject } from '../aws/objects.ts'
import { creates, deed, edits, removes } from '../deeds.ts'
import { conditionReasons } from '../resources.ts'
import { account, leaseMs, region, runResources } from '../run-resources.ts'
import { keyOf, markOf, RandomCloud, type Thing } from './cloud.ts'
import type { RandomKind, RandomKinds } from './kinds.ts'
import { areTagsNamed, areTagsTrue, strangersName, strangersThings, tagWish, tellsTags } from './tag-truth.ts'

/** No look by the clock within a run: what is not put right at once, or when somebody asks, stays wrong. */
const resyncSeconds = 36_000

/** `seed` draws the kinds and the manifests, not what goes wrong. */
export function randomKindsSubject(name: string, seed: number, drawn: RandomKinds): Subject {
  return {
    name,
    servers: ['hub'],
    cloud: {
      options: { accounts: [account], region },
      look: () => [],
      beside: () => new RandomCloud(drawn, strangersThings(drawn)),
    },
    objects: () => [...drawn.service.crds],
    replicas: 2,
    start: process => start(process, drawn),
    script: drawn.kinds.flatMap((kind, index) =>
      scriptOf(kind, { index, random: seededRandom(`script ${seed} ${index}`), drawn }),
    ),
    disturbances: drawn.kinds.flatMap(kind => disturbancesOf(kind, seededRandom(`meddle ${seed} ${kind.kind}`))),
    roleOf,
    ownerUidOf,
    purposeOf: ({ kind }) => kind,
    madeOfUids: /\bid-\d+-of-aws\b|\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g,
    // A field that only the create call carries stays as the first manifest had it that was carried out.
    endsAs: object => ({ kind: object.kind, ...(roleOf(object) === 'claim' ? { spec: (object as Resource).spec } : {}) }),
    isWanted: claim => claim.metadata.deletionTimestamp === undefined,
    readsAtRestPerMinute: 40,
    finalizer: ({ kind }) => `finalizers.small.services.k8s.aws/${kind}`,
    observesGeneration: false,
    leaseMs,
    reasons: [...Object.keys(reasons), ...Object.keys(troubleReasons), ...conditionReasons, 'NotCarriedOut', 'Sent'],
    invariants: [
      { code: 'S27', check: readyIsTrue(drawn.kinds) },
      { code: 'undone', check: updatesEnd() },
    ],
    unfinished: world => unfinished(world, drawn.kinds),
    // Until the last of the script's changes.
    safetyMs: 180_000,
    settleMs: 2_400_000,
    settleStreamsMs: 300_000,
  }
}

function start(process: ProcessContext, { service }: RandomKinds): Promise<void> {
  return runResources(process, { services: [service.service], resyncSeconds, fieldExport: false })
}

function pathOf({ kind }: RandomKind, name?: string): string {
  const root = `/apis/small.services.k8s.aws/v1alpha1/namespaces/default/${kind.toLowerCase()}s`
  return name === undefined ? root : `${root}/${name}`
}

function lower(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1)
}

interface Draw {
  readonly index: number
  readonly random: Random
  readonly drawn: RandomKinds
}

/** Two objects of each kind: one lives and changes, the other one goes soon and comes again under its name. */
function scriptOf(kind: RandomKind, { index, random, drawn }: Draw): readonly Deed[] {
  const at = (ms: number): number => ms + index * 500
  const path = pathOf(kind, 'one')
  const wish = (isPatch = false): Record<string, unknown> => ({
    ...wishOf(kind, random),
    ...tagWish(kind, drawn, { random, isPatch }),
  })
  const [push, pull] = kind.undoing.map(lower)
  const both: readonly Deed[] =
    push === undefined || pull === undefined
      ? []
      : [
          edits(`wish for what excludes itself of ${kind.kind}`, { path }, { spec: { [push]: 1, [pull]: 2 } }, 100_000),
          edits(`take one of them out of ${kind.kind}`, { path }, { spec: { [pull]: null } }, 160_000),
        ]
  const said: readonly Deed[] =
    kind.identity !== 'unread'
      ? []
      : [
          edits(`say the key of ${kind.kind}`, { path }, { spec: { [lower(kind.key)]: keyOf('one') } }, at(60_000)),
          // Deleted while nothing tells how it is read: it waits for who says the key.
          make(kind, { name: 'two', label: 'two', spec: wish() }, at(1_000)),
          removes(`delete ${kind.kind} two`, { path: pathOf(kind, 'two') }, at(12_000)),
          edits(
            `say the key of ${kind.kind} two`,
            { path: pathOf(kind, 'two') },
            { spec: { [lower(kind.key)]: keyOf('two') } },
            165_000,
          ),
        ]
  return [
    { ...make(kind, { name: 'one', label: 'one', spec: { ...wish(), ...removable(kind, random) } }, at(0)), creates: true },
    edits(`change ${kind.kind} at once`, { path }, { spec: { ...replaced(kind, wish(true)), ...removable(kind) } }, at(6_000)),
    edits(`change ${kind.kind} again`, { path }, { spec: replaced(kind, wish(true)) }, at(20_000)),
    ...(kind.identity === 'unread'
      ? said
      : [
          make(kind, { name: 'two', label: 'two', spec: wish() }, at(1_000)),
          removes(`delete ${kind.kind} two`, { path: pathOf(kind, 'two') }, at(12_000)),
          make(kind, { name: 'two', label: 'two-again', spec: wish() }, at(30_000)),
        ]),
    edits(`change ${kind.kind} late`, { path }, { spec: { ...replaced(kind, wish(true)), ...removable(kind) } }, at(90_000)),
    ...both,
    ...(strangersThings(drawn).some(({ kind: of, label }) => of === kind.kind && label === strangersName)
      ? [
          make(kind, { name: 'three', label: strangersName, spec: wish() }, at(2_000)),
          removes(`delete ${kind.kind} three`, { path: pathOf(kind, 'three') }, 150_000),
        ]
      : []),
  ]
}

interface Made {
  readonly name: string
  readonly label: string
  readonly spec: object
}

function make(kind: RandomKind, { name, label, spec }: Made, afterMs: number): Deed {
  const called = kind.identity === 'named' ? { [lower(kind.key)]: label } : { label }
  const body = {
    apiVersion: 'small.services.k8s.aws/v1alpha1',
    kind: kind.kind,
    metadata: { namespace: 'default', name },
    spec: { ...called, ...spec },
  }
  return creates(`create ${kind.kind} ${label}`, { path: pathOf(kind) }, body, afterMs)
}

function wishOf({ fields, undoing }: RandomKind, random: Random): Record<string, unknown> {
  const chosen = fields.filter(({ name }) => !undoing.includes(name) && random.float() < 0.7)
  return Object.fromEntries(chosen.map(field => [jsonOf(field), valueOf(field, random)]))
}

/** The settings for whose removal there is a word: given, or, without a draw, taken out. */
function removable({ fields, undoing }: RandomKind, random?: Random): Record<string, unknown> {
  const own = fields.filter(each => each.isPart && each.isPartTold && each.isPartRemoved && !undoing.includes(each.name))
  return Object.fromEntries(own.map(field => [jsonOf(field), random === undefined ? null : valueOf(field, random)]))
}

/** A merge patch that leaves nothing of the fields that were there. */
function replaced({ fields }: RandomKind, wish: Record<string, unknown>): Record<string, unknown> {
  return { ...Object.fromEntries(fields.map(field => [jsonOf(field), null])), ...wish }
}

/** What people do by hand is told to the operator a while later, as the event of a trail would. */
function disturbancesOf(kind: RandomKind, random: Random): Subject['disturbances'] {
  const path = pathOf(kind, 'one')
  const told = kind.fields.filter(field => field.isTold || (field.isPart && field.isPartTold))
  const meddle = (label: string, to: (thing: Thing) => Thing | undefined): Subject['disturbances'][number] => ({
    ...deed(label, undefined, undefined, world => {
      const cloud = world.cloud?.beside as RandomCloud
      world.meddle(label, () =>
        cloud.change(kind.kind, each => (each.label === 'one' && each.isForeign !== true ? to(each) : each)),
      )
      const patch = { metadata: { annotations: { [annotations.reconcileAt]: label.replaceAll(' ', '-') } } }
      world.parkDeed({ label: `tell of: ${label}`, afterMs: 10_000, run: edits('', { path }, patch, 10_000).run })
      return Promise.resolve()
    }),
    fault: 'F23',
  })
  const changes = told.slice(0, 2).map(field => {
    const value = valueOf(field, random)
    return meddle(`somebody changes ${field.name} of a ${kind.kind}`, thing => ({
      ...thing,
      values: { ...thing.values, [field.name]: value },
    }))
  })
  const tagChanges = (['hand', undefined] as const).map(team =>
    meddle(`somebody ${team === undefined ? 'takes the tags off' : 'changes a tag of'} a ${kind.kind}`, thing => ({
      ...thing,
      values: { ...thing.values, Tags: team === undefined ? {} : { ...(thing.values['Tags'] as object), team } },
    })),
  )
  return [
    ...changes,
    ...(tellsTags(kind) ? tagChanges : []),
    meddle(`somebody deletes a ${kind.kind}`, () => undefined),
    { ...edits(`label ${kind.kind}`, { path }, { metadata: { labels: { team: 'a' } } }, undefined), fault: 'F18' },
    { ...removes(`delete ${kind.kind} one`, { path }, undefined), fault: 'F19' },
  ]
}

function roleOf({ kind, apiVersion }: KubeObject): ObjectRole {
  if (kind === 'Lease') return 'lease'
  if (kind === 'Event') return 'event'
  if (apiVersion.includes('.services.k8s.aws/')) return 'claim'
  return apiVersion === 'aws/small' ? 'external' : 'other'
}

/** By its mark; else by its label, which no two objects ever share. */
function ownerUidOf(external: KubeObject, world: World): string | undefined {
  const object = external as AwsObject
  const label = object.spec['label']
  if (object.spec['isForeign'] === true) return markOf(object)
  const claim = world.effects.find(({ after }) => after !== undefined && after.kind === object.kind && labelOf(after) === label)
  return markOf(object) ?? claim?.after?.metadata.uid
}

function labelOf(object: KubeObject): unknown {
  const spec = (object as Resource).spec ?? {}
  return roleOf(object) === 'claim' ? (spec['label'] ?? spec[`${lower(object.kind)}Name`] ?? spec['name']) : undefined
}

const claimsOf = (world: World): readonly Resource[] =>
  [...world.objects()].filter(object => roleOf(object) === 'claim') as unknown as readonly Resource[]
const awsOf = (world: World): readonly AwsObject[] =>
  [...world.objects(cloudName)].filter(object => roleOf(object) === 'external') as unknown as readonly AwsObject[]

function isReady(claim: Resource): boolean {
  return claim.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') === true
}

/** How many of the newest states of a manifest or a resource a pass may have seen that ends only now. */
const seenStates = 6

/** S27: an object becomes Ready when each field is what AWS has, or had a moment ago, or is named. */
function readyIsTrue(kinds: readonly RandomKind[]) {
  return ({ by, before, after }: Effect, world: World): string | undefined => {
    const kind = kinds.find(each => each.kind === after?.kind)
    if (after === undefined || by === 'user' || kind === undefined || roleOf(after) !== 'claim') return undefined
    const claim = after as Resource
    if (!isReady(claim) || (before !== undefined && isReady(before as Resource))) return undefined
    const uid = claim.metadata.uid
    const states = world.effects.filter(each => each.after !== undefined)
    const specs = states.filter(each => each.server !== cloudName && each.after?.metadata.uid === uid).slice(-seenStates)
    const held = states
      .filter(each => each.server === cloudName && each.after?.kind === claim.kind && ownerUidOf(each.after, world) === uid)
      .slice(-seenStates)
    if (held.length === 0) return `${claim.kind} ${claim.metadata.name} is Ready, and nothing was ever made for it`
    const wrong = kind.fields.find(
      field =>
        !isNamed(claim, field) &&
        !specs.some(({ after: object }) =>
          held.some(({ after: thing }) =>
            isTrueOf(field, {
              wanted: (object as Resource).spec?.[jsonOf(field)],
              held: (thing as AwsObject).spec[field.name],
              isDrift: false,
            }),
          ),
        ),
    )
    const areTagsSo = specs.some(({ after: object }) =>
      held.some(({ after: thing }) => areTagsTrue(kind, (object as Resource).spec, thing?.metadata.labels ?? {})),
    )
    if (!areTagsSo && !areTagsNamed(claim))
      return `${claim.kind} ${claim.metadata.name} is Ready, and its tags are neither so nor named`
    return wrong === undefined
      ? undefined
      : `${claim.kind} ${claim.metadata.name} is Ready, and ${wrong.name} is neither so nor named`
  }
}

/** Changes of one resource within ten minutes, retries and foreign changes among them. */
const changesMax = 40
const withinMs = 600_000

/** Updates that undo each other are told, and not sent again and again. */
function updatesEnd() {
  const sent = new WeakMap<World, Map<string, number[]>>()
  return ({ by, server, after }: Effect, world: World): string | undefined => {
    if (by === 'user' || server !== cloudName || after === undefined) return undefined
    const perWorld = sent.get(world) ?? new Map<string, number[]>()
    sent.set(world, perWorld)
    const key = `${after.kind} ${after.metadata.name}`
    const nowMs = world.scheduler.nowMs
    const recent = [...(perWorld.get(key) ?? []).filter(ms => ms > nowMs - withinMs), nowMs]
    perWorld.set(key, recent)
    return recent.length > changesMax ? `${key} was changed ${recent.length} times in ten minutes` : undefined
  }
}

function unfinished(world: World, kinds: readonly RandomKind[]): string | undefined {
  for (const claim of claimsOf(world)) {
    const name = `${claim.kind} ${claim.metadata.name}`
    if (claim.metadata.deletionTimestamp !== undefined) return `${name} is still terminating`
    const [made, ...more] = awsOf(world).filter(
      each => each.kind === claim.kind && ownerUidOf(each, world) === claim.metadata.uid,
    )
    if (made === undefined) return `${name} has nothing in AWS: ${JSON.stringify(claim.status?.conditions)}`
    if (more.length > 0) return `${name} has ${1 + more.length} in AWS`
    for (const field of kinds.find(each => each.kind === claim.kind)?.fields ?? []) {
      const [wanted, held] = [claim.spec?.[jsonOf(field)], made.spec[field.name]]
      if (isTrueOf(field, { wanted, held, isDrift: false }) || isNamed(claim, field)) continue
      return `${name}: the manifest says ${field.name} ${JSON.stringify(wanted)}, AWS ${JSON.stringify(held)}, and ${JSON.stringify(claim.status?.conditions)}`
    }
    const of = kinds.find(each => each.kind === claim.kind)
    if (of !== undefined && !areTagsTrue(of, claim.spec, made.metadata.labels ?? {}) && !areTagsNamed(claim))
      return `${name}: tags ${JSON.stringify(claim.spec?.['tags'])}, AWS ${JSON.stringify(made.metadata.labels)}, and ${JSON.stringify(claim.status?.conditions)}`
    if (!isReady(claim) && !kinds.some(({ fields }) => fields.some(field => isNamed(claim, field))))
      return `${name} is not Ready: ${JSON.stringify(claim.status?.conditions)}`
  }
  const orphan = awsOf(world).find(each => {
    const owner = ownerUidOf(each, world)
    return owner !== undefined && !claimsOf(world).some(({ metadata }) => metadata.uid === owner)
  })
  return orphan === undefined ? undefined : `${orphan.kind} ${orphan.metadata.name} is one too many`
}
