import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../../json.ts'
import { refusals, schemaOf } from '../../testing/refusals.ts'

const labels = { app: 'a' }
const template = {
  metadata: { labels },
  spec: { containers: [{ name: 'c', image: 'web:1', terminationMessagePolicy: 'File' }], restartPolicy: 'Always' },
}
const selector = { matchLabels: labels }

type Kind = 'Deployment' | 'ReplicaSet' | 'DaemonSet' | 'StatefulSet'

function workload(kind: Kind, spec: JsonObject, status: JsonObject = {}): JsonObject {
  return { apiVersion: 'apps/v1', kind, metadata: { name: 'w' }, spec: { selector, template, ...spec }, status }
}

const fixed = 'field is immutable'
const atLeast0 = 'must be greater than or equal to 0'
const percent =
  "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')"
const rolling = 'spec.strategy.rollingUpdate'
const daily = 'spec.updateStrategy.rollingUpdate'

const keyForm =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"
const labelForm =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')"
const unreadable = {
  selector: { matchExpressions: [{ values: ['a'], operator: 'In', key: 'app' }], matchLabels: { app: 'a', '-': 'x' } },
  template: {},
}

const rows: readonly (readonly [kind: Kind, spec: JsonObject, ...told: string[]])[] = [
  ['Deployment', {}],
  ['Deployment', { replicas: 0, minReadySeconds: 0, revisionHistoryLimit: 0 }],
  ['Deployment', { replicas: -1 }, `spec.replicas: Invalid value: -1: ${atLeast0}`],
  ['Deployment', { minReadySeconds: -1 }, `spec.minReadySeconds: Invalid value: -1: ${atLeast0}`],
  ['Deployment', { revisionHistoryLimit: -1 }, `spec.revisionHistoryLimit: Invalid value: -1: ${atLeast0}`],
  ['Deployment', { minReadySeconds: 599 }],
  [
    'Deployment',
    { minReadySeconds: 600 },
    'spec.progressDeadlineSeconds: Invalid value: 600: must be greater than minReadySeconds',
  ],
  ['Deployment', { progressDeadlineSeconds: 1 }],
  [
    'Deployment',
    { progressDeadlineSeconds: 0 },
    'spec.progressDeadlineSeconds: Invalid value: 0: must be greater than minReadySeconds',
  ],
  [
    'Deployment',
    { progressDeadlineSeconds: -1 },
    `spec.progressDeadlineSeconds: Invalid value: -1: ${atLeast0}`,
    'spec.progressDeadlineSeconds: Invalid value: -1: must be greater than minReadySeconds',
  ],
  ['Deployment', { strategy: { type: 'Recreate' } }],
  [
    'Deployment',
    { strategy: { type: 'Recreate', rollingUpdate: {} } },
    `${rolling}: Forbidden: may not be specified when strategy \`type\` is 'Recreate'`,
  ],
  [
    'Deployment',
    { strategy: { type: 'Slow' } },
    'spec.strategy: Unsupported value: {"Type":"Slow","RollingUpdate":null}: supported values: "Recreate", "RollingUpdate"',
  ],
  ['Deployment', { strategy: { rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } } }],
  ['Deployment', { strategy: { rollingUpdate: { maxUnavailable: '100%', maxSurge: '0%' } } }],
  ['Deployment', { strategy: { rollingUpdate: { maxUnavailable: 101, maxSurge: '101%' } } }],
  [
    'Deployment',
    { strategy: { rollingUpdate: { maxUnavailable: '101%' } } },
    `${rolling}.maxUnavailable: Invalid value: "101%": must not be greater than 100%`,
  ],
  [
    'Deployment',
    { strategy: { rollingUpdate: { maxUnavailable: '0%', maxSurge: 0 } } },
    `${rolling}.maxUnavailable: Invalid value: "0%": may not be 0 when \`maxSurge\` is 0`,
  ],
  [
    'Deployment',
    { strategy: { rollingUpdate: { maxUnavailable: -1, maxSurge: 'x' } } },
    `${rolling}.maxUnavailable: Invalid value: -1: ${atLeast0}`,
    `${rolling}.maxSurge: Invalid value: "x": ${percent}`,
  ],
  [
    'Deployment',
    { selector: { matchLabels: { app: 'b' } } },
    'spec.template.metadata.labels: Invalid value: {"app":"a"}: `selector` does not match template `labels`',
  ],
  ['Deployment', { selector: {} }, 'spec.selector: Invalid value: {}: empty selector is invalid for deployment'],
  ['Deployment', { selector: { matchExpressions: [{ key: 'app', operator: 'Exists' }] } }],
  [
    'Deployment',
    { selector: { matchExpressions: [{ key: 'app', operator: 'In' }], matchLabels: labels } },
    "spec.selector.matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
    'spec.selector: Invalid value: {"matchLabels":{"app":"a"},"matchExpressions":[{"key":"app","operator":"In"}]}: invalid label selector',
  ],
  [
    'Deployment',
    { selector: { matchExpressions: [{ key: 'app', operator: 'In' }] } },
    "spec.selector.matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
    'spec.selector: Invalid value: {"matchExpressions":[{"key":"app","operator":"In"}]}: invalid label selector',
  ],
  [
    'Deployment',
    { template: { ...template, spec: { ...template.spec, restartPolicy: 'Never' } } },
    'spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"',
  ],
  [
    'Deployment',
    { template: { ...template, spec: { ...template.spec, restartPolicy: 'Sometimes' } } },
    'spec.template.spec.restartPolicy: Unsupported value: "Sometimes": supported values: "Always", "OnFailure", "Never"',
    'spec.template.spec.restartPolicy: Unsupported value: "Sometimes": supported values: "Always"',
  ],
  [
    'Deployment',
    { template: { ...template, spec: { ...template.spec, activeDeadlineSeconds: 1 } } },
    'spec.template.spec.activeDeadlineSeconds: Forbidden: activeDeadlineSeconds in ReplicaSet is not Supported',
  ],
  ['ReplicaSet', { replicas: 0, minReadySeconds: 0 }],
  [
    'ReplicaSet',
    { replicas: -1, minReadySeconds: -1 },
    `spec.replicas: Invalid value: -1: ${atLeast0}`,
    `spec.minReadySeconds: Invalid value: -1: ${atLeast0}`,
  ],
  ['DaemonSet', {}],
  ['DaemonSet', { updateStrategy: { type: 'OnDelete' } }],
  ['DaemonSet', { updateStrategy: { rollingUpdate: { maxUnavailable: 0, maxSurge: '1%' } } }],
  ['DaemonSet', { updateStrategy: { rollingUpdate: { maxUnavailable: '100%', maxSurge: 0 } } }],
  // Nobody looks at the pods of one whose own cannot be told; the selector is shown as the server's own type has it.
  ...(['Deployment', 'ReplicaSet'] as const).map(
    kind =>
      [
        kind,
        unreadable,
        `spec.selector.matchLabels: Invalid value: "-": ${keyForm}`,
        'spec.selector: Invalid value: {"matchLabels":{"-":"x","app":"a"},"matchExpressions":[{"key":"app","operator":"In","values":["a"]}]}: invalid label selector',
      ] as const,
  ),
  [
    'Deployment',
    { selector: { matchExpressions: [{ values: ['a'] }] } },
    'spec.selector.matchExpressions[0].operator: Invalid value: "": not a valid selector operator',
    'spec.selector.matchExpressions[0].key: Invalid value: "": name part must be non-empty',
    `spec.selector.matchExpressions[0].key: Invalid value: "": ${keyForm}`,
    'spec.selector: Invalid value: {"matchExpressions":[{"key":"","operator":"","values":["a"]}]}: invalid label selector',
  ],
  [
    'Deployment',
    { strategy: { type: 'Slow', rollingUpdate: { maxSurge: '25%' } } },
    'spec.strategy: Unsupported value: {"Type":"Slow","RollingUpdate":{"MaxUnavailable":0,"MaxSurge":"25%"}}: supported values: "Recreate", "RollingUpdate"',
  ],
  ...(['x', '-1%'] as const).map(
    maxUnavailable =>
      [
        'Deployment',
        { strategy: { rollingUpdate: { maxUnavailable, maxSurge: 0 } } },
        `${rolling}.maxUnavailable: Invalid value: "${maxUnavailable}": ${percent}`,
        `${rolling}.maxUnavailable: Invalid value: "${maxUnavailable}": may not be 0 when \`maxSurge\` is 0`,
      ] as const,
  ),
  [
    'Deployment',
    { strategy: { rollingUpdate: { maxUnavailable: '00%', maxSurge: 0 } } },
    `${rolling}.maxUnavailable: Invalid value: "00%": may not be 0 when \`maxSurge\` is 0`,
  ],
  [
    'Deployment',
    { strategy: { rollingUpdate: { maxUnavailable: '7', maxSurge: 0 } } },
    `${rolling}.maxUnavailable: Invalid value: "7": ${percent}`,
  ],
  [
    'DaemonSet',
    { updateStrategy: { type: 'Slow' } },
    'spec.updateStrategy: Unsupported value: {"Type":"Slow","RollingUpdate":null}: supported values: "RollingUpdate", "OnDelete"',
  ],
  [
    'DaemonSet',
    { updateStrategy: { rollingUpdate: { maxUnavailable: 1, maxSurge: 1 } } },
    `${daily}.maxSurge: Invalid value: 1: may not be set when maxUnavailable is non-zero`,
  ],
  [
    'DaemonSet',
    { updateStrategy: { rollingUpdate: { maxUnavailable: 0, maxSurge: '0%' } } },
    `${daily}.maxUnavailable: Required value: cannot be 0 when maxSurge is 0`,
  ],
  [
    'DaemonSet',
    { updateStrategy: { rollingUpdate: { maxUnavailable: '101%' } } },
    `${daily}.maxUnavailable: Invalid value: "101%": must not be greater than 100%`,
  ],
  [
    'DaemonSet',
    { updateStrategy: { rollingUpdate: { maxUnavailable: 0, maxSurge: '101%' } } },
    `${daily}.maxSurge: Invalid value: "101%": must not be greater than 100%`,
  ],
  [
    'DaemonSet',
    { updateStrategy: { rollingUpdate: { maxUnavailable: -1 } } },
    `${daily}.maxUnavailable: Invalid value: -1: ${atLeast0}`,
  ],
  [
    'DaemonSet',
    { minReadySeconds: -1, revisionHistoryLimit: -1 },
    `spec.minReadySeconds: Invalid value: -1: ${atLeast0}`,
    `spec.revisionHistoryLimit: Invalid value: -1: ${atLeast0}`,
  ],
  [
    'DaemonSet',
    { updateStrategy: { rollingUpdate: { maxUnavailable: 'x' } } },
    `${daily}.maxUnavailable: Invalid value: "x": ${percent}`,
    `${daily}.maxUnavailable: Required value: cannot be 0 when maxSurge is 0`,
  ],
  // A number without its sign is no percentage, and is not nothing.
  [
    'DaemonSet',
    { updateStrategy: { rollingUpdate: { maxUnavailable: '7' } } },
    `${daily}.maxUnavailable: Invalid value: "7": ${percent}`,
  ],
  [
    'DaemonSet',
    { updateStrategy: { rollingUpdate: { maxSurge: '150%' } } },
    `${daily}.maxSurge: Invalid value: "150%": must not be greater than 100%`,
    `${daily}.maxSurge: Invalid value: "150%": may not be set when maxUnavailable is non-zero`,
  ],
  [
    'DaemonSet',
    { updateStrategy: { rollingUpdate: { maxUnavailable: '150%', maxSurge: 'x' } } },
    `${daily}.maxSurge: Invalid value: "x": ${percent}`,
    `${daily}.maxUnavailable: Invalid value: "150%": must not be greater than 100%`,
  ],
  [
    'DaemonSet',
    { updateStrategy: { type: 'Slow', rollingUpdate: { maxUnavailable: 2 } } },
    'spec.updateStrategy: Unsupported value: {"Type":"Slow","RollingUpdate":{"MaxUnavailable":2,"MaxSurge":0}}: supported values: "RollingUpdate", "OnDelete"',
  ],
  [
    'DaemonSet',
    { ...unreadable, minReadySeconds: -1, updateStrategy: { type: 'Slow' } },
    `spec.selector.matchLabels: Invalid value: "-": ${keyForm}`,
    `spec.template.spec.containers: Required value`,
    `spec.minReadySeconds: Invalid value: -1: ${atLeast0}`,
    'spec.updateStrategy: Unsupported value: {"Type":"Slow","RollingUpdate":null}: supported values: "RollingUpdate", "OnDelete"',
  ],
  ['DaemonSet', { selector: {} }, 'spec.selector: Invalid value: {}: empty selector is invalid for daemonset'],
  [
    'DaemonSet',
    { template: { ...template, spec: { ...template.spec, activeDeadlineSeconds: 1 } } },
    'spec.template.spec.activeDeadlineSeconds: Forbidden: activeDeadlineSeconds in DaemonSet is not Supported',
  ],
  ['StatefulSet', { serviceName: 's', podManagementPolicy: 'Parallel', ordinals: { start: 0 } }],
  ['StatefulSet', { revisionHistoryLimit: -1 }],
  [
    'StatefulSet',
    { replicas: -1, minReadySeconds: -1, ordinals: { start: -1 } },
    `spec.replicas: Invalid value: -1: ${atLeast0}`,
    `spec.minReadySeconds: Invalid value: -1: ${atLeast0}`,
    `spec.ordinals.start: Invalid value: -1: ${atLeast0}`,
  ],
  [
    'StatefulSet',
    { podManagementPolicy: 'Any' },
    `spec.podManagementPolicy: Invalid value: "Any": must be 'OrderedReady' or 'Parallel'`,
  ],
  ['StatefulSet', { updateStrategy: { rollingUpdate: { partition: -1 } } }, `${daily}.partition: Invalid value: -1: ${atLeast0}`],
  ['StatefulSet', { updateStrategy: { type: 'OnDelete' } }],
  [
    'StatefulSet',
    { updateStrategy: { type: 'OnDelete', rollingUpdate: { partition: 1 } } },
    `${daily}: Invalid value: {"Partition":1,"MaxUnavailable":null}: only allowed for updateStrategy 'RollingUpdate'`,
  ],
  [
    'StatefulSet',
    { updateStrategy: { type: 'Slow' } },
    'spec.updateStrategy: Invalid value: {"Type":"Slow","RollingUpdate":null}: must be \'RollingUpdate\' or \'OnDelete\'',
  ],
  [
    'StatefulSet',
    { persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Keep', whenScaled: 'Delete' } },
    'spec.persistentVolumeClaimRetentionPolicy.whenDeleted: Unsupported value: "Keep": supported values: "Retain", "Delete"',
  ],
  [
    'StatefulSet',
    { updateStrategy: { type: 'Slow', rollingUpdate: {} } },
    'spec.updateStrategy: Invalid value: {"Type":"Slow","RollingUpdate":{"Partition":0,"MaxUnavailable":null}}: must be \'RollingUpdate\' or \'OnDelete\'',
  ],
  // Of the pods no more is told than what every owner of them is told.
  [
    'StatefulSet',
    {
      ...unreadable,
      template: { spec: { activeDeadlineSeconds: 1, restartPolicy: 'Never' } },
      serviceName: '-',
      replicas: -1,
      volumeClaimTemplates: [{}],
    },
    'spec.volumeClaimTemplates[0].spec.accessModes: Required value: at least 1 access mode is required',
    'spec.volumeClaimTemplates[0].spec.resources[storage]: Required value',
    `spec.replicas: Invalid value: -1: ${atLeast0}`,
    `spec.serviceName: Invalid value: "-": ${labelForm}`,
    `spec.selector.matchLabels: Invalid value: "-": ${keyForm}`,
    'spec.selector: Invalid value: {"matchLabels":{"-":"x","app":"a"},"matchExpressions":[{"key":"app","operator":"In","values":["a"]}]}',
    'spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"',
    'spec.template.spec.activeDeadlineSeconds: Forbidden: activeDeadlineSeconds in StatefulSet is not Supported',
  ],
  ['StatefulSet', { selector: {} }, 'spec.selector: Invalid value: {}: empty selector is invalid for statefulset'],
  [
    'StatefulSet',
    { template: { ...template, spec: { ...template.spec, activeDeadlineSeconds: 1 } } },
    'spec.template.spec.activeDeadlineSeconds: Forbidden: activeDeadlineSeconds in StatefulSet is not Supported',
  ],
]

