// Secrets in the hands of a tenant: whoever may make objects of AWS resources in one namespace tries to have the operator read for him what he
// may not read himself, and carry it into AWS or into an object of his. Each row that is refused has one beside it that is not.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { given } from '#base'
import { type KubeObject, secrets } from '#kube'
import { conditions, type ResourcesOptions } from '#operators/resources'
import { namespaceObject } from '../../src/operators/identity/testing/room-world.ts'
import { fieldExportKind } from '../../src/operators/resources/exports/api.ts'
import { resourceWorld } from '../../src/operators/resources/testing/world.ts'

const canary = 'canary-51c0'

interface Attempt {
  readonly what: string
  readonly options: Partial<ResourcesOptions>
  readonly secret: { readonly namespace: string; readonly labels?: Readonly<Record<string, string>>; readonly type?: string }
  readonly isRead: boolean
}

const ours = { 'app.kubernetes.io/managed-by': 'vouch' }

const attempts: readonly Attempt[] = [
  { what: 'his own, which the settings name', options: { secrets: ['b/*'] }, secret: { namespace: 'b' }, isRead: true },
  { what: 'his own, which they do not name', options: { secrets: ['a/*'] }, secret: { namespace: 'b' }, isRead: false },
  { what: "another's", options: { secrets: ['*'] }, secret: { namespace: 'a' }, isRead: false },
  {
    what: "another's, where that is allowed",
    options: { secrets: ['*'], crossNamespace: true },
    secret: { namespace: 'a' },
    isRead: true,
  },
  {
    what: 'the token of a ServiceAccount',
    options: { secrets: ['*'] },
    secret: { namespace: 'b', type: 'example.com/token' },
    isRead: false,
  },
  {
    what: 'one of another type, where that is allowed',
    options: { secrets: ['*'], anySecretType: true },
    secret: { namespace: 'b', type: 'example.com/token' },
    isRead: true,
  },
  { what: "an operator's own", options: { secrets: ['*'] }, secret: { namespace: 'b', labels: ours }, isRead: false },
]

function secretOf({ namespace, labels = {}, type = 'Opaque' }: Attempt['secret']): KubeObject {
  const data = { text: Buffer.from(canary).toString('base64') }
  return { apiVersion: 'v1', kind: 'Secret', metadata: { namespace, name: 'wanted', labels }, type, data } as KubeObject
}

for (const { what, options, secret, isRead } of attempts) {
  test(`a claim carries a Secret into AWS only if it may: ${what} [S25]`, async () => {
    let heard = false
    await using world = resourceWorld({
      ...options,
      services: ['acm'],
      objects: ['a', 'b'].map(namespaceObject),
      throughAws: exchange => request => {
        const text = request.body instanceof Uint8Array ? Buffer.from(request.body).toString() : ''
        heard ||= text.includes(Buffer.from(canary).toString('base64')) || text.includes(canary)
        return exchange(request)
      },
    })
    await world.kube.create(secrets, secretOf(secret))
    world.start()
    const there = { namespace: secret.namespace, name: 'wanted', key: 'text' }
    const spec = { certificate: there, privateKey: there }
    const type = world.operator.kinds[0]?.type
    assert.ok(type !== undefined)
    await world.kube.create(type, {
      apiVersion: 'acm.services.k8s.aws/v1alpha1',
      kind: 'Certificate',
      metadata: { namespace: 'b', name: 'attack' },
      spec,
    } as KubeObject)
    await world.advance(70_000)
    assert.equal(heard, isRead)
  })
}

for (const { what, labels = {}, type, anySecretType, isRead } of [
  { what: 'his own', isRead: true },
  { what: "an operator's", labels: ours, isRead: false },
  { what: 'the token of a ServiceAccount', type: 'example.com/token', isRead: false },
  { what: 'one of another type, where that is allowed', type: 'example.com/token', anySecretType: true, isRead: true },
] as readonly (Partial<Attempt['secret']> & Pick<Attempt, 'what' | 'isRead'> & { readonly anySecretType?: boolean })[]) {
  test(`an export takes from a Secret only if it may: ${what} [S25]`, async () => {
    await using world = resourceWorld({
      kinds: ['Role'],
      secrets: ['*'],
      extendedFieldExports: true,
      anySecretType: anySecretType ?? false,
      objects: ['b'].map(namespaceObject),
    })
    await world.kube.create(secrets, secretOf({ namespace: 'b', labels, ...given({ type }) }))
    world.start()
    const from = { path: '.data.text', resource: { group: '', kind: 'Secret', name: 'wanted' } }
    const to = { kind: 'secret', name: 'loot', key: 'loot', createIfMissing: true }
    await world.kube.create(fieldExportKind.type, {
      apiVersion: 'services.k8s.aws/v1alpha1',
      kind: 'FieldExport',
      metadata: { namespace: 'b', name: 'attack' },
      spec: { from, to },
    } as KubeObject)
    await world.advance(70_000)
    const loot = await world.kube.find(secrets, { namespace: 'b', name: 'loot' })
    assert.equal(JSON.stringify(loot ?? {}).includes(Buffer.from(canary).toString('base64')), isRead)
  })
}

test("an exported certificate is not written into an operator's Secret [S25]", async () => {
  await using world = resourceWorld({
    services: ['acm', 'route53'],
    kinds: ['Certificate', 'HostedZone', 'RecordSet'],
    secrets: ['*'],
  })
  const secret = secretOf({ namespace: 'default', labels: ours })
  await world.kube.create(secrets, secret)
  world.start()
  await world.create('HostedZone', 'zone', { name: 'example.com.' })
  const spec = { domainName: 'example.com', exportTo: { name: 'wanted', key: 'tls.crt' } }
  await world.create('Certificate', 'web', spec, { annotations: { 'acm.services.k8s.aws/validate-with-hosted-zone': 'zone' } })
  await world.advance(600_000)
  assert.equal((await world.get('Certificate', 'web'))?.status?.['status'], 'ISSUED')
  assert.match((await world.condition('Certificate', 'web', conditions.terminal))?.message ?? '', /was made by an operator/)
  const held = await world.kube.get<KubeObject & { readonly data?: object }>(secrets, { namespace: 'default', name: 'wanted' })
  assert.deepEqual(Object.keys(held.data ?? {}), ['text'])
})
