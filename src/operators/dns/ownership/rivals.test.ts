import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DnsSpec, Domain } from '../api/spec.ts'
import { areRivals, type Contender, eldersOf } from './rivals.ts'

const include = (name: string): Domain => ({ filterType: 'Include', matchType: 'Exact', name })
const exclude = (name: string): Domain => ({ filterType: 'Exclude', matchType: 'Exact', name })
const pattern = (text: string): Domain => ({ filterType: 'Include', matchType: 'Pattern', pattern: text })
const secret = (name: string): DnsSpec['provider'] => ({ type: 'AWS', aws: { credentials: { name } } })

function contender(name: string, spec: Partial<DnsSpec> = {}, more: Partial<Contender> = {}): Contender {
  const whole: DnsSpec = { provider: secret('s'), source: { type: 'Service' }, ...spec } as DnsSpec
  return { name, since: '2026-01-01T00:00:00Z', ownerId: name, spec: whole, ...more }
}

const service = (more: Partial<DnsSpec['source']>): DnsSpec['source'] => ({ type: 'Service', ...more }) as DnsSpec['source']
const team = (value: string): Partial<DnsSpec['source']> => ({ labelFilter: { matchLabels: { team: value } } })

for (const [what, are, a, b] of [
  ['with the same credentials, no domains and the same source', true, {}, {}],
  ['of two providers', false, {}, { provider: { type: 'GCP' } }],
  ['with a zone in common', true, { zones: ['Z1', 'Z2'] }, { zones: ['Z2', 'Z3'], provider: secret('other') }],
  ['with zones and none in common', false, { zones: ['Z1'] }, { zones: ['Z2'] }],
  ['of which one names a zone and the other all that it sees by the same credentials', true, { zones: ['Z1'] }, {}],
  ['of which one names no zone and has other credentials', false, { zones: ['Z1'] }, { provider: secret('other') }],
  ['with an empty list of zones and the same credentials', true, { zones: [] }, { zones: ['Z1'] }],
  [
    'that act under two roles',
    false,
    { provider: { type: 'AWS', aws: { credentials: { name: 's' }, assumeRole: { arn: 'a' } } } },
    { provider: { type: 'AWS', aws: { credentials: { name: 's' }, assumeRole: { arn: 'b' } } } },
  ],
  [
    'of two projects',
    false,
    { provider: { type: 'GCP', gcp: { project: 'a' } } },
    { provider: { type: 'GCP', gcp: { project: 'b' } } },
  ],
  ['of which one is for all domains', true, { domains: [include('a.example')] }, {}],
  [
    'for the same domain, in whatever case and with dots',
    true,
    { domains: [include('.A.example.')] },
    { domains: [include('a.EXAMPLE')] },
  ],
  ['for a domain and one below it', true, { domains: [include('a.example')] }, { domains: [include('x.a.example')] }],
  ['for a domain and the one above it', true, { domains: [include('x.a.example')] }, { domains: [include('a.example')] }],
  ['for two domains of one ending', false, { domains: [include('a.example')] }, { domains: [include('ba.example')] }],
  [
    'of which one leaves out domains and takes all others',
    true,
    { domains: [exclude('a.example')] },
    { domains: [include('a.example')] },
  ],
  [
    'with one domain of several in common',
    true,
    { domains: [include('b.example'), include('a.example')] },
    { domains: [include('a.example')] },
  ],
  ['with the same pattern', true, { domains: [pattern('^a')] }, { domains: [pattern('^a')] }],
  ['with two patterns, which might meet', false, { domains: [pattern('^a')] }, { domains: [pattern('^b')] }],
  ['with a pattern and a name, which might meet', false, { domains: [pattern('^a')] }, { domains: [include('a.example')] }],
  ['of two sources', false, {}, { source: { type: 'OpenShiftRoute' } as DnsSpec['source'] }],
  ['of two namespaces', false, { source: service({ namespace: 'a' }) }, { source: service({ namespace: 'b' }) }],
  ['of one namespace', true, { source: service({ namespace: 'a' }) }, { source: service({ namespace: 'a' }) }],
  ['of one namespace and of all', true, { source: service({ namespace: 'a' }) }, {}],
  ['for two labels', false, { source: service(team('a')) }, { source: service(team('b')) }],
  ['for the same label', true, { source: service(team('a')) }, { source: service(team('a')) }],
  ['for a label and for everything', true, { source: service(team('a')) }, {}],
] as const)
  test(`two objects ${what} are ${are ? 'rivals' : 'none'}, whichever is asked about`, () => {
    const [one, other] = [contender('one', a as Partial<DnsSpec>), contender('other', b as Partial<DnsSpec>)]
    assert.deepEqual([areRivals(one, other), areRivals(other, one)], [are, are])
  })

test('two objects that write under one owner id are rivals whatever their sources are, and not without a zone or domain in common', () => {
  const route = { source: { type: 'OpenShiftRoute' } as DnsSpec['source'] }
  const own = contender('one', {}, { ownerId: 'same' })
  assert.ok(areRivals(own, contender('other', route, { ownerId: 'same' })))
  assert.ok(!areRivals(own, contender('other', { ...route, provider: secret('other') }, { ownerId: 'same' })))
  assert.ok(!areRivals(own, contender('one', {}, { ownerId: 'same' })), 'an object is no rival of itself')
})

test('elders are the rivals that were there before, and of one moment those whose names come first', () => {
  const own = contender('m', {}, { since: '2026-01-02T00:00:00Z' })
  const others = [
    contender('before', {}, { since: '2026-01-01T00:00:00Z' }),
    contender('after', {}, { since: '2026-01-03T00:00:00Z' }),
    contender('a', {}, { since: own.since }),
    contender('z', {}, { since: own.since }),
    contender('elsewhere', { provider: secret('other') }, { since: '2026-01-01T00:00:00Z' }),
  ]
  assert.deepEqual(eldersOf(own, others), ['before', 'a'])
})
