// A process that dies at the n-th thing it does, just before or just after it took hold, and a successor that goes on from there. One run
// is one life of a Config: made, its key rotated, deleted; the death falls into one of the three, and the rotation is left out where
// it does not.

import assert from 'node:assert/strict'
import { type HttpExchange, HttpFailure, type HttpRequest } from '#base'
import { serviceAccounts } from '#kube'
import type { Running } from '#runtime'
import { configKind, roleKind } from '../api.ts'
import { bucketKind, roleKind as iamRoleKind, providerKind } from '../children/kinds.ts'
import { askSts, issuerOf, signingSecret, takeUpKey, tokenOf } from './chain.ts'
import { type RoomWorld, region, roomWorld, type Target, told } from './room-world.ts'

const minute = 60_000
const hour = 60 * minute

export type Part = 'create' | 'rotate' | 'delete'
export type Instant = 'before' | 'after'

export interface Death {
  readonly part: Part
  /** Which of the effects of that part, from 1. */
  readonly nth: number
  readonly instant: Instant
}

/** What a process does to the hub, to its targets and to AWS, and where it dies. */
class Life {
  readonly deeds: string[] = []
  dead = false
  /** Counted only while armed. */
  death: { readonly nth: number; readonly instant: Instant } | undefined
  #count = 0

  through(where: string): (exchange: HttpExchange) => HttpExchange {
    return exchange => async request => {
      if (this.dead) throw new HttpFailure('unreachable', 'the process is dead')
      if (!isEffect(request)) return exchange(request)
      this.#count++
      const mine = this.death?.nth === this.#count
      if (this.death !== undefined) this.deeds.push(`${where} ${request.method} ${request.target.split('?')[0]}`)
      if (mine && this.death?.instant === 'before') this.#die()
      const response = await exchange(request)
      if (mine) this.#die()
      return response
    }
  }

  arm(death: { readonly nth: number; readonly instant: Instant }): void {
    this.#count = 0
    this.death = death
  }

  #die(): never {
    this.dead = true
    throw new HttpFailure('reset', 'the process dies')
  }
}

/** Events are told on the side: their loss is no step. A token is asked for and thrown away. */
function isEffect({ method, target }: HttpRequest): boolean {
  return !['GET', 'HEAD'].includes(method) && !/\/events\b|\/token\b/.test(target)
}

export interface Outcome {
  /** What the armed process did in its part, up to its death. */
  readonly deeds: readonly string[]
  readonly died: boolean
}

/** Throws when anything is not as it should be, at any time or in the end. */
export async function liveAndDie(death: Death): Promise<Outcome> {
  await using world = roomWorld()
  const target = await world.addCluster('wlc-a', { issuer: issuerOf('wlc-a') })
  const life = new Life()
  let run = start(world, life)
  const part = async (name: Part, play: () => Promise<void>): Promise<void> => {
    if (name === death.part) life.arm(death)
    await play()
    life.death = undefined
    if (!life.dead || name !== death.part) return
    await run.stop()
    run = start(world, new Life())
    await world.advance(minute)
  }
  await part('create', async () => {
    await world.makeConfig('wlc-a', { type: 'SelfHostedIRSA', region })
    await world.makeRole('wlc-a', 'app')
    await world.advance(5_000)
  })
  await checkReady(world, target)
  if (death.part === 'rotate') {
    const rotation = new Rotation(world, target)
    await part('rotate', () => rotation.play(() => life.dead))
    await rotation.finish()
  }
  await part('delete', async () => {
    await world.client.delete(roleKind.type, { namespace: 'wlc-a', name: 'app' })
    await world.client.delete(configKind.type, { namespace: 'wlc-a', name: 'default' })
    await world.advance(minute)
  })
  await world.advance(10 * minute)
  await checkGone(world, target)
  return { deeds: life.deeds, died: life.dead }
}

function start(world: RoomWorld, life: Life): Running {
  return world.start({
    through: life.through('hub'),
    throughTarget: life.through('target'),
    throughAws: life.through('aws'),
    rotation: { propagationMs: 10 * minute, graceMs: 25 * hour },
  })
}

async function checkReady(world: RoomWorld, target: Target): Promise<void> {
  await takeUpKey(world, target)
  assert.equal(told(await world.config('wlc-a')).Ready, 'True Reconciled')
  const role = await world.role('wlc-a', 'app')
  assert.equal(told(role).Ready, 'True Ready')
  assert.equal(await askSts(world, role?.status?.roleARN, await tokenOf(target, 'app')), 'ok')
  // S1, S3: one of each, and nothing that nobody asked for.
  for (const kind of [bucketKind, providerKind, iamRoleKind]) {
    assert.equal((await world.client.listAll(kind.type)).items.length, 1, kind.noun)
  }
  await checkAws(world, { buckets: 1, providers: 1, roles: 1 })
}

