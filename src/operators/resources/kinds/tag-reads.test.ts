// Tags that a kind's read does not tell, in the forms in which lists tell them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ServiceModel } from '#aws'
import type { Content, Values } from '../model/request.ts'
import { answering } from '../testing/answers.ts'
import { madeUpKind, map, structureShape } from '../testing/made-up-kind.ts'
import { readTags, withoutTags } from './tag-reads.ts'

const listOf = (target: string): ServiceModel['shapes'][string] => ({ type: 'list', member: { target } })

interface Service {
  readonly input?: Readonly<Record<string, string>>
  readonly required?: readonly string[]
  readonly output: Readonly<Record<string, string>>
  readonly shapes?: ServiceModel['shapes']
  readonly operation?: string
}

function modelOf({
  input = { Name: 'String' },
  required = ['Name'],
  output,
  shapes,
  operation = 'ListTagsForResource',
}: Service) {
  return madeUpKind({
    spec: { Name: 'string', Tags: map('string') },
    settings: { tags: { path: 'Tags', key: 'Key', value: 'Value' } },
    inputs: { [operation]: input },
    required: { [operation]: required },
    outputs: { [operation]: output },
    shapes: {
      Map: { type: 'map', key: { target: 'String' }, value: { target: 'String' } },
      Pair: structureShape({ TagKey: 'String', TagValue: 'String' }),
      Pairs: listOf('Pair'),
      ...shapes,
    },
  })
}

async function read(
  service: Service,
  pages: readonly Values[],
  found: object = { spec: { name: 'n', tags: { old: 'x' } }, status: {} },
) {
  const { caller, asked } = answering({ [service.operation ?? 'ListTagsForResource']: pages })
  const told = await readTags(modelOf(service), found as Content, caller)
  return { tags: told.spec['tags'], isUntold: told.hasUntoldTags === true, asked }
}

const pairs = [{ TagKey: 'a', TagValue: '1' }, { TagKey: 'b' }]
const rows: readonly (readonly [what: string, service: Service, page: Values, tags: object])[] = [
  ['a map', { output: { Tags: 'Map' } }, { Tags: { a: '1' } }, { a: '1' }],
  ['a list', { output: { Tags: 'Pairs' } }, { Tags: pairs }, { a: '1', b: '' }],
  [
    'a list beside a text and a list of other things',
    { output: { Next: 'String', Names: 'Names', Tags: 'Pairs' }, shapes: { Names: listOf('String') } },
    { Next: 'x', Names: ['y'], Tags: pairs },
    { a: '1', b: '' },
  ],
  [
    'a list within a structure',
    { output: { Set: 'Set' }, shapes: { Set: structureShape({ Id: 'String', Tags: 'Pairs' }) } },
    { Set: { Id: 'x', Tags: pairs } },
    { a: '1', b: '' },
  ],
  [
    'a list within the first of several',
    { output: { Sets: 'Sets' }, shapes: { Sets: listOf('Set'), Set: structureShape({ Id: 'String', Tags: 'Map' }) } },
    { Sets: [{ Tags: { a: '1' } }] },
    { a: '1' },
  ],
  [
    'a list behind structures without tags',
    { output: { Other: 'Other', Tags: 'Pairs' }, shapes: { Other: structureShape({ Key: 'String' }) } },
    { Other: { Key: 'x' }, Tags: pairs },
    { a: '1', b: '' },
  ],
  [
    'structures that have a key alone',
    {
      output: { Keys: 'Keys', Tags: 'Pairs' },
      shapes: { Keys: listOf('KeyOnly'), KeyOnly: structureShape({ Key: 'String', Other: 'String' }) },
    },
    { Keys: [{ Key: 'x' }], Tags: pairs },
    { a: '1', b: '' },
  ],
  [
    'structures that have a value alone',
    {
      output: { Values: 'Values', Tags: 'Pairs' },
      shapes: { Values: listOf('ValueOnly'), ValueOnly: structureShape({ Value: 'String', Other: 'String' }) },
    },
    { Values: [{ Value: 'x' }], Tags: pairs },
    { a: '1', b: '' },
  ],
  ['nothing', { output: { Tags: 'Pairs' } }, {}, {}],
  ['an answer that has no place for tags', { output: { Next: 'String' } }, {}, {}],
]

for (const [what, service, page, tags] of rows)
  test(`tags that AWS tells as ${what} are read`, async () => {
    const { tags: found, isUntold, asked } = await read(service, [page])
    assert.deepEqual([found, isUntold, asked], [tags, false, [['ListTagsForResource', { Name: 'n' }]]])
  })

test('tags of all pages are read', async () => {
  const { tags } = await read({ output: { Tags: 'Map' } }, [{ Tags: { a: '1' } }, { Tags: { b: '2' } }])
  assert.deepEqual(tags, { a: '1', b: '2' })
})

for (const [what, service, found] of [
  ['no such list', { output: { Tags: 'Map' }, operation: 'Other' }, undefined],
  ['a list that names nothing', { output: { Tags: 'Map' }, input: { Filter: 'String' }, required: [] }, undefined],
  [
    'a list by an ARN that nobody knows',
    { output: { Tags: 'Map' }, input: { Name: 'String', ResourceArn: 'String' }, required: ['Name', 'ResourceArn'] },
    undefined,
  ],
] as const)
  test(`where there is ${what}, tags are untold: those of the manifest stand for none of AWS`, async () => {
    const { tags, isUntold, asked } = await read(service, [], found)
    assert.deepEqual([tags, isUntold, asked], [{}, true, []])
  })

test('a resource whose tags nobody knows bears none', () => {
  const found = withoutTags(modelOf({ output: {} }), {
    spec: { name: 'n', tags: { a: '1' } },
    status: { id: 'i' },
  } as unknown as Content)
  assert.deepEqual(found, { spec: { name: 'n', tags: {} }, status: { id: 'i' }, hasUntoldTags: true })
})
