import assert from 'node:assert/strict'
import { test } from 'node:test'
import { negotiate, negotiatePlain, parseAccept } from './accept.ts'

const json = { format: 'json', transform: 'none', metaVersion: 'v1', pretty: false } as const
const yaml = { ...json, format: 'yaml' } as const
const as = (parameters: string): string => `application/json;${parameters};g=meta.k8s.io`

for (const [header, wanted] of [
  [undefined, json],
  ['', json],
  ['*/*', json],
  ['application/*', json],
  ['application/json', json],
  ['APPLICATION/JSON', json],
  ['application/yaml', yaml],
  ['application/json;pretty=1', { ...json, pretty: true }],
  ['application/json; pretty=0', json],
  ['application/vnd.kubernetes.protobuf', undefined],
  ['application/vnd.kubernetes.protobuf,application/json', json],
  ['text/html', undefined],
  ['text/html,application/yaml', yaml],
  ['application/yaml;q=0.5,application/json;q=0.9', json],
  ['application/json;q=0.5,application/yaml', yaml],
  ['*/*,application/yaml', yaml],
  [',application/yaml', yaml],
  [as('as=Table;v=v1'), { ...json, transform: 'table' }],
  [as('as=Table;v=v1beta1'), { ...json, transform: 'table', metaVersion: 'v1beta1' }],
  [as('as="Table";v=v1'), { ...json, transform: 'table' }],
  [as('as=Table;V=v1'), undefined],
  [as('as=Table;v=v2'), undefined],
  [as('as=Table'), undefined],
  ['application/json;as=Table;v=v1;g=example.com', undefined],
  ['application/json;as=Table;v=v1', undefined],
  [as('as=Other;v=v1'), undefined],
  [`${as('as=Other;v=v1')},application/yaml`, yaml],
  [as('as=PartialObjectMetadata;v=v1'), { ...json, transform: 'partial' }],
  [as('as=PartialObjectMetadataList;v=v1;pretty=1'), { ...json, transform: 'partial-list', pretty: true }],
] as const)
  test(`whoever accepts ${header ?? 'whatever there is'} gets ${wanted === undefined ? 'nothing' : Object.values(wanted).join(', ')}`, () => {
    assert.deepEqual(negotiate(header), wanted)
  })

test('what is not allowed is passed over', () => {
  const header = `${as('as=Table;v=v1')},application/yaml`
  assert.deepEqual(
    negotiate(header, ({ transform }) => transform === 'none'),
    yaml,
  )
})

for (const [header, format] of [
  [undefined, 'json'],
  ['application/yaml', 'yaml'],
  ['text/html', 'json'],
  ['application/yaml;as=Table;v=v1;g=meta.k8s.io', 'json'],
  ['application/yaml;as=Table;v=v1;g=meta.k8s.io,application/yaml', 'yaml'],
  ['application/vnd.kubernetes.protobuf,application/yaml', 'yaml'],
] as const)
  test(`a refusal comes in ${format} to who accepts ${header ?? 'whatever there is'}`, () => {
    assert.deepEqual(negotiatePlain(header), { ...json, format })
  })

test('clauses come by their quality, the particular before the general, then as they stand', () => {
  const types = (header: string): string[] => parseAccept(header).map(({ type }) => type)
  assert.deepEqual(types('*/*, a/*, a/b;q=0.5, a/c, a/d;q=1, a/e;q=0.9'), ['a/c', 'a/d', 'a/*', '*/*', 'a/e', 'a/b'])
  assert.deepEqual(types('a/b;q=x, a/c;q=0.9'), ['a/b', 'a/c'])
  assert.deepEqual(types(' , '), [])
})

test('parameters are taken with their values, without quotes and space', () => {
  const [clause] = parseAccept('a/b; X = "y" ;flag; z=1=2')
  assert.deepEqual(
    [...(clause?.parameters ?? [])],
    [
      ['X', 'y'],
      ['flag', ''],
      ['z', '1=2'],
    ],
  )
})
