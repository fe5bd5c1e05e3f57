// Which fields differ, by meaning: of texts, lists, structures and documents, and of fields that are read in a way of their own.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Normaliser } from '#aws'
import { type KindModel, kindModel } from '../model/kind-model.ts'
import { type ShippedKinds, shippedService } from '../services/shipped.ts'
import { list, madeUpKind, map, structure } from '../testing/made-up-kind.ts'
import { compareSpecs, contains, differsInOrderOnly, inOrder, sameDeep, samePolicies } from './compare.ts'

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

const labelled = structure('Labelled')
const thing = madeUpKind({
  operations: { create: 'CreateThing', getAttributes: 'GetThingAttributes' },
  settings: { tags: { path: 'Tags', key: 'Key', value: 'Value' }, compareIgnore: ['Spec.KMS_KeyID', 'Rule.Note', 'Tags'] },
  untold: ['Rule.Secret', 'Rules.Secret'],
  spec: {
    Tags: map('string'),
    KmsKeyId: 'string',
    Password: 'secret',
    RoleRef: 'reference',
    RoleRefs: list('reference'),
    Unlooked: { compare: { ignored: true } },
    Text: 'string',
    Zero: { compare: { nilEqualsZero: true } },
    At: 'timestamp',
    Policy: { iamPolicy: true },
    Names: { type: list('string'), compare: { normalise: 'case-insensitive' } },
    Numbers: list('integer'),
    Rule: structure('Rule'),
    Rules: list(structure('Rule')),
    Named: map(labelled),
    Attributes: map('string'),
    Labels: map('string'),
  },
  structures: {
    Rule: {
      Name: 'string',
      Note: 'string',
      Secret: 'string',
      TargetRef: 'reference',
      Unlooked: { compare: { ignored: true } },
      Inner: labelled,
    },
    Labelled: { Label: 'string', Size: 'integer' },
  },
})

