// What is read of a claim before anything is decided: when AWS is asked at all, for what, and who else has the resource.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AwsError } from '#aws'
import type { Reads } from '#runtime'
import { annotations, ownerTag, type Resource } from '../api.ts'
import { createEquipment } from '../equipment.ts'
import type { Deviation, ReadContext } from '../kinds/deviation.ts'
import { Memory } from '../memory.ts'
import type { Content } from '../model/request.ts'
import type { ResourcesOptions } from '../options.ts'
import { ownerIndex, ownerIndexName } from '../ownership/duplicates.ts'
import { tokenOf } from '../ownership/intent.ts'
import { renderIntent } from '../ownership/intent-text.ts'
import { type OwnershipRecord, recordCondition } from '../ownership/ownership-record.ts'
import type { Notes } from '../seen/notes.ts'
import type { Seen } from '../seen/seen.ts'
import { type Answer, answering } from '../testing/answers.ts'
import { clusterOf } from '../testing/cluster.ts'
import { madeUpKind, map } from '../testing/made-up-kind.ts'
import { rulesOf } from '../testing/situation.ts'
import { observe } from './observe.ts'

const model = madeUpKind({
  spec: {
    Name: 'string',
    Tags: map('string'),
    Password: { type: { kind: 'secret' } },
    Parent: { type: { kind: 'string' }, reference: { resource: 'Thing', path: 'Spec.Name', skipStateChecks: true } },
    ParentRef: { type: { kind: 'reference' }, referenceFor: 'Parent' },
  },
  status: { ID: 'string' },
  settings: { tags: { path: 'Tags' } as never },
  operations: { create: 'CreateThing', readOne: 'GetThing', readMany: 'ListThings' },
  inputs: { CreateThing: { Name: 'String', Tags: 'TagMap' } },
  outputs: { GetThing: { Name: 'String', Tags: 'TagMap' }, ListThings: { Names: 'NameList' } },
  required: { GetThing: ['Name'] },
  shapes: {
    TagMap: { type: 'map', key: { target: 'String' }, value: { target: 'String' } } as never,
    NameList: { type: 'list', member: { target: 'String' } },
  },
})
const account = '111122223333'
const arn = `arn:aws:madeup:eu-west-1:${account}:thing/one`
const now = 1_000_000
const key = { cluster: '', namespace: 'team', name: 'one' }

function claimOf(metadata: object = {}, spec: object | null = {}, status?: object): Resource {
  return {
    apiVersion: `${model.type.group}/v1alpha1`,
    kind: 'Thing',
    metadata: { namespace: 'team', name: 'one', uid: 'u1', resourceVersion: '1', generation: 2, ...metadata },
    ...(spec === null ? {} : { spec: { name: 'one', ...spec } }),
    ...(status === undefined ? {} : { status }),
  } as Resource
}

interface Around {
  readonly objects?: readonly object[]
  readonly settings?: Partial<ResourcesOptions>
  readonly deviation?: Deviation
  readonly notes?: Notes
  readonly signal?: AbortSignal
  /** What the kind's read finds, or how it fails. */
  readonly found?: Content | Error
  /** What AWS answers to calls of its own. */
  readonly answers?: Readonly<Record<string, Answer>>
}

interface Observed {
  readonly seen: Seen
  /** For each read of the resource, what was wanted of it. */
  readonly reads: readonly ReadContext[]
}

