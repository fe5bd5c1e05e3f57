// Zones in which nobody sees a record, in words.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { certSeen, primary, recordSeen, type SeenOptions, zone } from '../../testing/cert-seen.fixture.ts'
import { astrayIn, zoneGoneIn, zoneHiddenIn } from './astray.ts'
import { sight } from './decide.ts'

const other = { name: 'other.dev', id: 'Z2' }
const past = { name: other.name, servers: ['ns.else.net'], own: ['ns.own.net'] }

test('the first record that the DNS leads past is told, with its zone [8.1]', () => {
  assert.equal(astrayIn({ records: [] }), undefined)
  assert.equal(astrayIn({ records: [recordSeen()] }), undefined)
  const records = [recordSeen(), recordSeen({ zone: other, astray: past }), recordSeen({ astray: { ...past, name: zone.name } })]
  assert.match(astrayIn({ records }) ?? '', /^the records stand in the hosted zone Z2 of "other.dev".*ns\.else\.net/)
})

test('the first zone that is gone is told [7.4 #22]', () => {
  const standing = { kind: 'zone-gone' } as const
  assert.equal(zoneGoneIn({ records: [recordSeen(), recordSeen({ standing: { kind: 'absent' } })] }), undefined)
  const records = [recordSeen(), recordSeen({ zone: other, standing }), recordSeen({ standing })]
  assert.equal(zoneGoneIn({ records }), 'the hosted zone of "other.dev" does not exist in Route 53')
})

test('the first name whose zone is private is told, and none where nothing is to be proven [7.4 #8]', () => {
  const hidden = (more: SeenOptions): string | undefined => zoneHiddenIn(sight(certSeen(more)) ?? assert.fail())
  const privateZones = new Set(['Z2'])
  const spec = { subjectAlternativeNames: ['a.other.dev', 'b.other.dev', 'c.nowhere.org'] }
  const zones = [zone, other]
  const words = (name: string): string => `the zone of "${name}" is private: nobody outside sees a validation record in it`
  assert.equal(hidden({ spec, zones }), undefined)
  assert.equal(hidden({ spec, zones, privateZones }), words('a.other.dev'))
  assert.equal(hidden({ spec, zones, privateZones: new Set(['Z1', 'Z2']) }), words(primary))
  const issuer = { type: 'PrivateCA', certificateAuthorityArn: 'arn:ca' } as const
  assert.equal(hidden({ spec: { ...spec, issuer }, zones, privateZones }), undefined)
})