for (const [what, wanted, latest, differ] of [
  ['tags in any place among the ignored', { tags: { a: '1' } }, { tags: { a: '2' } }, ['Spec.Tags']],
  ['tags that are equal', { tags: { a: '1' } }, { tags: { a: '1', 'aws:x': '1' } }, []],
  ['a field that the config ignores, however it is spelled', { kmsKeyId: 'a' }, { kmsKeyId: 'b' }, []],
  ['a field that is marked as ignored', { unlooked: 'a' }, { unlooked: 'b' }, []],
  ['a secret', { password: 'a' }, { password: 'b' }, []],
  ['a reference', { roleRef: 'a', roleRefs: ['a'] }, { roleRef: 'b', roleRefs: ['b'] }, []],
  ['nothing asked for, and a switch that is off', {}, { text: false }, []],
  ['nothing asked for, and a switch that is on', {}, { text: true }, ['Spec.Text']],
  ['nothing asked for, and no count', {}, { text: 0 }, []],
  ['nothing asked for, and a count', {}, { text: 1 }, ['Spec.Text']],
  ['a switch that is wanted off, of which AWS says nothing', { text: false }, {}, ['Spec.Text']],
  ['nothing asked for, and a structure of nothing', {}, { rule: { name: false, inner: { size: 0 } } }, []],
  ['nothing asked for, and a structure of more than nothing', {}, { rule: { name: false, inner: { size: 1 } } }, ['Spec.Rule']],
  ['nothing asked for, and an empty text', {}, { text: '' }, ['Spec.Text']],
  ['nothing asked for, and an empty text where none is as good', {}, { zero: '' }, []],
  ['nothing asked for, and a text where none is as good', {}, { zero: 'x' }, ['Spec.Zero']],
  ['a text asked for where none is as good', { zero: 'x' }, { zero: '' }, ['Spec.Zero']],
  ['an instant written in another way', { at: '2026-01-01T00:00:00Z' }, { at: '2026-01-01T01:00:00+01:00' }, []],
  ['another instant', { at: '2026-01-01T00:00:00Z' }, { at: '2026-01-01T00:00:01Z' }, ['Spec.At']],
  ['two texts that are no instants', { at: 'x' }, { at: 'y' }, ['Spec.At']],
  ['one text that is no instant', { at: 'x' }, { at: 'x' }, []],
  ['a policy where AWS has none', { policy: '{}' }, {}, ['Spec.Policy']],
  ['a policy where none is asked for', {}, { policy: '{}' }, ['Spec.Policy']],
  ['a list in another case and order', { names: ['A', 'b'] }, { names: ['B', 'a'] }, []],
  ['another list', { names: ['A', 'b'] }, { names: ['B', 'c'] }, ['Spec.Names']],
  ['a list where AWS has none', { names: ['A'] }, {}, ['Spec.Names']],
  ['numbers in another order', { numbers: [1, 2] }, { numbers: [2, 1] }, ['Spec.Numbers']],
  ['equal numbers', { numbers: [1, 2] }, { numbers: [1, 2] }, []],
  [
    'what is ignored, not told or a reference within a structure',
    { rule: { name: 'a', note: 'a', secret: 'a', targetRef: 'a', unlooked: 'a' } },
    { rule: { name: 'a', note: 'b', secret: 'b', targetRef: 'b', unlooked: 'b' } },
    [],
  ],
  ['a structure of empty ones beside nothing', { rule: { inner: {} } }, {}, []],
  ['a structure where AWS has none, within one', { rule: { inner: { size: 1 } } }, { rule: {} }, ['Spec.Rule.Inner']],
  [
    'what AWS has under keys that the manifest names',
    { named: { x: {} } },
    { named: { x: { label: 'l' } } },
    ['Spec.Named.x.Label'],
  ],
  ['another value under a key', { named: { x: { label: 'k' } } }, { named: { x: { label: 'l' } } }, ['Spec.Named']],
  ['another key', { named: { x: { size: 1 } } }, { named: { y: { size: 1 } } }, ['Spec.Named']],
  ['one more key', { named: { x: {} } }, { named: { x: { label: 'l' }, y: {} } }, ['Spec.Named']],
  ['a key with a dot, which no path can name', { named: { 'a.b': {} } }, { named: { 'a.b': { label: 'l' } } }, ['Spec.Named']],
  [
    'one key with a dot among others',
    { named: { x: {}, 'a.b': {} } },
    { named: { x: { label: 'l' }, 'a.b': { label: 'l' } } },
    ['Spec.Named'],
  ],
  [
    'what AWS has within an element',
    { rules: [{ name: 'a' }] },
    { rules: [{ inner: { size: 1 }, name: 'a' }] },
    ['Spec.Rules.0.Inner'],
  ],
  ['an element that is no structure', { rules: ['a'] }, { rules: [{ name: 'a' }] }, ['Spec.Rules']],
  ['attributes beyond those that are asked for', { attributes: { a: '1' } }, { attributes: { a: '1', b: '2' } }, []],
  ['one attribute of two', { attributes: { a: '1', b: '2' } }, { attributes: { a: '1', b: '3' } }, ['Spec.Attributes']],
  ['attributes, of which none is asked for', { attributes: {} }, { attributes: { b: '2' } }, []],
  ['attributes where AWS tells none', { attributes: { a: '1' } }, {}, ['Spec.Attributes']],
  ['a map beside the attributes', { labels: { a: '1' } }, { labels: { a: '1', b: '2' } }, ['Spec.Labels']],
] as const)
  test(`of a kind with all that a config can say: ${what}`, () => assert.deepEqual(compareSpecs(thing, wanted, latest), differ))

test('attributes are only those of a kind whose service tells all that there are, and a map', () => {
  const isSame = (type: 'string' | 'map', operations: object): boolean => {
    const model = madeUpKind({
      spec: { Attributes: type === 'map' ? map('string') : 'string' },
      operations: { create: 'CreateThing', ...operations },
    })
    const [wanted, latest] = type === 'map' ? [{ a: '1' }, { a: '1', b: '2' }] : ['a', 'b']
    return compareSpecs(model, { attributes: wanted }, { attributes: latest }).length === 0
  }
  assert.equal(isSame('map', { getAttributes: 'GetThingAttributes' }), true)
  assert.equal(isSame('map', {}), false)
  assert.equal(isSame('string', { getAttributes: 'GetThingAttributes' }), false)
})

