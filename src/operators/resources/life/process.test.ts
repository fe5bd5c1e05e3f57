// The runtime scenarios of docs/rules/resources.md (§10.3) that speak of processes, of Secrets and of what comes later than it should.
import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { test } from 'node:test'
import { type HttpExchange, issueCertificate } from '#base'
import { secrets } from '#kube'
import { conditions } from '../api.ts'

import { changes } from '../testing/changes.ts'
import { type ResourceWorld, resourceWorld, trust } from '../testing/world.ts'

const kinds = ['Role', 'Policy']
const role = (more: object = {}): object => ({ name: 'reader', assumeRolePolicyDocument: trust(), ...more })
const policyDocument = JSON.stringify({
  Version: '2012-10-17',
  Statement: [{ Effect: 'Allow', Action: 's3:GetObject', Resource: '*' }],
})

async function isReady(world: ResourceWorld, kind: string, name: string): Promise<void> {
  const ready = await world.condition(kind, name, conditions.ready)
  assert.equal(ready?.status, 'True', JSON.stringify((await world.get(kind, name))?.status))
}

test('reference not ready -> ready: nothing is called before, and it proceeds within two seconds of readiness [10.3.13]', async () => {
  await using world = resourceWorld({ kinds })
  world.start()
  await world.create('Role', 'reader', role({ policyRefs: [{ from: { name: 'read' } }] }))
  await world.advance(300_000)
  assert.deepEqual(world.calls(), [])
  const references = await world.condition('Role', 'reader', conditions.references)
  assert.deepEqual([references?.status, references?.message], ['Unknown', 'Reference resolution failed'])
  await world.create('Policy', 'read', { name: 'read', policyDocument })
  await world.settle()
  await isReady(world, 'Policy', 'read')
  await world.advance(2_000)
  await isReady(world, 'Role', 'reader')
  assert.equal(world.aws.calls.count({ operation: 'AttachRolePolicy' }), 1)
})

interface Pair {
  readonly certificate: string
  readonly key: string
}

function pairFor(name: string): Pair {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string
  const certificate = issueCertificate({
    subject: { commonName: name },
    key,
    names: { dns: [name] },
    usage: 'server',
    validFrom: 0,
    validUntil: Date.UTC(2055, 0, 1),
    serial: Uint8Array.of(1, 2, 3),
  })
  return { key, certificate }
}

const secretData = ({ certificate, key }: Pair): object => ({
  'tls.crt': Buffer.from(certificate).toString('base64'),
  'tls.key': Buffer.from(key).toString('base64'),
})
const imported = {
  certificate: { name: 'web-tls', key: 'tls.crt' },
  privateKey: { name: 'web-tls', key: 'tls.key' },
}

for (const [listed, followed] of [
  ['*', '/api/v1/secrets'],
  ['default/*', '/api/v1/namespaces/default/secrets'],
  ['default/web-tls', '/api/v1/namespaces/default/secrets'],
] as const)
  test(`a Secret (--allow-secrets=${listed}) missing, then there, then rotated: terminal, and each change is followed at once [9.13, 9.23, 10.3.14]`, async () => {
    const asked: string[] = []
    await using world = resourceWorld({
      services: ['acm'],
      kinds: ['Certificate'],
      secrets: [listed],
      throughKube: exchange => request => {
        if (/\/secrets\?/.test(request.target)) asked.push(`${request.target} ${String(request.headers['accept'])}`)
        return exchange(request)
      },
    })
    world.start()
    await world.create('Certificate', 'web', imported)
    await world.settle()
    const missing = await world.condition('Certificate', 'web', conditions.terminal)
    assert.deepEqual([missing?.status, missing?.reason], ['True', 'SecretUnusable'])
    assert.match(missing?.message ?? '', /kubernetes secret not found: default\/web-tls/)
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { namespace: 'default', name: 'web-tls' }, type: 'Opaque' }
    const [first, second] = [pairFor('www.example.com'), pairFor('www.example.com')]
    await world.kube.create(secrets, { ...secret, data: secretData(first) } as never)
    await world.advance(5_000)
    await isReady(world, 'Certificate', 'web')
    assert.deepEqual(changes(world), ['ImportCertificate'])
    const before = (await world.get('Certificate', 'web'))?.status
    world.aws.calls.clear()
    await world.kube.patch(secrets, { namespace: 'default', name: 'web-tls' }, 'merge', { data: secretData(second) })
    await world.advance(5_000)
    assert.deepEqual(changes(world), ['ImportCertificate'])
    const arn = before?.ackResourceMetadata?.arn
    assert.equal(world.aws.calls.last({ operation: 'ImportCertificate' })?.parameters['CertificateArn'], arn)
    const held = await world.client('acm').call('GetCertificate', { CertificateArn: arn })
    assert.equal(String(held['Certificate']).trim(), second.certificate.trim())
    await isReady(world, 'Certificate', 'web')
    // What is in Secrets comes by name only; the watch carries names.
    assert.ok(asked.length > 0)
    for (const each of asked) {
      assert.match(each, /as=PartialObjectMetadata/)
      assert.equal(each.split('?')[0], followed)
      assert.equal(/fieldSelector=metadata\.name(=|%3D)web-tls/.test(each), listed === 'default/web-tls', each)
    }
    // A Secret that no claim names is nobody's business.
    world.aws.calls.clear()
    await world.kube.create(secrets, { ...secret, metadata: { namespace: 'default', name: 'other' } } as never)
    await world.advance(5_000)
    assert.deepEqual(world.calls(), [])
  })