async function observed(claim: Resource | undefined, around: Around = {}): Promise<Observed> {
  const { objects = [], settings = {}, notes, found, signal = new AbortController().signal } = around
  const reads: ReadContext[] = []
  const deviation: Deviation = {
    read: context => {
      reads.push(context)
      return found instanceof Error ? Promise.reject(found) : Promise.resolve(found)
    },
    ...around.deviation,
  }
  const rules = rulesOf({ model, deviation, settings: { home: { account, partition: 'aws', region: 'eu-west-1' }, ...settings } })
  const memory = new Memory()
  if (notes !== undefined) memory.note('u1', notes)
  const { caller } = answering({ ListThings: { Names: ['one'] }, ...around.answers })
  const equipment = createEquipment({ ...rules, services: [model.service], aws: {} as never, memory, nowMs: () => now })
  const indexes = { [ownerIndexName(model)]: ownerIndex(rules) }
  const cluster = clusterOf([...(claim === undefined ? [] : [claim]), ...objects], {
    controller: { claims: { indexes } } as never,
  })
  return { seen: await observe(key, { ...equipment, caller: () => caller }, cluster.reads as Reads, signal), reads }
}

test('of a claim that is gone nothing is known and nobody is asked', async () => {
  const { seen, reads } = await observed(undefined)
  assert.deepEqual(
    [seen.claim, seen.place, seen.references, seen.inAws, reads],
    [
      undefined,
      { kind: 'no-role', message: '' },
      { kind: 'resolved', spec: {}, notices: [], hasReferences: false },
      { kind: 'not-read' },
      [],
    ],
  )
})

const deleting = { deletionTimestamp: '2026-06-01T00:00:00Z' }
const noted = (more: object): object => ({ annotations: more })
const parent = { parentRef: { from: { name: 'two' } } }
const password = { password: { name: 's', key: 'k' } }
const adopting = { [annotations.adoptionPolicy]: 'adopt', [annotations.adoptionFields]: '{"name":"one"}' }
const reading = { [annotations.readOnly]: 'true' }

for (const [what, claim, isAsked] of [
  ['that asks for it', claimOf(), true],
  ['that goes and is held', claimOf({ ...deleting, finalizers: ['x'] }), true],
  ['that goes and is held by nothing', claimOf({ ...deleting, finalizers: [] }), false],
  ['that goes and has no finalizers', claimOf(deleting), false],
  ['that goes and is paused', claimOf({ ...deleting, finalizers: ['x'], ...noted({ [annotations.paused]: 'true' }) }), true],
  ['that is paused', claimOf(noted({ [annotations.paused]: 'true' })), false],
  ['that adopts in a way that is none', claimOf(noted({ [annotations.adoptionPolicy]: 'take' })), false],
  ['whose Secret may not be used', claimOf({}, password), false],
  ['whose reference leads nowhere', claimOf({}, parent), false],
  ['that adopts and whose reference leads nowhere', claimOf(noted(adopting), parent), true],
  ['that only looks and whose reference leads nowhere', claimOf(noted(reading), parent), true],
  ['whose place is unknown', claimOf(noted({ [annotations.region]: 'no region' })), false],
] as const)
  test(`for a claim ${what} AWS is ${isAsked ? '' : 'not '}asked`, async () => {
    const { seen, reads } = await observed(claim)
    assert.deepEqual([reads.length, seen.inAws.kind], isAsked ? [1, 'absent'] : [0, 'not-read'])
  })

test('what a manifest refers to and what Secrets hold is wanted with it', async () => {
  const two = { ...claimOf({ name: 'two', uid: 'u2' }, { name: 'wide' }) }
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { namespace: 'team', name: 's', uid: 's1' }, data: { k: 'eA==' } }
  const { seen, reads } = await observed(claimOf({}, { ...parent, ...password }), {
    objects: [two, secret],
    settings: { secrets: ['team/s'] },
  })
  const { references, secrets } = seen
  assert.deepEqual(references.kind === 'resolved' && [references.spec['parent'], references.hasReferences], ['wide', true])
  assert.equal(secrets.kind === 'read' && secrets.hash?.length, 32)
  const { name, parent: wide, password: value } = reads[0]?.wanted.spec ?? {}
  assert.deepEqual([name, wide, value], ['one', 'wide', 'x'])
})

test('a kind that names no Secret has none read', async () => {
  const { seen } = await observed(claimOf({}, { password: 'x' }))
  assert.deepEqual(seen.secrets.kind, 'read')
  assert.equal(seen.secrets.kind === 'read' && seen.secrets.hash, undefined)
})

