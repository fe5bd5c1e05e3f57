import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../../../json.ts'
import { refusals, schemaOf } from '../../../testing/refusals.ts'

const containers = [{ name: 'a', image: 'web:1' }]

function pod(spec: JsonObject, more: JsonObject = {}): JsonObject {
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec: { containers, ...spec }, ...more }
}

const tolerating = (toleration: JsonObject): JsonObject => ({ tolerations: [toleration] })

const fixedText =
  'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)'

/** The sentence, and what changed, with three lines before and after it. */
const fixed = (at: number, ...lines: readonly string[]): string =>
  `spec: Forbidden: ${fixedText}\n@@ -${at},7 +${at},7 @@\n${lines.map(line => `${line}\n`).join('')}`
const otherHost = fixed(
  64,
  '   "SELinuxChangePolicy": null',
  '  },',
  '  "ImagePullSecrets": null,',
  '- "Hostname": "a",',
  '+ "Hostname": "b",',
  '  "Subdomain": "",',
  '  "SetHostnameAsFQDN": null,',
  '  "Affinity": null,',
)

const bounds = (seconds: number): readonly string[] =>
  [1, 0].map(least => `spec.activeDeadlineSeconds: Invalid value: ${seconds}: must be between ${least} and 2147483647, inclusive`)
const noExecute = 'spec.tolerations[0].effect: Invalid value: "": effect must be \'NoExecute\' when `tolerationSeconds` is set'

const changes: readonly (readonly [what: string, before: JsonObject, now: JsonObject, ...told: string[]])[] = [
  ['nothing', {}, {}],
  ['an image', {}, { containers: [{ name: 'a', image: 'web:2' }] }],
  [
    'an image to none',
    {},
    { containers: [{ name: 'a', image: '' }] },
    'spec.containers[0].image: Required value',
    'spec.containers[0].image: Required value',
  ],
  [
    'an image of a first container',
    { initContainers: [{ name: 'i', image: 'x:1' }] },
    { initContainers: [{ name: 'i', image: 'x:2' }] },
  ],
  [
    'another field of a container',
    {},
    { containers: [{ name: 'a', image: 'web:1', tty: true }] },
    fixed(
      31,
      '    "SecurityContext": null,',
      '    "Stdin": false,',
      '    "StdinOnce": false,',
      '-   "TTY": false',
      '+   "TTY": true',
      '   }',
      '  ],',
      '  "EphemeralContainers": null,',
    ),
  ],
  ['an empty command', {}, { containers: [{ name: 'a', image: 'web:1', command: [] }] }],
  [
    'an image, and the name before it',
    {},
    { containers: [{ name: 'b', image: 'web:2' }] },
    fixed(
      3,
      '  "InitContainers": null,',
      '  "Containers": [',
      '   {',
      '-   "Name": "a",',
      '+   "Name": "b",',
      '    "Image": "web:1",',
      '    "Command": null,',
      '    "Args": null,',
    ),
  ],
  [
    'how many containers',
    {},
    { containers: [...containers, { name: 'b', image: 'web:1' }] },
    'spec.containers: Forbidden: pod updates may not add or remove containers',
  ],
  [
    'how many first containers',
    { initContainers: [{ name: 'i', image: 'x:1' }] },
    {},
    'spec.initContainers: Forbidden: pod updates may not add or remove containers',
  ],
  ['where it is', { hostname: 'a' }, { hostname: 'b' }, otherHost],
  ['a deadline that was not there', {}, { activeDeadlineSeconds: 5 }],
  ['a deadline to a nearer one', { activeDeadlineSeconds: 5 }, { activeDeadlineSeconds: 4 }],
  ['a deadline to itself', { activeDeadlineSeconds: 5 }, { activeDeadlineSeconds: 5 }],
  [
    'a deadline to a later one',
    { activeDeadlineSeconds: 5 },
    { activeDeadlineSeconds: 6 },
    'spec.activeDeadlineSeconds: Invalid value: 6: must be less than or equal to previous value',
  ],
  [
    'a deadline to none',
    { activeDeadlineSeconds: 5 },
    {},
    'spec.activeDeadlineSeconds: Invalid value: null: must not update from a positive integer to nil value',
  ],
  [
    'a deadline to a nearer one, and where it is',
    { activeDeadlineSeconds: 5, hostname: 'a' },
    { activeDeadlineSeconds: 4, hostname: 'b' },
    otherHost,
  ],
  [
    'a deadline to a later one, and where it is',
    { activeDeadlineSeconds: 5, hostname: 'a' },
    { activeDeadlineSeconds: 6, hostname: 'b' },
    'spec.activeDeadlineSeconds: Invalid value: 6: must be less than or equal to previous value',
  ],
  ['one more toleration beside another', tolerating({ key: 'a' }), { tolerations: [{ key: 'a' }, { key: 'b' }] }],
  ['one more toleration', {}, tolerating({ operator: 'Exists' })],
  [
    'how long something is tolerated',
    tolerating({ key: 'a', effect: 'NoExecute' }),
    tolerating({ key: 'a', effect: 'NoExecute', tolerationSeconds: 5 }),
  ],
  [
    'what is tolerated',
    tolerating({ key: 'a', effect: 'NoExecute' }),
    tolerating({ key: 'b', effect: 'NoExecute' }),
    'spec.tolerations: Forbidden: existing toleration can not be modified except its tolerationSeconds',
  ],
  [
    'a deadline to none, and where it is',
    { activeDeadlineSeconds: 5, hostname: 'a' },
    { hostname: 'b' },
    'spec.activeDeadlineSeconds: Invalid value: null: must not update from a positive integer to nil value',
    otherHost,
  ],
  ['one gate less', { schedulingGates: [{ name: 'a' }, { name: 'b' }] }, { schedulingGates: [{ name: 'b' }] }],
  [
    'one gate more',
    { schedulingGates: [{ name: 'a' }] },
    { schedulingGates: [{ name: 'a' }, { name: 'c' }] },
    "spec.schedulingGates[1].name: Forbidden: only deletion is allowed, but found new scheduling gate 'c'",
  ],
  [
    'its grace',
    { terminationGracePeriodSeconds: 5 },
    { terminationGracePeriodSeconds: 1 },
    fixed(
      36,
      '  ],',
      '  "EphemeralContainers": null,',
      '  "RestartPolicy": "Always",',
      '- "TerminationGracePeriodSeconds": 5,',
      '+ "TerminationGracePeriodSeconds": 1,',
      '  "ActiveDeadlineSeconds": null,',
      '  "DNSPolicy": "ClusterFirst",',
      '  "NodeSelector": null,',
    ),
  ],
]

