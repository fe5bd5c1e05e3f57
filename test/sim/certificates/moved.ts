// Certs whose hosted zone moves: somebody empties and deletes it, makes another one of the same name a while later, and the configuration of those
// who run follows after that. Certs are asked for, changed and deleted meanwhile. What must hold is what holds where surroundings are meddled with.
import type { Deed, Subject, World } from '#simulator'
import {
  alternatives,
  certificatesSubject,
  change,
  fqdn,
  make,
  recordsOf,
  region,
  remove,
  rotation,
  startWith,
  whenReady,
  zoneId,
  zoneName,
} from '../certificates.ts'
import { deed } from '../deeds.ts'
import { configure, markAway, meddledCertificatesSubject, zonesOf } from './meddled.ts'

const secondMs = 1_000
const movedTo = new WeakMap<World, string>()
const idIn = (world: World): string => movedTo.get(world) ?? zoneId

const route53 = (world: World, operation: string, input: Readonly<Record<string, unknown>>): ReturnType<World['actInCloud']> =>
  world.actInCloud({ service: 'route53', operation, input, region })

/** What a process that begins is told may be late as well. */
const roundsMax = 24

function follows(round = 0): Deed {
  return deed(`the configuration names the zone of now (${round})`, undefined, 10 * secondMs, async world => {
    configure(world, [zoneName], idIn(world))
    if (round < roundsMax) world.parkDeed(follows(round + 1))
  })
}

const remade: Deed = deed('the zone is made again', undefined, 20 * secondMs, async world => {
  const reply = await route53(world, 'CreateHostedZone', { Name: zoneName, CallerReference: `moved at ${world.scheduler.nowMs}` })
  const { Id } = (reply as { readonly HostedZone: { readonly Id: string } }).HostedZone
  movedTo.set(world, Id.replace('/hostedzone/', ''))
  world.parkDeed(follows())
})

/** A record that comes in between keeps the zone: it is emptied once more. */
async function deletesZone(world: World): Promise<void> {
  const HostedZoneId = idIn(world)
  for (const { metadata, spec } of recordsOf(world)) {
    if (metadata.name?.startsWith(`${HostedZoneId}/`) !== true) continue
    const ChangeBatch = { Changes: [{ Action: 'DELETE', ResourceRecordSet: spec }] }
    await route53(world, 'ChangeResourceRecordSets', { HostedZoneId, ChangeBatch }).catch(() => undefined)
  }
  const isDeleted = await route53(world, 'DeleteHostedZone', { Id: HostedZoneId }).then(
    () => true,
    () => false,
  )
  world.parkDeed(isDeleted ? remade : { label: 'the zone is emptied again', afterMs: secondMs, run: deletesZone })
}

/** Once in a run: the next one would find a zone that is on its way. */
function moves(afterMs: number | undefined): Deed {
  return deed('the zone moves', undefined, afterMs, async world => {
    if (movedTo.has(world)) return
    movedTo.set(world, zoneId)
    markAway(world)
    await deletesZone(world)
  })
}

export const movedCertificatesSubject: Subject = {
  ...certificatesSubject,
  name: 'certificates-moved',
  start: process => startWith(process, { zonesOf: zones => void zonesOf.set(process.signal, zones) }),
  script: [
    { ...make('web', { subjectAlternativeNames: [fqdn('shared')], rotation }, 0), creates: true },
    { ...make('api', {}, 0), creates: true },
    make('twin', { subjectAlternativeNames: [fqdn('shared')] }, secondMs),
    change('web', alternatives('shared', 'second'), 24 * secondMs),
    moves(40 * secondMs),
    make('late', {}, 45 * secondMs),
    remove('api', 50 * secondMs),
    whenReady('twin', remove('twin', 100 * secondMs)),
  ],
  disturbances: [
    { ...moves(undefined), fault: 'F23' },
    { ...change('web', alternatives('shared', 'third'), undefined), fault: 'F18' },
    { ...remove('web', undefined), fault: 'F19' },
    { ...remove('api', undefined), fault: 'F19' },
    { ...change('web', { metadata: { finalizers: null } }, undefined), fault: 'F20' },
  ],
  // Whether a record was listed for the zone before depends on when that moved.
  madeOfUids: new RegExp(`${certificatesSubject.madeOfUids?.source}|"validationRecords":\\[(?:[^[\\]]|\\[[^\\]]*\\])*\\]`, 'g'),
  invariants: meddledCertificatesSubject.invariants,
  unfinished: world => meddledCertificatesSubject.unfinished?.(world),
}
