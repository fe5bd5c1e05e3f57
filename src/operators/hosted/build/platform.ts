// Which sidecar a control plane gets, by its platform alone (§4.3).
import { assertNever } from '#base'
import type { ControlPlaneSpec, TlsProfile } from '../api/kinds.ts'
import type { SidecarCloud } from './provider.ts'
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

export function platformOf(spec: ControlPlaneSpec, enabled: readonly SidecarCloud[]): PlatformAnswer {
  const { type, aws, azure } = spec.platform
  const cloud = enabled.find(one => one === type)
  if (cloud === undefined) return { kind: 'none' }
  const { port: given } = spec.networking?.apiServer ?? {}
  const port = given === undefined || given === 0 || given === portOfServices ? portDefault : given
  const tlsProfile = spec.configuration?.apiServer?.tlsSecurityProfile ?? undefined
  const unusable = portTrouble(port) ?? tlsTrouble(tlsProfile)
  if (unusable !== undefined) return { kind: 'refused', reason: 'SpecUnusable', message: unusable }
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

const missingAzure: PlatformAnswer = missing('azure platform type requires spec.platform.azure')
/** Upstream ends here; the words are those for Azure. */
const missingAws: PlatformAnswer = missing('aws platform type requires spec.platform.aws')

/** What ends in a script or in flags is what it is said to be, also where nothing checked the spec when it was stored. */
function portTrouble(port: unknown): string | undefined {
  if (Number.isInteger(port) && Number(port) > 0 && Number(port) < 65_536) return undefined
  return `spec.networking.apiServer.port ${JSON.stringify(port)} is no port: write a number from 1 to 65535`
}

function missing(message: string): PlatformAnswer {
  return { kind: 'refused', reason: 'PlatformBlockMissing', message }
}