for (const [kind, spec, ...told] of rows)
  test(`a ${kind} with ${JSON.stringify(spec).slice(0, 90)} is ${told.length === 0 ? 'taken' : 'refused'}`, () => {
    assert.deepEqual(refusals(workload(kind, spec)), told)
  })

test('without a selector a workload finds no pods of its own', () => {
  const { selector: _selector, ...spec } = workload('Deployment', {}).spec as JsonObject
  const mismatch = 'spec.template.metadata.labels: Invalid value: {"app":"a"}: `selector` does not match template `labels`'
  const without = (kind: Kind): JsonObject => ({ ...workload(kind, {}), spec })
  assert.deepEqual(refusals(without('Deployment')), ['spec.selector: Required value', mismatch])
  assert.deepEqual(refusals(without('StatefulSet')), ['spec.selector: Required value', mismatch])
  assert.deepEqual(refusals(without('DaemonSet')), [mismatch])
})

test('pods of a StatefulSet mount its claims, in place of volumes of their names', () => {
  const mounts = (...names: string[]): JsonObject => ({
    metadata: { labels },
    spec: {
      containers: [{ ...template.spec.containers[0], volumeMounts: names.map(name => ({ name, mountPath: `/${name}` })) }],
      volumes: [
        { name: 'data', secret: {} },
        { name: 'other', emptyDir: {} },
      ],
    },
  })
  const claim = {
    metadata: { name: 'data' },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  }
  const spec = { template: mounts('data', 'other'), volumeClaimTemplates: [claim] }
  assert.deepEqual(refusals(workload('StatefulSet', spec)), [])
  assert.deepEqual(refusals(workload('StatefulSet', { template: mounts('data', 'other') })), [
    'spec.template.spec.volumes[0].secret.secretName: Required value',
    'spec.template.spec.containers[0].volumeMounts[0].name: Not found: "data"',
  ])
  assert.deepEqual(refusals(workload('StatefulSet', { ...spec, template: mounts('third') })), [
    'spec.template.spec.containers[0].volumeMounts[0].name: Not found: "third"',
  ])
  assert.deepEqual(refusals(workload('StatefulSet', { ...spec, volumeClaimTemplates: [{ ...claim, spec: {} }] })), [
    'spec.volumeClaimTemplates[0].spec.accessModes: Required value: at least 1 access mode is required',
    'spec.volumeClaimTemplates[0].spec.resources[storage]: Required value',
  ])
})

