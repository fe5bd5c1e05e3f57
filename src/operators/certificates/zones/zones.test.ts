// Zones of a file, and what becomes of the Certs when Route 53 says that one is private.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualClock, silentLog } from '#base'
import { Metrics } from '#runtime'
import type { ZoneFacts } from '../aws/cloud.ts'
import { followZoneFile, zoneKeeper } from './look-after.ts'
import { openZones } from './open-zones.ts'
import { ZoneError } from './parse-zones.ts'
import { parseZoneFile } from './zone-file.ts'

const wrong: readonly (readonly [text: string, why: RegExp])[] = [
  ['zones: 1', /no list of zones/],
  ['- 1', /zone 1 is no object/],
  ['- {name: a.b, id: Z1, other: 1}', /the key "other", which means nothing/],
  ['- {name: a.b, id: Z1, private: 1}', /private is true or false/],
  ['- {name: a.b, id: Z1, assumeRoleArn: x}', /assumeRoleArn is no ARN of a role/],
  ['- &a {name: a.b, id: Z1}', /anchors and aliases are not taken/],
  [': : :', /this is no YAML|no list of zones/],
]

for (const [text, why] of wrong)
  test(`the zone file ${JSON.stringify(text)} is refused in one line [5.2]`, () => {
    assert.throws(
      () => parseZoneFile(text, 'zones.yaml'),
      (error: unknown) => error instanceof ZoneError && why.test(error.message),
    )
  })

test('a zone of the file has what a flag cannot say [5.2]', () => {
  const text =
    'zones:\n- {name: Example.org., id: /hostedzone/Z2, assumeRoleArn: "arn:aws:iam::111122223333:role/dns", externalId: x, private: false}\n'
  assert.deepEqual(parseZoneFile(text, 'zones.yaml'), [
    { name: 'example.org', id: 'Z2', assumeRoleArn: 'arn:aws:iam::111122223333:role/dns', externalId: 'x', private: false },
  ])
})

test('a changed file counts within seconds, a wrong one changes nothing, and a private zone is known [5.2]', async () => {
  const clock = new ManualClock()
  let text = '- {name: example.org, id: Z2}'
  const files = { read: () => Promise.resolve(new TextEncoder().encode(text)) }
  const open = await openZones(
    { zones: [{ name: 'a.b', id: 'Z1' }], file: 'zones.yaml' },
    { files: files as never, log: silentLog },
  )
  const asked: string[] = []
  const cloud = {
    zone: (zone: { readonly id: string; readonly name: string }): Promise<ZoneFacts> => {
      asked.push(zone.id)
      return Promise.resolve({ exists: true, name: zone.name, isPrivate: zone.id === 'Z3' })
    },
  }
  const stop = new AbortController()
  const metrics = new Metrics()
  const reloads = metrics.counter('reloads', 'Of the file.')
  const running = Promise.all([
    zoneKeeper({ open, cloud, log: silentLog }).run({ clock } as never, stop.signal),
    followZoneFile({ open, clock, log: silentLog, reloads }, stop.signal),
  ])
  const ids = (): readonly string[] => open.zones.registry.zones.map(({ id }) => id)
  await clock.advance(11_000)
  assert.deepEqual(
    [ids(), asked],
    [
      ['Z1', 'Z2'],
      ['Z1', 'Z2'],
    ],
  )
  text = '- {name: example.org, id: Z3}'
  await clock.advance(21_000)
  assert.deepEqual([ids(), [...open.zones.privateIds]], [['Z1', 'Z3'], ['Z3']])
  text = '- nonsense'
  await clock.advance(31_000)
  assert.deepEqual(ids(), ['Z1', 'Z3'])
  assert.deepEqual([reloads.value({ success: 'true' }), reloads.value({ success: 'false' })], [1, 1])
  stop.abort()
  await clock.advance(11_000)
  await running
})
