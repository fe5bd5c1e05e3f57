import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Json, JsonObject } from '../json.ts'
import { builtinKind } from '../kinds/kind.ts'
import { fieldsOf, type MergeShape, stringShape, untyped } from '../shape.ts'
import { serverSideApply } from './apply.ts'
import { list, structure, texts, wholeObject } from './shapes.fixture.ts'
import type { ApplyRequest, ApplyResult, Versions, VersionView } from './types.ts'
import { trackUpdate } from './update.ts'

const now = '2026-01-01T00:00:00Z'
const later = '2026-01-02T00:00:00Z'
const [beta, stable] = ['example.com/v1beta1', 'example.com/v1']

/** One field has another name at each version. */
function shapeOf(color: string): MergeShape {
  const spec = structure({ [color]: stringShape, size: { kind: 'scalar', type: 'integer' }, keyed: list('map', untyped) })
  return wholeObject({ spec, status: untyped })
}

function renamed(from: string, to: string, apiVersion: string): (object: JsonObject) => JsonObject {
  return object => {
    const { [from]: color, ...spec } = object.spec as JsonObject
    return { ...object, apiVersion, spec: { ...spec, ...(color !== undefined && { [to]: color }) } }
  }
}

const views: Readonly<Record<string, VersionView>> = {
  [beta]: { shape: shapeOf('colour'), convert: renamed('color', 'colour', beta) },
  [stable]: { shape: shapeOf('color'), convert: renamed('colour', 'color', stable) },
}
const both: Versions = apiVersion => views[apiVersion]
const shape = shapeOf('color')

function entry(manager: string, apiVersion: string, spec: JsonObject, operation = 'Apply'): JsonObject {
  return { manager, operation, apiVersion, time: now, fieldsType: 'FieldsV1', fieldsV1: { 'f:spec': spec } }
}

function live(spec: JsonObject, ...managedFields: JsonObject[]): JsonObject {
  return { apiVersion: stable, kind: 'Widget', metadata: { name: 'w', managedFields }, spec }
}

function apply(before: JsonObject | undefined, spec: JsonObject, more: Partial<ApplyRequest> = {}): ApplyResult {
  const applied = { apiVersion: stable, kind: 'Widget', metadata: { name: 'w' }, spec }
  return serverSideApply({
    live: before,
    applied,
    manager: 'm',
    force: false,
    shape,
    apiVersion: stable,
    now: later,
    versions: both,
    ...more,
  })
}

function merged(result: ApplyResult): {
  readonly spec: Json | undefined
  readonly owners: readonly JsonObject[]
  readonly changed: boolean
} {
  assert.equal(result.kind, 'merged')
  if (result.kind !== 'merged') return { spec: undefined, owners: [], changed: false }
  const { managedFields = [] } = result.object.metadata as { readonly managedFields?: readonly JsonObject[] }
  return { spec: result.object.spec, owners: managedFields, changed: result.changed }
}

const fields = { 'f:colour': {}, 'f:size': {} }

test('what was applied at another version and is not any more goes', () => {
  const before = live({ color: 'red', size: 1 }, entry('m', beta, fields))
  const { spec, owners, changed } = merged(apply(before, { size: 1 }))
  assert.deepEqual([spec, changed], [{ size: 1 }, true])
  assert.deepEqual(owners, [{ ...entry('m', stable, { 'f:size': {} }), time: later }])
})

test('what was applied at a version that nobody serves any more stays', () => {
  const before = live({ color: 'red', size: 1 }, entry('m', beta, fields))
  assert.deepEqual(
    merged(apply(before, { size: 1 }, { versions: apiVersion => (apiVersion === stable ? views[stable] : undefined) })).spec,
    {
      color: 'red',
      size: 1,
    },
  )
})

test('what cannot be converted is looked at as it is', () => {
  const before = live({ color: 'red', size: 1 }, entry('m', beta, { 'f:size': {} }))
  const unconvertible: Versions = apiVersion => ({ shape: views[apiVersion]?.shape ?? shape, convert: () => undefined })
  assert.deepEqual(merged(apply(before, { color: 'red' }, { versions: unconvertible })).spec, { color: 'red', size: 1 })
})

test('others own what they wrote at their version, and conflict by its names', () => {
  const before = live({ color: 'red', size: 1 }, entry('other', beta, fields))
  const result = apply(before, { color: 'blue' })
  assert.equal(result.kind === 'conflict' && result.message, 'Apply failed with 1 conflict: conflict with "other": .spec.colour')
  const { owners } = merged(apply(before, { color: 'blue' }, { force: true }))
  assert.deepEqual(owners, [entry('other', beta, { 'f:size': {} }), { ...entry('m', stable, { 'f:color': {} }), time: later }])
})

test('owners of a version that nobody serves any more are forgotten', () => {
  const before = live({ color: 'red', size: 1 }, entry('other', 'example.com/v0', fields), entry('m', stable, { 'f:color': {} }))
  assert.deepEqual(merged(apply(before, { color: 'red' })).owners, [entry('m', stable, { 'f:color': {} })])
})