test('the selector of a workload stays', () => {
  const both = { app: 'a', tier: 'x' }
  const wider = { ...template, metadata: { labels: both } }
  for (const kind of ['Deployment', 'ReplicaSet', 'DaemonSet'] as const) {
    const old = workload(kind, { template: wider })
    assert.deepEqual(refusals(workload(kind, { template: wider, minReadySeconds: 1 }), { old }), [])
    assert.deepEqual(refusals(workload(kind, { template: wider, selector: { matchLabels: both } }), { old }), [
      `spec.selector: Invalid value: {"matchLabels":{"app":"a","tier":"x"}}: ${fixed}`,
    ])
  }
})

test('what a changed selector would be is shown as the own type of the server has it; of a DaemonSet that comes first', () => {
  const selector = { matchExpressions: [{ values: ['a'], operator: 'In', key: 'app' }], matchLabels: { app: 'a' } }
  const shown = '{"matchLabels":{"app":"a"},"matchExpressions":[{"key":"app","operator":"In","values":["a"]}]}'
  const changed = (kind: Kind, spec: JsonObject): readonly string[] =>
    refusals(workload(kind, { selector, ...spec }), { old: workload(kind, {}) })
  const stays = `spec.selector: Invalid value: ${shown}: ${fixed}`
  const negative = (field: string): string => `spec.${field}: Invalid value: -1: ${atLeast0}`
  assert.deepEqual(changed('ReplicaSet', { replicas: -1 }), [negative('replicas'), stays])
  assert.deepEqual(changed('Deployment', { revisionHistoryLimit: -1 }), [negative('revisionHistoryLimit'), stays])
  assert.deepEqual(changed('DaemonSet', { revisionHistoryLimit: -1 }), [stays, negative('revisionHistoryLimit')])
})

