// When a run counts as being at rest, by a process that tells what it knows a hundred seconds after its start, and is woken by nothing.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { HttpRequest } from '#base'
import type { KubeObject } from '#kube'
import type { ProcessContext } from '../process-context.ts'
import type { Subject } from '../subject.ts'
import type { World } from '../world/world.ts'
import { Arena } from './run.ts'

type Counter = KubeObject & { readonly data: { readonly is: string; readonly told: string } }

const maps = '/api/v1/namespaces/default/configmaps'
const path = `${maps}/counter`
const counter: Counter = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { namespace: 'default', name: 'counter' },
  data: { is: '1', told: '0' },
}

async function start({ connect, seams, signal }: ProcessContext, tells: string): Promise<void> {
  await seams.clock.sleep(100_000, signal).then(
    () => tell(connect, tells),
    () => {},
  )
}

async function tell(connect: ProcessContext['connect'], tells: string): Promise<void> {
  const body = new TextEncoder().encode(JSON.stringify({ data: { told: tells } }))
  const headers = { 'content-type': 'application/merge-patch+json' }
  const request: HttpRequest = { method: 'PATCH', target: path, headers, body }
  await connect('hub')(request)
}

const subject: Subject = {
  name: 'counter',
  servers: ['hub'],
  objects: () => [],
  replicas: 1,
  safetyMs: 0,
  start: process => start(process, '1'),
  script: [{ label: 'create counter', run: async world => void (await world.act('hub', 'POST', maps, counter)) }],
  disturbances: [],
  roleOf: () => 'other',
  ownerUidOf: () => undefined,
  purposeOf: () => '',
  isWanted: () => true,
  readsAtRestPerMinute: 0,
  finalizer: '',
  reasons: [],
  invariants: [],
  unfinished: () => undefined,
  settleMs: 600_000,
  settleStreamsMs: 60_000,
}

function outOfDate(world: World): string | undefined {
  const { data } = world.find('hub', path) as Counter
  return data.told === data.is ? undefined : `the counter tells ${data.told}`
}

async function violationOf(of: Partial<Subject>): Promise<string | undefined> {
  const arena = await Arena.open({ ...subject, ...of })
  const { violation } = await arena.run({ seed: 'clean', faults: [], departures: [] })
  await arena.close()
  return violation?.message
}

test('what changed since the last look, and is told at the next one, is told before rest [L2]', async () => {
  assert.match((await violationOf({})) ?? '', /^L2: 1 writes at rest, the first: p0 PATCH/)
  assert.equal(await violationOf({ outOfDate }), undefined)
})

test('what changed since the last look has to be told in the end [L1]', async () => {
  const wrong = (process: ProcessContext): Promise<void> => start(process, '2')
  assert.equal(await violationOf({ outOfDate, start: wrong }), 'L1: the counter tells 2 600000 ms after all else was done')
})

test('what comes of a deed that is due later is told before rest [L2]', async () => {
  const { promise: isChanged, resolve: change } = Promise.withResolvers<void>()
  const later = { label: 'change counter', afterMs: 100_000, run: () => Promise.resolve(change()) }
  const waits = ({ connect }: ProcessContext): Promise<void> => isChanged.then(() => tell(connect, '1'))
  assert.equal(await violationOf({ start: waits, script: [...subject.script, later], settleStreamsMs: 200_000 }), undefined)
})