test('tags within a field differ under the path that a config gives them, and the rest of the field by itself', () => {
  const model = madeUpKind({
    settings: { tags: { path: 'Settings.Tags', key: 'Key', value: 'Value' } },
    spec: { Settings: structure('Settings'), SettingsOfOld: 'string' },
    structures: { Settings: { Tags: map('string'), Mode: 'string' } },
  })
  const differ = (wanted: object, latest: object, options?: object): readonly string[] =>
    compareSpecs(model, { settings: wanted, settingsOfOld: 'a' }, { settings: latest, settingsOfOld: 'b' }, options)
  const isOld = ({ camel }: { readonly camel: string }): boolean => camel === 'SettingsOfOld'
  assert.deepEqual(differ({ tags: { a: '1' } }, { tags: { a: '2' } }), ['Spec.Settings.Tags', 'Spec.SettingsOfOld'])
  assert.deepEqual(differ({ tags: { a: '1' } }, { tags: { a: '1', 'aws:x': '1' } }), ['Spec.SettingsOfOld'])
  assert.deepEqual(differ({ mode: 'a' }, { mode: 'b' }), ['Spec.Settings.Mode', 'Spec.SettingsOfOld'])
  const without = { settings: undefined, settingsOfOld: 'a' }
  assert.deepEqual(compareSpecs(model, { settings: { tags: { a: '1' } }, settingsOfOld: 'a' }, without), ['Spec.Settings.Tags'])
  const withoutSettings = { except: ({ camel }: { readonly camel: string }) => camel === 'Settings' }
  assert.deepEqual(differ({ tags: { a: '1' } }, {}, withoutSettings), ['Spec.SettingsOfOld'])
  assert.deepEqual(differ({ tags: { a: '1' } }, { tags: { a: '1' } }, { except: isOld }), [])
})

test('a comparison of only some fields holds to no rule of a config, and to no field that no read can tell', () => {
  const only = (...names: readonly string[]): object => ({
    only: ({ camel }: { readonly camel: string }) => names.includes(camel),
  })
  const [wanted, latest] = [
    { unlooked: 'a', text: 'a', password: 'a', roleRef: 'a' },
    { unlooked: 'b', text: 'b', password: 'b', roleRef: 'b' },
  ]
  assert.deepEqual(compareSpecs(thing, wanted, latest, only('Unlooked', 'Password', 'RoleRef')), ['Spec.Unlooked'])
})

test('policies are equal only to policies', () => {
  const text = '{"Version":"2012-10-17","Statement":[]}'
  assert.deepEqual(
    [samePolicies(text, text), samePolicies(text, undefined), samePolicies(undefined, text), samePolicies(undefined, undefined)],
    [true, false, false, true],
  )
})

test('values are put into an order, without what is empty', () => {
  const value = { b: [{ d: 1, c: 2 }], a: { z: {}, y: undefined }, ab: 'text', e: [], f: { h: 0, g: false } }
  assert.equal(JSON.stringify(inOrder(value)), '{"ab":"text","b":[{"c":2,"d":1}],"f":{"g":false,"h":0}}')
})

test('nil, empty objects and empty lists are the same wherever they stand', () => {
  for (const [a, b, isSame] of [
    [{ a: 1, b: null }, { a: 1, c: [] }, true],
    [{ a: {} }, undefined, true],
    [{ a: 1 }, {}, false],
    [[{}], [], false],
    [[1, 2], [1], false],
    [[1, 2], [1, 3], false],
    [[1, [2]], [1, [2]], true],
    [[], {}, true],
    ['', undefined, false],
    [0, undefined, false],
    [{ a: 1 }, [1], false],
    [['x'], 'x', false],
    [['x'], undefined, false],
  ] as const)
    assert.equal(sameDeep(a, b), isSame, `${JSON.stringify(a)} and ${JSON.stringify(b)}`)
})

