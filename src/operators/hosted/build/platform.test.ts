// Which sidecar a spec gets, and in which words one is refused.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ControlPlaneSpec } from '../api/kinds.ts'
import { type PlatformAnswer, platformOf, startTrouble } from './platform.ts'

const clouds = ['AWS', 'Azure'] as const
const answerTo = (spec: unknown): PlatformAnswer => platformOf(spec as ControlPlaneSpec, clouds)
const tenantID = '11111111-2222-4333-8444-555555555555'
const azure = { platform: { type: 'Azure', azure: { tenantID } } }

const missing: readonly (readonly [what: string, spec: unknown, message: string])[] = [
  ['no spec', undefined, 'spec.platform.type is missing'],
  ['no platform', {}, 'spec.platform.type is missing'],
  ['no type', { platform: {} }, 'spec.platform.type is missing'],
  ['an empty type', { platform: { type: '' } }, 'spec.platform.type is missing'],
  ['a type that is no text', { platform: { type: 3 } }, 'spec.platform.type is missing'],
  ['AWS without its block', { platform: { type: 'AWS' } }, 'aws platform type requires spec.platform.aws'],
  ['AWS with a block that is null', { platform: { type: 'AWS', aws: null } }, 'aws platform type requires spec.platform.aws'],
  ['Azure without its block', { platform: { type: 'Azure' } }, 'azure platform type requires spec.platform.azure'],
  [
    'Azure with a block that is null',
    { platform: { type: 'Azure', azure: null } },
    'azure platform type requires spec.platform.azure',
  ],
]

for (const [what, spec, message] of missing)
  test(`a spec with ${what} is told by the field [4.3.1]`, () => {
    assert.deepEqual(answerTo(spec), { kind: 'refused', reason: 'PlatformBlockMissing', message })
  })

const ports: readonly (readonly [given: unknown, port: number])[] = [
  [undefined, 6_443],
  [null, 6_443],
  [0, 6_443],
  [443, 6_443],
  [1, 1],
  [442, 442],
  [7_443, 7_443],
  [65_535, 65_535],
]

for (const [given, port] of ports)
  test(`the port ${JSON.stringify(given)} of a spec is ${port} in the pod of its API server [4.3.1, H-07]`, () => {
    const answer = answerTo({ ...azure, networking: { apiServer: { port: given } } })
    assert.ok(answer.kind === 'sidecar')
    assert.equal(answer.input.port, port)
  })

for (const given of [-1, 65_536, 1.5, '6443', true])
  test(`no API server has the port ${JSON.stringify(given)} [4.3.1]`, () => {
    const message = `spec.networking.apiServer.port ${JSON.stringify(given)} is no port: write a number from 1 to 65535`
    const refused = { kind: 'refused', reason: 'SpecUnusable', message }
    assert.deepEqual(answerTo({ ...azure, networking: { apiServer: { port: given } } }), refused)
  })

test('a version of TLS that there is not is refused, and one that there is or that is empty is not [4.6.3]', () => {
  const withVersion = (minTLSVersion: string | null): PlatformAnswer =>
    answerTo({ ...azure, configuration: { apiServer: { tlsSecurityProfile: { type: 'Custom', custom: { minTLSVersion } } } } })
  const message =
    'spec.configuration.apiServer.tlsSecurityProfile.custom.minTLSVersion "TLS9" is no version of TLS: write one of VersionTLS10, VersionTLS11, VersionTLS12, VersionTLS13'
  assert.deepEqual(withVersion('TLS9'), { kind: 'refused', reason: 'SpecUnusable', message })
  for (const version of ['VersionTLS10', 'VersionTLS13', '', null]) assert.equal(withVersion(version).kind, 'sidecar')
})

test('a platform that is switched off, or has no sidecar, gets none, whatever its spec is', () => {
  const broken = { networking: { apiServer: { port: -1 } } }
  assert.deepEqual(answerTo({ platform: { type: 'KubeVirt' }, ...broken }), { kind: 'none' })
  assert.deepEqual(platformOf({ platform: { type: 'AWS' }, ...broken }, ['Azure']), { kind: 'none' })
})

test('what a spec leaves out is what the platform fills in', () => {
  const common = { port: 6_443, tlsProfile: undefined }
  const sidecar = (input: object): object => ({ kind: 'sidecar', input: { ...common, ...input } })
  assert.deepEqual(answerTo({ platform: { type: 'AWS', aws: {} } }), sidecar({ cloud: 'AWS', region: '' }))
  assert.deepEqual(
    answerTo({ platform: { type: 'AWS', aws: { region: 'eu-west-1' } } }),
    sidecar({ cloud: 'AWS', region: 'eu-west-1' }),
  )
  assert.deepEqual(
    answerTo({ platform: { type: 'Azure', azure: {} } }),
    sidecar({ cloud: 'Azure', tenantId: '', azureCloud: 'AzurePublicCloud' }),
  )
  assert.deepEqual(
    answerTo({ platform: { type: 'Azure', azure: { tenantID, cloud: 'AzureChinaCloud' } } }),
    sidecar({ cloud: 'Azure', tenantId: tenantID, azureCloud: 'AzureChinaCloud' }),
  )
})

const noTenant = 'spec.platform.azure.tenantID is missing: write the tenant of the cluster'
const noCloud =
  'spec.platform.azure.cloud "Azure" is none that it knows: write one of AzurePublicCloud, AzureUSGovernmentCloud, AzureChinaCloud'

const starts: readonly (readonly [what: string, platform: object, trouble: string | undefined])[] = [
  ['of AWS', { type: 'AWS', aws: {} }, undefined],
  ['of Azure with its tenant', azure.platform, undefined],
  ['of Azure without a tenant', { type: 'Azure', azure: {} }, noTenant],
  ['of a cloud by its older name', { type: 'Azure', azure: { tenantID, cloud: 'AzureUSGovernment' } }, undefined],
  ['of a cloud in other letters', { type: 'Azure', azure: { tenantID, cloud: 'AZUREPUBLICCLOUD' } }, undefined],
  ['of an empty cloud', { type: 'Azure', azure: { tenantID, cloud: '' } }, undefined],
  ['of a cloud that it does not know', { type: 'Azure', azure: { tenantID, cloud: 'Azure' } }, noCloud],
]

for (const [what, platform, trouble] of starts)
  test(`a sidecar ${what} ${trouble === undefined ? 'starts' : 'cannot start, and why is told'} [S-33, 4.3]`, () => {
    const answer = answerTo({ platform })
    assert.ok(answer.kind === 'sidecar')
    assert.equal(startTrouble(answer.input), trouble)
  })
