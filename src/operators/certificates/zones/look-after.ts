// What is done about the zones beside the Certs: the file is read again, and Route 53 is asked what it has of each zone. Neither is ever
// needed by a pass, and what goes wrong is told and tried again.
import type { Clock, Log } from '#base'
import { type Companion, type Counter, pause } from '#runtime'
import type { CertificateCloud } from '../aws/cloud.ts'
import { faultOf } from '../aws/faults.ts'
import { normalName } from '../names/domain-name.ts'
import type { OpenZones } from './open-zones.ts'
import type { RegisteredZone, ZoneRegistry } from './registry.ts'

export interface FollowOptions {
  readonly open: OpenZones
  readonly clock: Clock
  readonly log: Log
  /** Counts readings that changed something, and those that failed. */
  readonly reloads?: Counter | undefined
}

export interface LookAfterOptions {
  readonly open: Pick<OpenZones, 'zones'>
  readonly cloud: Pick<CertificateCloud, 'zone'>
  readonly log: Log
}

/** A changed file counts within seconds, as people who change one expect. */
const fileMs = 10_000
/** Whether a zone is private hardly ever changes. */
const factsMs = 3_600_000

/** In every replica: those that do not lead judge Certs by the zones as well. */
export async function followZoneFile({ open, clock, log, reloads }: FollowOptions, signal: AbortSignal): Promise<void> {
  let told: string | undefined
  while (await pause(clock, fileMs, signal)) {
    try {
      if (await open.reload()) reloads?.add({ success: 'true' })
      told = undefined
    } catch (error) {
      // A file that cannot be is told once, and changes nothing.
      const message = error instanceof Error ? error.message : 'it failed'
      if (message === told) continue
      told = message
      reloads?.add({ success: 'false' })
      log.warn('the zone file is not taken; the zones stay as they are', { error: message })
    }
  }
}

/** Only where this process leads: nobody else calls AWS. */
export function zoneKeeper({ open, cloud, log }: LookAfterOptions): Companion {
  return {
    name: 'zones',
    run: async ({ clock }, signal) => {
      let askedMs = Number.NEGATIVE_INFINITY
      let asked: ZoneRegistry | undefined
      do {
        const { registry } = open.zones
        if (registry === asked && clock.monotonicMs() - askedMs < factsMs) continue
        ;[asked, askedMs] = [registry, clock.monotonicMs()]
        for (const zone of registry.zones) await ask(zone, { open, cloud, log }, signal)
      } while (await pause(clock, fileMs, signal))
    },
  }
}

async function ask(zone: RegisteredZone, { open, cloud, log }: LookAfterOptions, signal: AbortSignal): Promise<void> {
  try {
    const facts = await cloud.zone(zone, signal)
    open.zones.found(zone, facts)
    if (!facts.exists) log.warn('a configured zone does not exist in Route 53', { zone: zone.name })
    else if (facts.name !== undefined && normalName(facts.name) !== zone.name)
      log.warn('a configured zone has another name in Route 53', { zone: zone.name, found: facts.name })
  } catch (error) {
    if (faultOf(error)?.class === 'denied') open.zones.denied(zone)
    if (!signal.aborted) log.warn('a zone could not be looked at; it is tried again in an hour', { zone: zone.name })
  }
}
