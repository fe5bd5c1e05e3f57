// Years of one target as a fold: decide, apply what was decided to a map of objects, go to the next moment. No server, so that the whole
// life of certificates fits into a test, with every write of it failing in turn.
import assert from 'node:assert/strict'
import { generateKeyPairSync, X509Certificate } from 'node:crypto'
import { test } from 'node:test'
import { type Instant, type Keys, parsePem, seededRandom } from '#base'
import type { ResourceType, StoredObject } from '#kube'
import type { Action } from '#runtime'
import { ownWebhookImage } from '../../pods/api.ts'
import { planCertificates } from './certificate-plan.ts'
import { caTrouble, drawKeys, issueCa, issueServing, type Pair, servingTrouble } from './certificates.ts'
import type { Found, RuntimeObjects } from './found.ts'
import { isManaged, type Loose, type PlainFields } from './kinds.ts'
import { bundleIn, textIn } from './objects.ts'
import { decideRuntime, type RuntimeDecision, type RuntimeSeen, runtimeSlots } from './runtime.ts'

const day = 86_400_000
const place = { cluster: 'wlc-a', namespace: 'hooks' }
const pool: string[] = []

function keys(): Keys {
  let next = 0
  const draw = (): Promise<string> => {
    const index = next++ % 6
    pool[index] ??= generateKeyPairSync('rsa', { modulusLength: 2048 })
      .privateKey.export({ type: 'pkcs8', format: 'pem' })
      .toString()
    return Promise.resolve(pool[index])
  }
  return { generateRsa: draw, generateEc: draw }
}

class World {
  now: Instant = Date.parse('2026-01-01T00:00:00Z')
  readonly objects = new Map<string, StoredObject>()
  readonly keys = keys()
  readonly random = seededRandom(3)
  writes: string[] = []
  /** The certificate that the Pods serve: that of the Secret when they were made. */
  served: string | undefined

  /** One pass; the write with this number does not take hold, and nothing after it is sent. */
  async pass(failing = 0): Promise<RuntimeDecision> {
    const seen = await this.look()
    const decision = decideRuntime(seen, { image: ownWebhookImage('latest') }, this.now)
    let write = 0
    const run = (actions: readonly Action[]): void => {
      for (const action of actions) {
        if (action.kind === 'together') for (const branch of action.branches) run(branch)
        else if (action.kind === 'create' || action.kind === 'update') {
          if (write + 1 === failing || (failing > 0 && write + 1 > failing)) return
          write++
          this.store(action.type, action.object as StoredObject)
        } else assert.fail(`unexpected ${action.kind}`)
      }
    }
    run(decision.actions)
    return decision
  }

  async look(): Promise<RuntimeSeen> {
    const found = Object.fromEntries(
      Object.entries(runtimeSlots).map(([slot, [type, name]]): [string, Found] => {
        const object = this.objects.get(`${type.kind} ${name}`)
        return [slot, object === undefined ? { kind: 'absent' } : { kind: isManaged(object) ? 'ours' : 'foreign', object }]
      }),
    ) as unknown as RuntimeObjects
    const namespaceObject = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'hooks', uid: 'n', resourceVersion: '1' } }
    const seen = { ...place, kind: 'reachable', namespaceObject, objects: found } as const
    const plan = planCertificates(seen, this.now)
    return plan.needsKeys ? { ...seen, drawn: await drawKeys(this.keys, this.random) } : seen
  }

  store(type: ResourceType, object: StoredObject): void {
    const id = `${type.kind} ${object.metadata.name}`
    this.writes.push(id)
    const generation = (this.objects.get(id)?.metadata.generation ?? 0) + 1
    this.objects.set(id, {
      ...object,
      metadata: { ...object.metadata, uid: id, resourceVersion: String(generation), generation },
    })
  }

  /** The Deployment's Pods are those of its newest state. */
  rollOut(): void {
    const id = 'Deployment pod-identity-webhook'
    const object = this.objects.get(id) as Loose
    const one = {
      replicas: 1,
      updatedReplicas: 1,
      readyReplicas: 1,
      availableReplicas: 1,
      conditions: [{ type: 'Available', status: 'True' }],
    }
    this.objects.set(id, { ...object, status: { ...one, observedGeneration: object.metadata.generation } } as StoredObject)
    this.served = textIn(this.objects.get('Secret pod-identity-webhook') as StoredObject, 'tls.crt')
  }

  /** What serves, and what will serve when the kubelet has brought it, is trusted (B16). */
  checkTrust(): void {
    const configuration = this.objects.get('MutatingWebhookConfiguration pod-identity-webhook')
    if (configuration === undefined) return
    const authorities = parsePem(bundleIn(configuration)).map(({ bytes }) => new X509Certificate(bytes))
    const stored = textIn(this.objects.get('Secret pod-identity-webhook') as StoredObject, 'tls.crt')
    for (const text of [this.served, stored]) {
      if (text === undefined || text === '') continue
      const certificate = new X509Certificate(text)
      assert.ok(Date.parse(certificate.validTo) > this.now, 'what serves has expired')
      assert.ok(
        authorities.some(
          ca => certificate.checkIssued(ca) && certificate.verify(ca.publicKey) && Date.parse(ca.validTo) > this.now,
        ),
        `at ${new Date(this.now).toISOString()} what serves is not trusted`,
      )
    }
    assert.ok(authorities.length <= 3)
  }
}

