// What a kind's controller watches, which changes are worth a pass, and what is counted of one.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { namespaces, type StoredObject } from '#kube'
import { Metrics } from '#runtime'
import { annotations, conditions, type Resource } from './api.ts'
import { isWorth, type KindControllerOptions, kindController } from './controller.ts'
import { OwnCalls } from './drift/own-calls.ts'
import { Memory } from './memory.ts'
import type { KindModel } from './model/kind-model.ts'
import { type ResourcesOptions, settingsOf } from './options.ts'
import { roleSelectorKind } from './place/role-selector.ts'
import { clusterOf } from './testing/cluster.ts'
import { type KindMadeUp, madeUpKind, structure } from './testing/made-up-kind.ts'
import { modelOf } from './testing/parts.ts'
import { claimOf as roleOf, seenOf } from './testing/situation.ts'

const things: KindMadeUp = {
  spec: {
    Name: 'string',
    Parent: { type: { kind: 'string' }, reference: { resource: 'Thing', path: 'Spec.Name' } },
    ParentRef: { type: { kind: 'reference' }, referenceFor: 'Parent' },
    Inner: structure('Inner'),
    Foreign: { type: { kind: 'string' }, reference: { service: 'none', resource: 'Nothing', path: 'Spec.Name' } },
  },
  structures: {
    Inner: { Role: { type: { kind: 'string' }, reference: { service: 'other', resource: 'Thing', path: 'Spec.Name' } } },
  },
}
const model = madeUpKind(things)
const other = { ...model.service, alias: 'other', group: 'other.services.k8s.aws' }
const home = { account: '111122223333', partition: 'aws', region: 'eu-west-1' }

interface Asked extends Partial<Omit<KindControllerOptions, 'settings'>> {
  readonly settings?: Partial<ResourcesOptions>
}

function controllerOf({ settings = {}, ...more }: Asked = {}): ReturnType<typeof kindController> {
  return kindController({
    model,
    settings: settingsOf({ services: [], aws: {} as never, home, nowMs: () => 0, ...settings }),
    services: [model.service, other],
    aws: {} as never,
    memory: new Memory(),
    nowMs: () => 5_000,
    random: undefined,
    metrics: undefined,
    ownCalls: new OwnCalls(false),
    followsEvents: false,
    ...more,
  })
}

const thing = (name: string, spec: object = {}, namespace = 'team', of: KindModel = model): StoredObject =>
  ({
    apiVersion: `${of.type.group}/v1alpha1`,
    kind: of.type.kind,
    metadata: { namespace, name, uid: name, resourceVersion: '1' },
    spec,
  }) as never

test('a pass may take three minutes, and kinds and selectors need not be installed', () => {
  const { name, deadlineMs, claims, fieldManager, watches = [] } = controllerOf()
  assert.deepEqual([name, deadlineMs, fieldManager], ['resources-things.madeup', 180_000, 'vouch-resources'])
  assert.deepEqual([claims.type, claims.optional], [model.type, true])
  assert.deepEqual(
    watches.map(({ type, optional, metadataOnly }) => [`${type.plural}.${type.group}`, optional, metadataOnly]),
    [
      ['namespaces.', undefined, true],
      ['things.madeup.services.k8s.aws', true, undefined],
      ['things.other.services.k8s.aws', true, undefined],
      ['iamroleselectors.services.k8s.aws', true, undefined],
    ],
  )
})

test('only what is asked for is seen, of references as well', () => {
  const { claims, watches = [] } = controllerOf({ settings: { watchNamespaces: ['a'], watchSelector: 'b=c' } })
  assert.deepEqual([claims.namespaces, claims.labelSelector], [['a'], 'b=c'])
  const reference = watches.find(({ type }) => type.plural === 'things')
  assert.deepEqual([reference?.namespaces, reference?.labelSelector], [['a'], 'b=c'])
})

for (const [what, settings, kind, workers] of [
  ['nothing is said', {}, model, 10],
  ['a number is said', { workers: 3 }, model, 3],
  ['a number is said for the kind', { workers: 3, workersOf: { Thing: 2 } }, model, 2],
  ['a number is said for another kind', { workers: 3, workersOf: { Other: 2 } }, model, 3],
  ['the kind shares its calls', {}, modelOf('route53', 'RecordSet'), 100],
  ['a higher number is said for what shares its calls', { workers: 200 }, modelOf('route53', 'RecordSet'), 200],
  ['no number is said', { workers: 0 }, model, 0],
] as const)
  test(`where ${what}, ${workers} claims are worked on at once`, () =>
    assert.equal(controllerOf({ settings, model: kind }).workers, workers))

