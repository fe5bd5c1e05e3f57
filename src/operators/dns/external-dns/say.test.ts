// What is said of one object: conditions and the rest of its status.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Condition } from '#kube'
import { buildDeployment } from '../operand/deployment.ts'
import { dnsSeen, type SeenOptions, tried } from '../testing/dns-seen.fixture.ts'
import type { PlatformDns } from '../zones/platform-dns.ts'
import { requestOf } from './request-of.ts'
import { sayConditions } from './say.ts'
import { sayStatus } from './status.ts'

const said = (options: SeenOptions = {}): readonly Condition[] =>
  sayConditions(dnsSeen(options), { invalid: undefined, incompatible: undefined })
const of = (type: string, options: SeenOptions = {}): Condition | undefined =>
  said(options).find(condition => condition.type === type)
const short = (condition: Condition | undefined): string | undefined =>
  condition === undefined ? undefined : `${condition.status}/${condition.reason}`

const tries = { preflightEnabled: true }
const gcp = { provider: { type: 'GCP', gcp: { credentials: { name: 'dns-creds' } } } }
const stored = (type: string, reason = 'Kept', status: Condition['status'] = 'True'): object => ({
  conditions: [{ type, status, reason, message: `${reason} of ${type}` }],
})
const condition = (type: string, reason: string): Condition => ({ type, status: 'True', reason, message: 'm' })

test('of an object that nobody has looked at yet all that is not seen at once is unknown', () => {
  assert.deepEqual(
    said({ settings: tries }).map(({ type, status, reason }) => `${type}=${status}/${reason}`),
    [
      'CredentialsSecretExists=True/SecretFound',
      'CredentialsValid=Unknown/NotCheckedYet',
      'RoleAssumable=Unknown/NotCheckedYet',
      'ZonesAccessible=Unknown/NotCheckedYet',
      'RecordsSynced=Unknown/NotCheckedYet',
      'OperandCompatible=True/Compatible',
      'OwnershipConflict=False/NoConflict',
      'Available=False/DeploymentUnavailable',
    ],
  )
})

const missing = { name: 'dns-creds', secret: undefined }
const identity = (mode: string, more: object = {}): object => ({
  provider: { type: 'AWS', aws: { workloadIdentity: { mode, ...more } } },
})

for (const [what, options, message] of [
  ['that is there', {}, 'The credentials secret has been found.'],
  ['whose source went', { source: missing }, 'The credentials secret has been found. (the source secret is gone)'],
  ['without any source', { source: undefined }, 'The credentials secret has been found.'],
  ['that is not there', { target: undefined }, 'The credentials secret not found.'],
  ['that the operand has no use for', { spec: identity('PodIdentity') }, undefined],
] as const)
  test(`of a Secret ${what} ${message === undefined ? 'nothing is said' : `it is said: ${message}`}`, () =>
    assert.equal(of('CredentialsSecretExists', options)?.message, message))

const source = (data: object, more: object = {}): SeenOptions => ({
  source: { name: 'dns-creds', secret: { metadata: { name: 'dns-creds', ...more }, data } as never },
})
const keys = { aws_access_key_id: 'QQ==', aws_secret_access_key: 'QQ==' }
const strangers = { ownerReferences: [{ apiVersion: 'v1', kind: 'ExternalDNS', name: 'red', uid: 'uid-2', controller: true }] }
const bound = {
  spec: identity('Binding', { bindingRef: { namespace: 'external-dns', name: 'dns' } }),
  binding: { isKindMissing: false, object: undefined },
}
const works = {
  ...bound,
  binding: {
    isKindMissing: false,
    object: {
      metadata: { generation: 1 },
      spec: { serviceAccount: { namespace: 'external-dns', name: 'external-dns-blue' } },
      status: { conditions: [{ type: 'Ready', status: 'True' }] },
    } as never,
  },
}

