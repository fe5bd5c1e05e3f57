// What is written into a configuration of webhooks: the bundle, into our own webhooks and nowhere else.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bundlesIn, trusting, trustPatch, type WebhookConfiguration } from './configurations.ts'

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