test('what is held contains what is wanted of it', () => {
  for (const [held, wanted, contained] of [
    [{ a: 1, b: 2 }, { a: 1 }, true],
    [{ a: 1 }, { a: 1, b: 2 }, false],
    [{ a: 1 }, { a: 1, b: undefined, c: null }, true],
    [undefined, { a: null }, true],
    [undefined, { a: 1 }, false],
    [[1, 2, 3], [3, 1], true],
    [[1, 2], [2, 4], false],
    ['x', ['x'], false],
    [[{ a: 1, b: 2 }], [{ a: 1 }], true],
  ] as const)
    assert.equal(contains(held, wanted), contained, `${JSON.stringify(held)} of ${JSON.stringify(wanted)}`)
})

test('a list of structures that is read as a set has no order', () => {
  const model = modelOf('eks', 'FargateProfile', { Selectors: 'unordered' })
  assert.deepEqual(compareSpecs(model, { selectors: [a, b] }, { selectors: [b, a] }), [])
  assert.deepEqual(compareSpecs(model, { selectors: [a, b] }, { selectors: [b, b] }), ['Spec.Selectors'])
  const labels = { x: '1', y: '2' }
  const reordered = { labels: { y: '2', x: '1' }, namespace: 'a' }
  assert.deepEqual(compareSpecs(model, { selectors: [b, { namespace: 'a', labels }] }, { selectors: [reordered, b] }), [])
})

test('what AWS adds to one element of a set is told where it stands, and nowhere when it stands elsewhere', () => {
  const rules = madeUpKind({
    spec: { Rules: { type: list(structure('Rule')), compare: { normalise: 'unordered' } } },
    structures: { Rule: { Name: 'string', Id: 'string' } },
  })
  const [one, two] = [{ name: 'one' }, { name: 'two', id: '2' }]
  const differ = (latest: readonly object[]): readonly string[] => compareSpecs(rules, { rules: [one, two] }, { rules: latest })
  assert.deepEqual(differ([{ ...one, id: '1' }, two]), ['Spec.Rules.0.Id'])
  assert.deepEqual(differ([two, { ...one, id: '1' }]), [])
  assert.deepEqual(differ([two, two]), ['Spec.Rules'])
  assert.deepEqual(differ([two, { name: 'one' }, one]), ['Spec.Rules'])
})

test('a set of more than 200 structures is not searched, and differs when its order does', () => {
  const many = (count: number): readonly object[] => Array.from({ length: count }, (_, index) => ({ label: `${index}` }))
  const isSameBackwards = (count: number): boolean =>
    differsInOrderOnly(
      madeUpKind({ spec: { Rules: list(structure('R')) }, structures: { R: { Label: 'string' } } }),
      { wanted: { rules: many(count) }, latest: { rules: many(count).toReversed() } },
      'Spec.Rules',
    )
  assert.deepEqual([isSameBackwards(200), isSameBackwards(201)], [true, false])
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
  assert.deepEqual([order([a, a], [a, b]), order([a, a], [b, a])], [false, false])
  assert.deepEqual([order([a, b, {}], [a, {}, b]), order([{ namespace: 'a' }], [a])], [true, false])
  assert.equal(differsInOrderOnly(nodegroup, { wanted: { labels: {} }, latest: { labels: {} } }, 'Spec.Labels'), false)
})

test('the order is told within a structure, too, and of nothing that is not there', () => {
  const model = madeUpKind({
    spec: { Config: structure('Config') },
    structures: { Config: { Rules: list(structure('Rule')) }, Rule: { Name: 'string', Secret: 'string' } },
    untold: ['Config.Rules.Secret'],
  })
  const [one, two] = [{ name: 'one', secret: 's' }, { name: 'two' }]
  const order = (wanted: object, latest: object, path = 'Spec.Config.Rules'): boolean =>
    differsInOrderOnly(model, { wanted, latest }, path)
  const asked = { config: { rules: [one, two] } }
  assert.equal(order(asked, { config: { rules: [two, { name: 'one' }] } }), true)
  assert.equal(order(asked, { config: { rules: [{ name: 'one' }, two] } }), false)
  assert.deepEqual([order(asked, {}), order({}, asked), order(asked, asked, 'Spec.Rules')], [false, false, false])
})
