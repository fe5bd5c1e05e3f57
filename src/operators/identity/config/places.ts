// Where what belongs to a Config stands, or is to stand: its runtime, its provider, its bucket and its issuer.
import { type OperatorConfig, type WorkloadIdentityConfig } from '../api/kinds.ts'
import { labels as labelNames } from '../api/labels.ts'
import { bucketKind, type ChildKind, providerKind } from '../children/kinds.ts'
import type { WantedPlace } from '../children/writer.ts'
import { issuerUrl, normalizeIssuerUrl, selfHostedHostPath } from '../documents/issuer.ts'
import { bucketName, oidcProviderName } from '../names.ts'

/** Where the runtime is, or is to be. */
export function runtimeNamespaceOf(
  config: WorkloadIdentityConfig,
  operatorConfig: OperatorConfig | undefined,
): string | undefined {
  return config.status?.webhookRuntimeNamespace ?? operatorConfig?.spec.selfHostedIRSA?.webhookNamespace
}

/** The provider and the issuer that it is for; without a readable issuer there is none. */
export function providerPlace(config: WorkloadIdentityConfig, bucketSalt?: string): WantedPlace {
  const { namespace = '' } = config.metadata
  const { type, region, eksIRSA } = config.spec
  const hostPath = type === 'SelfHostedIRSA' ? selfHostedHostPath(bucketOf(config, bucketSalt), region) : managedHostPath(eksIRSA)
  return {
    ...placeOf(config, providerKind, oidcProviderName(namespace)),
    ...(hostPath === undefined ? {} : { identity: issuerUrl(hostPath) }),
  }
}

export function bucketPlace(config: WorkloadIdentityConfig, name: string): WantedPlace {
  return { ...placeOf(config, bucketKind, name), region: config.spec.region }
}

/** The name on record stays, whatever the salt is now: the issuer's URL holds it, and API servers and providers hold the URL. */
export function bucketOf({ metadata, spec, status }: WorkloadIdentityConfig, salt: string | undefined): string {
  return status?.selfHostedIssuer?.bucketName ?? bucketName(metadata.namespace ?? '', spec.region, salt)
}

function placeOf(config: WorkloadIdentityConfig, kind: ChildKind, name: string): WantedPlace {
  const key = { namespace: config.metadata.namespace ?? '', name }
  return { kind, key, parent: { object: config, uidLabel: labelNames.configUid } }
}

function managedHostPath(eksIRSA: WorkloadIdentityConfig['spec']['eksIRSA']): string | undefined {
  if (eksIRSA === undefined || eksIRSA.oidcProvider.management !== 'Managed') return undefined
  const location = normalizeIssuerUrl(eksIRSA.issuerURL)
  return location.ok ? location.hostPath : undefined
}

/** The URL under which API servers and providers know the issuer of the Config. */
export function issuerUrlOf(config: WorkloadIdentityConfig, salt: string | undefined): string {
  return issuerUrl(selfHostedHostPath(bucketOf(config, salt), config.spec.region))
}