for (const [what, before, now, ...told] of changes)
  test(`that a Pod changes ${what} is ${told.length === 0 ? 'taken' : 'refused'}`, () => {
    assert.deepEqual(refusals(pod(now), { old: pod(before) }), told)
    assert.deepEqual(
      refusals(pod(now), { old: pod(before), subresource: 'status' }).filter(line => !line.includes('Required')),
      [],
    )
  })

test('a grace below nothing may become a second, and nothing else', () => {
  const { validate, applyDefaults } = schemaOf({ apiVersion: 'v1', kind: 'Pod' })
  const held = (seconds: number): JsonObject => {
    const object = applyDefaults(pod({}))
    return { ...object, spec: { ...(object.spec as JsonObject), terminationGracePeriodSeconds: seconds } }
  }
  assert.deepEqual(validate(held(1), { old: held(-5) }).errors, [])
  assert.equal(validate(held(2), { old: held(-5) }).errors.length, 1)
  assert.equal(validate(held(1), { old: held(0) }).errors.length, 1)
})

/** What would be wrong in a new pod as well, and is told again. */
const faulty: readonly (readonly [what: string, before: JsonObject, now: JsonObject, ...told: string[]])[] = [
  ['a deadline that was not there to one below nothing', {}, { activeDeadlineSeconds: -1 }, ...bounds(-1)],
  ['a deadline to nothing', { activeDeadlineSeconds: 5 }, { activeDeadlineSeconds: 0 }, ...bounds(0).slice(0, 1)],
  [
    'a deadline to one that is too late for any, and where it is',
    { activeDeadlineSeconds: 5, hostname: 'a' },
    { activeDeadlineSeconds: 2147483648, hostname: 'b' },
    ...bounds(2147483648),
  ],
  [
    'how long something is tolerated that is not driven away',
    tolerating({ key: 'a', operator: 'Exists' }),
    tolerating({ key: 'a', operator: 'Exists', tolerationSeconds: 5 }),
    noExecute,
    noExecute,
  ],
  [
    'what is tolerated to what nobody can tolerate',
    tolerating({ key: 'a', operator: 'Exists' }),
    tolerating({ key: 'a', operator: 'Nope' }),
    'spec.tolerations[0].operator: Unsupported value: "Nope": supported values: "Equal", "Exists"',
    'spec.tolerations: Forbidden: existing toleration can not be modified except its tolerationSeconds',
  ],
]

for (const [what, before, now, ...told] of faulty)
  test(`that a Pod changes ${what} is refused`, () => {
    assert.deepEqual(refusals(pod(now), { old: pod(before) }), told)
  })
