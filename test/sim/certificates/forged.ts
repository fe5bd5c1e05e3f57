// Certs into whose statuses and annotations somebody writes what is not so: a status as it was once, the status of another Cert, ARNs of a
// stranger, counters of any kind, an ARN to be adopted that nobody gave. Two ask for one name, objects are made again within a second, and
// somebody changes his mind every second. What must hold is what holds for Certs whose status is wiped.
import type { KubeObject } from '#kube'
import { type Cert, certKind } from '#operators/certificates'
import { annotations, type CertStatus } from '#operators/certificates/api'
import type { Deed, Effect, Subject, World } from '#simulator'
import {
  alternatives,
  certificatesSubject,
  change,
  deletesCertificate,
  fqdn,
  make,
  readyMeansIssued,
  remove,
  rotation,
  startWith,
  strangersArn,
  whenReady,
} from '../certificates.ts'
import { deed } from '../deeds.ts'
import { certNamed, meddledCertificatesSubject, noteForgotten, wipes } from './meddled.ts'

const root = '/apis/acm.ops.example.dev/v1/namespaces/default/certs'
const minuteMs = 60_000
const json = 'application/merge-patch+json'

interface Past {
  seen: number
  /** Every status that an object had, by its uid. */
  readonly statuses: Map<string, CertStatus[]>
}

const pasts = new WeakMap<World, Past>()

function statusesOf(world: World, uid: string): readonly CertStatus[] {
  const past = pasts.get(world) ?? { seen: 0, statuses: new Map<string, CertStatus[]>() }
  pasts.set(world, past)
  for (; past.seen < world.effects.length; past.seen++) {
    const object: KubeObject | undefined = world.effects[past.seen]?.after
    const status = object?.kind === 'Cert' ? (object as Cert).status : undefined
    if (status === undefined) continue
    const key = object?.metadata.uid ?? ''
    past.statuses.set(key, [...(past.statuses.get(key) ?? []), status])
  }
  return past.statuses.get(uid) ?? []
}

/** The whole status: what it has now and not in the other one goes. */
async function writeStatus(world: World, cert: Cert, status: object): Promise<void> {
  noteForgotten(world, cert)
  const gone = Object.fromEntries(Object.keys(cert.status ?? {}).map(key => [key, null]))
  await world.act('hub', 'PATCH', `${root}/${cert.metadata.name}/status`, { status: { ...gone, ...status } }, json)
}

/** A status as it was at this part of the object's life. */
function writesBack(name: string, part: number): Deed {
  return deed(`somebody writes back a status of ${name} from ${part} of its life`, `${root}/${name}`, undefined, async world => {
    const cert = certNamed(world, name)
    if (cert === undefined) return
    const statuses = statusesOf(world, cert.metadata.uid)
    const old = statuses[Math.floor(part * statuses.length)]
    if (old !== undefined) await writeStatus(world, cert, old)
  })
}

function borrows(name: string, other: string): Deed {
  return deed(`somebody writes the status of ${other} into ${name}`, `${root}/${name}`, undefined, async world => {
    const [cert, theirs] = [certNamed(world, name), certNamed(world, other)]
    if (cert === undefined || theirs?.status === undefined) return
    // Which generation was seen last is a number of the other object's own.
    const { observedGeneration: _seen, conditions: _said, ...status } = theirs.status
    await writeStatus(world, cert, status)
  })
}

/** Beside what the status says already. */
function forges(name: string, what: string, statusOf: (arn: string) => object): Deed {
  return deed(`somebody writes a stranger's certificate into ${name} as ${what}`, `${root}/${name}`, undefined, async world => {
    const cert = certNamed(world, name)
    if (cert === undefined) return
    noteForgotten(world, cert)
    await world.act('hub', 'PATCH', `${root}/${name}/status`, { status: statusOf(strangersArn) }, json)
    // Who begins to work after that believes what stands there, until another day or another spec has it look at the tags.
    world.parkDeed(change(name, { spec: { tags: { seen: what } } }, 10 * minuteMs))
  })
}

const forgeries = (name: string): readonly Deed[] => [
  forges(name, 'current', certificateArn => ({ certificateArn })),
  forges(name, 'current and ready', certificateArn => ({ certificateArn, certReady: true, state: 'Ready' })),
  forges(name, 'on its way', pendingCertificateArn => ({ pendingCertificateArn, state: 'Created' })),
  forges(name, 'replaced', arn => ({
    supersededCertificates: [{ arn, supersededAt: '2026-01-01T00:00:00Z', inUse: false }],
  })),
]

function notes(name: string, what: Readonly<Record<string, string>>): Deed {
  const { run, ...rest } = change(name, { metadata: { annotations: what } }, undefined)
  return { ...rest, label: `somebody writes the notes ${JSON.stringify(what)} on ${name}`, run }
}