const hourly = madeUpKind({ settings: { resyncSeconds: 3_600 } })
for (const [what, settings, kind, driftMs] of [
  ['nothing is said', {}, model, 36_000_000],
  ['it is said', { resyncSeconds: 60 }, model, 60_000],
  ['the kind says it', { resyncSeconds: 60 }, hourly, 3_600_000],
  ['it is said for the kind', { resyncSeconds: 60, resyncSecondsOf: { Thing: 5 } }, hourly, 5_000],
] as const)
  test(`where ${what}, claims at rest are looked at after ${driftMs} ms`, () =>
    assert.equal(controllerOf({ settings, model: kind }).driftMs, driftMs))

test('conditions speak of generations, and events are told, where it is asked for', () => {
  const plain = controllerOf()
  const [bare, full] = [controllerOf({ settings: { events: false } }), controllerOf({ settings: { conditionGenerations: true } })]
  const place = (generations: boolean) => ({
    kind: 'subresource',
    observedGeneration: generations,
    conditionGeneration: generations,
  })
  assert.deepEqual([plain.status, full.status], [place(false), place(true)])
  assert.deepEqual(['eventsOf' in plain, 'eventsOf' in bare], [true, false])
})

const secretive = madeUpKind({ spec: { Password: { type: { kind: 'secret' } } } })
for (const [what, asked, is] of [
  ['that names Secrets', { model: secretive }, true],
  [
    'that names Secrets, where nobody watches them',
    { model: secretive, settings: { secrets: ['*'], watchSecrets: false } },
    false,
  ],
  ['that names none', {}, false],
] as const)
  test(`a kind ${what} ${is ? 'is' : 'is not'} woken by Secrets`, () => {
    const { watches = [], claims } = controllerOf({
      ...asked,
      settings: { secrets: ['*'], ...('settings' in asked ? asked.settings : {}) },
    })
    const index = `secrets of madeup/Thing`
    assert.deepEqual([watches.some(({ type }) => type.kind === 'Secret'), Object.hasOwn(claims.indexes ?? {}, index)], [is, is])
  })

test('claims are found by what events of AWS name only where events are followed', () => {
  const names = (followsEvents: boolean) => Object.keys(controllerOf({ followsEvents }).claims.indexes ?? {})
  assert.deepEqual(
    names(true).filter(name => !names(false).includes(name)),
    ['named in events madeup/Thing'],
  )
})

test('an object wakes the claims of its namespace that refer to it', () => {
  const controller = controllerOf()
  const refers = (name: string, namespace?: string) => thing(name, { parentRef: { from: { name: 'two' } } }, namespace)
  const { reads } = clusterOf([refers('one'), refers('far', 'far'), thing('three')], { controller })
  const watch = controller.watches?.find(({ type }) => type.group === model.type.group)
  assert.deepEqual(watch?.toClaims(thing('two'), reads, ''), [{ namespace: 'team', name: 'one' }])
  assert.deepEqual(watch.toClaims(thing('four'), reads, ''), [])
})

test('a selector that changes wakes all claims', () => {
  const controller = controllerOf()
  const { reads } = clusterOf([thing('one'), thing('two')], { controller })
  const watch = controller.watches?.find(({ type }) => type === roleSelectorKind.type)
  const woken = watch?.toClaims({ metadata: { name: 's' } } as never, reads, '')
  assert.deepEqual(woken, [
    { namespace: 'team', name: 'one' },
    { namespace: 'team', name: 'two' },
  ])
  const shut = controllerOf({ settings: { gates: { IAMRoleSelector: false } } })
  assert.equal(
    shut.watches?.some(({ type }) => type === roleSelectorKind.type),
    false,
  )
})

