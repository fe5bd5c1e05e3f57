// Which fields differ, by meaning: of texts, lists, structures and documents, and of fields that are read in a way of their own.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Normaliser } from '#aws'
import { type KindModel, kindModel } from '../model/kind-model.ts'
import { type ShippedKinds, shippedService } from '../services/shipped.ts'
import { compareSpecs, differsInOrderOnly } from './compare.ts'

function modelOf(alias: ShippedKinds, name: string, normalised: Readonly<Record<string, Normaliser>> = {}) {
  const { service } = shippedService(alias)
  const kind = service.kinds[name] ?? assert.fail(`no ${name} is shipped`)
  const spec = kind.spec.map(field => {
    const normalise = normalised[field.camel]
    return normalise === undefined ? field : { ...field, compare: { ...field.compare, normalise } }
  })
  return kindModel(service, { ...kind, spec })
}

type Row = readonly [what: string, wanted: object, latest: object, differ: readonly string[]]
const nodegroup = modelOf('eks', 'Nodegroup')
const profile = modelOf('eks', 'FargateProfile')
const [a, b] = [{ namespace: 'a', labels: { x: '1' } }, { namespace: 'b' }]
const sizes = (maxSize: number): object => ({ scalingConfig: { minSize: 1, maxSize } })

const rows: readonly (readonly [KindModel, readonly Row[]])[] = [
  [
    nodegroup,
    [
      ['equal texts', { amiType: 'x' }, { amiType: 'x' }, []],
      ['other texts', { amiType: 'x' }, { amiType: 'y' }, ['Spec.AMIType']],
      ['a text that nobody asked for', {}, { amiType: 'y' }, ['Spec.AMIType']],
      ['a text that AWS does not have', { amiType: 'x' }, {}, ['Spec.AMIType']],
      ['an empty list beside nothing', {}, { subnets: [] }, []],
      ['texts in another order', { subnets: ['x', 'y'] }, { subnets: ['y', 'x'] }, []],
      ['fewer texts', { subnets: ['x'] }, { subnets: ['y', 'x'] }, ['Spec.Subnets']],
      ['equal structures', sizes(2), sizes(2), []],
      ['another value in a structure', sizes(2), sizes(3), ['Spec.ScalingConfig.MaxSize']],
      ['a structure that AWS does not have', sizes(2), {}, ['Spec.ScalingConfig']],
      ['an empty structure beside nothing', {}, { scalingConfig: {} }, []],
      ['equal maps', { labels: { a: '1', b: '2' } }, { labels: { b: '2', a: '1' } }, []],
      ['other maps', { labels: { a: '1' } }, { labels: { a: '2' } }, ['Spec.Labels']],
    ],
  ],
  [
    profile,
    [
      ['equal lists of structures', { selectors: [a, b] }, { selectors: [a, b] }, []],
      ['structures in another order', { selectors: [a, b] }, { selectors: [b, a] }, ['Spec.Selectors']],
      ['fewer structures in a list', { selectors: [a] }, { selectors: [a, b] }, ['Spec.Selectors']],
      ['another value in a list', { selectors: [a, b] }, { selectors: [a, { namespace: 'c' }] }, ['Spec.Selectors']],
      ['what AWS fills in in a list', { selectors: [b, { namespace: 'a' }] }, { selectors: [b, a] }, ['Spec.Selectors.1.Labels']],
    ],
  ],
]
for (const [model, all] of rows)
  for (const [what, wanted, latest, differ] of all)
    test(`${what}: ${differ.length === 0 ? 'no difference' : differ.join(', ')}`, () =>
      assert.deepEqual(compareSpecs(model, wanted as never, latest as never), differ))

for (const [how, wanted, latest, same] of [
  ['case-insensitive', 'AbC', 'aBc', true],
  ['case-insensitive', 'abc', 'abd', false],
  ['dns-name', 'a.example.com', 'a.example.com.', true],
  ['arn', 'arn:aws:logs:x:1:log-group:g', 'arn:aws:logs:x:1:log-group:g:*', true],
  ['arn', 'arn:aws:logs:x:1:log-group:g', 'arn:aws:logs:x:1:log-group:h:*', false],
  ['json', '{"a":1,"b":2}', '{ "b": 2, "a": 1 }', true],
  ['json', '{"a":1}', '{"a":2}', false],
] as const)
  test(`read as ${how}, ${wanted} and ${latest} are ${same ? 'the same' : 'not the same'}`, () => {
    const model = modelOf('eks', 'Nodegroup', { AMIType: how })
    assert.deepEqual(compareSpecs(model, { amiType: wanted }, { amiType: latest }), same ? [] : ['Spec.AMIType'])
    assert.deepEqual(compareSpecs(nodegroup, { amiType: wanted }, { amiType: latest }), ['Spec.AMIType'])
  })

test('a list of structures that is read as a set has no order', () => {
  const model = modelOf('eks', 'FargateProfile', { Selectors: 'unordered' })
  assert.deepEqual(compareSpecs(model, { selectors: [a, b] }, { selectors: [b, a] }), [])
  assert.deepEqual(compareSpecs(model, { selectors: [a, b] }, { selectors: [b, b] }), ['Spec.Selectors'])
})

test('documents are compared by what they say, and policies by what they allow', () => {
  const addon = modelOf('eks', 'Addon')
  assert.deepEqual(compareSpecs(addon, { configurationValues: '{"a":1}' }, { configurationValues: 'a: 1' }), [])
  assert.deepEqual(compareSpecs(addon, { configurationValues: '{"a":1}' }, { configurationValues: 'a: 2' }), [
    'Spec.ConfigurationValues',
  ])
  const policy = (Action: unknown): object => ({
    policyDocument: JSON.stringify({ Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action, Resource: '*' }] }),
  })
  const held = modelOf('iam', 'Policy')
  assert.deepEqual(compareSpecs(held, policy('s3:GetObject') as never, policy(['s3:GetObject']) as never), [])
  assert.deepEqual(compareSpecs(held, policy('s3:GetObject') as never, policy('s3:PutObject') as never), ['Spec.PolicyDocument'])
})

test('only the order is told apart from what differs as well', () => {
  const order = (wanted: readonly object[], latest: readonly object[]): boolean =>
    differsInOrderOnly(profile, { wanted: { selectors: wanted }, latest: { selectors: latest } }, 'Spec.Selectors')
  assert.deepEqual(
    [order([a, b], [b, a]), order([a, b], [a, b]), order([a, b], [b, b]), order([a], [a, b])],
    [true, false, false, false],
  )
  assert.equal(differsInOrderOnly(nodegroup, { wanted: { labels: {} }, latest: { labels: {} } }, 'Spec.Labels'), false)
})
