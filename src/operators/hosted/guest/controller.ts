// The half of a hosted control plane in its guest: what wakes it, and how the guest is reached.
import type { Clock } from '#base'
import { mutatingWebhookConfigurations, secrets } from '#kube'
import {
  type ActResult,
  type AnyController,
  defineController,
  foldOutcomes,
  type Report,
  type ReportInput,
  type Targets,
} from '#runtime'
import { guestCondition } from '../api/conditions.ts'
import { platformOf } from '../build/platform.ts'
import { allProviders } from '../build/provider.ts'
import { Contests } from '../contests.ts'
import { inNamespaceOf, planeSource, watchedSecrets } from '../control-plane/controller.ts'
import type { HostedSettings } from '../settings.ts'
import { decideGuest } from './decide.ts'
import type { Guests } from './guests.ts'
import { observeGuest } from './observe.ts'
import type { GuestAction, GuestPlaneSeen } from './seen.ts'

export const guestControllerName = 'hosted-guest'

export interface GuestControllerOptions {
  readonly settings: HostedSettings
  readonly guests: Guests
  readonly clock: Clock
}

/** Roles in guests are looked at and not watched. */
const lookEveryMs = 600_000

export function guestController({ settings, guests, clock }: GuestControllerOptions): AnyController {
  const contests = new Contests(clock)
  const planeOf = (cluster: string): Targets => [guests.keyOf(cluster) ?? []].flat()
  return defineController<GuestPlaneSeen, GuestAction>({
    name: guestControllerName,
    claims: planeSource(settings),
    watches: [
      inNamespaceOf(settings, secrets, watchedSecrets(settings)),
      {
        type: mutatingWebhookConfigurations,
        names: allProviders.map(({ configuration }) => configuration),
        on: 'targets',
        toClaims: (_object, _world, cluster) => planeOf(cluster),
      },
    ],
    toClaimsOfCluster: planeOf,
    toClaimsOfAway: planeOf,
    status: { kind: 'subresource', observedGeneration: false },
    summary: guestCondition,
    reconciler: {
      observe: (key, world, signal) => observeGuest(key, world, { settings, guests, contests }, signal),
      decide: decideGuest,
      act: action => carryOut(action, guests, contests),
      report: reportGuest,
    },
    workers: settings.workers,
    driftMs: lookEveryMs,
  })
}

async function carryOut(action: GuestAction, guests: Guests, contests: Contests): Promise<ActResult> {
  if (action.kind === 'act:note') contests.note(action.uid, action.wanted)
  else if (action.kind === 'act:leave') await guests.leave(action.cluster)
  else await guests.connect(action.key, action.plane, action.access)
  return { changed: false }
}

/** On a platform that gets no sidecar nothing is said, and what was said is taken back. */
function reportGuest(input: ReportInput<GuestAction> & { readonly seen: GuestPlaneSeen }): Report | undefined {
  const report = foldOutcomes(input)
  const { plane, settings } = input.seen
  if (report === undefined || plane === undefined || report.conditions.length > 0) return report
  const isForeign = platformOf(plane.spec, settings.platforms).kind === 'none'
  return isForeign ? { ...report, forgotten: [guestCondition] } : report
}
