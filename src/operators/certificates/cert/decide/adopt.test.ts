// What is said of a certificate that is to be adopted and cannot be what the Cert asks for.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { arn, certSeen, issued, primary, settings } from '../../testing/cert-seen.fixture.ts'
import { judgeAdoption } from './adopt.ts'
import { sight } from './decide.ts'

const owner = {
  'acm.ops.example.dev/managed-by': 'cert-operator',
  'acm.ops.example.dev/cluster': 'here',
  'acm.ops.example.dev/namespace': 'team',
  'acm.ops.example.dev/name': 'api',
}
const many = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => `n${index}.example.com`)

for (const [what, more, said] of [
  ['one other name', { names: many(1) }, `is for n0.example.com, the Cert asks for ${primary}`],
  [
    'three other names',
    { names: many(3) },
    `is for n0.example.com, n1.example.com, n2.example.com, the Cert asks for ${primary}`,
  ],
  [
    'five other names',
    { names: many(5) },
    `is for n0.example.com, n1.example.com, n2.example.com and 2 more, the Cert asks for ${primary}`,
  ],
  ['another key', { keyAlgorithm: 'EC_prime256v1' }, 'has another primary name, key algorithm or issuer than the Cert asks for'],
  ['an end', { status: 'EXPIRED' }, 'is EXPIRED'],
  ['an origin elsewhere', { type: 'IMPORTED' }, 'was imported: ACM does not renew it, and requests none like it'],
  ['all that is asked for', {}, 'the certificate is being adopted'],
] as const)
  test(`a certificate with ${what} is told so when it is to be adopted`, () => {
    const seen = sight(certSeen({ given: { kind: 'present', certificate: issued(more as never), tags: owner } })) ?? assert.fail()
    const { message } = judgeAdoption(seen, arn, settings).wait ?? assert.fail()
    assert.equal(message, said.startsWith('the ') ? said : `the certificate that is to be adopted ${said}`)
  })