/** What is said of the credentials, of what is seen, of what was tried, and of what was said before. */
const credentials: readonly (readonly [what: string, options: SeenOptions, expected: string])[] = [
  ['that nobody tries', { ...source(keys) }, 'Unknown/NotChecked'],
  ['without a use', { ...source({}), settings: tries }, 'False/InvalidSecret'],
  ['that were made for another object', { ...source(keys, strangers), settings: tries }, 'False/InvalidSecret'],
  [
    'that were tried',
    { ...source(keys), settings: tries, preflight: tried({ conditions: [condition('CredentialsValid', 'Tried')] }) },
    'True/Tried',
  ],
  ['that were tried before a restart', { ...source(keys), settings: tries, status: stored('CredentialsValid') }, 'True/Kept'],
  [
    'that had no use before',
    { ...source(keys), settings: tries, status: stored('CredentialsValid', 'InvalidSecret', 'False') },
    'Unknown/NotCheckedYet',
  ],
  [
    'that nobody tried before',
    { ...source(keys), settings: tries, status: stored('CredentialsValid', 'NotChecked', 'Unknown') },
    'Unknown/NotCheckedYet',
  ],
  ['of a binding that is not there', { ...bound, settings: tries }, 'False/BindingNotFound'],
  [
    'of a binding that was not ready before',
    { ...works, settings: tries, status: stored('CredentialsValid', 'BindingNotReady', 'False') },
    'Unknown/NotCheckedYet',
  ],
  ['of a binding that worked before', { ...works, settings: tries, status: stored('CredentialsValid') }, 'True/Kept'],
  ['of another provider', { ...source({ 'gcp-credentials.json': 'QQ==' }), spec: gcp }, 'True/ContentUsable'],
  ['of another provider, whose source is gone', { source: missing, spec: gcp }, 'True/ContentUsable'],
  ['of another provider, of which nothing is there', { source: missing, target: undefined, spec: gcp }, 'Unknown/NotCheckedYet'],
  [
    'of another provider, that are not copied yet',
    { ...source({ 'gcp-credentials.json': 'QQ==' }), target: undefined, spec: gcp },
    'True/ContentUsable',
  ],
  [
    'of the platform, without a use',
    {
      ...source({}),
      settings: tries,
      spec: { provider: { type: 'AWS' } },
      platform: { isOpenShift: true, type: 'AWS', awsRegion: '', gcpProject: '' },
    },
    'False/InvalidSecret',
  ],
]

for (const [what, options, expected] of credentials)
  test(`credentials ${what} are ${expected}`, () => assert.equal(short(of('CredentialsValid', options)), expected))

test('of a role and of zones nothing is said where the provider is not AWS, and what was refused of one is not forgotten for another', () => {
  assert.deepEqual([of('RoleAssumable', { spec: gcp }), of('ZonesAccessible', { spec: gcp })], [undefined, undefined])
  assert.equal(
    short(of('RoleAssumable', { settings: tries, status: stored('RoleAssumable', 'AccessDenied', 'False') })),
    'False/AccessDenied',
  )
})

test('a platform that names no zone is told, and one that names some leaves the word to the try', () => {
  const ofPlatform = { settings: tries, spec: { zoneDiscovery: { mode: 'PlatformDNS' } } }
  assert.equal(short(of('ZonesAccessible', ofPlatform)), 'False/NoZonesFound')
  const platformDns = { spec: { publicZone: { id: 'ZA' } } } as PlatformDns
  assert.equal(short(of('ZonesAccessible', { ...ofPlatform, platformDns })), 'Unknown/NotCheckedYet')
  assert.equal(
    short(of('ZonesAccessible', { settings: tries, spec: { zoneDiscovery: { mode: 'AssumedRole' } } })),
    'Unknown/NotCheckedYet',
  )
})

test('what an operand says goes before what the status said of its records', () => {
  const status = stored('RecordsSynced')
  assert.equal(short(of('RecordsSynced', { status })), 'True/Kept')
  assert.equal(
    short(of('RecordsSynced', { status, operand: { condition: condition('RecordsSynced', 'UpToDate') } })),
    'True/UpToDate',
  )
})

