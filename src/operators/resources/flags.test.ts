// What the flags of the operator come to.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseFlags } from '#base'
import { flagGroups, type ResourceSettings, readResourceFlags } from './flags.ts'
import { type ResourcesOptions, resourceTagsDefault, settingsOf } from './options.ts'

function read(...args: readonly string[]): ResourceSettings {
  const flags = flagGroups.flatMap(group => group.flags)
  return readResourceFlags(parseFlags(flags, args, new Map()), { workers: 3, env: {} })
}

test('what no flag says is what the reference says [6.17]', () => {
  const { aws: _, ...settings } = read()
  assert.deepEqual(settings, {
    services: ['iam', 's3', 'eks'],
    models: undefined,
    installsCrds: false,
    migrates: false,
    endpoint: undefined,
    checks: 'off',
    options: {
      workers: 3,
      resourceTags: resourceTagsDefault,
      ownershipTags: true,
      deletionPolicy: 'delete',
      releaseAfterDelete: [],
      carm: true,
      crossNamespace: false,
      fieldExport: true,
      extendedFieldExports: false,
      adoptedResources: false,
      gates: {},
      watchNamespaces: [],
      resyncSecondsOf: {},
      workersOf: {},
      strictConditions: false,
      strictSync: false,
      conditionGenerations: false,
      events: true,
      secrets: [],
      anySecretType: false,
      watchSecrets: true,
      metricNames: true,
      driftQueues: [],
      deletionPolicyOf: {},
    },
  })
})

const queue = 'https://sqs.eu-west-1.amazonaws.com/111122223333/drift'

const rows: readonly (readonly [arg: string, options: Partial<ResourceSettings['options']>])[] = [
  ['--reconcile-resources=Role, Policy', { kinds: ['Role', 'Policy'] }],
  ['--resource-tags=', { resourceTags: [] }],
  ['--deletion-policy=retain', { deletionPolicy: 'retain' }],
  ['--resource-deletion-policy=Role = retain,Policy=delete', { deletionPolicyOf: { Role: 'retain', Policy: 'delete' } }],
  ['--release-after-delete=Cluster', { releaseAfterDelete: ['Cluster'] }],
  ['--feature-gates=TeamLevelCARM = true,ResourceAdoption=false', { gates: { TeamLevelCARM: true, ResourceAdoption: false } }],
  ['--watch-namespace=a,b', { watchNamespaces: ['a', 'b'] }],
  ['--watch-selectors=team=blue', { watchSelector: 'team=blue' }],
  ['--reconcile-default-resync-seconds=1', { resyncSeconds: 1 }],
  ['--cheap-read-seconds=1', { cheapReadSeconds: 1 }],
  ['--reconcile-resource-resync-seconds=Role = 1', { resyncSecondsOf: { Role: 1 } }],
  ['--reconcile-resource-max-concurrent-syncs=Role=999999999', { workersOf: { Role: 999_999_999 } }],
  ['--allow-secrets=default/web,team/*', { secrets: ['default/web', 'team/*'] }],
  [`--drift-queue=${queue}`, { driftQueues: [queue] }],
]

for (const [arg, options] of rows)
  test(`${arg} is taken, and changes nothing else`, () => assert.deepEqual(read(arg).options, { ...read().options, ...options }))

const services: readonly (readonly [args: readonly string[], services: readonly string[], models: string | undefined])[] = [
  [['--services=s3'], ['s3'], undefined],
  [['--aws-services=rds'], ['rds'], undefined],
  [['--services=s3', '--aws-services=rds'], ['s3'], undefined],
  [['--models=/m'], [], '/m'],
  [['--models=/m', '--aws-services=rds'], [], '/m'],
  [['--models=/m', '--services=s3'], ['s3'], '/m'],
]

for (const [args, expected, folder] of services)
  test(`with ${args.join(' ')} the services ${expected.join(',') || 'of the models alone'} are looked after`, () => {
    const settings = read(...args)
    assert.deepEqual([settings.services, settings.models], [expected, folder])
  })

test('checks of manifests are off, warn or deny', () => {
  assert.deepEqual(
    ['off', 'warn', 'deny'].map(word => read(`--manifest-checks=${word}`).checks),
    ['off', 'warn', 'deny'],
  )
})

test('a queue over http is taken from whoever lets requests travel in the clear', () => {
  const url = 'http://sqs.example.com/1/drift'
  assert.deepEqual(read(`--drift-queue=${url}`, '--allow-unsafe-aws-endpoint-urls').options.driftQueues, [url])
})

