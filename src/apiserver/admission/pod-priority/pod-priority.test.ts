import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AdmissionAttributes } from '../admission.ts'
import { type Objects, pluginWorld } from '../requests.fixture.ts'
import { podPriority } from './pod-priority.ts'

function priorityClass(name: string, value: number, more: object = {}): Objects {
  return { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name }, value, ...more }
}

const high = priorityClass('high', 1_000, { preemptionPolicy: 'Never' })
const usual = priorityClass('usual', 10, { globalDefault: true })
const lower = priorityClass('z-lower', 5, { globalDefault: true })
const higher = priorityClass('zz-higher', 20, { globalDefault: true })

function admitted(spec: object, classes: readonly Objects[], more: Partial<AdmissionAttributes> = {}): unknown {
  const { plugin, request } = pluginWorld(podPriority, classes)
  return plugin.mutate?.(request('/v1/pods', { metadata: { name: 'p' }, spec }, more))?.spec
}

const lowest = 'PreemptLowerPriority'
const none = { priority: 0, preemptionPolicy: lowest }
for (const [spec, classes, wanted] of [
  [{}, [], none],
  [{ priorityClassName: '' }, [], { ...none, priorityClassName: '' }],
  [{}, [high], none],
  [{ priority: 0, preemptionPolicy: lowest }, [], none],
  [{ priorityClassName: 'high' }, [high, usual], { priority: 1_000, preemptionPolicy: 'Never', priorityClassName: 'high' }],
  [{}, [high, usual], { priority: 10, preemptionPolicy: lowest, priorityClassName: 'usual' }],
  [
    {},
    [usual, priorityClass('z-same', 10, { globalDefault: true })],
    { priority: 10, preemptionPolicy: lowest, priorityClassName: 'usual' },
  ],
  [{}, [usual, lower, higher], { priority: 5, preemptionPolicy: lowest, priorityClassName: 'z-lower' }],
  [
    { priorityClassName: 'high', priority: 1_000 },
    [high],
    { priority: 1_000, preemptionPolicy: 'Never', priorityClassName: 'high' },
  ],
] as const)
  test(`among ${classes.length} classes a pod of ${JSON.stringify(spec)} has ${wanted.priority}`, () => {
    assert.deepEqual(admitted(spec, classes), wanted)
  })

const notYours = 'must not be provided in pod spec; priority admission controller computed'
for (const [spec, why] of [
  [{ priorityClassName: 'none' }, 'no PriorityClass with name none was found'],
  [{ priority: 5 }, `the integer value of priority (5) ${notYours} 0 from the given PriorityClass name`],
  [
    { priorityClassName: 'high', preemptionPolicy: lowest },
    `the string value of PreemptionPolicy (${lowest}) ${notYours} Never from the given PriorityClass name`,
  ],
] as const)
  test(`a pod of ${JSON.stringify(spec)} is refused`, () => {
    assert.throws(() => admitted(spec, [high]), { message: `pods "p" is forbidden: ${why}` })
  })

test('a change that leaves out what admission gave keeps it', () => {
  const operation = 'UPDATE'
  const old = (spec: object | null): Partial<AdmissionAttributes> => ({
    operation,
    oldObject: { apiVersion: 'v1', kind: 'Pod', metadata: {}, spec },
  })
  assert.deepEqual(admitted({ a: 1 }, [], old({ priority: 3, preemptionPolicy: 'Never', b: 2 })), {
    a: 1,
    priority: 3,
    preemptionPolicy: 'Never',
  })
  assert.deepEqual(admitted({ priority: 4 }, [], old({ priority: 3 })), { priority: 4 })
  assert.deepEqual(admitted({ a: 1 }, [], old({})), { a: 1 })
  assert.deepEqual(admitted({ a: 1 }, [], old(null)), { a: 1 })
})

test('what is no pod, or not its whole, is left as it is', () => {
  const { plugin, request } = pluginWorld(podPriority)
  const object = { metadata: { name: 'p' }, spec: {} }
  for (const asked of [
    request('/v1/podtemplates', object),
    request('/v1/pods', object, { subresource: 'status' }),
    request('/v1/pods', object, { operation: 'CONNECT' }),
    request('/v1/pods', { ...object, spec: null }),
  ])
    assert.equal(plugin.mutate?.(asked), asked.object)
  assert.equal(plugin.mutate?.(request('/v1/pods', undefined)), undefined)
})
