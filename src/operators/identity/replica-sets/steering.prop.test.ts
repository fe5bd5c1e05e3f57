// Drawn lives of a rollout that people steer: edited, paused, resumed, tried again, taken back, over placements that change, by an operator that
// restarts. What each of these promises is checked at every write; in the end all that is asked for is there, and nothing is written any more.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import type { WriteRecord } from '#runtime'
import { roleKind } from '../api/kinds.ts'
import { told } from '../testing/room-world.ts'
import { type SetWorld, setWorld } from '../testing/set-world.ts'

const prefix = 'aws.identity.appthrust.io'
const clusters = ['a', 'b', 'c', 'd']
const window = 2
const policyOf = (version: number): string => `arn:aws:iam::aws:policy/Version${version}`

type Deed =
  | { readonly kind: 'edit' }
  | { readonly kind: 'pause' | 'rollback'; readonly on: boolean }
  | { readonly kind: 'retry' | 'restart' | 'converge' }
  | { readonly kind: 'ready'; readonly cluster: string }
  | { readonly kind: 'choose'; readonly clusters: readonly string[] }
  | { readonly kind: 'wait'; readonly minutes: number }

const deed: fc.Arbitrary<Deed> = fc.oneof(
  fc.record({ kind: fc.constant('edit' as const) }),
  fc.record({ kind: fc.constantFrom('pause' as const, 'rollback' as const), on: fc.boolean() }),
  fc.record({ kind: fc.constantFrom('retry' as const, 'restart' as const, 'converge' as const) }),
  fc.record({ kind: fc.constant('ready' as const), cluster: fc.constantFrom(...clusters) }),
  fc.record({ kind: fc.constant('choose' as const), clusters: fc.subarray(clusters, { minLength: 2 }) }),
  fc.record({ kind: fc.constant('wait' as const), minutes: fc.integer({ min: 1, max: 15 }) }),
)

interface Life {
  readonly world: SetWorld
  chosen: readonly string[]
  version: number
  paused: boolean
  rollback: boolean
  retries: number
}

async function does(life: Life, next: Deed): Promise<void> {
  const { world } = life
  switch (next.kind) {
    case 'edit':
      life.version++
      return await world.changeTemplate('app', [policyOf(life.version)])
    case 'pause':
      life.paused = next.on
      return await world.annotate('app', { [`${prefix}/rollout-paused`]: next.on ? 'true' : null })
    case 'rollback':
      life.rollback = next.on
      return await world.annotate('app', { [`${prefix}/rollout-rollback`]: next.on ? 'true' : null })
    case 'retry':
      life.retries++
      return await world.annotate('app', { [`${prefix}/rollout-retry`]: `try ${life.retries}` })
    case 'ready':
      if ((await world.child(next.cluster)) !== undefined) await world.report(next.cluster, true)
      return undefined
    case 'choose':
      life.chosen = next.clusters
      return await world.choose('p', next.clusters)
    case 'wait':
      return await world.advance(next.minutes * 60_000)
    default:
      return next.kind === 'restart' ? await world.restart() : await world.converge()
  }
}

const ofRoles = ({ type }: WriteRecord): boolean => type === roleKind.type

/**
 * Of the clusters that have what is wanted now, those that are not Ready with it and have time. One that waits for it with what it had is not
 * begun.
 */
async function inFlight(world: SetWorld, wanted: string): Promise<readonly string[]> {
  const found: string[] = []
  const { status } = await world.set('app')
  const late = (status?.failedClusters ?? []).map(({ clusterName }) => clusterName)
  for (const cluster of await world.clustersWith('app')) {
    const child = await world.child(cluster)
    const ready = child?.status?.conditions?.find(({ type }) => type === 'Ready')
    const isDone = ready?.status === 'True' && ready.observedGeneration === child?.metadata.generation
    if (child?.spec.policyARNs?.join() === wanted && !isDone && !late.includes(cluster)) found.push(cluster)
  }
  return found
}

async function check({ world, paused, rollback, version }: Life, next: Deed, before: number): Promise<void> {
  const { status } = await world.set('app')
  const written = world.writes().slice(before).filter(ofRoles)
  const isHeld = paused || (rollback && status?.completedTemplate === undefined)
  // What is asked for holds from the pass that saw it on: the write that asks is followed by that pass.
  if (isHeld) assert.deepEqual(written, [], `paused, and ${JSON.stringify(next)} let it write`)
  const wanted = (rollback ? status?.completedTemplate?.spec.policyARNs?.join() : undefined) ?? policyOf(version)
  const begun = await inFlight(world, wanted)
  // What is tried again is in flight beside the others; no other is begun before there is room.
  const isBegun = written.some(({ verb }) => verb !== 'delete')
  if (isBegun) assert.ok(begun.length <= window, `${begun.join()} are in flight`)
}

async function policiesIn(world: SetWorld): Promise<Readonly<Record<string, string>>> {
  const found: Record<string, string> = {}
  for (const cluster of await world.clustersWith('app'))
    found[cluster] = (await world.child(cluster))?.spec.policyARNs?.join() ?? ''
  return found
}

async function liveThrough(deeds: readonly Deed[]): Promise<void> {
  await using world = await setWorld({ clusters })
  const life: Life = { world, chosen: clusters, version: 0, paused: false, rollback: false, retries: 0 }
  await world.choose('p', clusters)
  const progressive = { maxConcurrency: window, maxFailures: '100%', progressDeadline: '10m' }
  await world.makeSet('app', { placementRefs: [{ name: 'p', rolloutStrategy: { type: 'Progressive', progressive } }] })
  await world.changeTemplate('app', [policyOf(0)])
  for (const next of deeds) {
    const before = world.writes().length
    await does(life, next)
    await check(life, next, before)
  }
  await world.annotate('app', { [`${prefix}/rollout-paused`]: null, [`${prefix}/rollout-rollback`]: null })
  await world.converge()
  const wanted = Object.fromEntries(life.chosen.map(cluster => [cluster, policyOf(life.version)]))
  assert.deepEqual(await policiesIn(world), wanted)
  const set = await world.set('app')
  assert.equal(told(set).PlacementRolledOut, 'True Complete')
  assert.deepEqual(set.status?.completedTemplate?.spec.policyARNs, [policyOf(life.version)])
  const writes = world.writes().length
  await world.advance(3_600_000)
  assert.deepEqual(world.writes().slice(writes), [])
}

test('a rollout that is steered at random keeps what each request promises, and ends where its template says', async () => {
  await fc.assert(fc.asyncProperty(fc.array(deed, { minLength: 3, maxLength: 10 }), liveThrough), { seed: 20261128, numRuns: 8 })
})