const looping = (name: string, to: string, uid: string, more: object = {}): Resource =>
  claimOf({ name, uid }, { name, parentRef: { from: { name: to } }, ...more })

test('references that lead in a circle are told by it, but for what is wrong with the manifest itself', async () => {
  const notReady = { ...looping('two', 'one', 'u2') }
  const { name: _, ...without } = notReady.spec ?? {}
  const two = { ...notReady, spec: without } as Resource
  const messageOf = async (claim: Resource): Promise<string> => {
    const { references } = (await observed(claim, { objects: [two] })).seen
    return references.kind === 'unresolved' ? `${references.how} ${references.message}` : ''
  }
  assert.equal(
    await messageOf(looping('one', 'two', 'u1')),
    'wait references lead in a circle: Thing team/one -> Thing team/two -> Thing team/one',
  )
  assert.match(await messageOf(looping('one', 'two', 'u1', { parent: 'x' })), /^stop both resource reference wrapper and ID/)
})

const present: Content = { spec: { name: 'one', tags: {} }, status: {}, arn }
const made = { ackResourceMetadata: { arn, ownerAccountID: account, region: 'eu-west-1' } }

test('what is there is told as it was read', async () => {
  const { seen } = await observed(claimOf(), { found: present })
  assert.deepEqual(seen.inAws, { kind: 'present', content: present })
  assert.equal(seen.glance, undefined)
})

test('a read that fails is trouble of the claim, and one that was broken off is not', async () => {
  const error = new AwsError({ service: 'madeup', operation: 'GetThing', code: 'AccessDenied', message: 'no', httpStatus: 403 })
  const { seen } = await observed(claimOf(), { found: error })
  assert.equal(seen.inAws.kind === 'failed' && seen.inAws.trouble.dependency, `aws madeup in ${account}/eu-west-1`)
  await assert.rejects(observed(claimOf(), { found: error, signal: AbortSignal.abort() }), error)
})

test('what a look learns of an absent resource is wanted with it', async () => {
  const { seen } = await observed(claimOf(), { found: { spec: {}, status: {}, isAbsent: true, extra: { zone: 'Z' } } })
  assert.deepEqual([seen.inAws, seen.wanted.extra], [{ kind: 'absent', extra: { zone: 'Z' } }, { zone: 'Z' }])
  const plain = await observed(claimOf(), { found: { spec: {}, status: {}, isAbsent: true } })
  assert.deepEqual([plain.seen.inAws, 'extra' in plain.seen.wanted], [{ kind: 'absent' }, false])
  const there = await observed(claimOf(), { found: { ...present, extra: { zone: 'Z' } } })
  assert.equal(there.seen.wanted.extra, undefined)
})

test('nobody is asked by a list while cheap reads are off', async () => {
  const on = await observed(claimOf({}, {}, made), { settings: { cheapReadSeconds: 600 }, found: present })
  assert.deepEqual([on.seen.glance?.isUnchanged, on.reads.length], [false, 1])
  const off = await observed(claimOf({}, {}, made), { settings: { cheapReadSeconds: 0 }, found: present })
  assert.equal(off.seen.glance, undefined)
})

test('what a list shows as it was is not looked at', async () => {
  const first = await observed(claimOf({}, {}, made), { settings: { cheapReadSeconds: 600 }, found: present })
  assert.ok(first.seen.glance)
  const { basis, shown } = first.seen.glance
  const rest = { basis, shown, lookedMs: now - 1_000, idleLooks: 0, disturbances: 0 }
  const { seen, reads } = await observed(claimOf({}, {}, made), { settings: { cheapReadSeconds: 600 }, notes: { rest } })
  assert.deepEqual([seen.inAws, reads.length, seen.glance], [{ kind: 'unchanged' }, 0, { basis, shown, isUnchanged: true }])
})