const selector = (spec: object) => ({
  apiVersion: 'services.k8s.aws/v1alpha1',
  kind: 'IAMRoleSelector',
  metadata: { name: 's' },
  spec,
})
const byLabel = selector({ namespaceSelector: { labelSelector: { matchLabels: { a: 'b' } } } })
const byName = selector({ namespaceSelector: { names: ['team'] } })
for (const [what, notes, more, isWoken] of [
  ['that says nothing', undefined, {}, false],
  ['that speaks to others', { 'example.com/x': 'y' }, {}, false],
  ['that speaks to us', { 'example.com/x': 'y', 'services.k8s.aws/default-region': 'z' }, {}, true],
  ['whose labels are selected by', {}, { selectors: [byName, byLabel] }, true],
  ['that is selected by its name', {}, { selectors: [byName] }, false],
  ['while selectors are not read', {}, { selectors: [byLabel], unsynced: ['IAMRoleSelector'] }, false],
  ['while nobody selects', {}, { selectors: [byLabel], gates: { IAMRoleSelector: false } }, false],
] as const)
  test(`a namespace ${what} ${isWoken ? 'wakes its claims' : 'wakes no claim'}`, () => {
    const { selectors = [], unsynced = [], gates = {} } = more as { selectors?: object[]; unsynced?: string[]; gates?: object }
    const controller = controllerOf({ settings: { gates } })
    const { reads } = clusterOf([thing('one'), thing('far', {}, 'far'), ...selectors], { controller, unsynced })
    const watch = controller.watches?.find(({ type }) => type === namespaces)
    const woken = watch?.toClaims({ metadata: { name: 'team', annotations: notes } } as never, reads, '')
    assert.deepEqual(woken, isWoken ? [{ namespace: 'team', name: 'one' }] : [])
  })

const changeOf = (metadata: object, before: object | null = {}, spec: object = {}, specBefore: object = {}) => {
  const objectOf = (more: object, held: object): Resource =>
    ({ apiVersion: 'x/v1', kind: 'Thing', metadata: { name: 'one', uid: 'u', generation: 1, ...more }, spec: held }) as never
  return {
    kind: 'changed',
    object: objectOf(metadata, spec),
    ...(before === null ? {} : { previous: objectOf(before, specBefore) }),
  }
}
const ours = (fields: object, more: object = {}): object => ({
  generation: 2,
  managedFields: [
    { manager: 'kubectl', fieldsV1: {} },
    { manager: 'vouch-resources', subresource: 'status', fieldsV1: {} },
    { manager: 'vouch-resources', fieldsV1: { 'f:spec': fields }, ...more },
  ],
})
const annotated = (more: object): object => ({ annotations: more })

for (const [what, change, is] of [
  ['that is new', changeOf({}, null), true],
  ['that is as it was', changeOf({}), false],
  ['that is another of the same name', changeOf({ uid: 'v' }), true],
  ['that begins to go', changeOf({ deletionTimestamp: 'x' }), true],
  ['whose manifest changed', changeOf({ generation: 2 }, {}, { a: 1 }, { a: 2 }), true],
  ['whose empty field we filled', changeOf(ours({ 'f:a': {} }), {}, { a: 1, b: 2 }, { b: 2 }), false],
  ['whose empty fields we filled in part', changeOf(ours({ 'f:a': {} }), {}, { a: 1, b: 2 }), true],
  ['whose field we filled and had been filled', changeOf(ours({ 'f:a': {} }), {}, { a: 1 }, { a: 2 }), true],
  ['whose field was taken out', changeOf(ours({ 'f:a': {} }), {}, {}, { b: 1 }), true],
  ['whose empty field another filled', changeOf(ours({}), {}, { a: 1 }), true],
  [
    'whose empty field was filled through the status',
    changeOf(ours({ 'f:a': {} }, { subresource: 'status' }), {}, { a: 1 }),
    true,
  ],
  ['whose field nobody is known to have filled', changeOf({ generation: 2 }, {}, { a: 1 }), true],
  ['with a label', changeOf({ labels: { a: 'b' } }), false],
  ['with an annotation of others', changeOf(annotated({ 'example.com/x': 'y' })), false],
  ['with an annotation that speaks to us', changeOf(annotated({ [annotations.paused]: 'true' })), true],
  [
    'with an annotation that speaks otherwise',
    changeOf(annotated({ [annotations.paused]: 'a' }), annotated({ [annotations.paused]: 'b' })),
    true,
  ],
  [
    'with annotations in another order',
    changeOf(
      annotated({ [annotations.paused]: 'a', [annotations.plan]: 'b' }),
      annotated({ [annotations.plan]: 'b', [annotations.paused]: 'a' }),
    ),
    false,
  ],
  [
    'with annotations in yet another order',
    changeOf(
      annotated({ [annotations.plan]: 'b', [annotations.paused]: 'a' }),
      annotated({ [annotations.paused]: 'a', [annotations.plan]: 'b' }),
    ),
    false,
  ],
  ['with our intent', changeOf(annotated({ [annotations.createIntent]: 'x' })), false],
  ['with our note that it adopted', changeOf(annotated({ [annotations.adopted]: 'true' })), false],
  ['with our note that it is in step', changeOf(annotated({ [annotations.inStepWith]: '1' })), false],
  ['with a finalizer more', changeOf({ finalizers: ['a'] }), false],
  ['with a finalizer less', changeOf({ finalizers: ['a'] }, { finalizers: ['a', 'b'] }), true],
  ['without finalizers any more', changeOf({}, { finalizers: ['a'] }), true],
] as const)
  test(`a claim ${what} is ${is ? '' : 'not '}worth a pass`, () => assert.equal(isWorth(change), is))

