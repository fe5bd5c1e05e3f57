// One Cert from its creation to its end, against ACM and Route 53 as they are: late and eventually consistent.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { certWorld, told, zoneName } from '../testing/cert-world.ts'

test('a Cert of two words becomes a certificate, whose ARN it tells, and goes without a trace', async () => {
  await using world = certWorld()
  await world.zone(zoneName)
  await world.advance(120_000)
  const running = world.start()
  await world.apply('api', { deleteOnRemoval: true })
  const cert = await world.until('api', 'Ready')
  assert.match(cert.status?.certificateArn ?? '', /^arn:aws:acm:eu-west-1:111122223333:certificate\//)
  assert.deepEqual(told(cert), {
    Ready: 'True Issued',
    Reconciling: 'False Idle',
    Stalled: 'False NotStalled',
    ZoneResolved: 'True Resolved',
    DNSRecordsReady: 'True InSync',
    DomainsValidated: 'True AllValidated',
    RenewalHealthy: 'True NotDue',
    DeletionBlocked: 'False NotBlocked',
  })
  assert.equal(cert.status?.domainName, 'api-prod.k8s.acme.dev')
  assert.deepEqual(
    running.passes.filter(({ trouble }) => trouble !== undefined).map(({ trouble }) => trouble?.message),
    [],
  )
  await world.remove('api')
  await world.advance(60_000)
  assert.equal(await world.cert('api'), undefined)
  const { CertificateSummaryList } = await world.acm.call('ListCertificates')
  assert.deepEqual(CertificateSummaryList, [])
})
