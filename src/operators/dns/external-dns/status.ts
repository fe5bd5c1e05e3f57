// The rest of the status of one ExternalDNS.
import { given } from '#base'
import { firstMetricsPort } from '../operand/arguments.ts'
import type { Deployment } from '../operand/deployment.ts'
import { effectiveZones } from '../zones/effective.ts'
import type { DnsSeen } from './seen.ts'

export function sayStatus(seen: DnsSeen, wanted: Deployment | undefined, isHeld: boolean): Readonly<Record<string, unknown>> {
  const { operand, preflight, dns } = seen
  const zones = effectiveZones(seen)
  return {
    zones: zones.length === 0 ? undefined : sameSet(zones, dns.status?.zones) ? dns.status?.zones : zones,
    ...(isHeld || wanted === undefined ? {} : { operand: operandStatus(wanted) }),
    ...(operand === undefined ? {} : { lastError: operand.lastError }),
    ...(preflight === undefined ? {} : { aws: awsStatus(seen) }),
  }
}

/** Another order is no other status. */
function sameSet(zones: readonly string[], held: readonly string[] = []): boolean {
  return JSON.stringify([...zones].sort()) === JSON.stringify([...held].sort())
}

function operandStatus({ metadata, spec }: Deployment): object {
  const { containers } = spec.template.spec
  const argument = (args: readonly string[] | undefined, name: string): string =>
    args?.find(text => text.startsWith(`--${name}=`))?.slice(name.length + 3) ?? ''
  return {
    deployment: metadata.name,
    image: containers[0]?.image,
    ownerID: argument(containers[0]?.args, 'txt-owner-id'),
    containers: containers.map(({ name, args }, index) => ({
      zone: argument(args, 'zone-id-filter'),
      name,
      metricsPort: firstMetricsPort + index,
    })),
  }
}

function awsStatus({ preflight, dns }: DnsSeen): object | undefined {
  const { callerArnHash, assumedRole } = preflight ?? {}
  const said = {
    ...given({ callerArnHash, assumedRole }),
    ...(dns.status?.aws?.lastPreflight === undefined ? {} : { lastPreflight: dns.status.aws.lastPreflight }),
  }
  return Object.keys(said).length === 0 ? undefined : said
}
