// What is written into a configuration of webhooks: the bundle, into our own webhooks and nowhere else.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { issueAuthority, issueServing, readCertificate } from '#base'
import { validatingWebhookConfigurations } from '#kube'
import type { KubeClient } from '#kube/client'
import { ecKey } from '../../../base/x509/serving-pair.fixture.ts'
import {
  bundlesIn,
  readConfigurations,
  trustAuthority,
  trusting,
  trustPatch,
  trustServed,
  type WebhookConfiguration,
} from './configurations.ts'

const service = { namespace: 'home', name: 'hooks' }
const encoded = (text: string): string => Buffer.from(text).toString('base64')
const hook = (name: string, caBundle?: string, to: object = service) => ({
  name,
  clientConfig: { service: to, ...(caBundle !== undefined && { caBundle: encoded(caBundle) }) },
})
const configuration = (more: object): WebhookConfiguration =>
  ({ apiVersion: 'v1', kind: 'C', metadata: { name: 'c', uid: 'u', resourceVersion: '7' }, ...more }) as WebhookConfiguration

const mixed = configuration({
  webhooks: [
    hook('a', 'old'),
    hook('b'),
    hook('c', 'old', { ...service, name: 'x' }),
    hook('d', 'old', { ...service, namespace: 'x' }),
  ],
})
const replaced = { op: 'replace', path: '/metadata/resourceVersion', value: '7' }
const added = (path: string): object => ({ op: 'add', path: `${path}/clientConfig/caBundle`, value: encoded('new') })

for (const [what, held, bundles, patch] of [
  ['without webhooks', configuration({}), [], []],
  ['with webhooks of others too', mixed, ['old', ''], [replaced, added('/webhooks/0'), added('/webhooks/1')]],
  ['that trusts it already', configuration({ webhooks: [hook('a', 'new')] }), ['new'], []],
  [
    'that converts',
    configuration({ spec: { conversion: { webhook: hook('', 'old') } } }),
    ['old'],
    [replaced, added('/spec/conversion/webhook')],
  ],
  ['that converts by nobody', configuration({ spec: { conversion: {} } }), [], []],
] as const)
  test(`of a configuration ${what} only our own webhooks are read and patched`, () => {
    assert.deepEqual(bundlesIn(held, service), bundles)
    assert.deepEqual(trustPatch(held, service, 'new'), patch)
  })

test('a configuration that is replaced has the bundle in our own webhooks, and the rest as it was', () => {
  const written = trusting(mixed, service, 'new')
  assert.deepEqual(written, { ...mixed, webhooks: [hook('a', 'new'), hook('b', 'new'), ...(mixed.webhooks ?? []).slice(2)] })
  assert.deepEqual(trusting(configuration({}), service, 'new').webhooks, [])
})

test('configurations that are there are read, and those that are not are left out', async () => {
  const find = async (_type: unknown, { name }: { readonly name: string }) => (name === 'absent' ? undefined : mixed)
  const client = { find } as unknown as KubeClient
  const names = ['one', 'absent', 'two'].map(name => ({ type: validatingWebhookConfigurations, name }))
  assert.deepEqual(await readConfigurations(client, names, new AbortController().signal), [
    { name: names[0], object: mixed },
    { name: names[2], object: mixed },
  ])
})

const life = { from: 0, until: 4e12 }
const authorities = [1, 2].map(serial =>
  issueAuthority({ commonName: 'a' }, { key: ecKey(), serial: new Uint8Array(16).fill(serial) }, life),
)
const [ours, theirs] = authorities.map(({ certificate }) => certificate) as [string, string]
const [issuer] = authorities
const served = readCertificate(
  issueServing(
    { commonName: 's', names: { dns: ['s'] }, issuer: issuer!, key: ecKey(), serial: new Uint8Array(16).fill(3) },
    life,
  ).certificate,
)!

for (const [what, bundles, isTrusted] of [
  ['nobody is asked', [], true],
  ['each trusts it alone', [ours, ours], true],
  ['each trusts it beside another', [theirs + ours, ours + theirs], true],
  ['one trusts another one', [ours, theirs], false],
  ['one trusts nobody', ['', ours], false],
] as const)
  test(`an authority and what it signed are ${isTrusted ? 'trusted' : 'not trusted by all'} where ${what}`, () => {
    assert.equal(trustAuthority(bundles, ours), isTrusted)
    assert.equal(trustServed(bundles, served), isTrusted)
  })
