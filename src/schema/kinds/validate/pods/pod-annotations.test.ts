// What a real server 1.34 says to the annotations of pods.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../../../json.ts'
import { refusals } from '../../../testing/refusals.ts'

const pod = (annotations: JsonObject, spec: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p', annotations },
  spec: { containers: [{ name: 'a', image: 'web:1' }], ...spec },
})

const mirror = 'kubernetes.io/config.mirror'
const cost = 'controller.kubernetes.io/pod-deletion-cost'
const seccomp = 'seccomp.security.alpha.kubernetes.io/pod'
const containerSeccomp = 'container.seccomp.security.alpha.kubernetes.io/a'
const armour = 'container.apparmor.security.beta.kubernetes.io/'
const tolerations = 'scheduler.alpha.kubernetes.io/tolerations'
const unbound = `metadata.annotations[${mirror}]: Invalid value: "x": must set spec.nodeName if mirror pod annotation is set`
const noCost = (value: string): string => `metadata.annotations[${cost}]: Invalid value: "${value}": must be a 32bit integer`
const noProfile = (key: string, value: string): string =>
  `metadata.annotations.${key}: Invalid value: "${value}": must be a valid seccomp profile`
const noOperator = 'operator must be Exists when `key` is empty, which means "match all values and all keys"'

const rows: readonly (readonly [annotations: JsonObject, ...told: string[]])[] = [
  [{ [mirror]: 'x' }, unbound],
  ...['5', '-5', '0', '-0', '-2147483648'].map(value => [{ [cost]: value }] as const),
  ...['x', '', '+5', '05', '00', '1.5', ' 5', '2147483648'].map(value => [{ [cost]: value }, noCost(value)] as const),
  ...['unconfined', 'runtime/default', 'docker/default', 'localhost/a', 'localhost/'].flatMap(value => [
    [{ [seccomp]: value }] as const,
    [{ [containerSeccomp]: value }] as const,
  ]),
  ...['x', ''].flatMap(value => [
    [{ [seccomp]: value }, noProfile(seccomp, value)] as const,
    [{ [containerSeccomp]: value }, noProfile(containerSeccomp, value)] as const,
  ]),
  [{ [seccomp]: 'localhost/../a' }, `metadata.annotations.${seccomp}: Invalid value: "../a": must not contain '..'`],
  [{ [seccomp]: 'localhost//a' }, `metadata.annotations.${seccomp}: Invalid value: "/a": must be a relative path`],
  ...['', 'unconfined', 'runtime/default', 'localhost/../a'].map(value => [{ [`${armour}a`]: value }] as const),
  [
    { [`${armour}a`]: 'docker/default' },
    `metadata.annotations[${armour}a]: Invalid value: "docker/default": invalid AppArmor profile name: "docker/default"`,
  ],
  [
    { [`${armour}zz`]: 'x' },
    `metadata.annotations[${armour}zz]: Invalid value: "zz": container not found`,
    `metadata.annotations[${armour}zz]: Invalid value: "x": invalid AppArmor profile name: "x"`,
  ],
  ...['', '[]', 'null'].map(value => [{ [tolerations]: value }] as const),
  [
    { [tolerations]: 'x' },
    `metadata.annotations: Invalid value: "${tolerations}": invalid character 'x' looking for beginning of value`,
  ],
  [{ [tolerations]: '[{}]' }, `metadata.annotations.${tolerations}[0].operator: Invalid value: "": ${noOperator}`],
]

for (const [annotations, ...told] of rows)
  test(`a pod with ${JSON.stringify(annotations)} is ${told.length === 0 ? 'taken' : 'refused'}`, () => {
    assert.deepEqual(refusals(pod(annotations)), told)
  })

test('annotations are told before the pod itself, in their order', () => {
  const all = { [cost]: 'x', [seccomp]: 'x', [tolerations]: '[{}]', [`${armour}a`]: 'x', [mirror]: 'x' }
  assert.deepEqual(
    refusals(pod(all, { dnsPolicy: 'x' })).map(line => line.split(':')[0]),
    [
      `metadata.annotations[${mirror}]`,
      `metadata.annotations.${tolerations}[0].operator`,
      `metadata.annotations[${cost}]`,
      `metadata.annotations.${seccomp}`,
      `metadata.annotations[${armour}a]`,
      'spec.dnsPolicy',
    ],
  )
})

test('a template is told of them without the metadata that they stand in', () => {
  const template = { metadata: { annotations: { [cost]: 'x' } }, spec: { containers: [{ name: 'a', image: 'web:1' }] } }
  assert.deepEqual(refusals({ apiVersion: 'v1', kind: 'PodTemplate', metadata: { name: 't' }, template }), [
    `template.annotations[${cost}]: Invalid value: "x": must be a 32bit integer`,
  ])
})

const bound = { nodeName: 'n' }
const changes: readonly (readonly [what: string, before: JsonObject, now: JsonObject, why?: string])[] = [
  ['keeps its mirror', { [mirror]: 'x' }, { [mirror]: 'x', note: 'y' }],
  [
    'changes its mirror',
    { [mirror]: 'x' },
    { [mirror]: 'y' },
    `[${mirror}]: Forbidden: may not remove or update mirror pod annotation`,
  ],
  ['loses its mirror', { [mirror]: 'x' }, {}, `[${mirror}]: Forbidden: may not remove or update mirror pod annotation`],
  ['gets a mirror', {}, { [mirror]: 'x' }, `[${mirror}]: Forbidden: may not add mirror pod annotation`],
  ['gets armour', {}, { [`${armour}a`]: 'unconfined' }, `[${armour}a]: Forbidden: may not add AppArmor annotations`],
  [
    'changes its armour',
    { [`${armour}a`]: 'unconfined' },
    { [`${armour}a`]: 'runtime/default' },
    `[${armour}a]: Forbidden: may not remove or update AppArmor annotations`,
  ],
  [
    'loses its armour',
    { [`${armour}a`]: 'unconfined' },
    {},
    `[${armour}a]: Forbidden: may not remove or update AppArmor annotations`,
  ],
]

for (const [what, before, now, why] of changes)
  test(`a pod that ${what} is ${why === undefined ? 'taken' : 'refused'}`, () => {
    const old = pod(before, bound)
    const told = why === undefined ? [] : [`metadata.annotations${why}`]
    for (const subresource of ['', 'status']) assert.deepEqual(refusals(pod(now, bound), { old, subresource }), told)
  })

test('a change of a pod is told twice of annotations, one of its status once', () => {
  const told = (subresource: string): readonly string[] => refusals(pod({ [cost]: 'x' }), { old: pod({}), subresource })
  assert.deepEqual(told(''), [noCost('x'), noCost('x')])
  assert.deepEqual(told('status'), [noCost('x')])
})