const owned = (name: string, uid: string, more: object = {}): object => ({
  ...claimOf({ name, uid, finalizers: [model.finalizer], creationTimestamp: '2026-01-01T00:00:00Z' }, { name: 'other' }, made),
  ...more,
})

for (const [what, claim, found, owners] of [
  ['nobody else', claimOf(), present, [undefined, undefined]],
  ['who has its ARN', claimOf(), { ...present, arn }, ['team/two', undefined]],
  [
    'who has the ARN on record, where it is not there',
    claimOf({ creationTimestamp: '2026-02-01T00:00:00Z' }, {}, made),
    undefined,
    ['team/two', undefined],
  ],
  [
    'whose mark it bears',
    claimOf(),
    { ...present, arn: undefined, spec: { tags: { [ownerTag]: 'u2' } } },
    [undefined, 'team/two'],
  ],
  [
    'whom its own mark names',
    claimOf(),
    { ...present, arn: undefined, spec: { tags: { [ownerTag]: 'u1' } } },
    [undefined, undefined],
  ],
] as const)
  test(`of a resource, ${what} is told`, async () => {
    const objects = what === 'nobody else' ? [] : [owned('two', 'u2')]
    const { seen } = await observed(claim as Resource, { objects, found: found as never })
    assert.deepEqual([seen.olderOwner, seen.markHolder], owners)
  })

test('whose mark a manifest asks for is nothing before AWS was asked', async () => {
  const paused = claimOf(noted({ [annotations.paused]: 'true' }))
  const { seen } = await observed(paused, { objects: [owned('two', 'u2')], settings: { ownershipTags: true } })
  assert.equal(seen.markHolder, undefined)
})

const wantedOf = async (claim: Resource, around: Around = {}): Promise<Content> => {
  const { reads } = await observed(claim, around)
  assert.ok(reads[0])
  return reads[0].wanted
}
const namespaceOf = (more: object): object => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name: 'team', annotations: more },
})

test('tags of the process, of the namespace and of the manifest are wanted together, and the last ones hold', async () => {
  const settings = { resourceTags: ['by=process', 'a=1', 'v=%CONTROLLER_VERSION%'], version: 'v9' }
  const objects = [namespaceOf({ 'services.k8s.aws/default-tags': 'by=namespace, ,b=2,' })]
  const { spec } = await wantedOf(claimOf({}, { tags: { b: '3' } }), { settings, objects })
  assert.deepEqual(spec['tags'], { by: 'namespace', a: '1', v: 'v9', b: '3', [ownerTag]: 'u1' })
})

test('the ARN is the one on record, else the one that an adoption names, else the one that follows from the name', async () => {
  const arnOf = (wanted: Content): string => `arn of ${String(wanted.spec['name'])}`
  const byArn = noted({ ...adopting, [annotations.adoptionFields]: JSON.stringify({ arn: `${arn}/adopted` }) })
  const arns = [
    await wantedOf(claimOf({}, {}, made), { deviation: { arnOf } }),
    await wantedOf(claimOf(byArn), { deviation: { arnOf } }),
    await wantedOf(claimOf(), { deviation: { arnOf } }),
    await wantedOf(claimOf()),
  ].map(wanted => wanted.arn)
  assert.deepEqual(arns, [arn, `${arn}/adopted`, 'arn of one', undefined])
})

test('an adoption by name is looked for by it, and a manifest without a spec wants nothing more', async () => {
  const { spec, status } = await wantedOf(claimOf(noted({ ...adopting, [annotations.adoptionFields]: '{"name":"old"}' }), null))
  assert.deepEqual([spec['name'], status], ['old', {}])
})

test('what the status knows is wanted, but for what is said of it', async () => {
  const { status } = await wantedOf(claimOf({}, {}, { ...made, id: 'i-1', conditions: [] }))
  assert.deepEqual(status, { id: 'i-1' })
})

const recorded = (record: OwnershipRecord): object => ({ ...made, conditions: [recordCondition(record)].filter(Boolean) })

