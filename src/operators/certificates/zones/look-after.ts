// What is done about the zones beside the Certs: the file is read again, and Route 53 is asked what it has of each zone. Neither is ever
// needed by a pass, and what goes wrong is told and tried again.
import type { Log } from '#base'
import type { Companion } from '#runtime'
import type { CertificateCloud } from '../aws/cloud.ts'
import { normalName } from '../names/domain-name.ts'
import type { OpenZones } from './open-zones.ts'
import type { RegisteredZone } from './registry.ts'

export interface LookAfterOptions {
  readonly open: OpenZones
  readonly cloud: Pick<CertificateCloud, 'zone'>
  readonly log: Log
}

/** A changed file counts within seconds, as people who change one expect. */
const fileMs = 10_000
/** Whether a zone is private hardly ever changes. */
const factsMs = 3_600_000

export function zoneKeeper({ open, cloud, log }: LookAfterOptions): Companion {
  return {
    name: 'zones',
    run: async ({ clock }, signal) => {
      let askedMs = Number.NEGATIVE_INFINITY
      while (!signal.aborted) {
        const isChanged = await reloaded(open, log)
        if (isChanged || clock.monotonicMs() - askedMs >= factsMs) {
          askedMs = clock.monotonicMs()
          for (const zone of open.zones.registry.zones) await ask(zone, { open, cloud, log }, signal)
        }
        await clock.sleep(fileMs, signal).catch(() => {})
      }
    },
  }
}

/** A file that cannot be is told, and changes nothing. */
async function reloaded(open: OpenZones, log: Log): Promise<boolean> {
  try {
    return await open.reload()
  } catch (error) {
    log.warn('the zone file is not taken; the zones stay as they are', { error: error instanceof Error ? error.message : '' })
    return false
  }
}

async function ask(zone: RegisteredZone, { open, cloud, log }: LookAfterOptions, signal: AbortSignal): Promise<void> {
  try {
    const facts = await cloud.zone(zone, signal)
    open.zones.found(zone, facts)
    if (!facts.exists) log.warn('a configured zone does not exist in Route 53', { zone: zone.name })
    else if (facts.name !== undefined && normalName(facts.name) !== zone.name)
      log.warn('a configured zone has another name in Route 53', { zone: zone.name, found: facts.name })
  } catch {
    if (!signal.aborted) log.warn('a zone could not be looked at; it is tried again in an hour', { zone: zone.name })
  }
}