test('twelve years pass: each certificate is renewed once and in time, the authority after ten years, and trust has no gap [B17]', async () => {
  const world = new World()
  await world.pass()
  world.rollOut()
  await world.pass()
  const count = (id: string) => world.writes.filter(write => write === id).length
  for (let passed = 0; passed < 4_380; passed += 5) {
    world.now += 5 * day
    const decision = await world.pass()
    world.checkTrust()
    assert.equal(decision.condition.status, 'True', decision.condition.message)
    world.rollOut()
    await world.pass()
    world.checkTrust()
  }
  // Serving: at the start, each 335 days, and with the authority. The authority: at the start and after 3,620 days.
  assert.deepEqual([count('Secret pod-identity-webhook-ca'), count('Secret pod-identity-webhook')], [2, 14])
  world.writes = []
  world.now += day
  await world.pass()
  assert.deepEqual(world.writes, [])
})

for (const failing of [0, 1, 2, 3, 4]) {
  test(`a new authority with its ${failing}. write failing: trust has no gap, and the next pass finishes it [B1, B16]`, async () => {
    const world = new World()
    await world.pass()
    world.rollOut()
    await world.pass()
    // Ten years go by, but for the last days of the authority.
    for (let passed = 0; passed < 3_600; passed += 100) {
      world.now += 100 * day
      await world.pass()
      world.rollOut()
      await world.pass()
    }
    const before = textIn(world.objects.get('Secret pod-identity-webhook-ca') as StoredObject, 'ca.crt')
    world.now += 21 * day
    await world.pass(failing)
    world.checkTrust()
    for (let minute = 0; minute < 30; minute++) {
      world.now += 60_000
      await world.pass()
      world.checkTrust()
      if (minute === 5) world.rollOut()
    }
    const configuration = world.objects.get('MutatingWebhookConfiguration pod-identity-webhook') as StoredObject
    assert.equal(parsePem(bundleIn(configuration)).length, 1)
    assert.notEqual(textIn(world.objects.get('Secret pod-identity-webhook-ca') as StoredObject, 'ca.crt'), before)
  })
}

test('the look for the renewal comes in time, and not oftener than every minute nor later than in an hour; for Pods sooner [13.4 #91, #92]', async () => {
  const world = new World()
  await world.pass()
  const { next: waiting } = await world.pass()
  assert.ok(waiting.kind === 'look-again' && waiting.afterMs === 30_000, JSON.stringify(waiting))
  world.rollOut()
  const { next } = await world.pass()
  assert.ok(next.kind === 'look-again' && next.afterMs <= 3_600_000)
  world.now += 335 * day - 1_800_000
  const late = (await world.pass()).next
  // Backdated by five minutes, so that much earlier.
  assert.ok(late.kind === 'look-again' && late.afterMs >= 60_000 && late.afterMs <= 1_800_000, JSON.stringify(late))
})

const now = Date.parse('2026-01-01T00:00:00Z')

async function pairs(): Promise<{ ca: Pair; other: Pair; serving: Pair }> {
  const source = keys()
  const drawn = await drawKeys(source, seededRandom(1))
  const drawnOther = await drawKeys(source, seededRandom(2))
  const ca = issueCa(drawn, now)
  return { ca, other: issueCa(drawnOther, now), serving: issueServing(drawn, ca, 'hooks', now) }
}