test('without the watch on Secrets nothing but reads by name is asked for, and a rotation is found within five minutes [9.23]', async () => {
  const asked: string[] = []
  await using world = resourceWorld({
    services: ['acm'],
    kinds: ['Certificate'],
    watchSecrets: false,
    secrets: ['default/web-tls'],
    resyncSecondsOf: { Certificate: 36_000 },
    throughKube: exchange => request => {
      if (request.target.includes('/secrets')) asked.push(request.target.split('?')[0] ?? '')
      return exchange(request)
    },
  })
  world.start()
  const [first, second] = [pairFor('www.example.com'), pairFor('www.example.com')]
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { namespace: 'default', name: 'web-tls' }, type: 'Opaque' }
  await world.kube.create(secrets, { ...secret, data: secretData(first) } as never)
  await world.create('Certificate', 'web', imported)
  await world.advance(10_000)
  await isReady(world, 'Certificate', 'web')
  await world.kube.patch(secrets, { namespace: 'default', name: 'web-tls' }, 'merge', { data: secretData(second) })
  await world.advance(310_000)
  assert.deepEqual(changes(world), ['ImportCertificate', 'ImportCertificate'])
  assert.deepEqual([...new Set(asked)], ['/api/v1/namespaces/default/secrets/web-tls'])
})

test('Certificate: one that is imported refuses a change of its options [10.4]', async () => {
  await using world = resourceWorld({ services: ['acm'], kinds: ['Certificate'], secrets: ['default/web-tls'] })
  world.start()
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { namespace: 'default', name: 'web-tls' }, type: 'Opaque' }
  await world.kube.create(secrets, { ...secret, data: secretData(pairFor('www.example.com')) } as never)
  await world.create('Certificate', 'web', imported)
  await world.advance(10_000)
  await isReady(world, 'Certificate', 'web')
  world.aws.calls.clear()
  await world.patch('Certificate', 'web', { spec: { options: { certificateTransparencyLoggingPreference: 'ENABLED' } } })
  await world.advance(10_000)
  assert.deepEqual(changes(world), [])
  const terminal = await world.condition('Certificate', 'web', conditions.terminal)
  assert.deepEqual([terminal?.status, terminal?.reason], ['True', 'NotUpdatable'])
})

