// Reads what a decision about the half in the guest rests on: the platform's Secrets here, and three objects there. Roles are read from the
// guest itself: they change so seldom that a watch on each of hundreds of guests would be dearer.
import { asAway, seeTarget } from '#fleet'
import { clusterRoleBindings, clusterRoles, mutatingWebhookConfigurations, secrets } from '#kube'
import type { ClaimKey, Reads } from '#runtime'
import { type ControlPlane, controlPlaneKind } from '../api/kinds.ts'
import { rootCaName } from '../api/names.ts'
import type { PlatformSecret } from '../build/authority.ts'
import type { GuestBinding, GuestConfiguration, GuestRole } from '../build/guest-objects.ts'
import { platformOf } from '../build/platform.ts'
import { providers, type SidecarProvider } from '../build/provider.ts'
import type { Contests } from '../contests.ts'
import type { HostedSettings } from '../settings.ts'
import { readGuestAccess } from './access.ts'
import { type Guests, guestNameOf } from './guests.ts'
import type { GuestPlaneSeen, GuestSeen } from './seen.ts'

export interface GuestObserving {
  readonly settings: HostedSettings
  readonly guests: Guests
  readonly contests: Contests
}

export async function observeGuest(
  key: ClaimKey,
  world: Reads,
  { settings, guests, contests }: GuestObserving,
  signal: AbortSignal,
): Promise<GuestPlaneSeen> {
  const { namespace } = key
  const plane = world.find<ControlPlane>(controlPlaneKind.type, key)
  const secret = (name: string): PlatformSecret | undefined => world.find<PlatformSecret>(secrets, { namespace, name })
  const way = secret(settings.guestKubeconfig)
  const access = way === undefined ? undefined : readGuestAccess(way, namespace)
  const cluster = guestNameOf(key)
  const isConnected = access?.kind === 'access' && guests.isConnected(cluster, access.fingerprint)
  const provider = plane === undefined ? undefined : providerOf(plane, settings)
  const guest: GuestSeen =
    provider === undefined || !isConnected
      ? { kind: 'unknown', message: 'the guest is not connected', lookAgainMs: 0 }
      : await lookIntoGuest({ world, cluster, guests, provider }, signal)
  return {
    key,
    cluster,
    plane,
    settings,
    rootCa: secret(rootCaName),
    serving: provider === undefined ? undefined : secret(provider.servingSecret),
    access,
    isConnected,
    isMember: guests.keyOf(cluster) !== undefined,
    guest,
    heldUntil: wanted => contests.heldUntil(plane?.metadata.uid ?? '', wanted),
  }
}

function providerOf({ spec }: ControlPlane, settings: HostedSettings): SidecarProvider | undefined {
  const platform = platformOf(spec, settings.platforms)
  return platform.kind === 'sidecar' ? providers[platform.input.cloud] : undefined
}

interface GuestLook {
  readonly world: Reads
  readonly cluster: string
  readonly guests: Guests
  readonly provider: SidecarProvider
}

async function lookIntoGuest({ world, cluster, guests, provider }: GuestLook, signal: AbortSignal): Promise<GuestSeen> {
  const target = seeTarget(world, { cluster, types: [mutatingWebhookConfigurations] }, guests)
  if (target.kind !== 'reachable') return target
  const { reads } = target
  const named = { namespace: '', name: provider.name }
  try {
    return {
      kind: 'reachable',
      held: {
        role: await reads.read<GuestRole>(clusterRoles, named, signal),
        binding: await reads.read<GuestBinding>(clusterRoleBindings, named, signal),
        configuration: reads.find<GuestConfiguration>(mutatingWebhookConfigurations, {
          namespace: '',
          name: provider.configuration,
        }),
      },
    }
  } catch (error) {
    signal.throwIfAborted()
    return asAway(error, cluster)
  }
}
