// The objects that are written to a target, and how ours are told apart and brought about in what is there.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StoredObject } from '#kube'
import { mergedDeployment, newDeployment } from './deployment.ts'
import { isManaged, managedLabels, runtimeLabels } from './kinds.ts'
import { hasLabels, isSame, withItem } from './merge.ts'
import { bundleIn, caSecret, mergedObject, newObject, service, textIn, webhookConfiguration } from './objects.ts'

const name = 'pod-identity-webhook'
const wanted = { namespace: 'hooks', image: 'webhook:1', fingerprint: 'f' }

test('Pods reach the webhook at port 443 of its Service, and wait ten seconds for it [7.6, 7.7]', () => {
  const { spec } = newObject(service('hooks'))
  assert.deepEqual(spec, {
    selector: { 'app.kubernetes.io/name': name },
    ports: [{ name: 'https', protocol: 'TCP', port: 443, targetPort: 443 }],
  })
  const [webhook] = newObject(webhookConfiguration('hooks', 'PEM')).webhooks as readonly Record<string, unknown>[]
  assert.deepEqual(
    [webhook?.clientConfig, webhook?.timeoutSeconds],
    [{ service: { name, namespace: 'hooks', path: '/mutate', port: 443 }, caBundle: 'UEVN' }, 10],
  )
})

test('a Pod of the webhook listens at 443, reads its Secret and has half a minute to end [7.5]', () => {
  const { template } = newDeployment(wanted).spec as { readonly template: { readonly spec: Record<string, unknown> } }
  const { containers, volumes, terminationGracePeriodSeconds } = template.spec
  const [container] = containers as readonly { readonly ports: readonly { readonly containerPort: number }[] }[]
  assert.deepEqual(
    [container?.ports.map(({ containerPort }) => containerPort), volumes, terminationGracePeriodSeconds],
    [[443], [{ name: 'cert', secret: { secretName: name, defaultMode: 420 } }], 30],
  )
})

const stored = (object: object): StoredObject => object as StoredObject

test('a Deployment as it is wanted is not written, and one that lacks a label is', () => {
  const made = newDeployment(wanted)
  assert.equal(mergedDeployment(stored(made), wanted), undefined)
  const { 'app.kubernetes.io/name': _gone, ...labels } = runtimeLabels
  const lacking = stored({ ...made, metadata: { ...made.metadata, labels: { ...labels, mine: 'too' } } })
  assert.deepEqual(mergedDeployment(lacking, wanted)?.metadata.labels, { ...runtimeLabels, mine: 'too' })
})

test('of a Service only what is ours is put right', () => {
  const made = newObject(service('hooks'))
  assert.equal(mergedObject(stored(made), service('hooks')), undefined)
  const addressed = { ...made, spec: { ...(made.spec as object), clusterIP: '10.0.0.1', selector: { app: 'other' } } }
  const merged = mergedObject(stored(addressed), service('hooks')) as unknown as { readonly spec: object }
  assert.deepEqual(merged.spec, { ...(made.spec as object), clusterIP: '10.0.0.1' })
})

test('a Secret in which one part differs is replaced', () => {
  const pairWith = (key: string) => caSecret('hooks', { certificate: 'c', key })
  const merged = mergedObject(stored(newObject(pairWith('other'))), pairWith('k'))
  assert.deepEqual(merged, newObject(pairWith('k')))
})

for (const [what, labels, isOurs] of [
  ['without labels', undefined, false],
  ['with one of the two labels', { 'app.kubernetes.io/managed-by': 'aws-workload-identity-operator' }, false],
  ['with both labels', managedLabels, true],
  ['with both labels and others', { ...managedLabels, mine: 'too' }, true],
] as const)
  test(`an object ${what} is ${isOurs ? 'ours' : 'somebody else’s'} [S2]`, () => {
    assert.equal(isManaged({ apiVersion: 'v1', kind: 'Secret', metadata: { name, ...(labels && { labels }) } }), isOurs)
  })

test('labels are there when each of them is', () => {
  const object = stored({ metadata: { name, labels: { a: '1', b: '2' } } })
  assert.deepEqual([hasLabels(object, { a: '1', b: '2' }), hasLabels(object, { a: '1', b: '3' })], [true, false])
})

for (const [one, other, same] of [
  [[1, 2], [1, 2], true],
  [[1, 2], [1, 3], false],
  [[1, 2], [1], false],
  [[], {}, false],
  [{}, [], false],
  [{}, 1, false],
  [{}, null, false],
  [1, {}, false],
  [{ a: 1 }, { a: 1, b: undefined }, true],
  [{ a: 1, b: 2 }, { b: 2, a: 1 }, true],
  [{ a: 1, b: 2 }, { a: 1, b: 3 }, false],
] as const)
  test(`${JSON.stringify(one)} is ${same ? 'the same as' : 'another than'} ${JSON.stringify(other)}`, () =>
    assert.equal(isSame(one, other), same))

for (const [what, list, merged] of [
  ['no list', undefined, [{ name: 'b', x: 1 }]],
  ['a list without it', [{ name: 'a' }], [{ name: 'a' }, { name: 'b', x: 1 }]],
  [
    'a list that has it behind others',
    [{ name: 'a' }, null, { name: 'b', y: 2 }, 'c'],
    [{ name: 'a' }, null, { name: 'b', x: 1 }, 'c'],
  ],
  ['a list that has it first', [{ name: 'b', y: 2 }, { name: 'a' }], [{ name: 'b', x: 1 }, { name: 'a' }]],
] as const)
  test(`in ${what} our item has its place`, () => assert.deepEqual(withItem(list, { name: 'b', x: 1 } as never), merged))

test('of a configuration or Secret that somebody emptied there is no text', () => {
  assert.equal(bundleIn(stored({ metadata: { name } })), '')
  assert.equal(bundleIn(stored({ metadata: { name }, webhooks: [{}] })), '')
  assert.equal(bundleIn(stored({ metadata: { name }, webhooks: [{ clientConfig: { caBundle: 1 } }] })), '')
  assert.equal(bundleIn(stored({ metadata: { name }, webhooks: [{ clientConfig: { caBundle: 'UEVN' } }] })), 'PEM')
  assert.equal(textIn(stored({ metadata: { name } }), 'tls.crt'), '')
  assert.equal(textIn(stored({ metadata: { name }, data: { 'tls.crt': 'UEVN' } }), 'tls.crt'), 'PEM')
})