test('of a StatefulSet some fields may change and no others', () => {
  const old = workload('StatefulSet', { serviceName: 's' })
  const may = {
    replicas: 3,
    minReadySeconds: 1,
    revisionHistoryLimit: 2,
    ordinals: { start: 1 },
    updateStrategy: { type: 'OnDelete' },
  }
  const policy = { persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Delete' } }
  const relabelled = { ...template, spec: { ...template.spec, hostNetwork: true } }
  assert.deepEqual(refusals(workload('StatefulSet', { serviceName: 's', template: relabelled, ...may, ...policy }), { old }), [])
  for (const spec of [
    { serviceName: 't' },
    // What may not change is not looked at.
    { serviceName: '-' },
    { serviceName: 's', volumeClaimTemplates: [{ metadata: { name: 'd' }, spec: {} }] },
    { serviceName: 's', podManagementPolicy: 'Parallel' },
  ])
    assert.deepEqual(refusals(workload('StatefulSet', spec), { old }), [
      "spec: Forbidden: updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden",
    ])
})

test('a StatefulSet that keeps all its history is warned of', () => {
  const { validate } = schemaOf({ apiVersion: 'apps/v1', kind: 'StatefulSet' })
  const warnings = (revisionHistoryLimit: number): readonly string[] =>
    validate(workload('StatefulSet', { revisionHistoryLimit })).warnings
  assert.deepEqual(warnings(0), [])
  assert.deepEqual(warnings(-1), [
    'spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended',
  ])
})

const above = (field: string, value: number, what: string): string =>
  `status.${field}: Invalid value: ${value}: cannot be greater than ${what}`

const statuses: readonly (readonly [kind: Kind, status: JsonObject, ...told: string[]])[] = [
  ['Deployment', { replicas: 2, updatedReplicas: 2, readyReplicas: 2, availableReplicas: 2, unavailableReplicas: 0 }],
  [
    'Deployment',
    { replicas: 1, updatedReplicas: 2, readyReplicas: 2, availableReplicas: 2 },
    above('updatedReplicas', 2, 'status.replicas'),
    above('readyReplicas', 2, 'status.replicas'),
    above('availableReplicas', 2, 'status.replicas'),
  ],
  ['Deployment', {}],
  ['Deployment', { updatedReplicas: 1 }, above('updatedReplicas', 1, 'status.replicas')],
  ['Deployment', { replicas: 1, availableReplicas: 1 }, above('availableReplicas', 1, 'readyReplicas')],
  [
    'Deployment',
    { replicas: -1, unavailableReplicas: -1, observedGeneration: -1, collisionCount: -1 },
    `status.replicas: Invalid value: -1: ${atLeast0}`,
    above('updatedReplicas', 0, 'status.replicas'),
    above('readyReplicas', 0, 'status.replicas'),
    above('availableReplicas', 0, 'status.replicas'),
    `status.unavailableReplicas: Invalid value: -1: ${atLeast0}`,
    `status.observedGeneration: Invalid value: -1: ${atLeast0}`,
    `status.collisionCount: Invalid value: -1: ${atLeast0}`,
  ],
  ['ReplicaSet', { replicas: 1, fullyLabeledReplicas: 2 }, above('fullyLabeledReplicas', 2, 'status.replicas')],
  ['ReplicaSet', { replicas: 1, readyReplicas: 1, availableReplicas: 1 }],
  ['StatefulSet', { replicas: 1, availableReplicas: 1 }, above('availableReplicas', 1, 'status.readyReplicas')],
  [
    'StatefulSet',
    { replicas: 1, currentReplicas: 2, updatedReplicas: 2, observedGeneration: -1, collisionCount: -1 },
    above('currentReplicas', 2, 'status.replicas'),
    above('updatedReplicas', 2, 'status.replicas'),
    `status.observedGeneration: Invalid value: -1: ${atLeast0}`,
    `status.collisionCount: Invalid value: -1: ${atLeast0}`,
  ],
  ['DaemonSet', { currentNumberScheduled: 0, desiredNumberScheduled: 5, numberMisscheduled: 1, numberReady: 9 }],
  [
    'DaemonSet',
    { desiredNumberScheduled: -1, updatedNumberScheduled: -1 },
    `status.desiredNumberScheduled: Invalid value: -1: ${atLeast0}`,
    `status.updatedNumberScheduled: Invalid value: -1: ${atLeast0}`,
  ],
]

for (const [kind, status, ...told] of statuses)
  test(`the status ${JSON.stringify(status)} of a ${kind} is ${told.length === 0 ? 'taken' : 'refused'}`, () => {
    const wrong = { replicas: -1 }
    assert.deepEqual(refusals(workload(kind, wrong, status), { old: workload(kind, {}), subresource: 'status' }), told)
  })