for (const [what, metadata, status, name] of [
  ['that was made under another name, and goes', deleting, recorded({ kind: 'made', identity: { name: 'old' } }), 'old'],
  ['that was made under another name, and stays', {}, recorded({ kind: 'made', identity: { name: 'old' } }), 'new'],
  ['whose record names nothing, and goes', deleting, recorded({ kind: 'adopted', formerMark: undefined, identity: {} }), 'one'],
  ['whose ARN names another, and goes', deleting, made, 'one'],
  ['that was never made, and goes', deleting, {}, 'new'],
] as const)
  test(`a resource ${what} is looked for as ${name}`, async () => {
    const { spec } = await wantedOf(claimOf({ ...metadata, finalizers: ['x'] }, { name: 'new' }, status))
    assert.equal(spec['name'], name)
  })

for (const [what, notes, isJustMade] of [
  ['nothing is known of', {}, false],
  ['was made just now', { createdMs: now, madeGeneration: 2 }, true],
  ['was made a minute ago', { createdMs: now - 60_000, madeGeneration: 2 }, false],
  ['was made almost a minute ago', { createdMs: now - 59_999, madeGeneration: 2 }, true],
  ['was made of another manifest', { createdMs: now, madeGeneration: 1 }, false],
] as const)
  test(`a resource that ${what} is ${isJustMade ? '' : 'not '}taken to have just what was asked for`, async () => {
    const { reads } = await observed(claimOf(), { notes: { given: ['Spec.Name'], ...notes } })
    assert.deepEqual([reads[0]?.justMade, reads[0]?.spoken], [isJustMade, ['Spec.Name']])
  })

for (const [what, metadata, isAdopting] of [
  ['makes', {}, false],
  ['adopts', noted(adopting), true],
  ['only looks', noted(reading), true],
] as const)
  test(`what stands in AWS is ${isAdopting ? 'asked for in whole' : 'asked for as far as it is spoken of'} by a claim that ${what}`, async () =>
    assert.equal((await observed(claimOf(metadata))).reads[0]?.adopting, isAdopting))

const lookup = (text: string, more: object = {}): object => noted({ ...reading, [annotations.lookup]: text, ...more })

test('a lookup tells what it found and by which identifiers, that there is none, or that it is unclear', async () => {
  const held = { spec: { name: 'one', tags: {} }, status: {} }
  const found = await observed(claimOf(lookup('{"name":"o*"}'), null), { found: held })
  const identifiers = { spec: { name: 'one' }, status: {} }
  assert.deepEqual(found.seen.inAws, { kind: 'present', content: held, lookedUp: { text: '{"name":"o*"}', identifiers } })
  const none = await observed(claimOf(lookup('{"name":"x*"}'), null), { found: held })
  assert.deepEqual(none.seen.inAws, { kind: 'absent' })
  const unclear = await observed(claimOf(lookup('{"name":"o*","with":{"nothing":"x"}}'), null))
  const { inAws } = unclear.seen
  assert.deepEqual(inAws.kind === 'failed' && [inAws.trouble.kind, inAws.trouble.reason, inAws.trouble.message], [
    'stop',
    'AdoptionFailed',
    'ListThings takes no nothing',
  ])
})

const intentFor = (claim: Resource, token = tokenOf({ claim })): object =>
  noted({ [annotations.createIntent]: renderIntent({ token, atMs: 0, prints: [] }) })
const unasked: Content = { spec: {}, status: {}, isAbsent: true, isUnasked: true }

