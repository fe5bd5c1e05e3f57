// Each field that may change, changed in each state: in the end there is one certificate for just what is wanted, none was requested twice,
// a certificate that was good stays good until the other one is, and one condition says how it stands.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CertWorld, certWorld, told, zoneName } from '../testing/cert-world.ts'

const minuteMs = 60_000
/** The first of every world: ids follow from the seed. */
const certificateAuthorityArn =
  'arn:aws:acm-pca:eu-west-1:111122223333:certificate-authority/571f821b-84ab-4fed-a957-2026ffd84da1'

interface Edit {
  readonly what: string
  readonly spec: Readonly<Record<string, unknown>>
  /** Whether the certificate that is there is another one than is wanted. */
  readonly asksAgain: boolean
  /** Of the certificate, in the end. */
  readonly holds: Readonly<Record<string, unknown>>
}

const edits: readonly Edit[] = [
  {
    what: 'another primary name',
    spec: { domainName: `www.${zoneName}` },
    asksAgain: true,
    holds: { DomainName: `www.${zoneName}` },
  },
  {
    what: 'another key algorithm',
    spec: { keyAlgorithm: 'EC_prime256v1' },
    asksAgain: true,
    holds: { KeyAlgorithm: 'EC_prime256v1' },
  },
  {
    what: 'a private authority',
    spec: { issuer: { type: 'PrivateCA', certificateAuthorityArn } },
    asksAgain: true,
    holds: { CertificateAuthorityArn: certificateAuthorityArn, Type: 'PRIVATE' },
  },
  { what: 'deletion with the object', spec: { deleteOnRemoval: true }, asksAgain: false, holds: { Type: 'AMAZON_ISSUED' } },
]

interface Moment {
  readonly state: 'Pending' | 'Created' | 'Validated' | 'Ready' | 'Failed'
  /** What AWS answers to a request until the spec was changed. */
  readonly refusal?: { readonly code: string; readonly http: number }
}

const moments: readonly Moment[] = [
  { state: 'Pending', refusal: { code: 'ServiceUnavailableException', http: 503 } },
  { state: 'Created' },
  { state: 'Validated' },
  { state: 'Ready' },
  { state: 'Failed', refusal: { code: 'LimitExceededException', http: 400 } },
]

const requests = (world: CertWorld): number => world.writes().filter(operation => operation === 'RequestCertificate').length

for (const { what, spec, asksAgain, holds } of edits)
  for (const { state, refusal } of moments)
    test(`${what} in state ${state} ends in one certificate that has it, requested once [8.4]`, async () => {
      await using world = certWorld({ knobs: { delays: { certificateIssue: [10 * minuteMs, 10 * minuteMs] } } })
      assert.equal(world.aws.control('acm-pca', 'activeRoot', {}), certificateAuthorityArn)
      await world.zone(zoneName)
      await world.advance(2 * minuteMs)
      const effect = refusal === undefined ? undefined : ({ kind: 'error', message: 'no', ...refusal } as const)
      const fault = effect && world.aws.faults.add({ match: { operation: 'RequestCertificate' }, effect })
      world.start()
      await world.apply('api')
      const before = await world.until('api', state)
      await world.change('api', { spec })
      await world.advance(minuteMs)
      const [meanwhile, was] = [(await world.cert('api'))?.status, before.status]
      if (was?.certReady === true)
        assert.deepEqual([meanwhile?.certReady, meanwhile?.certificateArn], [true, was.certificateArn], 'it stays good')
      fault?.remove()
      await world.advance(100 * minuteMs)
      const after = await world.until('api', 'Ready')
      assert.deepEqual([told(after).Ready, told(after).Stalled], ['True Issued', 'False NotStalled'])
      const { Certificate } = await world.acm.call('DescribeCertificate', { CertificateArn: after.status?.certificateArn ?? '' })
      const found = Certificate as Readonly<Record<string, unknown>>
      assert.deepEqual([found['Status'], ...Object.keys(holds).map(field => found[field])], ['ISSUED', ...Object.values(holds)])
      const isAnother = asksAgain && refusal === undefined
      assert.equal(requests(world), isAnother ? 2 : 1)
      // What was good stays as long as nobody says otherwise; what never was is taken away.
      assert.equal((await world.arns()).length, isAnother && state === 'Ready' ? 2 : 1)
    })