const pem = '-----BEGIN CERTIFICATE-----\nx\n-----END CERTIFICATE-----'

for (const [what, options, expected] of [
  ['that nobody configured', {}, undefined],
  ['that is not there', { settings: { trustedCaConfigMap: 'ca' } }, 'False/ConfigMapNotFound'],
  [
    'with a certificate',
    { settings: { trustedCaConfigMap: 'ca' }, trustedCa: { data: { a: 'x', b: pem } } as never },
    'True/BundleFound',
  ],
  [
    'with other texts',
    { settings: { trustedCaConfigMap: 'ca' }, trustedCa: { data: { a: 'x' } } as never },
    'False/InvalidBundle',
  ],
  ['with nothing', { settings: { trustedCaConfigMap: 'ca' }, trustedCa: {} as never }, 'False/InvalidBundle'],
] as const)
  test(`a bundle of authorities ${what} is ${expected ?? 'not spoken of'}`, () =>
    assert.equal(short(of('TrustedCAReady', options)), expected))

test('rivals are named, and what the operand lacks is said in its own words', () => {
  const rivals = of('OwnershipConflict', { rivals: ['green', 'red'] })
  assert.equal(short(rivals), 'True/SameNames')
  assert.match(rivals?.message ?? '', /are written for green, red: name other/)
  const lacking = sayConditions(dnsSeen(), { invalid: undefined, incompatible: 'it is too old' })
  const { status, reason, message } = lacking.find(({ type }) => type === 'OperandCompatible') ?? {}
  assert.deepEqual([status, reason, message], ['False', 'CapabilityMissing', 'it is too old'])
})

const pod = (waiting: object | undefined, metadata: object = {}): object => ({
  metadata: { name: 'pod', ...metadata },
  status: { containerStatuses: [{ name: 'a', state: {} }, { name: 'b' }, { name: 'c', state: { waiting } }] },
})
const advice = 'Check --externaldns-image, operand.imagePullSecrets and the registry.'
const going = { deletionTimestamp: '2026-01-01T00:00:00Z' }
const nothingYet = 'The deployment does not exist yet.'

for (const [what, pods, message] of [
  [
    'whose image cannot be pulled',
    [pod({ reason: 'ErrImagePull', message: 'no such image' })],
    `The image cannot be pulled (ErrImagePull): no such image. ${advice}`,
  ],
  [
    'whose image is never pulled',
    [pod({ reason: 'ErrImageNeverPull' })],
    `The image cannot be pulled (ErrImageNeverPull). ${advice}`,
  ],
  [
    'that cannot be made',
    [pod({ reason: 'CreateContainerError', message: 'x' })],
    `A container cannot be made (CreateContainerError): x. ${advice}`,
  ],
  [
    'that is refused at length',
    [pod({ reason: 'ErrImagePull', message: 'x'.repeat(600) })],
    `The image cannot be pulled (ErrImagePull): ${'x'.repeat(500)}. ${advice}`,
  ],
  ['that is being made', [pod({ reason: 'ContainerCreating' })], nothingYet],
  ['that waits for nobody knows what', [pod({})], nothingYet],
  ['that runs', [pod(undefined), { metadata: { name: 'new' } }], nothingYet],
  ['of a pod that goes', [pod({ reason: 'ErrImagePull' }, going)], nothingYet],
] as const)
  test(`a container ${what} makes the object unavailable: ${message.slice(0, 60)}`, () =>
    assert.equal(of('Available', { pods: pods as never })?.message, message))

const asked = (type: string, status: string): SeenOptions => ({
  target: undefined,
  request: {
    status: {
      conditions: [
        { type: 'Stale', status: 'True', message: 'no' },
        { type, status, message: 'not today' },
      ],
    },
  } as never,
})

