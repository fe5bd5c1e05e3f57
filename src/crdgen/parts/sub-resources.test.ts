import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inferSmall, type SmallModel, structure } from '../infer/model.fixture.ts'
import { InferError } from '../infer-error.ts'
import { resourceService, wireOperations } from '../render/ir.ts'
import { isSubResource } from './sub-resources.ts'

const id = { '!ThingName': 'String' }

const operations: SmallModel['operations'] = {
  CreateThing: [id, { Thing: 'Thing' }],
  GetThing: [id, { Thing: 'Thing' }],
  DeleteThing: [id],
  ListThingRules: [id, { RuleNames: 'Strings' }],
  GetThingRule: [{ ...id, '!RuleName': 'String' }, { RuleText: 'String' }],
  PutThingRule: [{ ...id, '!RuleName': 'String', '!RuleText': 'String' }],
  DeleteThingRule: [{ ...id, '!RuleName': 'String' }],
  ListMany: [id, { Ones: 'Strings', Others: 'Strings' }],
  PutMuch: [{ ...id, '!RuleName': 'String', RuleText: 'String', Colour: 'String' }],
  PutOnce: [{}],
  putLow: [{ ...id, ruleName: 'String', ruleText: 'String' }],
  ListLow: [id, { ruleNames: 'Strings', Age: 'String' }],
}
const shapes: NonNullable<SmallModel['shapes']> = {
  Thing: structure({ ThingName: 'String' }),
  PutOnceRequest: {
    type: 'structure',
    required: ['ThingName'],
    members: {
      ThingName: { shape: 'String' },
      RuleName: { shape: 'String' },
      RuleText: { shape: 'String' },
      Once: { shape: 'String', idempotencyToken: true },
    },
  },
}

const whole = {
  field: 'Rules',
  list: 'ListThingRules',
  get: 'GetThingRule',
  put: 'PutThingRule',
  delete: 'DeleteThingRule',
  key: 'RuleName',
}

function inferred(
  declared: Readonly<Record<string, string>>,
  collection = 'map_of',
): readonly [service: ReturnType<typeof inferSmall>, config: string] {
  const pairs = Object.entries(declared).map(([name, value]) => `${name}: ${value}`)
  const config = `resources:\n  Thing:\n    fields:\n      Rules: {custom_field: {${collection}: String}}\n    sub_resources:\n    - {${pairs.join(', ')}}\n`
  return [inferSmall({ operations, shapes }, config), config]
}

function kindsOf(declared: Readonly<Record<string, string>>, collection?: string): ReturnType<typeof resourceService>['kinds'] {
  const [service] = inferred(declared, collection)
  return resourceService(service, { kinds: service.kinds, madeOf: { model: '', config: '', program: '' } }).kinds
}

test('what a config declares is completed by the model: where the list has the keys, and what carries a value [9.28]', () => {
  const thing = kindsOf(whole)['Thing']
  assert.deepEqual(thing?.subResources, [{ ...whole, entries: 'RuleNames', value: 'RuleText' }])
  assert.deepEqual([thing.parts, thing.untold], [undefined, undefined])
  const [service] = inferred(whole)
  const [kind] = service.kinds
  assert.ok(kind)
  const own = wireOperations(service, kind)
  for (const operation of ['ListThingRules', 'GetThingRule', 'PutThingRule', 'DeleteThingRule'])
    assert.ok(own.includes(operation), operation)
})

test('what the model does not have is refused with the line of it [9.28]', () => {
  for (const [change, expected] of [
    [{ field: 'Laws' }, /Thing has no field Laws/],
    [{ field: 'ThingName' }, /neither a list nor a map/],
    [{ put: 'PutLaw' }, /no operation PutLaw/],
    [{ key: 'LawName' }, /PutThingRule takes no LawName/],
    [{ list: 'ListMany' }, /several lists: Ones, Others/],
    [{ list: 'DeleteThing' }, /has no list/],
    [{ put: 'PutMuch' }, /name it by "value"/],
  ] as const)
    assert.throws(
      () => kindsOf({ ...whole, ...change }),
      (error: unknown) =>
        error instanceof InferError &&
        error.message.startsWith('generator.yaml:5: sub_resources of ') &&
        expected.test(error.message),
      String(expected),
    )
  assert.equal(kindsOf({ ...whole, put: 'PutMuch', value: 'RuleText' })['Thing']?.subResources?.[0]?.value, 'RuleText')
})

test('a config that means another thing by the name passes with a warning [9.28]', () => {
  const config = 'resources:\n  Thing:\n    sub_resources:\n      Rule: {code: x}\n'
  const service = inferSmall({ operations, shapes }, config)
  assert.match(service.loaded.warnings.join(), /sub_resources.*says nothing/)
})

const { get: _, ...unread } = whole

for (const [what, collection, declared, found] of [
  ['without a read has none', 'map_of', unread, { ...unread, entries: 'RuleNames', value: 'RuleText' }],
  ['of a list has no value', 'list_of', whole, { ...whole, entries: 'RuleNames' }],
  ['of a list needs no value', 'list_of', { ...whole, put: 'PutMuch' }, { ...whole, put: 'PutMuch', entries: 'RuleNames' }],
  [
    'takes no token for a value',
    'map_of',
    { ...whole, put: 'PutOnce' },
    { ...whole, put: 'PutOnce', entries: 'RuleNames', value: 'RuleText' },
  ],
  [
    'is called as on the wire',
    'map_of',
    { ...whole, put: 'PutLow', list: 'ListLow' },
    { ...whole, put: 'putLow', list: 'ListLow', entries: 'ruleNames', key: 'ruleName', value: 'ruleText' },
  ],
] as const)
  test(`a sub-resource ${what} [9.28]`, () => assert.deepEqual(kindsOf(declared, collection)['Thing']?.subResources, [found]))

test('of several sub-resources each field is one, and no other [9.28]', () => {
  const entry = (field: string) =>
    `    - {${Object.entries({ ...whole, field })
      .map(([name, value]) => `${name}: ${value}`)
      .join(', ')}}\n`
  const fields = ['Rules', 'Laws', 'Words'].map(name => `      ${name}: {custom_field: {map_of: String}}\n`).join('')
  const config = `resources:\n  Thing:\n    fields:\n${fields}    sub_resources:\n${entry('Rules')}${entry('laws')}`
  const [kind] = inferSmall({ operations, shapes }, config).kinds
  assert.ok(kind)
  assert.deepEqual(
    ['Rules', 'Laws', 'Words'].map(name => isSubResource(kind, name)),
    [true, true, false],
  )
})
