// What is kept of the certificates of a target, what is made anew, and for how long an earlier authority is trusted.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '#base'
import { pooledKeys } from '../testing/keys.fixture.ts'
import {
  absent,
  asWanted,
  ca,
  changed,
  drawn,
  earlier,
  made,
  namespace,
  ours,
  serving,
  up,
} from '../testing/runtime-objects.fixture.ts'
import { type CertificatePlan, planCertificates } from './certificate-plan.ts'
import { type DrawnKeys, drawKeys, renewalDelayMs } from './certificates.ts'
import type { Found, RuntimeObjects } from './found.ts'
import { newObject, webhookConfiguration } from './objects.ts'

/** Certificates begin five minutes before they are made. */
const begins = made - 300_000

const deploymentWith = (spec: object): Found => ours({ metadata: { name: 'w', generation: 1 }, spec, status: up })
const templateWith = (fingerprint: string): object => ({
  template: { metadata: { annotations: { 'aws.identity.appthrust.io/serving-cert-sha256': fingerprint } } },
})
const both = `${ca.certificate}${earlier.certificate}`
const configurationOf = (bundle: string): Found => ours(newObject(webhookConfiguration(namespace, bundle)))

/** All is made and rolled out, and the authority before is trusted still. */
const settled: RuntimeObjects = { ...asWanted, webhook: configurationOf(both) }

function planOf(objects: Partial<RuntimeObjects>, now: number = begins + 600_000, keysDrawn?: DrawnKeys): CertificatePlan {
  const input = { namespace, objects: { ...settled, ...objects }, ...(keysDrawn && { drawn: keysDrawn }) }
  return planCertificates(input, now)
}

const secretOf = (found: Found): { readonly data: Readonly<Record<string, string>> } =>
  (found as Extract<Found, { kind: 'ours' }>).object as never
const without = (found: Found, key: string): Found => {
  const { [key]: _gone, ...data } = secretOf(found).data
  return changed(found, { data })
}

for (const [what, objects, needsKeys] of [
  ['all is there', {}, false],
  ['the authority is not there', { caSecret: absent }, true],
  ['the authority has no certificate', { caSecret: without(settled.caSecret, 'ca.crt') }, true],
  ['the authority has no key', { caSecret: without(settled.caSecret, 'ca.key') }, true],
  [
    'the Secret of the authority is of another type',
    { caSecret: changed(settled.caSecret, { type: 'kubernetes.io/tls' }) },
    true,
  ],
  ['nothing is there to serve with', { servingSecret: absent }, true],
  ['no certificate is there to serve with', { servingSecret: without(settled.servingSecret, 'tls.crt') }, true],
  ['no key is there to serve with', { servingSecret: without(settled.servingSecret, 'tls.key') }, true],
  ['the Secret to serve with is of another type', { servingSecret: changed(settled.servingSecret, { type: 'Opaque' }) }, true],
] as const)
  test(`where ${what}, ${needsKeys ? 'keys are drawn, and asked for again until they are' : 'no keys are drawn'} [13.9 #202, #203]`, () => {
    if (needsKeys) assert.deepEqual(planOf(objects), { kind: 'undrawn', needsKeys })
    const plan = planOf(objects, begins + 600_000, drawn)
    assert.deepEqual([plan.kind, plan.needsKeys], ['planned', needsKeys])
  })

const until = (at: number): number => begins + at
for (const [what, objects, now, settleMs] of [
  ['all Pods have had the new certificate for ten minutes', {}, until(600_000), undefined],
  ['ten minutes are not over', {}, until(599_000), 1_000],
  ['they are nearly over', {}, until(599_999), 1_000],
  ['the certificate was just made', {}, made, 300_000],
  ['nothing is deployed', { deployment: absent }, until(600_000), undefined],
  ['Pods have the certificate before', { deployment: deploymentWith(templateWith('other')) }, until(600_000), 1_000],
  ['nobody knows what Pods have', { deployment: deploymentWith({}) }, until(600_000), 1_000],
  ['Pods have a template of which nothing is said', { deployment: deploymentWith({ template: {} }) }, until(600_000), 1_000],
  ['Pods have long had the certificate before', { deployment: deploymentWith(templateWith('other')) }, until(900_000), 1_000],
] as const)
  test(`where ${what}, the authority before is ${settleMs === undefined ? 'forgotten' : `trusted, and looked at in ${settleMs} ms`} [B16]`, () => {
    const plan = planOf(objects, now)
    assert.ok(plan.kind === 'planned')
    assert.deepEqual([plan.bundle, plan.settleMs], [settleMs === undefined ? ca.certificate : both, settleMs])
  })

test('where no other authority is trusted there is nothing to settle', () => {
  const plan = planOf({ webhook: configurationOf(ca.certificate) }, made)
  assert.ok(plan.kind === 'planned' && !('settleMs' in plan))
})

test('keys are of 2048 bits, and serials of 16 bytes', async () => {
  const asked: number[] = []
  const keys = pooledKeys(1)
  const generateRsa = (bits: number): Promise<string> => {
    asked.push(bits)
    return keys.generateRsa(2_048)
  }
  const { caSerial, servingSerial } = await drawKeys({ ...keys, generateRsa }, seededRandom(1))
  assert.deepEqual([asked, caSerial.length, servingSerial.length], [[2_048, 2_048], 16, 16])
})

const renewal = made + 335 * 86_400_000
for (const [what, now, delayMs] of [
  ['two hours before', renewal - 7_200_000, 7_200_000],
  ['a minute before', renewal - 60_000, 60_000],
  ['less than a minute before', renewal - 59_999, 60_000],
  ['after it should have been', renewal + 60_000, 60_000],
] as const)
  test(`${what} its renewal a certificate is looked at in ${delayMs} ms [13.4 #91]`, () =>
    assert.equal(renewalDelayMs(serving.certificate, now), delayMs))