/** A note that holds everything up until it is taken away. */
function notesForAWhile(name: string, note: string, value: string): Deed {
  return deed(`${name} has the note ${note} for a while`, `${root}/${name}`, undefined, async world => {
    await change(name, { metadata: { annotations: { [note]: value } } }, undefined).run(world)
    world.parkDeed(change(name, { metadata: { annotations: { [note]: null } } }, minuteMs))
  })
}

/** The stranger's own name is known only once the world is made. */
function adoptsAStranger(name: string): Deed {
  const label = `${name} is to adopt a stranger's certificate for a while`
  return deed(label, `${root}/${name}`, undefined, world => notesForAWhile(name, annotations.adopt, strangersArn).run(world))
}

/** Gone and there again before anybody could look; the name is free once the operator let go. */
function remakes(name: string): Deed {
  return deed(`${name} is deleted and made again at once`, `${root}/${name}`, undefined, async world => {
    const cert = certNamed(world, name)
    if (cert === undefined || cert.metadata.deletionTimestamp !== undefined) return
    await world.act('hub', 'DELETE', `${root}/${name}`)
    const object = { apiVersion: certKind.apiVersion, kind: 'Cert', metadata: { namespace: 'default', name }, spec: cert.spec }
    const again = async (): Promise<void> => {
      const { status } = await world.act('hub', 'POST', root, object)
      if (status === 409) world.parkDeed({ label: `make ${name} again`, afterMs: 500, run: again })
    }
    await again()
  })
}

const roundsMax = 20

/** Two people, or two programs, each of whom has the last word every second; one of them gives in. */
function edits(name: string, round = 0): Deed {
  const other = round % 2 === 0 ? 'mine' : 'yours'
  return deed(`${name} is edited to and fro, ${round}`, `${root}/${name}`, undefined, async world => {
    await change(name, alternatives('shared', other), undefined).run(world)
    if (round < roundsMax) world.parkDeed({ ...edits(name, round + 1), afterMs: 1_000 })
  })
}

/** S9, of what the operator comes to say: an absence that was seen once, and a finalizer, leave what a hand wrote a moment ago. */
function readyIsSaidOfTheIssued(effect: Effect, world: World): string | undefined {
  const saidIn = (object: KubeObject | undefined): string => {
    const { certReady, certificateArn } = (object as Cert | undefined)?.status ?? {}
    return `${certReady} ${certificateArn}`
  }
  return saidIn(effect.before) === saidIn(effect.after) ? undefined : readyMeansIssued(effect, world)
}

export const forgedCertificatesSubject: Subject = {
  ...meddledCertificatesSubject,
  name: 'certificates-forged',
  ...(certificatesSubject.cloud === undefined ? {} : { cloud: certificatesSubject.cloud }),
  start: process => startWith(process, {}),
  script: [
    { ...make('web', { subjectAlternativeNames: [fqdn('shared')], rotation }, 0), creates: true },
    { ...make('api', {}, 0), creates: true },
    make('rival', { domainName: fqdn('web-prod'), rotation }, 5_000),
    change('web', alternatives('shared', 'second'), 24_000),
    whenReady('api', change('api', alternatives('other'), 30_000)),
    remove('rival', 90_000),
  ],
  disturbances: [
    ...['web', 'api'].flatMap(name =>
      [
        writesBack(name, 0),
        writesBack(name, 0.3),
        writesBack(name, 0.6),
        writesBack(name, 0.9),
        borrows(name, name === 'web' ? 'api' : 'web'),
        ...forgeries(name),
        wipes(name, 'request'),
        notes(name, { [annotations.attempts]: '-7', [annotations.attemptsState]: 'Ready' }),
        notes(name, { [annotations.attempts]: '1e9', [annotations.attemptsState]: 'Nowhere' }),
        notesForAWhile(name, annotations.adopt, 'arn:aws:acm:eu-west-1:111122223333:certificate/nobody'),
        adoptsAStranger(name),
        notes(name, { [annotations.retry]: 'x', [annotations.renew]: 'x' }),
        notesForAWhile(name, annotations.paused, 'true'),
        edits(name),
      ].map(each => ({ ...each, fault: 'F18' as const })),
    ),
    { ...deed('somebody deletes the certificate of web', undefined, undefined, deletesCertificate('web')), fault: 'F23' },
    { ...change('web', { metadata: { finalizers: null } }, undefined), fault: 'F20' },
    { ...change('api', { metadata: { finalizers: null } }, undefined), fault: 'F20' },
    { ...remakes('web'), fault: 'F19' },
    { ...remakes('api'), fault: 'F19' },
    { ...remove('web', undefined), fault: 'F19' },
  ],
  reasons: [...meddledCertificatesSubject.reasons, 'Paused'],
  invariants: [
    ...meddledCertificatesSubject.invariants.filter(({ code }) => code !== 'S9'),
    { code: 'S9', check: readyIsSaidOfTheIssued },
  ],
}