const refused: readonly (readonly [arg: string, why: RegExp])[] = [
  ['--deletion-policy=keep', /^--deletion-policy takes delete or retain$/],
  ['--resource-deletion-policy==retain', /"=retain" is no Kind=delete or Kind=retain/],
  ['--resource-deletion-policy=Role=keep', /"Role=keep" is no Kind=delete or Kind=retain/],
  ['--resource-deletion-policy=Role', /"Role" is no Kind=delete or Kind=retain/],
  ['--feature-gates=Adoption=true', /"Adoption" is none of ResourceAdoption, ReadOnlyResources/],
  ['--feature-gates=TeamLevelCARM=yes', /TeamLevelCARM takes true or false/],
  ['--feature-gates=TeamLevelCARM', /TeamLevelCARM takes true or false/],
  ['--watch-selectors=team in', /^--watch-selectors: /],
  ['--allow-secrets=web', /^--allow-secrets: /],
  ['--manifest-checks=on', /"on" is none of off, warn, deny/],
  ['--drift-queue=drift', /"drift" is no URL of a queue/],
  ['--drift-queue=https://sqs.eu-west-1.amazonaws.com/', /is no URL of a queue/],
  ['--drift-queue=https://a b/1/drift', /is no URL of a queue/],
  ['--drift-queue=http://sqs.example.com/1/drift', /over http requests travel in the clear/],
  ['--reconcile-resource-resync-seconds==5', /"=5" is no Kind=number/],
  ['--reconcile-resource-resync-seconds=Role=0', /"Role=0" is no Kind=number/],
  ['--reconcile-resource-max-concurrent-syncs=Role=1000000000', /is no Kind=number/],
]

for (const [arg, why] of refused) test(`${arg} is refused by its name`, () => assert.throws(() => read(arg), { message: why }))

const home = { account: '111122223333', partition: 'aws', region: 'eu-west-1' }
const given = (more: Partial<ResourcesOptions>): ResourcesOptions => ({
  services: [],
  aws: undefined as never,
  home,
  nowMs: () => 0,
  ...more,
})

test('an operator that is told nothing works by the defaults of its flags, and opens no Secret', () => {
  const { secrets, ...settings } = settingsOf(given({}))
  assert.deepEqual(secrets, settingsOf(given({ secrets: [] })).secrets)
  assert.deepEqual(settings, {
    home,
    version: '',
    build: { commit: 'unknown', date: 'unknown' },
    resourceTags: resourceTagsDefault,
    ownershipTags: true,
    deletionPolicy: 'delete',
    crossNamespace: false,
    carm: true,
    gates: {
      ResourceAdoption: true,
      ReadOnlyResources: true,
      TeamLevelCARM: false,
      ServiceLevelCARM: false,
      IAMRoleSelector: true,
    },
    systemNamespace: 'ack-system',
    watchNamespaces: undefined,
    watchSelector: undefined,
    resyncSeconds: undefined,
    cheapReadSeconds: 0,
    resyncSecondsOf: {},
    workers: 10,
    workersOf: {},
    strictConditions: false,
    strictSync: false,
    conditionGenerations: false,
    events: true,
    metricNames: true,
    anySecretType: false,
    watchSecrets: true,
    extendedFieldExports: false,
    deletionPolicyOf: {},
    releaseAfterDelete: [],
  })
})

const told = {
  version: '1.2.3',
  build: { commit: 'c', date: 'd' },
  resourceTags: ['a=b'],
  ownershipTags: false,
  deletionPolicy: 'retain',
  crossNamespace: true,
  carm: false,
  systemNamespace: 'ack',
  watchSelector: 'team=blue',
  resyncSeconds: 5,
  cheapReadSeconds: 6,
  resyncSecondsOf: { Role: 7 },
  workers: 8,
  workersOf: { Role: 9 },
  strictConditions: true,
  strictSync: true,
  conditionGenerations: true,
  events: false,
  metricNames: false,
  anySecretType: true,
  watchSecrets: false,
  extendedFieldExports: true,
  deletionPolicyOf: { Role: 'retain' },
  releaseAfterDelete: ['Cluster'],
} satisfies Partial<ResourcesOptions>

for (const [name, value] of Object.entries(told))
  test(`an operator that is told its ${name} goes by it`, () =>
    assert.deepEqual(settingsOf(given({ [name]: value }))[name as keyof typeof told], value))

for (const [watchNamespaces, carm, watched] of [
  [[], true, undefined],
  [['a'], false, ['a']],
  [['a', 'b'], true, ['a', 'b']],
] as const)
  test(`with ${watchNamespaces.length} namespaces of its own an operator works in other accounts by role mappings: ${carm}`, () => {
    const settings = settingsOf(given({ watchNamespaces }))
    assert.deepEqual([settings.carm, settings.watchNamespaces], [carm, watched])
  })

test('a gate that is opened leaves the others as they are', () => {
  const { gates } = settingsOf(given({ gates: { TeamLevelCARM: true } }))
  assert.deepEqual(gates, { ...settingsOf(given({})).gates, TeamLevelCARM: true })
})
