// What is seen of the signing keys where cache and server differ: their record is judged by one object, and never by two halves.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { secrets } from '#kube'
import type { Reads } from '#runtime'
import { configKind } from '../api/kinds.ts'
import type { WorkloadIdentityConfig } from '../api.ts'
import { absentChild } from '../children/state.ts'
import { type ConfigMore, configOf, pair, secretOf } from '../testing/config-seen.fixture.ts'
import { type ConfigTools, observeConfig } from './observe.ts'

const { keyId } = pair
const never = new AbortController().signal
const recorded = { signingKeys: { held: [keyId], planned: [] } }
const planned = { signingKeys: { held: [], planned: [keyId] } }
const going = { deletionTimestamp: '2026-01-01T00:00:00Z' }

const tools = {
  children: { find: () => Promise.resolve(absentChild) },
  clock: { now: () => Date.UTC(2026, 0, 2) },
  drafts: { draw: () => assert.fail('no key is needed'), drop: () => {} },
} as unknown as ConfigTools

/** A cache that has the Config as `cached`, and a server that has it as `served`. */
async function keysSeen(cached: WorkloadIdentityConfig, served: WorkloadIdentityConfig | undefined) {
  const of = (config: WorkloadIdentityConfig | undefined) => (type: unknown) =>
    type === configKind.type ? config : type === secrets ? secretOf() : undefined
  const reads = {
    find: of(cached),
    read: async (type: unknown) => of(served)(type),
    list: () => [],
    isSynced: () => true,
    byIndex: () => [],
  }
  const { selfHosted } = await observeConfig(
    { namespace: 'wlc-a', name: 'default' } as never,
    reads as unknown as Reads,
    never,
    tools,
  )
  const { proof, record } = selfHosted?.secret ?? assert.fail()
  return [proof?.kind, record?.held]
}

for (const [what, cached, served, proof, record] of [
  ['on record is not asked for again', { status: recorded }, undefined, 'ours', undefined],
  ['on record as the server has it is ours', {}, { status: recorded }, 'ours', undefined],
  ['on record nowhere is not ours', {}, {}, 'unrecorded', undefined],
  [
    'on record of another object of that name is not ours',
    {},
    { status: recorded, metadata: { uid: 'other' } },
    'unrecorded',
    undefined,
  ],
  ['whose object has gone is not ours', {}, undefined, 'unrecorded', undefined],
  ['that was planned is written down as held', { status: planned }, { status: planned }, 'ours', [keyId]],
  ['that the server has as held is not written down again', { status: planned }, { status: recorded }, 'ours', undefined],
  [
    'of an object that goes is not written down',
    { status: planned, metadata: going },
    { status: planned, metadata: going },
    'ours',
    undefined,
  ],
] as readonly (readonly [string, ConfigMore, ConfigMore | undefined, string, readonly string[] | undefined])[])
  test(`a key ${what}`, async () =>
    assert.deepEqual(await keysSeen(configOf(cached), served && configOf(served)), [proof, record]))
