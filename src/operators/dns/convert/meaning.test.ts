// What rides along in the annotation, when it comes back, and what an object means that nobody shows whole.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { KubeObject } from '#kube'
import { type ApiVersionName, annotations, group } from '../api/names.ts'
import { type ConversionData, hashOf, parseConversionData, restore, typesOf } from './conversion-data.ts'
import { convert, modelOf, versionOf } from './convert.ts'
import { type VisibleFields, withDefaults } from './visible.ts'

const key = annotations.conversionData
const base = { provider: { type: 'AWS' }, source: { type: 'OpenShiftRoute' } }
const sourced = (type: string, more: object = {}): object => ({ ...base, source: { type, ...more } })

function object(version: string, spec: unknown, notes?: object): KubeObject & { readonly spec: unknown } {
  return {
    apiVersion: `${group}/${version}`,
    kind: 'ExternalDNS',
    metadata: { name: 'blue', ...(notes && { annotations: notes }) },
    spec,
  } as never
}

const shown = (from: ApiVersionName, to: ApiVersionName, spec: unknown, notes?: object) => {
  const converted = convert(object(from, spec, notes), from, to)
  const text = converted.metadata.annotations?.[key]
  return { converted, data: text === undefined ? undefined : (JSON.parse(text) as ConversionData) }
}

for (const [what, from, to, spec, saved] of [
  ['a Service that names no types', 'v1beta1', 'v1beta2', sourced('Service'), []],
  [
    'a Service that names its types',
    'v1beta1',
    'v1beta2',
    sourced('Service', { service: { serviceType: ['NodePort'] } }),
    undefined,
  ],
  ['a Route', 'v1beta1', 'v1beta2', base, undefined],
  ['the word CRD', 'v1beta1', 'v1beta2', sourced('CRD'), []],
  ['an Ingress', 'v1beta1', 'v1beta2', sourced('Ingress'), []],
  ['Routes of a Gateway', 'v1beta1', 'v1beta2', sourced('GatewayHTTPRoute'), []],
  ['a Route', 'v1beta2', 'v1beta1', base, undefined],
  ['a Service that names no types', 'v1beta2', 'v1beta1', sourced('Service'), ['/spec/provider/type', '/spec/source/type']],
  [
    'a wish that older versions have no field for',
    'v1beta2',
    'v1beta1',
    { ...base, dryRun: true },
    ['/spec/provider/type', '/spec/source/type', '/spec/dryRun'],
  ],
  [
    'the external id of a role',
    'v1beta2',
    'v1beta1',
    { ...base, provider: { type: 'AWS', aws: { credentials: { name: 'x' }, assumeRole: { arn: 'a', externalID: 'id' } } } },
    ['/spec/provider/type', '/spec/source/type', '/spec/provider/aws/assumeRole/externalID'],
  ],
  [
    'a selector of labels',
    'v1beta2',
    'v1beta1',
    sourced('OpenShiftRoute', { labelFilter: { matchLabels: { a: 'b' } } }),
    undefined,
  ],
  [
    'an interval',
    'v1beta1',
    'v1alpha1',
    { ...base, intervalSeconds: 60 },
    ['/spec/provider/type', '/spec/source/type', '/spec/intervalSeconds'],
  ],
  [
    'a Secret without a name where one is required',
    'v1alpha1',
    'v1beta2',
    { ...base, provider: { type: 'AWS', aws: {} } },
    ['/spec'],
  ],
  [
    'a Secret without a name where it has a default',
    'v1beta1',
    'v1beta2',
    { ...base, provider: { type: 'AWS', aws: {} } },
    undefined,
  ],
] as const)
  test(`${what} of ${from} is shown in ${to} with ${saved === undefined ? 'no' : 'an'} annotation`, () => {
    const { data } = shown(from, to, spec)
    assert.deepEqual(data && [data.v, Object.keys(data.f)], saved && [from, saved])
    const { spec: back, ...rest } = convert(shown(from, to, spec).converted, to, from) as ReturnType<typeof object>
    assert.deepEqual(
      { ...rest, spec: withDefaults(back as VisibleFields, from) },
      object(from, withDefaults(spec as VisibleFields, from)),
    )
  })