for (const [what, metadata, inAws] of [
  ['of which no call went out', {}, { kind: 'absent', isUnasked: true }],
  ['of which a call may have gone out', intentFor(claimOf()), { kind: 'absent', isUnasked: true, isSearched: true }],
  ['whose intent is that of another', intentFor(claimOf(), 'foreign'), { kind: 'absent', isUnasked: true }],
] as const)
  test(`a resource ${what}, and that cannot be asked for, is ${'isSearched' in inAws ? '' : 'not '}looked for by its mark`, async () => {
    const deviation: Deviation = {
      read: context =>
        Promise.resolve(context.wanted.spec['name'] === 'one' && context.wanted.arn === undefined ? unasked : undefined),
      tagsAtCreate: true,
    }
    assert.deepEqual((await observed(claimOf(metadata), { deviation })).seen.inAws, inAws)
  })

test('what bears the mark of a claim is its own, although nobody knows its name', async () => {
  let times = 0
  const bearing: Content = { spec: { name: 'one', tags: { [ownerTag]: 'u1' } }, status: {} }
  const deviation: Deviation = { read: () => Promise.resolve(times++ === 0 ? unasked : bearing), tagsAtCreate: true }
  const { seen } = await observed(claimOf(intentFor(claimOf())), { deviation })
  assert.deepEqual(seen.inAws, { kind: 'present', content: bearing })
})

test('what is absent and was asked for is not looked for by its mark', async () => {
  const deviation: Deviation = {
    read: () => Promise.resolve({ spec: {}, status: {}, isAbsent: true }),
    tagsAtCreate: true,
  }
  const { seen } = await observed(claimOf(intentFor(claimOf())), { deviation })
  assert.deepEqual(seen.inAws, { kind: 'absent' })
})

const failure = new AwsError({ service: 'madeup', operation: 'ListThings', code: 'Odd', message: 'odd', httpStatus: 400 })
const gone = new AwsError({ service: 'madeup', operation: 'GetThing', code: 'NotFoundException', message: 'no', httpStatus: 404 })
const counting: Deviation = { read: undefined as never, repeatable: false }
const failing = { ListThings: failure, GetThing: gone }

for (const [what, claim, around] of [
  ['while a lookup is followed', claimOf(lookup('{"name":"o*"}'), null), { answers: failing }],
  ['while what looks alike is counted', claimOf(), { answers: failing, deviation: counting }],
  [
    'while what looks alike to what has no name is counted',
    claimOf({}, { name: undefined }),
    { answers: failing, deviation: counting },
  ],
] as const)
  test(`a list that fails ${what} is trouble of the claim`, async () => {
    const { inAws } = (await observed(claim, { ...around, settings: { ownershipTags: false } })).seen
    assert.deepEqual(inAws.kind === 'failed' && inAws.trouble.reason, 'Refused')
  })

test('a manifest of which not all is known yet is wanted as far as it is', async () => {
  const tags = { tags: { b: '3' } }
  const tagsOf = ({ spec }: Content): unknown => (spec['tags'] as Readonly<Record<string, string>>)['b']
  assert.equal(tagsOf(await wantedOf(claimOf(noted(adopting), { ...parent, ...tags }))), '3')
  const held = { ...deleting, finalizers: ['x'] }
  assert.equal(tagsOf(await wantedOf(claimOf(held, { ...parent, ...password, ...tags }))), '3')
  const two = claimOf({ name: 'two', uid: 'u2' }, { name: 'wide' })
  const { spec } = await wantedOf(claimOf(held, { ...parent, ...password }), { objects: [two] })
  assert.equal(spec['parent'], 'wide')
})

test('cheap reads are on from a second on', async () => {
  const { seen } = await observed(claimOf({}, {}, made), { settings: { cheapReadSeconds: 1 }, found: present })
  assert.notEqual(seen.glance, undefined)
})

test('the Secret that is written to is read with the rest', async () => {
  const target = { namespace: 'team', name: 'out', key: 'k' }
  const output = { target: () => target, version: () => undefined, alsoKeys: [], fetch: () => Promise.resolve({}) }
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { namespace: 'team', name: 'out' } }
  const { seen } = await observed(claimOf(), { deviation: { output }, objects: [secret], settings: { secrets: ['*'] } })
  assert.deepEqual(seen.output, { kind: 'found', target, secret })
})
