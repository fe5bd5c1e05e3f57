// Certs whose specs are edited in all that they ask for, to and fro, while looks and writes are refused and passes are paused: what is Ready has
// the names of its generation, and its tags and its option too.
import { annotations, type Cert } from '#operators/certificates/api'
import type { Deed, Effect, Subject, World } from '#simulator'
import {
  alternatives,
  arnOf,
  certificatesOf,
  certificatesSubject,
  change,
  conditionOf,
  fqdn,
  make,
  remove,
  rotation,
  whenReady,
} from '../certificates.ts'
import { deed } from '../deeds.ts'
import { certAt, meddledCertificatesSubject } from './meddled.ts'

const root = '/apis/acm.ops.example.dev/v1/namespaces/default/certs'
const minuteMs = 60_000

/** Two edits, the second one soon after the first. */
function changesTwice(name: string, [first, second]: readonly [object, object], betweenMs: number, afterMs?: number): Deed {
  const label = `${name} is edited and soon edited again: ${JSON.stringify([first, second])}`
  return deed(label, `${root}/${name}`, afterMs, async world => {
    await change(name, first, undefined).run(world)
    world.parkDeed(change(name, second, betweenMs))
  })
}

function pauses(name: string, forMs: number, afterMs?: number): Deed {
  return deed(`${name} is paused for ${forMs} ms`, `${root}/${name}`, afterMs, async world => {
    await change(name, { metadata: { annotations: { [annotations.paused]: 'true' } } }, undefined).run(world)
    world.parkDeed(change(name, { metadata: { annotations: { [annotations.paused]: null } } }, forMs))
  })
}

const tagged = (tags: object | null): object => ({ spec: { tags } })
const both = (one: object, other: object): object => ({
  spec: { ...Reflect.get(one, 'spec'), ...Reflect.get(other, 'spec') },
})

const editsOf = (name: string): readonly Deed[] => [
  change(name, tagged({ team: 'shop' }), undefined),
  change(name, tagged({ cost: 'web' }), undefined),
  change(name, tagged(null), undefined),
  change(name, { spec: { transparencyLogging: 'Disabled' } }, undefined),
  change(name, { spec: { transparencyLogging: 'Enabled' } }, undefined),
  change(name, both(alternatives('third'), tagged({ team: 'shop' })), undefined),
  changesTwice(name, [alternatives('fourth'), both(alternatives('shared'), tagged({ cost: 'back' }))], 2_000),
  changesTwice(name, [alternatives('fifth'), both(alternatives(), tagged({ cost: 'back' }))], 8_000),
  changesTwice(name, [tagged({ team: 'a' }), tagged({ team: 'b', cost: 'c' })], 500),
  pauses(name, 5_000),
  pauses(name, minuteMs),
  change(name, { metadata: { annotations: { [annotations.renew]: 'now' } } }, undefined),
]

export const editedCertificatesSubject: Subject = {
  ...meddledCertificatesSubject,
  name: 'certificates-edited',
  script: [
    { ...make('web', { subjectAlternativeNames: [fqdn('shared')], tags: { team: 'web' }, rotation }, 0), creates: true },
    { ...make('api', { rotation }, 0), creates: true },
    changesTwice(
      'web',
      [alternatives('shared', 'second'), both(alternatives('shared'), tagged({ cost: 'back' }))],
      2_000,
      24_000,
    ),
    change('web', tagged({ cost: 'more' }), 35_000),
    pauses('web', 5_000, 36_000),
    change('web', tagged({ team: 'x', cost: 'more' }), 38_000),
    change('web', { spec: { transparencyLogging: 'Disabled' } }, 42_000),
    changesTwice('web', [alternatives('shared', 'third'), both(alternatives('shared'), tagged({ cost: 'less' }))], 8_000, 50_000),
    whenReady('api', changesTwice('api', [tagged({ team: 'a' }), tagged({ team: 'b' })], 500, 2_000)),
    whenReady('api', pauses('api', 5_000, 3_000)),
    whenReady('api', changesTwice('api', [alternatives('more'), both(alternatives(), tagged({ team: 'c' }))], 3_000, 15_000)),
    ...['web', 'api'].map(name => whenReady(name, remove(name, 4 * minuteMs))),
  ],
  disturbances: [
    ...['web', 'api'].flatMap(name => editsOf(name).map(each => ({ ...each, fault: 'F18' as const }))),
    { ...remove('api', undefined), fault: 'F19' },
  ],
  reasons: [...certificatesSubject.reasons, 'Paused'],
  invariants: [...meddledCertificatesSubject.invariants, { code: 'S27', check: readyHasAllOfItsSpec }],
}

/** S27: at the moment when it is first said, Ready is true of the tags and the option of that generation. */
function readyHasAllOfItsSpec({ by, before, after, subresource }: Effect, world: World): string | undefined {
  if (by === 'user' || after?.kind !== 'Cert' || subresource !== 'status') return undefined
  const [cert, earlier] = [after as Cert, before as Cert | undefined]
  const [said, was] = [conditionOf(cert, 'Ready'), earlier === undefined ? undefined : conditionOf(earlier, 'Ready')]
  if (said?.status !== 'True' || (was?.status === 'True' && was.observedGeneration === said.observedGeneration)) return undefined
  const made = certificatesOf(world).find(({ metadata }) => arnOf(metadata.name ?? '') === cert.status?.certificateArn)
  if (made === undefined) return undefined
  const { tags, transparencyLogging } = certAt(world, cert, said.observedGeneration).spec
  const missing = Object.entries(tags).filter(([key, value]) => made.metadata.labels?.[key] !== value)
  const isLoggedAsAsked = made.spec['transparencyLogging'] === transparencyLogging.toUpperCase()
  const told = `${cert.metadata.name} is Ready for generation ${said.observedGeneration}`
  if (missing.length > 0) return `${told} without the tags ${JSON.stringify(missing)}`
  return isLoggedAsAsked ? undefined : `${told}, and its logging is not ${transparencyLogging}`
}