const bareService = sourced('Service')
const marked = (spec: object, more: object = {}): object => {
  const data: ConversionData = { v: 'v1beta1', h: hashOf(spec as VisibleFields, 'v1beta2'), f: {}, ...more }
  return { [key]: JSON.stringify(data) }
}

for (const [what, of, origin] of [
  ['of the oldest version', object('v1alpha1', base), 'v1alpha1'],
  ['of the newest version', object('v1beta2', bareService), 'v1beta2'],
  ['that was written in an older one', object('v1beta2', bareService, marked(bareService)), 'v1beta1'],
  [
    'that was changed since, and whose source says nothing new',
    object('v1beta2', { ...bareService, dryRun: true }, marked(bareService)),
    'v1beta1',
  ],
  [
    'that was changed since, and names its types',
    object('v1beta2', sourced('Service', { service: {} }), marked(bareService)),
    'v1beta2',
  ],
  ['that was changed since to another source', object('v1beta2', sourced('Ingress'), marked(bareService)), 'v1beta2'],
  [
    'of an Ingress that was written in an older one',
    object('v1beta2', sourced('Ingress'), marked(sourced('Ingress'))),
    'v1beta1',
  ],
  ['of another group', { ...object('v1beta2', base), apiVersion: 'example.com/v1beta2' }, 'v1beta1'],
  ['whose annotation is damaged', object('v1beta2', bareService, { [key]: '{' }), 'v1beta2'],
] as const)
  test(`an object ${what} means what it says in ${origin}`, () => assert.equal(modelOf(of as KubeObject).origin, origin))

test('an object without a provider or a source is one of which nothing is known', () => {
  const unknown = { provider: { type: '' }, source: { type: '' } }
  for (const spec of [{}, { provider: base.provider }, { source: base.source }, { ...base, source: 'x' }, undefined, 'x'])
    assert.deepEqual(modelOf(object('v1beta1', spec)).spec, unknown)
  assert.deepEqual(modelOf(object('v1beta1', base)).spec, base)
})

test('a version is one of our group that we know', () => {
  const of = (apiVersion: string): unknown => versionOf({ apiVersion })
  assert.deepEqual([`${group}/v1beta1`, `${group}/v9`, group, 'example.com/v1beta1', 'v1beta1'].map(of), [
    'v1beta1',
    undefined,
    undefined,
    undefined,
    undefined,
  ])
})

test('annotations that were empty stay empty, and those that held our line alone go with it', () => {
  const notesAfter = (notes?: object): unknown => shown('v1beta1', 'v1beta2', base, notes).converted.metadata.annotations
  assert.equal(notesAfter(), undefined)
  assert.deepEqual(notesAfter({}), {})
  assert.equal(notesAfter({ [key]: '{' }), undefined)
  assert.deepEqual(notesAfter({ [key]: '{', mine: 'x' }), { mine: 'x' })
  assert.ok(!('annotations' in shown('v1beta1', 'v1beta2', base).converted.metadata))
})

test('an empty name is left out of the newest version, unless the Secret says more, and what is no object is left as it is', () => {
  const providerAfter = (aws: unknown): unknown =>
    Reflect.get(
      Reflect.get(shown('v1beta1', 'v1beta2', { ...base, provider: { type: 'AWS', aws } }).converted, 'spec'),
      'provider',
    ).aws
  assert.deepEqual(providerAfter({ credentials: { name: '' } }), {})
  assert.deepEqual(providerAfter({ credentials: { name: 'x' } }), { credentials: { name: 'x' } })
  assert.deepEqual(providerAfter({ credentials: { name: '', key: 'x' } }), { credentials: { name: '', key: 'x' } })
  assert.deepEqual(providerAfter({ credentials: 'x' }), { credentials: 'x' })
  const odd = shown('v1beta1', 'v1beta2', { provider: 'x', source: base.source }).converted
  assert.deepEqual(Reflect.get(odd, 'spec'), { provider: 'x', source: base.source })
})

const types = { '/spec/provider/type': 'AWS', '/spec/source/type': 'OpenShiftRoute' }
const spec = base as VisibleFields
const untouched = hashOf(spec, 'v1beta1')
const saved = { '/spec/dryRun': true }

