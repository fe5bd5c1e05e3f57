// What a manifest spoke of when it was in step: every path in its own words, and each element by what it says.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { list, madeUpKind, map, structure } from '../testing/made-up-kind.ts'
import { elementsOf, isWithinElement, jsonPath, spokenOf, spokenPrint, wasSpokenOf } from './spoken-of.ts'

const model = madeUpKind({
  settings: { tags: { path: 'Tags', key: 'Key', value: 'Value' } },
  spec: {
    Name: 'string',
    Target: structure('Target'),
    Rules: list(structure('Rule')),
    Named: map(structure('Rule')),
    Texts: map('string'),
    Names: list('string'),
    Tags: list(structure('Tag')),
    Nested: map(list(structure('Rule'))),
  },
  structures: {
    Target: { ARN: { json: 'arn' }, Rule: structure('Rule'), Rules: list(structure('Rule')) },
    Rule: { Port: 'integer', Name: 'string' },
    Tag: { Key: 'string', Value: 'string' },
  },
})

test('a manifest speaks of every path that has a value, but not of single texts or tags', () => {
  const spec = {
    name: 'n',
    target: { arn: 'a', rule: { port: 1 } },
    rules: [{ port: 1 }, { name: 'x' }],
    named: { one: { port: 2 } },
    texts: { a: '1' },
    names: ['a'],
    tags: [{ key: 'a' }],
    nested: { k: [{ port: 1 }] },
    unknown: 'u',
  }
  assert.deepEqual(spokenOf(model, spec), [
    'name',
    'target',
    'target.arn',
    'target.rule',
    'target.rule.port',
    'rules',
    'rules.0.port',
    'rules.1.name',
    'named',
    'named.one.port',
    'texts',
    'names',
    'tags',
    'nested',
  ])
  assert.deepEqual(spokenOf(model, { name: null, target: undefined }), [])
  assert.deepEqual(spokenOf(model, { rules: null, named: 'x', target: 'y' }), ['target', 'named'])
})

const print = (spec: object): string => spokenPrint({ model, seen: { wanted: { spec, status: {} } } } as never)

test('the print of it is the same while a manifest speaks of the same', () => {
  assert.match(print({ name: 'a' }), /^[0-9a-f]{8}$/)
  assert.equal(print({ name: 'a' }), print({ name: 'b' }))
  assert.notEqual(print({ name: 'a' }), print({ name: 'a', names: [] }))
})

test('elements of lists of structures are known by what they say, wherever such lists stand', () => {
  const one = { port: 1, name: 'x' }
  const of = (spec: object): readonly string[] => elementsOf(model, { ...spec })
  const [known = ''] = of({ rules: [one] })
  assert.match(known, /^[0-9a-f]{12}$/)
  assert.deepEqual(of({ rules: [{ name: 'x', port: 1 }] }), [known])
  assert.equal(new Set(of({ rules: [one, { port: 1 }], target: { rules: [one] }, nested: { k: [one] } })).size, 4)
  assert.deepEqual(of({ named: { k: one }, names: ['a'], texts: { a: '1' }, name: 'n' }), [])
  assert.deepEqual(of({ rules: null, target: 'x', nested: 'y' }), [])
})

test('a path leads through an element that stood there word for word, at whatever place', () => {
  const [one, two] = [{ port: 1 }, { port: 2 }]
  const held = elementsOf(model, { rules: [one], target: { rules: [one] }, nested: { k: [one] } })
  const within = (spec: object, path: string): boolean => isWithinElement(model, { ...spec }, path, held)
  assert.equal(within({ rules: [two, one] }, 'Spec.Rules.1.Name'), true)
  assert.equal(within({ rules: [two, one] }, 'Spec.Rules.0.Name'), false)
  assert.equal(within({ target: { rules: [one] } }, 'Spec.Target.Rules.0.Name'), true)
  assert.equal(within({ target: { rules: [two] } }, 'Spec.Target.Rules.0.Name'), false)
  assert.equal(within({ nested: { k: [one] } }, 'Spec.Nested.k.0.Name'), true)
  assert.equal(within({ named: { k: one } }, 'Spec.Named.k.Name'), false)
  assert.equal(within({ rules: [one] }, 'Spec.Rules'), false)
  assert.equal(within({ rules: [one] }, 'Spec.Unknown.0.Name'), false)
  assert.equal(within({}, 'Spec.Rules.0.Name'), false)
})

test('a path of the model is said in the words of the manifest', () => {
  for (const [path, json] of [
    ['Spec.Target.ARN', 'target.arn'],
    ['Spec.Rules.0.Port', 'rules.0.port'],
    ['Spec.Named.one.Port', 'named.one.port'],
    ['Spec.Texts.a', 'texts'],
    ['Spec.Name.more', 'name'],
    ['Spec.Unknown', ''],
    ['Spec.Nested.k.0.Port', 'nested'],
  ] as const)
    assert.equal(jsonPath(model, path), json)
})

test('a field was spoken of when all that leads there was', () => {
  const spoken = ['target', 'target.arn', 'rules', 'rules.0.port']
  const was = (path: string): boolean => wasSpokenOf(model, spoken, path)
  assert.deepEqual(['Spec.Target.ARN', 'Spec.Target.Rule', 'Spec.Name', 'Spec.Unknown'].map(was), [true, false, false, false])
  assert.deepEqual(['Spec.Rules.0.Port', 'Spec.Rules.1.Port', 'Spec.Rules.1'].map(was), [true, false, true])
  assert.equal(wasSpokenOf(model, ['target.arn'], 'Spec.Target.ARN'), false)
  assert.equal(wasSpokenOf(model, ['name'], 'Spec.Name'), true)
})
