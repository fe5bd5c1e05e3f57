// What `--mode extended` adds to the published form, and what a config of ours may say beyond it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { flattenCrd } from '../compare/flatten.ts'
import { inferSmall } from '../infer/model.fixture.ts'
import { InferError } from '../infer-error.ts'
import { crdOf } from './crd.ts'
import { resourceService } from './ir.ts'
import { renderService } from './output.ts'

const model = {
  operations: {
    CreateThing: [{ '!Name': 'String', Size: 'Integer', Zone: 'String', KeyId: 'String', Tags: 'StringMap' }, {}],
    UpdateThing: [{ '!Name': 'String', Size: 'Integer' }],
    DeleteThing: [{ '!Name': 'String' }],
    GetThing: [{ '!Name': 'String' }, {}],
  },
} as const
const references =
  'resources:\n  Thing:\n    fields:\n      KeyId: {references: {resource: Key, service_name: kms, path: Status.ACKResourceMetadata.ARN}}\n'

test('extended: generations of conditions, default columns, external references, and fields that no operation changes [4.13.6]', () => {
  const service = inferSmall(model, references)
  const [kind] = service.kinds
  assert.ok(kind)
  const [current, extended] = [flattenCrd(crdOf(service, kind)), flattenCrd(crdOf(service, kind, 'extended'))]
  const fixed = [...extended.fields].filter(([, { immutable }]) => immutable).map(([path]) => path)
  assert.deepEqual(fixed, ['spec.keyID', 'spec.name', 'spec.zone'])
  assert.deepEqual(
    [...current.fields].filter(([, { immutable }]) => immutable),
    [],
  )
  const added = [...extended.fields.keys()].filter(path => !current.fields.has(path))
  assert.deepEqual(added, [
    'spec.keyRef.external',
    'spec.keyRef.external.arn',
    'spec.keyRef.external.id',
    'spec.keyRef.external.name',
    'status.observedGeneration',
  ])
  assert.deepEqual(
    extended.columns.map(column => (JSON.parse(column) as string[])[0]),
    ['Ready', 'Synced', 'Age', 'ARN'],
  )
  assert.deepEqual(current.columns, [])
  // 9.16: they are to be had without the rest.
  const named = flattenCrd(crdOf(service, kind, 'current', { defaultColumns: true }))
  assert.deepEqual(named.columns, extended.columns)
  assert.deepEqual([...named.fields.keys()], [...current.fields.keys()])
  assert.ok(extended.common.includes('observedGeneration') && !current.common.includes('observedGeneration'))
})

test('extended: what a hook may change is not called fixed, and columns of a config stay [4.13.6]', () => {
  const hooked = 'resources:\n  Thing:\n    update_operation: {custom_method_name: x}\n    print: {add_age_column: true}\n'
  const service = inferSmall(model, hooked)
  const [kind] = service.kinds
  assert.ok(kind)
  const { fields, columns } = flattenCrd(crdOf(service, kind, 'extended'))
  assert.equal(
    [...fields.values()].some(({ immutable }) => immutable),
    false,
  )
  assert.deepEqual(
    columns.map(column => (JSON.parse(column) as string[])[0]),
    ['Synced', 'Age'],
  )
})

