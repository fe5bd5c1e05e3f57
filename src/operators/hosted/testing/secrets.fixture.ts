// A control plane with its two authorities, and the Secrets that its sidecars have, as an API server holds them.
import assert from 'node:assert/strict'
import { type DrawnKey, type Instant, seededRandom } from '#base'
import type { StoredObject } from '#kube'
import { type ControlPlane, type ControlPlaneSpec, controlPlaneKind } from '../api/kinds.ts'
import { type Authority, type PlatformSecret, readAuthority } from '../build/authority.ts'
import { ourChoices } from '../build/choices.ts'
import { platformOf } from '../build/platform.ts'
import type { SidecarCloud } from '../build/provider.ts'
import { kubeconfigSecret, type SecretNeeds, type SecretPlan, servingSecret } from '../build/secrets.ts'
import { authoritySecret, testAuthority, testKeys } from './authorities.fixture.ts'

export const now: Instant = Date.parse('2026-06-01T00:00:00Z')

export function planeWith(spec: unknown, metadata: object = {}): ControlPlane {
  const made = controlPlaneKind.make({ namespace: 'hcp-namespace', name: 'hcp' }, spec)
  return { ...made, metadata: { ...made.metadata, uid: 'u-1', resourceVersion: '1', ...metadata } } as ControlPlane
}

export const specOf = (cloud: SidecarCloud): ControlPlaneSpec => ({
  platform: { type: cloud, aws: { region: 'r' }, azure: { tenantID: 't' } },
})

export const owner: ControlPlane = planeWith(specOf('AWS'))

export function stored<T extends PlatformSecret>(secret: T, metadata: object = {}): T & StoredObject {
  const { name = '' } = secret.metadata
  return { ...secret, metadata: { uid: `uid of ${name}`, resourceVersion: '1', ...secret.metadata, name, ...metadata } }
}

/** `which` as in `testAuthority`. */
export function storedAuthority(name: string, which: number): PlatformSecret & StoredObject {
  return stored(authoritySecret('hcp-namespace', name, testAuthority(name, which)) as PlatformSecret)
}

export function authority(name: string, which: number): Authority {
  const read = readAuthority(storedAuthority(name, which), now)
  assert.ok(typeof read !== 'string')
  return read
}

export interface PlansWith {
  readonly choices?: SecretNeeds['choices']
  readonly root?: number
  readonly signer?: number
}

export function plansOf(
  cloud: SidecarCloud,
  { choices = ourChoices, root = 0, signer = 1 }: PlansWith = {},
): readonly [serving: SecretPlan, kubeconfig: SecretPlan] {
  const answer = platformOf(specOf(cloud), ['AWS', 'Azure'])
  assert.ok(answer.kind === 'sidecar')
  const [rootCa, clusterSigner] = [authority('root-ca', root), authority('cluster-signer-ca', signer)]
  const needs = { input: answer.input, owner, rootCa, clusterSigner, choices }
  return [servingSecret(needs), kubeconfigSecret(needs)]
}

export async function drawnKey(): Promise<DrawnKey> {
  return { key: await testKeys().generateRsa(2_048), serial: seededRandom(1).bytes(16) }
}