test('an owner of nothing that is left is forgotten', () => {
  const before = live({ color: 'red', size: 1 }, entry('other', stable, { 'f:color': {} }))
  assert.deepEqual(merged(apply(before, { color: 'blue' }, { force: true })).owners, [
    { ...entry('m', stable, { 'f:color': {} }), time: later },
  ])
})

test('an apply tells whether it changed anything', () => {
  const before = live({ size: 1 }, entry('m', stable, { 'f:size': {} }))
  assert.equal(merged(apply(undefined, { size: 1 })).changed, true)
  assert.equal(merged(apply(before, { size: 1 })).changed, false)
  assert.equal(merged(apply(before, { size: 2 })).changed, true)
  assert.equal(merged(apply(before, { size: 1 }, { manager: 'n' })).changed, true)
})

test('what is applied to a part of an object goes by the applier of that part', () => {
  const of = { subresource: 'status' } as const
  const first = apply(live({ size: 1 }), { size: 1, color: 'red' }, of)
  assert.equal(first.kind, 'merged')
  if (first.kind !== 'merged') return
  const { spec, owners } = merged(apply(first.object, { size: 1 }, of))
  assert.deepEqual(spec, { size: 1 })
  assert.deepEqual(
    owners.filter(({ operation }) => operation === 'Apply').map(({ manager, subresource }) => [manager, subresource]),
    [['m', 'status']],
  )
})

test('what this part of an object never owns is neither owned nor taken', () => {
  const resetFields = [['status']]
  const applied = { apiVersion: stable, kind: 'Widget', metadata: { name: 'w' }, spec: { size: 1 }, status: { a: 1 } }
  const result = serverSideApply({
    live: undefined,
    applied,
    manager: 'm',
    force: false,
    shape,
    apiVersion: stable,
    now,
    resetFields,
  })
  assert.deepEqual(merged(result).owners, [entry('m', stable, { 'f:size': {} })])
})

test('an object with an item that has no key is told of, and nothing is applied to it', () => {
  const before = { apiVersion: stable, kind: 'Widget', metadata: { name: 'w' }, spec: { keyed: [{ v: 1 }] } }
  const result = apply(before, { size: 1 })
  assert.deepEqual(result, {
    kind: 'untypeable-live',
    message:
      '.spec.keyed: element 0: associative list with keys has an element that omits all key fields ["n"] (and doesn\'t have default values for any key fields)',
  })
})

test('a failure of conversion is a failure', () => {
  const failing: Versions = () => ({
    shape,
    convert: () => {
      throw new Error('no conversion')
    },
  })
  const before = live({ size: 1 }, entry('other', beta, fields))
  assert.throws(() => apply(before, { size: 2 }, { versions: failing }), /no conversion/)
})

function put(
  before: JsonObject | undefined,
  spec: JsonObject,
  more: Partial<Parameters<typeof trackUpdate>[0]> = {},
): readonly JsonObject[] {
  const next = { apiVersion: stable, kind: 'Widget', metadata: { name: 'w' }, spec, ...more.next }
  const object = trackUpdate({ live: before, manager: 'm', shape, apiVersion: stable, now: later, versions: both, ...more, next })
  const { managedFields = [] } = (object.metadata ?? {}) as { readonly managedFields?: readonly JsonObject[] }
  return managedFields
}

const wrote = (spec: JsonObject): JsonObject => ({ ...entry('m', stable, spec, 'Update'), time: later })

test('who creates an object owns what is in it, and who changes it what changed', () => {
  assert.deepEqual(put(undefined, { size: 1 }), [wrote({ '.': {}, 'f:size': {} })])
  const before = live({ size: 1, color: 'red' }, entry('other', stable, { 'f:size': {}, 'f:color': {} }))
  assert.deepEqual(put(before, { size: 2, color: 'red' }), [entry('other', stable, { 'f:color': {} }), wrote({ 'f:size': {} })])
  assert.deepEqual(put(before, { color: 'red' }), [entry('other', stable, { 'f:color': {} })])
  assert.deepEqual(put(live({ size: 1 }, wrote({ 'f:size': {} })), { size: 1, color: 'red' }), [
    wrote({ 'f:color': {}, 'f:size': {} }),
  ])
})

test('what a part of an object never owns is not owned by an update of it', () => {
  const before = live({ size: 1 }, entry('other', stable, { 'f:size': {} }))
  const status = { status: { a: 1 } }
  assert.deepEqual(put(before, { size: 1 }, { next: status, resetFields: [['status']] }), [
    entry('other', stable, { 'f:size': {} }),
  ])
  const [, own] = put(before, { size: 1 }, { next: status, subresource: 'status' })
  assert.deepEqual(own, {
    ...entry('m', stable, {}, 'Update'),
    time: later,
    fieldsV1: { 'f:status': { '.': {}, 'f:a': {} } },
    subresource: 'status',
  })
})