/** S12 with every token that is still alive, after each step. */
class Rotation {
  readonly #world: RoomWorld
  readonly #target: Target
  readonly #tokens: { readonly token: string; readonly untilMs: number }[] = []
  constructor(world: RoomWorld, target: Target) {
    this.#world = world
    this.#target = target
  }

  async play(isOver: () => boolean): Promise<void> {
    const { client } = this.#world
    await this.#check()
    await client.patch(configKind.type, { namespace: 'wlc-a', name: 'default' }, 'merge', {
      metadata: { annotations: { 'aws.identity.appthrust.io/rotate-signing-key': 'now' } },
    })
    await this.#world.advance(5_000)
    await this.#check()
    await this.finish(isOver)
  }

  /** From wherever it stands to its end. */
  async finish(isOver: () => boolean = () => false): Promise<void> {
    const world = this.#world
    for (let step = 0; step < 12 && !isOver(); step++) {
      await world.advance(11 * minute)
      await this.#check()
      await takeUpKey(world, this.#target)
      const phase = told(await world.config('wlc-a')).SigningKeyRotated
      if (phase === 'True SigningKeyCurrent') return
      if (phase === 'False SigningKeyRetiring') await world.later(7 * hour)
    }
  }

  async #check(): Promise<void> {
    const world = this.#world
    const arn = (await world.role('wlc-a', 'app'))?.status?.roleARN
    this.#tokens.push({ token: await tokenOf(this.#target, 'app'), untilMs: world.clock.now() + 24 * hour })
    for (const { token, untilMs } of this.#tokens) {
      if (untilMs <= world.clock.now() + minute) continue
      assert.equal(await askSts(world, arn, token), 'ok', 'S12: a valid token is refused')
    }
    const keys = Object.keys((await signingSecret(world, 'wlc-a'))?.data ?? {})
    assert.ok(!(keys.includes('next.key') && keys.includes('previous.pub')), 'never more than two keys')
  }
}

/** L4: nothing is left anywhere. */
async function checkGone(world: RoomWorld, target: Target): Promise<void> {
  assert.equal(await world.config('wlc-a'), undefined, 'the Config is gone')
  assert.equal(await world.role('wlc-a', 'app'), undefined, 'the Role is gone')
  assert.equal(await signingSecret(world, 'wlc-a'), undefined, 'the key is gone')
  for (const kind of [bucketKind, providerKind, iamRoleKind]) {
    assert.deepEqual((await world.client.listAll(kind.type)).items, [], kind.noun)
  }
  await checkAws(world, { buckets: 0, providers: 0, roles: 0 })
  const left: string[] = []
  for (const type of targetTypes) {
    for (const { metadata } of (await target.client.listAll(type)).items) {
      if (metadata.labels?.['aws.identity.appthrust.io/runtime'] !== undefined) left.push(`${type.kind} ${metadata.name}`)
    }
  }
  assert.deepEqual(left, [], 'nothing is left on the cluster')
  const account = await target.client.get(serviceAccounts, { namespace: 'default', name: 'app' })
  assert.deepEqual(Object.keys(account.metadata.annotations ?? {}), [])
}

const targetTypes = (
  [
    ['', 'v1', 'Secret', 'secrets', true],
    ['', 'v1', 'Service', 'services', true],
    ['', 'v1', 'ServiceAccount', 'serviceaccounts', true],
    ['apps', 'v1', 'Deployment', 'deployments', true],
    ['rbac.authorization.k8s.io', 'v1', 'ClusterRole', 'clusterroles', false],
    ['rbac.authorization.k8s.io', 'v1', 'ClusterRoleBinding', 'clusterrolebindings', false],
    ['admissionregistration.k8s.io', 'v1', 'MutatingWebhookConfiguration', 'mutatingwebhookconfigurations', false],
  ] as const
).map(([group, version, kind, plural, namespaced]) => ({ group, version, kind, plural, namespaced }))

async function checkAws(
  world: RoomWorld,
  expected: { readonly buckets: number; readonly providers: number; readonly roles: number },
): Promise<void> {
  const buckets = (await world.s3().call('ListBuckets')).Buckets as readonly unknown[] | undefined
  const providers = (await world.iam().call('ListOpenIDConnectProviders')).OpenIDConnectProviderList as
    | readonly unknown[]
    | undefined
  const roles = (await world.iam().call('ListRoles')).Roles as readonly { readonly RoleName: string }[] | undefined
  const found = {
    buckets: buckets?.length ?? 0,
    providers: providers?.length ?? 0,
    roles: (roles ?? []).filter(({ RoleName }) => RoleName.startsWith('awi-')).length,
  }
  assert.deepEqual(found, expected, 'in AWS')
}