for (const [what, now, h, f, comes] of [
  ['of a spec that nobody touched', spec, untouched, { ...saved, ...types }, { dryRun: true }],
  ['of a spec that was changed', spec, 'other', { ...saved, ...types }, { dryRun: true }],
  ['of another provider', { ...spec, provider: { type: 'GCP' } }, 'other', { ...saved, ...types }, {}],
  ['of another source', { ...spec, source: { type: 'Service' } }, 'other', { ...saved, ...types }, {}],
  ['whose types were not told', spec, 'other', saved, { dryRun: true }],
  [
    'whose types are told otherwise, though nobody touched it',
    spec,
    untouched,
    { ...saved, ...types, '/spec/source/type': 'Service' },
    { dryRun: true },
  ],
  ['that is there again', { ...spec, dryRun: false }, 'other', { ...saved, ...types }, {}],
  ['under an object that is not there', spec, untouched, { ...types, '/spec/operand/logLevel': 'Info' }, {}],
  [
    'with what is below it',
    spec,
    untouched,
    { '/spec/operand/logLevel': 'Info', '/spec/operand': { cleanup: true } },
    { operand: { cleanup: true, logLevel: 'Info' } },
  ],
] as const)
  test(`what was saved ${what} ${Object.keys(comes).length === 0 ? 'stays away' : 'comes back'}`, () =>
    assert.deepEqual(restore(now, 'v1beta1', { v: 'v1beta2', h, f }), { ...now, ...comes }))

test('of the types those are told that are there', () => {
  assert.deepEqual(typesOf(spec), types)
  assert.deepEqual(typesOf({ provider: { type: 'AWS' } }), { '/spec/provider/type': 'AWS' })
})

for (const [text, isTaken] of [
  ['{"v":"v1beta2","h":"x","f":{}}', true],
  ['{"v":"v1beta2","h":"x","f":{"/spec/a":1,"/spec/b~1c":2}}', true],
  ['{"v":"v1beta2","h":"x","f":{"/spec/a":1,"/metadata/name":"x"}}', false],
  ['{"v":"v1beta2","h":"x","f":{"/spec/__proto__/a":1}}', false],
  ['{"v":"v1beta2","h":"x","f":{"/spec/a":1,"/spec/__proto__":1}}', false],
  ['{"v":"v1beta2","h":"x"}', false],
  ['{"v":"v1beta2","h":"x","f":[]}', false],
  ['{"v":1,"h":"x","f":{}}', false],
  ['{"v":"v9","h":"x","f":{}}', false],
  ['{"v":"v1beta2","h":1,"f":{}}', false],
  ['null', false],
  ['1', false],
  ['{', false],
] as const)
  test(`the annotation ${text} is ${isTaken ? 'read' : 'damaged'}`, () =>
    assert.equal(parseConversionData(text) !== undefined, isTaken))

test('two specs that say the same are alike, whatever the order of their fields and whoever filled in what they leave out', () => {
  const hash = (value: object, version: ApiVersionName = 'v1beta1'): string => hashOf(value as VisibleFields, version)
  const { provider, source } = base
  assert.equal(hash({ source, provider }), hash({ provider, source }))
  assert.equal(hash({ ...base, zones: undefined }), hash(base))
  assert.equal(hash({ ...base, source: { ...source, hostnameAnnotation: 'Ignore' } }), hash(base))
  assert.notEqual(hash({ ...base, source: { ...source, hostnameAnnotation: 'Allow' } }), hash(base))
  assert.notEqual(hash({ ...base, zones: ['a', 'b'] }), hash({ ...base, zones: ['b', 'a'] }))
  assert.notEqual(hash({ ...base, zones: ['a,b'] }), hash({ ...base, zones: ['a', 'b'] }))
  assert.notEqual(hash({ ...base, more: null }), hash(base))
})

test('what a version fills in comes to the objects that are there, and takes the place of nothing', () => {
  const filled = withDefaults(
    { provider: { type: 'AWS', aws: {} }, source: { service: {}, hostnameAnnotation: 'Allow' } },
    'v1beta1',
  )
  assert.deepEqual(filled, {
    provider: { type: 'AWS', aws: { credentials: { name: '' } } },
    source: { service: { serviceType: ['LoadBalancer'] }, hostnameAnnotation: 'Allow' },
  })
})
