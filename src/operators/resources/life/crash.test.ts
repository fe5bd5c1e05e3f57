// Crashes at every step (B1, B2): the life of a resource is lived once to count its calls, of AWS and of the API server that
// change anything; then again and again, and at each call in turn the process dies, before the call takes hold or after it did, and a
// successor goes on. In the end there is one resource, as asked for, and after the deletion there is none.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type HttpExchange, HttpFailure } from '#base'
import { conditions } from '../api.ts'
import { account, type ResourceWorld, resourceWorld, trust } from '../testing/world.ts'

type Moment = 'before' | 'after'

/** Dies at the call of that number, and lets nothing through from then on until a successor is there. */
class Crasher {
  calls = 0
  #at: number
  #moment: Moment
  #isDead = false
  onCrash: (() => void) | undefined

  constructor(at: number, moment: Moment) {
    this.#at = at
    this.#moment = moment
  }

  revive(): void {
    this.#isDead = false
  }

  through(exchange: HttpExchange, counts: (method: string, target: string) => boolean): HttpExchange {
    return async request => {
      if (this.#isDead) throw new HttpFailure('reset', 'the process is dead')
      if (!counts(request.method, request.target)) return exchange(request)
      const number = this.calls++
      if (number !== this.#at) return exchange(request)
      const die = (): never => {
        this.#isDead = true
        this.onCrash?.()
        throw new HttpFailure('reset', 'the process died')
      }
      if (this.#moment === 'before') return die()
      await exchange(request)
      return die()
    }
  }
}

interface Life {
  readonly kind: string
  readonly services: readonly string[]
  readonly kinds: readonly string[]
  readonly spec: object
  readonly change: object
  /** How many there are in AWS. */
  count(world: ResourceWorld): Promise<number>
  prepare?(world: ResourceWorld): Promise<void>
}

const lengthOf = (value: unknown): number => (Array.isArray(value) ? value.length : 0)

const lives: readonly Life[] = [
  {
    kind: 'Role',
    services: ['iam'],
    kinds: ['Role', 'Policy'],
    spec: { name: 'one', assumeRolePolicyDocument: trust(), policies: ['arn:aws:iam::aws:policy/ReadOnlyAccess'] },
    change: { description: 'changed', policies: [] },
    count: async world => lengthOf((await world.client('iam').call('ListRoles'))['Roles']),
  },
  {
    kind: 'HostedZone',
    services: ['route53'],
    kinds: ['HostedZone'],
    spec: { name: 'example.com.', tags: [{ key: 'a', value: 'b' }] },
    change: { hostedZoneConfig: { comment: 'changed' } },
    count: async world => lengthOf((await world.client('route53').call('ListHostedZones'))['HostedZones']),
  },
  {
    kind: 'Bucket',
    services: ['s3'],
    kinds: ['Bucket'],
    spec: { name: 'data-1b2c', versioning: { status: 'Enabled' } },
    change: { versioning: { status: 'Suspended' } },
    count: async world => lengthOf((await world.client('s3').call('ListBuckets'))['Buckets']),
  },
  {
    kind: 'Certificate',
    services: ['acm'],
    kinds: ['Certificate'],
    spec: { domainName: 'www.example.com' },
    change: { tags: [{ key: 'a', value: 'b' }] },
    count: async world => lengthOf((await world.client('acm').call('ListCertificates'))['CertificateSummaryList']),
  },
  {
    kind: 'PodIdentityAssociation',
    services: ['eks'],
    kinds: ['PodIdentityAssociation'],
    spec: { clusterName: 'main', namespace: 'team', serviceAccount: 'app', roleARN: `arn:aws:iam::${account}:role/pods` },
    change: { tags: { team: 'blue' } },
    prepare: async world => {
      const iam = world.client('iam')
      await iam.call('CreateRole', { RoleName: 'cluster', AssumeRolePolicyDocument: trust('eks.amazonaws.com') })
      await iam.call('CreateRole', { RoleName: 'pods', AssumeRolePolicyDocument: trust('pods.eks.amazonaws.com') })
      const roleArn = `arn:aws:iam::${account}:role/cluster`
      const resourcesVpcConfig = { subnetIds: ['subnet-1', 'subnet-2'] }
      await world.client('eks').call('CreateCluster', { name: 'main', roleArn, resourcesVpcConfig })
      await world.advance(1_000)
    },
    count: async world =>
      lengthOf((await world.client('eks').call('ListPodIdentityAssociations', { clusterName: 'main' }))['associations']),
  },
]

const isWrite = (method: string): boolean => method !== 'GET'
/** Reads of AWS count too: a process may die there as well, and most calls are POST anyway. */
const isAny = (): boolean => true

async function live(one: Life, at: number, moment: Moment): Promise<number> {
  const crasher = new Crasher(at, moment)
  await using world = resourceWorld({
    services: one.services,
    kinds: one.kinds,
    fieldExport: false,
    throughAws: exchange => crasher.through(exchange, isAny),
    throughKube: exchange => crasher.through(exchange, isWrite),
  })
  await one.prepare?.(world)
  let running = world.start()
  let successors = 0
  const onCrash = (): void => {
    const dead = running
    successors += 1
    void dead.stop().then(() => {
      crasher.revive()
      running = world.start()
    })
  }
  crasher.onCrash = onCrash
  const where = `${one.kind} call ${at} ${moment}`
  await world.create(one.kind, 'one', one.spec)
  await world.advance(100_000)
  assert.equal(await one.count(world), 1, `${where}: one is made`)
  const made = await world.get(one.kind, 'one')
  assert.equal(
    (await world.condition(one.kind, 'one', conditions.ready))?.status,
    'True',
    `${where}: ${JSON.stringify(made?.status)}`,
  )
  await world.patch(one.kind, 'one', { spec: one.change })
  await world.advance(30_000)
  assert.equal((await world.condition(one.kind, 'one', conditions.ready))?.status, 'True', `${where}: ready after the change`)
  assert.equal(await one.count(world), 1, `${where}: still one`)
  await world.remove(one.kind, 'one')
  await world.advance(100_000)
  const left = await world.get(one.kind, 'one')
  assert.equal(left, undefined, `${where}: ${JSON.stringify(left?.status)}`)
  assert.equal(await one.count(world), 0, `${where}: nothing is left`)
  assert.equal(successors, at < 0 ? 0 : 1, where)
  return crasher.calls
}

/** `VOUCH_CRASHES=all` takes minutes; in passing each life has a few, spread over it. */
const isThorough = process.env['VOUCH_CRASHES'] === 'all'
const crashesInPassing = 5

for (const one of lives) {
  test(`a ${one.kind} survives a crash at every step of its life [B1, B2, S1, S3, S6, L1, L3, L4]`, async context => {
    const calls = await live(one, -1, 'before')
    // The calls of the clean run, and no more: a successor makes others.
    const points = Array.from({ length: calls }, (_, at) => [[at, 'before'] as const, [at, 'after'] as const]).flat()
    const stride = isThorough ? 1 : Math.max(1, Math.ceil(points.length / crashesInPassing))
    const chosen = points.filter((_, index) => index % stride === 0)
    for (const [at, moment] of chosen) await live(one, at, moment)
    context.diagnostic(`${one.kind}: ${calls} calls, ${chosen.length} of ${points.length} crashes`)
  })
}