test('where the version of an owner cannot hold the object, all owners are forgotten', () => {
  const before = live({ size: 1 }, entry('other', beta, { 'f:size': {} }))
  const holding =
    (holds: boolean): Versions =>
    apiVersion => ({ ...(views[apiVersion] as VersionView), holds: () => holds })
  assert.deepEqual(put(before, { size: 1 }, { versions: holding(true) }), [entry('other', beta, { 'f:size': {} })])
  assert.deepEqual(put(before, { size: 1 }, { versions: holding(false) }), [])
  const own = live({ size: 1 }, entry('other', stable, { 'f:size': {} }))
  assert.deepEqual(put(own, { size: 1 }, { versions: holding(false) }), [entry('other', stable, { 'f:size': {} })])
})

test('a writer may replace the owners, and what cannot be read replaces nothing', () => {
  const theirs = entry('other', stable, { 'f:size': {} })
  const before = live({ size: 1 }, theirs)
  const sending = (managedFields: Json, subresource?: string): readonly JsonObject[] =>
    put(
      before,
      { size: 1 },
      { next: { metadata: { name: 'w', managedFields } }, ...(subresource !== undefined && { subresource }) },
    )
  const mine = entry('mine', stable, { 'f:size': {} })
  assert.deepEqual(sending([mine]), [mine])
  assert.deepEqual(sending([mine], 'status'), [theirs])
  assert.deepEqual(sending([{ manager: 'x', operation: 'Odd' }]), [theirs])
  assert.deepEqual(sending('x'), [theirs])
  assert.deepEqual(sending([]), [])
  assert.deepEqual(sending([{}]), [])
  assert.deepEqual(sending([{}, {}]), [theirs])
})

test('with an item that has no key, nobody owns anything', () => {
  assert.deepEqual(put(live({ size: 1 }, entry('other', stable, { 'f:size': {} })), { keyed: [{ v: 1 }] }), [])
})

test('an owner at a version to which the object cannot be converted is forgotten', () => {
  const before = live({ size: 1 }, entry('other', beta, { 'f:size': {} }))
  const unconvertible: Versions = () => ({ shape, convert: () => undefined })
  assert.deepEqual(put(before, { size: 1 }, { versions: unconvertible }), [])
})

test("what is always there in the stored form is nobody's", () => {
  const event = builtinKind('', 'v1', 'Event')
  assert.ok(event !== undefined)
  const next = event.prune({
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: 'e' },
    involvedObject: { kind: 'Pod' },
    reason: 'r',
    count: 1,
  })
  const made = trackUpdate({ live: undefined, next, manager: 'm', shape: event.shape, apiVersion: 'v1', now })
  const fieldsOfFirst = (object: JsonObject): Json | undefined =>
    ((object.metadata as { readonly managedFields?: readonly JsonObject[] }).managedFields ?? [])[0]?.['fieldsV1']
  assert.deepEqual(fieldsOfFirst(made), { 'f:count': {}, 'f:involvedObject': {}, 'f:reason': {} })
  const spec = {
    selector: { matchLabels: { a: 'b' } },
    template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c' }] } },
  }
  const deployment = builtinKind('apps', 'v1', 'Deployment')
  assert.ok(deployment !== undefined)
  const object = deployment.prune({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'd' }, spec })
  const created = trackUpdate({
    live: undefined,
    next: object,
    manager: 'm',
    shape: deployment.shape,
    apiVersion: 'apps/v1',
    now,
  })
  assert.deepEqual(fieldsOfFirst(created), {
    'f:spec': {
      'f:selector': {},
      'f:template': {
        'f:metadata': { 'f:labels': { '.': {}, 'f:a': {} } },
        'f:spec': { 'f:containers': { 'k:{"name":"c"}': { '.': {}, 'f:name': {}, 'f:resources': {} } } },
      },
    },
  })
})

test('what was owned part by part is owned as one once it is one, at the version that says so', () => {
  const inner: MergeShape = { kind: 'map', atomic: false, rest: texts(true), fields: fieldsOf([]) }
  const whole = wholeObject({
    spec: structure({
      list: list('atomic'),
      map: texts(true),
      keyed: list('map', inner),
      size: { kind: 'scalar', type: 'integer' },
    }),
  })
  const parts = {
    'f:list': { 'v:"a"': {}, 'v:"b"': {} },
    'f:map': { 'f:x': {}, 'f:y': {} },
    'f:keyed': { 'k:{"n":"x"}': { '.': {}, 'f:m': { 'f:z': {} } } },
    'f:size': {},
  }
  const spec = { list: ['a', 'b'], map: { x: '1', y: '2' }, keyed: [{ n: 'x', m: { z: '1' } }], size: 1 }
  const before = live(spec, entry('other', stable, parts))
  assert.deepEqual(put(before, spec, { shape: whole }), [
    entry('other', stable, { 'f:list': {}, 'f:map': {}, 'f:keyed': { 'k:{"n":"x"}': { '.': {}, 'f:m': {} } }, 'f:size': {} }),
  ])
  const elsewhere = live(spec, entry('other', beta, parts))
  assert.deepEqual(put(elsewhere, spec, { shape: whole, versions: () => ({ shape: whole, convert: object => object }) }), [
    entry('other', beta, parts),
  ])
})
