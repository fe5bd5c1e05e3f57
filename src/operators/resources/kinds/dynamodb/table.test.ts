import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ResourceKind, ResourceService } from '#aws'
import { kindModel } from '../../model/kind-model.ts'
import { snsPlatformApplication } from '../sns/platform-application.ts'
import { dynamodbBackup } from './backup.ts'
import { dynamodbTable } from './table.ts'

const same = dynamodbTable.same?.['GlobalSecondaryIndexes']
const index = (indexName: string, more: object = {}) => ({
  indexName,
  keySchema: [{ attributeName: indexName, keyType: 'HASH' }],
  ...more,
})
const told = { indexStatus: 'ACTIVE', itemCount: 3 }

for (const [what, wanted, latest, isSame] of [
  ['none, and none', undefined, undefined, true],
  ['none, and an empty list', undefined, [], true],
  ['one, with what only AWS knows of it', [index('a')], [index('a', told)], true],
  ['two in another order', [index('a'), index('b')], [index('b', told), index('a', told)], true],
  ['one that is not there', [index('a')], [], false],
  ['one less than there are', [index('a')], [index('a', told), index('b', told)], false],
  ['another one', [index('a')], [index('b', told)], false],
  ['one with another key', [index('a', { keySchema: [{ attributeName: 'z', keyType: 'HASH' }] })], [index('a', told)], false],
] as const)
  test(`the indexes of a table, ${what}, ${isSame ? 'are as they are wanted' : 'differ'}`, () => {
    assert.equal(same?.(wanted, latest, {} as never), isSame)
  })

const member = (target: string) => ({ target })
const structure = (names: readonly string[]) => ({
  type: 'structure',
  required: [],
  members: Object.fromEntries(names.map(name => [name, member(name === 'KeySchema' ? 'Keys' : 'String')])),
})
const field = (camel: string, type: object = { kind: 'string' }): object => ({
  camel,
  json: camel.charAt(0).toLowerCase() + camel.slice(1),
  member: camel,
  wire: camel,
  type,
})
const list = (shape: string) => ({ kind: 'list', element: { kind: 'structure', shape } })
const ofIndex = ['IndexName', 'ProvisionedThroughput', 'OnDemandThroughput', 'Projection']
/** As much of DynamoDB as its indexes need. */
const service = {
  alias: 'dynamodb',
  group: 'dynamodb.services.k8s.aws',
  structures: { Index: ofIndex.map(name => field(name)) },
  model: {
    operations: { CreateTable: { name: 'CreateTable', input: 'CreateTableInput' } },
    shapes: {
      String: { type: 'string' },
      Index: structure(ofIndex),
      Indexes: { type: 'list', member: member('Index') },
      CreateTableInput: {
        type: 'structure',
        required: [],
        members: {
          TableName: member('String'),
          AttributeDefinitions: member('String'),
          GlobalSecondaryIndexes: member('Indexes'),
        },
      },
    },
  },
} as unknown as ResourceService
const model = kindModel(service, {
  kind: 'Table',
  resource: 'Table',
  version: 'v1',
  plural: 'tables',
  spec: [field('TableName'), field('AttributeDefinitions'), field('GlobalSecondaryIndexes', list('Index'))],
  status: [],
  settings: {},
  bindings: {},
  operations: { create: 'CreateTable' },
} as unknown as ResourceKind)

const on = (indexName: string, more: object = {}) => ({ indexName, projection: 'ALL', ...more })
const table = (...globalSecondaryIndexes: readonly object[]) => ({
  spec: { tableName: 't', attributeDefinitions: 'd', globalSecondaryIndexes },
  status: {},
})
const calls = (wanted: object, latest: object, isNew = false) =>
  dynamodbTable.sync?.({ model, wanted, latest, isNew, delta: [] } as never).map(({ input }) => input)
const change = (update: object, more: object = {}) => [{ TableName: 't', ...more, GlobalSecondaryIndexUpdates: [update] }]

for (const [what, wanted, latest, isNew, expected] of [
  ['nothing differs', table(on('a')), table(on('a', { indexStatus: 'ACTIVE' })), false, []],
  ['the table is new', table(on('a')), table(), true, []],
  [
    'one goes, one changes and one comes',
    table(on('b'), on('c')),
    table(on('a'), on('b', { projection: 'x' })),
    false,
    change({ Delete: { IndexName: 'a' } }),
  ],
  [
    'one changes and one comes',
    table(on('c'), on('b', { provisionedThroughput: '5' })),
    table(on('b', { provisionedThroughput: '1' })),
    false,
    change({ Update: { IndexName: 'b', ProvisionedThroughput: '5' } }),
  ],
  [
    'one of two changes',
    table(on('a'), on('b', { onDemandThroughput: '5' })),
    table(on('a'), on('b')),
    false,
    change({ Update: { IndexName: 'b', OnDemandThroughput: '5' } }),
  ],
  [
    'two come',
    table(on('a'), on('b'), on('c')),
    table(on('a')),
    false,
    change({ Create: { IndexName: 'b', Projection: 'ALL' } }, { AttributeDefinitions: 'd' }),
  ],
] as const)
  test(`of the indexes of a table, where ${what}, ${expected.length} calls change one`, () =>
    assert.deepEqual(calls(wanted, latest, isNew), expected))

test('an update of a table says what changed and no more, and of a table that is paid by capacity both', () => {
  const input = { TableName: 't', BillingMode: 'PROVISIONED', ProvisionedThroughput: {}, StreamSpecification: {} }
  const update = (delta: readonly string[], billingMode = 'PROVISIONED') =>
    Object.keys(dynamodbTable.update?.(input, { delta, wanted: { spec: { billingMode } } } as never) ?? {})
  assert.deepEqual(update(['Spec.StreamSpecification.StreamEnabled']), ['TableName', 'StreamSpecification'])
  assert.deepEqual(update(['Spec.BillingMode']), ['TableName', 'BillingMode', 'ProvisionedThroughput'])
  assert.deepEqual(update(['Spec.BillingMode'], 'PAY_PER_REQUEST'), ['TableName', 'BillingMode'])
  assert.deepEqual(update(['Spec.StreamSpecification']), ['TableName', 'StreamSpecification'])
  assert.deepEqual(update(['Spec']), ['TableName'])
})

test('an adopted backup names its table, and an adopted application its platform, where their ARNs say so', () => {
  const backup = (arn?: string) => dynamodbBackup.adoptedSpec?.({ a: 1 }, (arn === undefined ? {} : { arn }) as never)
  assert.deepEqual(backup('arn:aws:dynamodb:r:1:table/t/backup/01'), { a: 1, tableName: 't' })
  assert.deepEqual([backup('arn:aws:dynamodb:r:1:table/t'), backup()], [{ a: 1 }, { a: 1 }])
  const application = (arn?: string) =>
    snsPlatformApplication.adoptedSpec?.({ a: 1 }, (arn === undefined ? {} : { arn }) as never)
  assert.deepEqual(application('arn:aws:sns:r:1:app/GCM/mine'), { a: 1, platform: 'GCM' })
  assert.deepEqual([application('mine'), application()], [{ a: 1 }, { a: 1 }])
})