test('a claim without a spec that gets one is worth a pass unless we filled it', () => {
  const { object, previous } = changeOf(ours({ 'f:a': {} }), {}, { a: 1 })
  const { spec: _, ...bare } = previous as Resource
  assert.equal(isWorth({ kind: 'changed', object, previous: bare }), false)
  assert.equal(isWorth({ kind: 'changed', object: bare, previous: object }), true)
})

test('a claim that is gone is worth no pass, and its series go with it', () => {
  const metrics = new Metrics()
  const controller = controllerOf({ metrics, model: modelOf('iam', 'Role') })
  const claim = roleOf({})
  const said = {
    plan: { actions: [], conditions: [{ type: 'Ready', status: 'True', reason: 'x', message: '' }] },
    outcomes: [],
    failures: 0,
    current: [],
    generation: 1,
    summary: 'Ready',
  }
  controller.reconciler.report?.({ ...said, seen: seenOf({}) } as never)
  assert.match(metrics.expose(), /ack_resource_condition\{kind="Role",namespace="default",name="one",type="Ready"\} 1/)
  assert.equal(controller.isWorth?.({ kind: 'changed', object: claim, previous: claim } as never), false)
  assert.match(metrics.expose(), /ack_resource_condition\{/)
  assert.equal(controller.isWorth?.({ kind: 'removed', object: claim } as never), false)
  assert.doesNotMatch(metrics.expose(), /ack_resource_condition\{/)
  controller.reconciler.report?.({ ...said, seen: seenOf({ seen: { claim: undefined } }) } as never)
  controller.reconciler.report?.({ ...said, plan: { actions: [], conditions: [] }, seen: seenOf({}) } as never)
  assert.doesNotMatch(metrics.expose(), /ack_resource_condition\{/)
})

const call = (verb: string): object => ({ kind: 'act:aws', call: { operation: 'X', verb } })
for (const [what, actions, seen, count] of [
  ['was in step and had to be updated', [{ kind: 'add-finalizer' }, call('UPDATE')], {}, 1],
  ['was in step and had to be made anew', [call('CREATE'), call('DELETE')], {}, 1],
  ['was in step and had to be deleted', [call('DELETE')], {}, 0],
  ['was in step and is', [{ kind: 'add-finalizer', call: { verb: 'UPDATE' } }], {}, 0],
  ['was in step with another manifest', [call('UPDATE')], { notes: { inStepWith: 2 } }, 0],
  ['never was in step', [call('UPDATE')], { notes: {} }, 0],
  ['is gone', [call('UPDATE')], { claim: undefined }, 0],
] as const)
  test(`a resource that ${what} ${count === 1 ? 'had drifted' : 'had not drifted'}`, () => {
    const metrics = new Metrics()
    const controller = controllerOf({ metrics, model: modelOf('iam', 'Role') })
    const whole = seenOf({ seen: { notes: { inStepWith: 1 }, ...seen } })
    controller.reconciler.report?.({
      plan: { actions, conditions: [] },
      outcomes: [],
      failures: 0,
      current: [],
      generation: 1,
      summary: conditions.ready,
      seen: whole,
    } as never)
    assert.equal(metrics.counter('ack_drift_detected_total', 'x').value({ kind: 'Role' }), count)
  })

test('where no events are told, no plan has one', () => {
  const seen = seenOf({ spec: { description: 'new' }, seen: { notes: {} } })
  const kinds = (events: boolean) =>
    controllerOf({ settings: { events }, model: modelOf('iam', 'Role') })
      .reconciler.decide(seen, 0)
      .actions.map(({ kind }) => kind)
  assert.ok(kinds(true).includes('record-event'))
  assert.deepEqual(
    kinds(false),
    kinds(true).filter(kind => kind !== 'record-event'),
  )
})
