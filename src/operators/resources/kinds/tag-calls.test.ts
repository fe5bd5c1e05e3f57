// The calls that change tags, in the form that each service takes them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ServiceModel, StructureShape } from '#aws'
import { kindModel } from '../model/kind-model.ts'
import { type ShippedKinds, shippedService } from '../services/shipped.ts'
import { madeUpKind, map, structureShape } from '../testing/made-up-kind.ts'
import { tagCalls } from './tag-calls.ts'

function calls(alias: ShippedKinds, kind: string, spec: object, wanted: unknown, latest: unknown) {
  const { service } = shippedService(alias)
  const model = kindModel(service, service.kinds[kind] ?? assert.fail(`no ${kind} is shipped`))
  const content = (tags: unknown) => ({ spec: { ...spec, tags }, status: {}, arn: 'arn:aws:x:::y' }) as never
  return tagCalls(model, { wanted: content(wanted), latest: content(latest) })?.map(({ operation, input }) => [operation, input])
}

const tag = (key: string, value: string): object => ({ key, value })
const Tags = [{ Key: 'a', Value: '2' }]
const CertificateArn = 'arn:aws:x:::y'

for (const [what, made, expected] of [
  [
    'a role, whose tags go by their keys',
    calls('iam', 'Role', { name: 'r' }, [tag('a', '2')], [tag('a', '1'), tag('b', '1')]),
    [
      ['UntagRole', { RoleName: 'r', TagKeys: ['b'] }],
      ['TagRole', { RoleName: 'r', Tags }],
    ],
  ],
  [
    'a certificate, whose tags go by structures',
    calls('acm', 'Certificate', {}, [tag('a', '2')], [tag('a', '1'), tag('b', '1')]),
    [
      ['RemoveTagsFromCertificate', { CertificateArn, Tags: [{ Key: 'b' }] }],
      ['AddTagsToCertificate', { CertificateArn, Tags }],
    ],
  ],
  [
    'an addon, whose tags are a map',
    calls('eks', 'Addon', { name: 'n' }, { a: '2' }, { a: '1', b: '1' }),
    [
      ['UntagResource', { resourceArn: 'arn:aws:x:::y', tagKeys: ['b'] }],
      ['TagResource', { resourceArn: 'arn:aws:x:::y', tags: { a: '2' } }],
    ],
  ],
  ['what has its tags', calls('iam', 'Role', { name: 'r' }, [tag('a', '1')], [tag('a', '1')]), []],
  ['what lacks one', calls('iam', 'Role', { name: 'r' }, [tag('a', '2')], []), [['TagRole', { RoleName: 'r', Tags }]]],
] as const)
  test(`the tags of ${what}`, () => assert.deepEqual(made, expected))

test('where nothing is known that the operation needs, there are no such calls', () =>
  assert.equal(calls('iam', 'Role', {}, [tag('a', '2')], []), undefined))

/** A service that has no more than these operations, each with the members that identify a thing and those of its tags. */
function madeUp(operations: Readonly<Record<string, readonly string[]>>, shapes: ServiceModel['shapes'] = {}) {
  const isOfTags = (member: string): boolean => /tags|keys/i.test(member)
  const each = <T>(made: (members: readonly string[]) => T): Record<string, T> =>
    Object.fromEntries(Object.entries(operations).map(([name, members]) => [name, made(members)]))
  const model = madeUpKind({
    spec: { Name: 'string', Tags: map('string') },
    structures: { Tag: {} },
    settings: { tags: { path: 'Tags', key: 'Key', value: 'Value' } },
    inputs: each(members => Object.fromEntries(members.map(name => [name, isOfTags(name) ? name : 'String']))),
    required: each(members => members.filter(name => !isOfTags(name))),
    shapes: {
      Tags: { type: 'map', key: { target: 'String' }, value: { target: 'String' } },
      TagKeys: { type: 'list', member: { target: 'String' } },
      ...shapes,
    },
  })
  const content = (held: object, arn?: string) =>
    ({ spec: { name: 'n', tags: held }, status: {}, ...(arn === undefined ? {} : { arn }) }) as never
  return (wanted: object, latest: object, [arnWanted, arnHeld]: readonly [string?, string?] = []) =>
    tagCalls(model, { wanted: content(wanted, arnWanted), latest: content(latest, arnHeld) })?.map(({ operation, input }) => [
      operation,
      input,
    ])
}