test('a CA that will not do: trailing data, two certificates, PKCS#8, no CA, too little life, a key of another [13.9 #202]', async () => {
  const { ca, other, serving } = await pairs()
  assert.equal(caTrouble(ca, now), undefined)
  assert.equal(caTrouble({ ...ca, certificate: `${ca.certificate}x` }, now), 'ca.crt is not exactly one certificate')
  assert.equal(
    caTrouble({ ...ca, certificate: ca.certificate + other.certificate }, now),
    'ca.crt is not exactly one certificate',
  )
  assert.equal(caTrouble({ ...ca, certificate: '' }, now), 'ca.crt is not exactly one certificate')
  assert.equal(caTrouble({ certificate: serving.certificate, key: serving.key }, now), 'ca.crt is no CA')
  assert.equal(caTrouble({ ...ca, key: pool[0] ?? '' }, now), 'ca.key is not exactly one PKCS#1 RSA key')
  assert.equal(caTrouble({ ...ca, key: `${ca.key}${other.key}` }, now), 'ca.key is not exactly one PKCS#1 RSA key')
  assert.equal(caTrouble({ ...ca, key: other.key }, now), 'the key is of another certificate')
  const end = Date.parse(new X509Certificate(ca.certificate).validTo)
  assert.equal(caTrouble(ca, end - 30 * day - 1_000), undefined)
  assert.equal(caTrouble(ca, end - 30 * day), 'it has less than 30 days left')
  assert.equal(caTrouble(ca, now - day), 'it is not valid yet')
})

test('a serving certificate that will not do: another CA, name, purpose, a chain, another key, too little life [13.9 #203]', async () => {
  const { ca, other, serving } = await pairs()
  assert.equal(servingTrouble(serving, ca.certificate, 'hooks', now), undefined)
  assert.equal(servingTrouble(serving, other.certificate, 'hooks', now), 'tls.crt is from another CA')
  assert.equal(servingTrouble(serving, ca.certificate, 'elsewhere', now), 'tls.crt is for another name')
  assert.equal(servingTrouble({ ...serving, key: ca.key }, ca.certificate, 'hooks', now), 'the key is of another certificate')
  assert.equal(servingTrouble({ ...serving, key: '' }, ca.certificate, 'hooks', now), 'the key cannot be read')
  const chain = { ...serving, certificate: serving.certificate + ca.certificate }
  assert.equal(servingTrouble(chain, ca.certificate, 'hooks', now), 'tls.crt is not exactly one certificate')
  assert.match(servingTrouble({ ...ca }, ca.certificate, 'hooks', now) ?? '', /^tls\.crt is (for another name|not for servers)$/)
  const end = Date.parse(new X509Certificate(serving.certificate).validTo)
  assert.equal(servingTrouble(serving, ca.certificate, 'hooks', end - 30 * day), 'it has less than 30 days left')
})

test('the certificates are of the shape that the reference makes [7.4]', async () => {
  const { ca, serving } = await pairs()
  const parsed = new X509Certificate(ca.certificate)
  assert.deepEqual(
    [parsed.subject, parsed.ca, parsed.subjectAltName],
    ['CN=pod-identity-webhook-ca', true, 'DNS:pod-identity-webhook-ca'],
  )
  const leaf = new X509Certificate(serving.certificate)
  assert.deepEqual(
    [leaf.subject, leaf.issuer, leaf.ca, leaf.keyUsage],
    ['CN=pod-identity-webhook.hooks.svc', 'CN=pod-identity-webhook-ca', false, ['1.3.6.1.5.5.7.3.1']],
  )
  assert.equal(
    leaf.subjectAltName,
    'DNS:pod-identity-webhook, DNS:pod-identity-webhook.hooks, DNS:pod-identity-webhook.hooks.svc, DNS:pod-identity-webhook.hooks.svc.cluster.local',
  )
  assert.equal(Math.round((Date.parse(leaf.validTo) - Date.parse(leaf.validFrom)) / day), 365)
  assert.equal(Math.round((Date.parse(parsed.validTo) - now) / day), 3_650)
  for (const { key } of [ca, serving]) assert.ok(key.startsWith('-----BEGIN RSA PRIVATE KEY-----'))
})

test('a Secret of another type is made anew (7.4)', async () => {
  const world = new World()
  await world.pass()
  const id = 'Secret pod-identity-webhook'
  const before = world.objects.get(id) as Loose & { type: string }
  world.objects.set(id, { ...before, type: 'Opaque' } as StoredObject)
  await world.pass()
  assert.equal((world.objects.get(id) as unknown as PlainFields).type, 'kubernetes.io/tls')
})
