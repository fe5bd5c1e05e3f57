// Which validation records a certificate asks for, and where they stand.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CloudCertificate, DomainProof } from '../aws/certificate.ts'
import { wantedOf } from '../names/wanted.ts'
import { certificate, certSpec, zone } from '../testing/cert-seen.fixture.ts'
import { recordsOf } from './asked-records.ts'

const inner = { name: `inner.${zone.name}`, id: 'Z2' }
const registry = { zones: [zone, inner] }
const proof = (domain: string, name: string, status = 'PENDING_VALIDATION'): DomainProof => ({
  domain,
  status,
  record: { name: `${name}.`, type: 'CNAME', value: `${name}-value` },
})

const asked = (validations: readonly DomainProof[], more: Partial<CloudCertificate> = {}, spec = certSpec()) =>
  recordsOf(certificate({ validations, ...more }), wantedOf(spec, registry), registry).map(each => [
    each.name,
    each.zone.id,
    each.domains.join(),
    each.domainStatus,
  ])

const [a, b, wildcard] = [`a.${zone.name}`, `b.${inner.name}`, `*.a.${zone.name}`]

test('each name has its record in its zone, and a wildcard shares that of its base [8.1]', () => {
  assert.deepEqual(asked([proof(a, '_1'), proof(b, '_2'), proof(wildcard, '_1', 'SUCCESS')]), [
    ['_1', 'Z1', `${a},${wildcard}`, 'PENDING_VALIDATION'],
    ['_2', 'Z2', b, 'PENDING_VALIDATION'],
  ])
})

test('the zone that the spec chose for a name is that of its record [8.1]', () => {
  const spec = certSpec({ domainName: b, dnsZone: { id: zone.id } })
  assert.deepEqual(asked([proof(b, '_1')], {}, spec), [['_1', 'Z1', b, 'PENDING_VALIDATION']])
})

test('what has no record yet, or no zone, asks for none [8.1]', () => {
  assert.deepEqual(asked([{ domain: a, status: 'PENDING_VALIDATION' }, proof('x.other.org', '_3')]), [])
})

test('while it is renewed the records of the renewal count, once ACM tells them [8.5]', () => {
  const renewal = (validations: readonly DomainProof[]) => ({ renewal: { status: 'PENDING_VALIDATION', validations } })
  const names = (more: Partial<CloudCertificate>) => asked([proof(a, '_1')], more).map(([name]) => name)
  assert.deepEqual(names(renewal([proof(a, '_9')])), ['_9'])
  assert.deepEqual(names(renewal([{ domain: a }, proof(b, '_9')])), ['_9'])
  assert.deepEqual(names(renewal([{ domain: a }])), ['_1'])
  assert.deepEqual(names(renewal([])), ['_1'])
})