const byName = { TagThing: ['Name', 'Tags'], UntagThing: ['Name', 'TagKeys'] }

for (const [what, operations, expected] of [
  [
    'its own operations before those of all',
    { ...byName, TagResource: ['ResourceArn', 'Tags'], UntagResource: ['ResourceArn', 'TagKeys'] },
    ['UntagThing', 'TagThing'],
  ],
  [
    'the pair of which both are there',
    { TagThing: ['Name', 'Tags'], AddTags: ['Name', 'Tags'], DeleteTags: ['Name', 'TagKeys'] },
    ['DeleteTags', 'AddTags'],
  ],
  ['a pair by another name', { CreateTags: ['Name', 'Tags'], DeleteTags: ['Name', 'TagKeys'] }, ['DeleteTags', 'CreateTags']],
] as const)
  test(`of several, a kind is tagged by ${what}`, () => {
    const found = madeUp(operations)({ a: '1' }, { b: '1' })
    assert.deepEqual(
      found?.map(([operation]) => operation),
      expected,
    )
  })

test('a service without such a pair has no such calls', () =>
  assert.equal(madeUp({ TagThing: ['Name', 'Tags'] })({ a: '1' }, {}), undefined))

test('what is tagged by its ARN is so by the one that AWS tells, else by the one that is known', () => {
  const calls = madeUp({ TagResource: ['ResourceArn', 'Tags'], UntagResource: ['ResourceArn', 'TagKeys'] })
  const input = (arns: readonly [string?, string?]) => calls({ a: '1' }, {}, arns)?.[0]?.[1]
  assert.deepEqual(input(['w', 'h']), { ResourceArn: 'h', Tags: { a: '1' } })
  assert.deepEqual(input(['w']), { ResourceArn: 'w', Tags: { a: '1' } })
  assert.equal(calls({ a: '1' }, {}), undefined)
  assert.equal(calls({}, { a: '1' }), undefined)
  assert.deepEqual(calls({}, {}), [])
})

const structure = (...members: readonly string[]): StructureShape =>
  structureShape(Object.fromEntries(members.map(name => [name, 'String'])))

for (const [what, shapes, tags, keys] of [
  [
    'a list of structures with names of their own',
    { Tags: { type: 'list', member: { target: 'Pair' } }, Pair: structure('TagValue', 'TagKey') },
    [{ TagKey: 'a', TagValue: '1' }],
    ['b'],
  ],
  [
    'a list of what says nothing of its members',
    { Tags: { type: 'list', member: { target: 'String' } } },
    [{ Key: 'a', Value: '1' }],
    ['b'],
  ],
] as const)
  test(`tags go as ${what} has them`, () => {
    const found = madeUp(byName, shapes)({ a: '1' }, { b: '1' })
    assert.deepEqual(
      found?.map(
        ([, input]) => (input as { Tags?: unknown; TagKeys?: unknown }).Tags ?? (input as { TagKeys?: unknown }).TagKeys,
      ),
      [keys, tags],
    )
  })

test('tags are taken away by structures with their keys where the operation takes tags, and by keys where those are texts', () => {
  const operations = { TagThing: ['Name', 'Tags'], UntagThing: ['Name', 'Tags'] }
  const removal = (shapes: ServiceModel['shapes']) =>
    (madeUp(operations, shapes)({}, { b: '1' })?.[0]?.[1] as { Tags?: unknown } | undefined)?.Tags
  const pairs = { Tags: { type: 'list', member: { target: 'Pair' } }, Pair: structure('Value', 'Key') } as const
  assert.deepEqual(
    [removal(pairs), removal({ Tags: { type: 'list', member: { target: 'String' } } }), removal({})],
    [[{ Key: 'b' }], ['b'], ['b']],
  )
})