test('several versions: one is stored, that one is served and followed; what cannot be is refused [4.13.7]', () => {
  const of = (versions: string) => inferSmall(model, `resources:\n  Thing:\n    api_versions: ${versions}\n`)
  const service = of('[{name: v1alpha1, deprecated: true}, {name: v1, storage: true}]')
  const [kind] = service.kinds
  assert.ok(kind)
  const { versions } = crdOf(service, kind).spec
  assert.deepEqual(
    versions.map(({ name, served, storage, deprecated }) => [name, served, storage, deprecated]),
    [
      ['v1alpha1', true, false, true],
      ['v1', true, true, undefined],
    ],
  )
  assert.equal(
    resourceService(service, { kinds: service.kinds, madeOf: { model: '', config: '', program: '' } }).kinds['Thing']?.version,
    'v1',
  )
  const old = of('[{name: v1alpha1, served: false}, {name: v1, storage: true}]')
  assert.deepEqual(
    old.kinds.flatMap(each => crdOf(old, each).spec.versions.map(({ name, served }) => [name, served])),
    [
      ['v1alpha1', false],
      ['v1', true],
    ],
  )
  for (const [given, problem] of [
    ['[{name: v1alpha1}, {name: v1}]', /exactly one version must have storage: true/],
    ['[{name: v1, storage: true}, {name: v1}]', /version v1 is there twice/],
    ['[{name: 1x, storage: true}]', /"1x" is no version/],
    ['[{name: v1, storage: true, served: false}]', /must be served/],
    ['[{name: v1, served: false}]', /must be served/],
  ] as const)
    assert.throws(
      () => of(given),
      (error: Error) => error instanceof InferError && problem.test(error.message),
      given,
    )
})

test('normalisers: known words are kept in the representation, others are refused with the nearest [9.19]', () => {
  const of = (word: string) =>
    inferSmall(model, `resources:\n  Thing:\n    fields:\n      Zone: {compare: {normalise: ${word}}}\n`)
  const service = of('dns-name')
  const made = resourceService(service, { kinds: service.kinds, madeOf: { model: '', config: '', program: '' } })
  assert.deepEqual(made.kinds['Thing']?.spec.find(({ json }) => json === 'zone')?.compare, { normalise: 'dns-name' })
  assert.throws(
    () => of('dns-nam'),
    (error: Error) => error instanceof InferError && /did you mean "dns-name"/.test(error.message),
  )
})

test('a hook of a config that nobody here wrote is a warning in the report, one that somebody wrote is none [5.0.2]', () => {
  const hooked =
    'resources:\n  Thing:\n    hooks: {sdk_create_post_set_output: {code: x}}\n    find_operation: {custom_method_name: find}\n'
  const service = inferSmall(model, hooked)
  const warningsOf = (isHooked: boolean): readonly string[] =>
    (JSON.parse(renderService(service, { isHooked: () => isHooked }).get('report.json') ?? '') as { warnings: string[] }).warnings
  const said = 'Thing: the config has code of its own that nothing here carries out: find, sdk_create_post_set_output'
  assert.ok(warningsOf(false).includes(said))
  assert.ok(!warningsOf(true).includes(said))
})

test('extended: the status says of which generation it is [9.16]', () => {
  const service = inferSmall(model)
  const [kind] = service.kinds
  assert.ok(kind)
  assert.equal(flattenCrd(crdOf(service, kind, 'extended')).fields.has('status.observedGeneration'), true)
  assert.equal(flattenCrd(crdOf(service, kind, 'current')).fields.has('status.observedGeneration'), false)
})

test('a region in the spec is asked for by the config, stays as it is, and is no field of AWS [9.18]', () => {
  const service = inferSmall(model, 'resources:\n  Thing:\n    region_in_spec: true\n')
  const [kind] = service.kinds
  assert.ok(kind)
  const region = flattenCrd(crdOf(service, kind)).fields.get('spec.region')
  assert.deepEqual([region?.type, region?.immutable], ['string', true])
  const made = resourceService(service, { kinds: service.kinds, madeOf: { model: '', config: '', program: '' } })
  assert.equal(made.kinds['Thing']?.settings.regionInSpec, true)
  assert.equal(
    made.kinds['Thing'].spec.some(({ json }) => json === 'region'),
    false,
  )
  const own = { operations: { ...model.operations, CreateThing: [{ '!Name': 'String', Region: 'String' }, {}] } } as const
  assert.throws(() => inferSmall(own, 'resources:\n  Thing:\n    region_in_spec: true\n'), /has a field "region" of its own/)
})