test('late init that never arrives: ever longer waits, ten looks, then ready with a notice [10.3.18]', async () => {
  const withoutDuration: (exchange: HttpExchange) => HttpExchange = exchange => async request => {
    const answer = await exchange(request)
    if (!(answer.body instanceof Uint8Array)) return answer
    const text = new TextDecoder().decode(answer.body).replace(/<MaxSessionDuration>\d+<\/MaxSessionDuration>/g, '')
    return { ...answer, headers: { 'content-type': 'text/xml' }, body: new TextEncoder().encode(text) }
  }
  await using world = resourceWorld({ kinds, throughAws: withoutDuration })
  world.start()
  await world.create('Role', 'reader', role())
  await world.advance(4_000)
  const late = await world.condition('Role', 'reader', conditions.lateInitialized)
  assert.deepEqual([late?.status, (await world.condition('Role', 'reader', conditions.synced))?.status], ['False', 'False'])
  await world.advance(3_600_000)
  await isReady(world, 'Role', 'reader')
  const advisory = await world.condition('Role', 'reader', conditions.advisory)
  assert.equal(advisory?.reason, 'LateInitializationIncomplete')
  assert.match(advisory?.message ?? '', /MaxSessionDuration/)
  const looks = world.aws.calls.all({ operation: 'GetRole' })
  assert.ok(looks.length <= 13, `${looks.length} looks`)
  const gaps = looks.slice(2).map(({ atMs }, index) => atMs - (looks[index + 1]?.atMs ?? 0))
  assert.deepEqual(
    gaps,
    gaps.toSorted((a, b) => a - b),
    gaps.join(' '),
  )
  assert.ok((gaps.at(-1) ?? 0) >= 300_000, gaps.join(' '))
  // And no look is made once it was given up.
  world.aws.calls.clear()
  await world.advance(3_600_000)
  assert.deepEqual(world.calls(), [])
})

test('conflict: somebody writes before each patch of ours, and all that we say arrives [10.3.22]', async () => {
  let strangers = 0
  await using world = resourceWorld({
    kinds,
    throughKube: exchange => async request => {
      if (request.method === 'PATCH' && request.target.includes('/roles/') && strangers < 6) {
        strangers += 1
        await world.patch('Role', 'reader', { metadata: { labels: { stranger: String(strangers) } } })
      }
      return exchange(request)
    },
  })
  const { passes } = world.start()
  await world.create('Role', 'reader', role({ policies: ['arn:aws:iam::aws:policy/ReadOnlyAccess'] }))
  await world.advance(60_000)
  await isReady(world, 'Role', 'reader')
  const held = await world.get('Role', 'reader')
  assert.equal(held?.metadata.labels?.['stranger'], '6')
  assert.match(String(held?.status?.['roleID']), /^AROA/)
  assert.equal(world.aws.calls.count({ operation: 'CreateRole' }), 1)
  assert.ok(
    passes.some(({ trouble }) => trouble?.reason === 'Conflict'),
    'there were conflicts',
  )
})

test('shutdown during a patch: the patch takes hold, and its answer is waited for [10.3.23]', async () => {
  let release: (() => void) | undefined
  await using world = resourceWorld({
    kinds,
    throughKube: exchange => async request => {
      if (request.method === 'PATCH' && request.target.includes('/status'))
        await new Promise<void>(resolve => {
          release = resolve
        })
      if (request.signal?.aborted === true) throw request.signal.reason
      return exchange(request)
    },
  })
  const running = world.start()
  await world.create('Role', 'reader', role())
  await world.settle()
  assert.ok(release !== undefined, 'the status is being written')
  const stopping = running.stop()
  await world.settle()
  release()
  await stopping
  await isReady(world, 'Role', 'reader')
})

test('two replicas: one writes; when it is gone the other takes over, and makes nothing twice [10.3.24]', async () => {
  await using world = resourceWorld({ kinds, resyncSeconds: 600 })
  const leaseDurationMs = 15_000
  const replicas = ['one', 'two'].map(identity => world.start({}, { identity, leaseDurationMs }))
  await world.create('Role', 'reader', role())
  await world.advance(30_000)
  await isReady(world, 'Role', 'reader')
  const writers = replicas.filter(({ passes }) => passes.some(({ writes }) => writes.length > 0))
  assert.equal(writers.length, 1)
  assert.deepEqual(changes(world), ['CreateRole'])
  const held = (await world.get('Role', 'reader'))?.metadata.resourceVersion
  await writers[0]?.stop()
  await world.advance(700_000)
  assert.deepEqual(changes(world), ['CreateRole'])
  assert.equal((await world.get('Role', 'reader'))?.metadata.resourceVersion, held)
  await world.patch('Role', 'reader', { spec: { description: 'by the other' } })
  await world.advance(10_000)
  assert.deepEqual(changes(world), ['CreateRole', 'UpdateRole'])
  await isReady(world, 'Role', 'reader')
})
