import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inferSmall, type SmallModel, structure } from '../infer/model.fixture.ts'
import { renderService } from './output.ts'
import { type SuggestedReference, suggestReferences } from './suggest-references.ts'

const model = {
  operations: {
    CreateThing: [
      {
        '!ThingName': 'String',
        TaskRoleArn: 'String',
        SecurityGroupIds: 'Strings',
        BoxId: 'String',
        ParoleName: 'String',
        KmsKeyUrl: 'String',
        Net: 'Net',
        VpcId: 'String',
      },
      {},
    ],
    DeleteThing: [{ '!ThingName': 'String' }],
    DescribeThing: [{ '!ThingName': 'String' }, {}],
    CreateBox: [{ '!Label': 'String' }, { BoxId: 'String' }],
    DeleteBox: [{ '!BoxId': 'String' }],
    DescribeBox: [{ '!BoxId': 'String' }, { BoxId: 'String' }],
  },
  shapes: {
    Net: { type: 'structure', members: { SubnetIds: { shape: 'Strings' }, Inner: { shape: 'Net2' } } },
    Net2: { type: 'structure', members: { ThingName: { shape: 'String' }, BoxId: { shape: 'Integer' } } },
  },
} as const

// Among them is a number that is called like a reference, which cannot be one.
test('texts that end in a known kind are suggested as references, with the key for the config; identifiers of its own are not [9.24]', () => {
  const service = inferSmall(
    model,
    'resources:\n  Thing:\n    fields:\n      VpcId: {references: {resource: VPC, service_name: ec2, path: Status.VPCID}}\n',
  )
  const found = suggestReferences(service, service.kinds)
  assert.deepEqual(
    found.map(({ field, references: { resource, service_name, path } }) => [field, service_name ?? '', resource, path]),
    [
      ['Thing.spec.boxID', '', 'Box', 'Status.BoxID'],
      ['Thing.spec.net.inner.thingName', '', 'Thing', 'Spec.ThingName'],
      ['Thing.spec.net.subnetIDs', 'ec2', 'Subnet', 'Status.SubnetID'],
      ['Thing.spec.securityGroupIDs', 'ec2', 'SecurityGroup', 'Status.ID'],
      ['Thing.spec.taskRoleARN', 'iam', 'Role', 'Status.ACKResourceMetadata.ARN'],
    ],
  )
  const report = JSON.parse(renderService(service).get('report.json') ?? '{}') as {
    suggestedReferences: readonly SuggestedReference[]
  }
  assert.deepEqual(report.suggestedReferences, found)
})

test('a suggestion that is put into the config becomes a reference, and is suggested no more [9.24]', () => {
  const before = inferSmall(model)
  const wanted = suggestReferences(before, before.kinds).filter(({ field }) => !field.includes('.inner.'))
  const lines = wanted.map(({ key, references }) => {
    const [, , , ...path] = key.replace(/\.references$/, '').split('.')
    return `      ${path.join('.')}: {references: ${JSON.stringify(references)}}\n`
  })
  const after = inferSmall(model, `resources:\n  Thing:\n    fields:\n${lines.join('')}`)
  const left = suggestReferences(after, after.kinds).map(({ field }) => field)
  assert.deepEqual(left, ['Thing.spec.net.inner.thingName'])
  const thing = after.kinds.find(({ kind }) => kind === 'Thing')
  assert.ok([...(thing?.spec.values() ?? [])].some(({ json, type }) => json === 'taskRoleRef' && type.kind === 'reference'))
})

test('of several kinds in whose names a field ends the longest is suggested [9.24]', () => {
  const made = (name: string, more: Readonly<Record<string, string>> = {}): SmallModel['operations'] => ({
    [`Create${name}`]: [{ [`!${name}Name`]: 'String', ...more }, {}],
  })
  const service = inferSmall({
    operations: { ...made('Box'), ...made('GiftBox'), ...made('Thing', { BigGiftBoxName: 'String', BigBoxName: 'String' }) },
  })
  const found = suggestReferences(service, service.kinds).map(({ field, references: { resource } }) => [field, resource])
  assert.deepEqual(found, [
    ['Thing.spec.bigBoxName', 'Box'],
    ['Thing.spec.bigGiftBoxName', 'GiftBox'],
  ])
})

test('references are looked for six structures deep and no deeper [9.24]', () => {
  const parts = [1, 2, 3, 4, 5, 6, 7]
  const shapes = Object.fromEntries(
    parts.map(at => [`Part${at}`, structure({ RoleArn: 'String', ...(at === 7 ? {} : { Deeper: `Part${at + 1}` }) })]),
  )
  const service = inferSmall({ operations: { CreateThing: [{ '!Name': 'String', Part: 'Part1' }, {}] }, shapes })
  const found = suggestReferences(service, service.kinds).map(({ field }) => field)
  assert.deepEqual(
    found,
    [5, 4, 3, 2, 1, 0].map(deeper => `Thing.spec.part.${'deeper.'.repeat(deeper)}roleARN`),
  )
})
