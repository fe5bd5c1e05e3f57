// Which sidecar a control plane gets, by its platform alone (§4.3).
import { assertNever, memberAt } from '#base'
import type { ControlPlaneSpec, TlsProfile } from '../api/kinds.ts'
import type { SidecarCloud } from './provider.ts'
import { shapeTrouble } from './spec-shape.ts'
import { tlsTrouble } from './tls-profile.ts'

interface Common {
  /** Where the guest's API server listens in its own pod. */
  readonly port: number
  readonly tlsProfile: TlsProfile | undefined
}

export type SidecarInput =
  | (Common & { readonly cloud: 'AWS'; readonly region: string })
  | (Common & { readonly cloud: 'Azure'; readonly tenantId: string; readonly azureCloud: string })

export type PlatformAnswer =
  | { readonly kind: 'sidecar'; readonly input: SidecarInput }
  /** Nothing of ours belongs there. */
  | { readonly kind: 'none' }
  | { readonly kind: 'refused'; readonly reason: 'PlatformBlockMissing' | 'SpecUnusable'; readonly message: string }

const portDefault = 6_443
/** Upstream takes it for unset: it is the port under which the service is called, not that of the pod. */
const portOfServices = 443

export function platformOf(spec: ControlPlaneSpec | undefined, enabled: readonly SidecarCloud[]): PlatformAnswer {
  const type = memberAt(spec, 'platform', 'type')
  if (spec === undefined || typeof type !== 'string' || type === '') return missingPlatform
  const cloud = enabled.find(one => one === type)
  if (cloud === undefined) return { kind: 'none' }
  const trouble = shapeTrouble(spec)
  return trouble === undefined ? sidecarOf(cloud, spec) : unusable(trouble)
}

function sidecarOf(cloud: SidecarCloud, { platform, networking, configuration }: ControlPlaneSpec): PlatformAnswer {
  const { aws, azure } = platform
  const given = networking?.apiServer?.port ?? 0
  const port = given === 0 || given === portOfServices ? portDefault : given
  const tlsProfile = configuration?.apiServer?.tlsSecurityProfile ?? undefined
  const trouble = portTrouble(port) ?? tlsTrouble(tlsProfile)
  if (trouble !== undefined) return unusable(trouble)
  const common = { port, tlsProfile }
  switch (cloud) {
    case 'AWS':
      if (aws === undefined || aws === null) return missingAws
      return { kind: 'sidecar', input: { cloud, region: aws.region ?? '', ...common } }
    case 'Azure':
      if (azure === undefined || azure === null) return missingAzure
      return {
        kind: 'sidecar',
        input: { cloud, tenantId: azure.tenantID ?? '', azureCloud: azure.cloud ?? azureCloudDefault, ...common },
      }
    default:
      return assertNever(cloud)
  }
}

/** As the platform's own schema fills it in. */
const azureCloudDefault = 'AzurePublicCloud'

const missingPlatform: PlatformAnswer = missing('spec.platform.type is missing')
const missingAzure: PlatformAnswer = missing('azure platform type requires spec.platform.azure')
/** Upstream ends here; the words are those for Azure. */
const missingAws: PlatformAnswer = missing('aws platform type requires spec.platform.aws')

/** What ends in a script or in flags is what it is said to be, also where nothing checked the spec when it was stored. */
function portTrouble(port: unknown): string | undefined {
  if (Number.isInteger(port) && Number(port) > 0 && Number(port) < 65_536) return undefined
  return `spec.networking.apiServer.port ${JSON.stringify(port)} is no port: write a number from 1 to 65535`
}

function unusable(message: string): PlatformAnswer {
  return { kind: 'refused', reason: 'SpecUnusable', message }
}

function missing(message: string): PlatformAnswer {
  return { kind: 'refused', reason: 'PlatformBlockMissing', message }
}

/**
 * Why the sidecar of such a spec ends as soon as it starts. The platform renders it all the same, so it is not refused here: it is told, since
 * a pod of the API server with a container that never starts is never ready.
 */
export function startTrouble(input: SidecarInput): string | undefined {
  if (input.cloud === 'AWS') return undefined
  const { tenantId, azureCloud } = input
  if (tenantId === '') return 'spec.platform.azure.tenantID is missing: write the tenant of the cluster'
  if (azureCloud === '' || azureClouds.some(one => one.toLowerCase() === azureCloud.toLowerCase())) return undefined
  return `spec.platform.azure.cloud ${JSON.stringify(azureCloud)} is none that it knows: write one of ${azureClouds.slice(0, 3).join(', ')}`
}

/** First those that the platform has. One that a file describes is not here: the sidecar is given no such file. */
const azureClouds: readonly string[] = [
  'AzurePublicCloud',
  'AzureUSGovernmentCloud',
  'AzureChinaCloud',
  'AzureGermanCloud',
  'AzureCloud',
  'AzureUSGovernment',
]