for (const [what, options, isSaid] of [
  ['fails', asked('CredentialsProvisionFailure', 'True'), true],
  ['lacks a right', asked('InsufficientCloudCreds', 'True'), true],
  ['lacks a namespace', asked('MissingTargetNamespace', 'True'), true],
  ['failed once', asked('CredentialsProvisionFailure', 'False'), false],
  ['is ignored', asked('Ignored', 'True'), false],
] as const)
  test(`what the platform says of a request that ${what} is ${isSaid ? '' : 'not '}repeated`, () =>
    assert.equal(
      of('Available', options)?.message,
      `The credentials secret not found.${isSaid ? ' The platform says: not today' : ''}`,
    ))

const built = (options: SeenOptions) => {
  const made = buildDeployment(requestOf(dnsSeen(options), 'owner'))
  assert.ok('deployment' in made)
  return made.deployment
}
const zonesOf = (options: SeenOptions): unknown => sayStatus(dnsSeen(options), undefined, false)['zones']

test('the zones of the status are those that are written, in the order in which they stood there', () => {
  assert.equal(zonesOf({}), undefined)
  assert.deepEqual(zonesOf({ spec: { zones: ['A'] } }), ['A'])
  assert.deepEqual(zonesOf({ spec: { zones: ['B', 'A'] } }), ['B', 'A'])
  assert.deepEqual(zonesOf({ spec: { zones: ['B', 'A'] }, status: { zones: ['A', 'B'] } }), ['A', 'B'])
  assert.deepEqual(zonesOf({ spec: { zones: ['B', 'A'] }, status: { zones: ['A'] } }), ['B', 'A'])
})

test('of an operand the status says what runs and where its metrics are, and keeps it while nothing may be changed', () => {
  const options = { spec: { zones: ['ZA', 'ZB'] } }
  const { operand } = sayStatus(dnsSeen(options), built(options), false) as {
    readonly operand: { readonly containers: readonly object[] }
  }
  assert.deepEqual(
    { ...operand, containers: operand.containers.map(container => ({ ...container, name: '' })) },
    {
      deployment: 'external-dns-blue',
      image: 'registry.example.com/external-dns:v0.14.2',
      ownerID: 'owner',
      containers: [
        { zone: 'ZA', name: '', metricsPort: 7979 },
        { zone: 'ZB', name: '', metricsPort: 7980 },
      ],
    },
  )
  const { containers, ...whole } = sayStatus(dnsSeen(), built({}), false)['operand'] as typeof operand
  assert.equal(Reflect.get(containers[0] ?? {}, 'zone'), '')
  assert.deepEqual(whole, {
    deployment: 'external-dns-blue',
    image: 'registry.example.com/external-dns:v0.14.2',
    ownerID: 'owner',
  })
  assert.ok(!('operand' in sayStatus(dnsSeen(options), built(options), true)))
  assert.ok(!('operand' in sayStatus(dnsSeen(options), undefined, false)))
})

test('what the last try showed is said as long as one was made, and the last error as long as the operand is read', () => {
  const status = { aws: { lastPreflight: '2026-01-01T00:00:00Z' } }
  const say = (options: SeenOptions) => sayStatus(dnsSeen(options), undefined, false)
  assert.ok(!('aws' in say({ status })) && !('lastError' in say({ status })))
  assert.deepEqual(say({ status, preflight: tried({ callerArnHash: 'h', assumedRole: 'r' }) })['aws'], {
    callerArnHash: 'h',
    assumedRole: 'r',
    lastPreflight: '2026-01-01T00:00:00Z',
  })
  assert.deepEqual(say({ preflight: tried({ callerArnHash: 'h' }) })['aws'], { callerArnHash: 'h' })
  const nothing = say({ preflight: tried() })
  assert.ok('aws' in nothing && nothing['aws'] === undefined)
  const lastError = { reason: 'r', message: 'm', time: 't', count: 1 }
  assert.deepEqual(say({ operand: { condition: condition('RecordsSynced', 'x'), lastError } })['lastError'], lastError)
})
