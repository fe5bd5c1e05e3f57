import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../../json.ts'
import { refusals } from '../../testing/refusals.ts'

const uid = '1234'
const own = {
  'batch.kubernetes.io/controller-uid': uid,
  'batch.kubernetes.io/job-name': 'j',
  'controller-uid': uid,
  'job-name': 'j',
}
const pods: JsonObject = {
  restartPolicy: 'Never',
  containers: [{ name: 'main', image: 'web:1' }],
  initContainers: [{ name: 'first', image: 'web:1' }],
}
const template = (spec: JsonObject = {}, labels: JsonObject = own): JsonObject => ({
  metadata: { labels },
  spec: { ...pods, ...spec },
})
const generated = { matchLabels: { 'batch.kubernetes.io/controller-uid': uid } }

function job(spec: JsonObject, metadata: JsonObject = {}): JsonObject {
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'j', uid, ...metadata },
    spec: { selector: generated, template: template(), ...spec },
  }
}

const atLeast0 = 'must be greater than or equal to 0'
const indexed = { completionMode: 'Indexed', completions: 5, parallelism: 2 }
const restartText = 'spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"'
const failing = (...rules: JsonObject[]): JsonObject => ({ podFailurePolicy: { rules } })
const succeeding = (...rules: JsonObject[]): JsonObject => ({ ...indexed, successPolicy: { rules } })
const rule = 'spec.podFailurePolicy.rules[0]'
const goal = 'spec.successPolicy.rules[0]'
const many = { completionMode: 'Indexed', completions: 100_001, parallelism: 1, backoffLimitPerIndex: 1 }
const whenMany = 'when completions are above 100000 and used with backoff limit per index'
const times = (count: number, item: JsonObject): JsonObject[] => Array.from({ length: count }, () => item)
const codes = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1)
const exit = { operator: 'In', values: [1] }

const rows: readonly (readonly [spec: JsonObject, ...told: string[]])[] = [
  [{}],
  [{ parallelism: 0, completions: 0, activeDeadlineSeconds: 0, backoffLimit: 0, ttlSecondsAfterFinished: 0 }],
  ...['parallelism', 'completions', 'activeDeadlineSeconds', 'backoffLimit', 'ttlSecondsAfterFinished'].map(
    field => [{ [field]: -1 }, `spec.${field}: Invalid value: -1: ${atLeast0}`] as const,
  ),
  [
    { ...indexed, backoffLimitPerIndex: -1, maxFailedIndexes: -1 },
    `spec.backoffLimitPerIndex: Invalid value: -1: ${atLeast0}`,
    `spec.maxFailedIndexes: Invalid value: -1: ${atLeast0}`,
  ],
  [{ ...indexed, backoffLimitPerIndex: 0, maxFailedIndexes: 5 }],
  [
    { ...indexed, backoffLimitPerIndex: 0, maxFailedIndexes: 6 },
    'spec.maxFailedIndexes: Invalid value: 6: must be less than or equal to completions',
  ],
  [{ ...indexed, maxFailedIndexes: 1 }, 'spec.backoffLimitPerIndex: Required value: when maxFailedIndexes is specified'],
  [{ ...many, completions: 100_000, parallelism: 100_000, maxFailedIndexes: 100_000 }],
  [
    { ...many, completions: 100_000, parallelism: 100_001, maxFailedIndexes: 100_001 },
    'spec.parallelism: Invalid value: 100001: must be less than or equal to 100000 when completion mode is Indexed',
    'spec.maxFailedIndexes: Invalid value: 100001: must be less than or equal to completions',
    'spec.maxFailedIndexes: Invalid value: 100001: must be less than or equal to 100000',
  ],
  [{ ...many, parallelism: 10_000, maxFailedIndexes: 10_000 }],
  [
    { ...many, parallelism: 10_001, maxFailedIndexes: 10_001 },
    `spec.parallelism: Invalid value: 10001: must be less than or equal to 10000 ${whenMany}`,
    `spec.maxFailedIndexes: Invalid value: 10001: must be less than or equal to 10000 ${whenMany}`,
  ],
  [many, 'spec.maxFailedIndexes: Required value: must be specified when completions is above 100000'],
  [{ completionMode: 'Indexed', completions: 100_001, parallelism: 100_000 }],
  [
    { completionMode: 'Some', backoffLimitPerIndex: 1, maxFailedIndexes: 7 },
    'spec.completionMode: Unsupported value: "Some": supported values: "NonIndexed", "Indexed"',
  ],
  [failing(...times(20, { action: 'Ignore', onPodConditions: [{ type: 'A', status: 'True' }] }))],
  [
    failing(...times(21, { action: 'Ignore', onPodConditions: [{ type: 'A', status: 'True' }] })),
    'spec.podFailurePolicy.rules: Too many: 21: must have at most 20 items',
  ],
  [failing({ action: 'Ignore', onPodConditions: times(20, { type: 'A', status: 'True' }) })],
  [
    failing({ action: 'Ignore', onPodConditions: times(21, { type: 'A', status: 'True' }) }),
    `${rule}.onPodConditions: Too many: 21: must have at most 20 items`,
  ],
  [failing({ action: 'Ignore', onExitCodes: { operator: 'In', values: codes(255) } })],
  [
    failing({ action: 'Ignore', onExitCodes: { operator: 'In', values: codes(256) } }),
    `${rule}.onExitCodes.values: Too many: 256: must have at most 255 items`,
  ],
  [
    failing({ action: 'Ignore', onExitCodes: { operator: 'In' } }),
    `${rule}.onExitCodes.values: Invalid value: null: at least one value is required`,
  ],
  [succeeding(...times(20, { succeededCount: 1 }))],
  [succeeding(...times(21, { succeededCount: 1 })), 'spec.successPolicy.rules: Too many: 21: must have at most 20 items'],
  [
    succeeding({ succeededIndexes: 'x', succeededCount: 6 }),
    `${goal}.succeededIndexes: Invalid value: "x": error parsing succeededIndexes: cannot convert string to integer for index: "x"`,
    `${goal}.succeededCount: Invalid value: 6: must be less than or equal to 5 (the number of specified completions)`,
    `${goal}.succeededCount: Invalid value: 6: must be less than or equal to 0 (the number of indexes in the specified succeededIndexes field)`,
  ],
  [
    succeeding({ succeededIndexes: 'x', succeededCount: -1 }),
    `${goal}.succeededIndexes: Invalid value: "x": error parsing succeededIndexes: cannot convert string to integer for index: "x"`,
    `${goal}.succeededCount: Invalid value: -1: ${atLeast0}`,
  ],
  [
    { ...failing({}), successPolicy: { rules: [] }, ...indexed },
    `${rule}.action: Required value: valid values: ["Count" "FailIndex" "FailJob" "Ignore"]`,
    `${rule}: Invalid value: specifying one of OnExitCodes and OnPodConditions is required`,
    'spec.successPolicy.rules: Required value: at least one rules must be specified when the successPolicy is specified',
  ],
  [
    { template: template({ restartPolicy: 'Some' }) },
    'spec.template.spec.restartPolicy: Unsupported value: "Some": supported values: "Always", "OnFailure", "Never"',
    'spec.template.spec.restartPolicy: Unsupported value: "Some": supported values: "OnFailure", "Never"',
  ],
  [{ backoffLimitPerIndex: 1 }, 'spec.backoffLimitPerIndex: Invalid value: 1: requires indexed completion mode'],
  [{ completionMode: 'Indexed' }],
  [{ completionMode: 'Indexed', parallelism: 1 }, 'spec.completions: Required value: when completion mode is Indexed'],
  [{ ...indexed, parallelism: 100_000 }],
  [
    { ...indexed, parallelism: 100_001 },
    'spec.parallelism: Invalid value: 100001: must be less than or equal to 100000 when completion mode is Indexed',
  ],
  [{ parallelism: 100_001 }],
  [{ completionMode: 'Random' }, 'spec.completionMode: Unsupported value: "Random": supported values: "NonIndexed", "Indexed"'],
  [{ managedBy: 'example.com/robot' }],
  [{ managedBy: '' }, 'spec.managedBy: Required value'],
  [{ managedBy: 'robot' }, 'spec.managedBy: Invalid value: "robot": must be a domain-prefixed path (such as "acme.io/foo")'],
  [{ managedBy: `a/${'b'.repeat(61)}` }],
  [{ managedBy: `a/${'b'.repeat(62)}` }, 'spec.managedBy: Too long: may not be more than 63 bytes'],
  [{ podReplacementPolicy: 'Failed' }],
  [
    { podReplacementPolicy: 'Never' },
    'spec.podReplacementPolicy: Unsupported value: "Never": supported values: "Failed", "TerminatingOrFailed"',
  ],
  [{ template: template({ restartPolicy: 'OnFailure' }) }],
  [{ template: template({ restartPolicy: 'Always' }) }, restartText],
  [{ ...failing({ action: 'FailJob', onExitCodes: exit }), podReplacementPolicy: 'Failed' }],
  [
    { ...failing({ action: 'FailJob', onExitCodes: exit }), podReplacementPolicy: 'TerminatingOrFailed' },
    'spec.podReplacementPolicy: Unsupported value: "TerminatingOrFailed": supported values: "Failed"',
  ],
  [
    { ...failing({ action: 'Ignore', onExitCodes: exit }), template: template({ restartPolicy: 'OnFailure' }) },
    'spec.template.spec.restartPolicy: Invalid value: "OnFailure": only "Never" is supported when podFailurePolicy is specified',
  ],
  [failing({ action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget' }] })],
  [failing({ onExitCodes: exit }), `${rule}.action: Required value: valid values: ["Count" "FailIndex" "FailJob" "Ignore"]`],
  [
    failing({ action: 'Wait', onExitCodes: exit }),
    `${rule}.action: Unsupported value: "Wait": supported values: "Count", "FailIndex", "FailJob", "Ignore"`,
  ],
  [
    failing({ action: 'FailIndex', onExitCodes: exit }),
    `${rule}.action: Invalid value: "FailIndex": requires the backoffLimitPerIndex to be set`,
  ],
  [{ ...indexed, backoffLimitPerIndex: 1, ...failing({ action: 'FailIndex', onExitCodes: exit }) }],
  [failing({ action: 'Count' }), `${rule}: Invalid value: specifying one of OnExitCodes and OnPodConditions is required`],
  [
    failing({ action: 'Count', onExitCodes: exit, onPodConditions: [{ type: 'A' }] }),
    `${rule}: Invalid value: specifying both OnExitCodes and OnPodConditions is not supported`,
  ],
  [
    failing({ action: 'Count', onPodConditions: [{ type: 'A', status: 'Maybe' }] }),
    `${rule}.onPodConditions[0].status: Unsupported value: "Maybe": supported values: "False", "True", "Unknown"`,
  ],
  [failing({ action: 'Count', onExitCodes: { ...exit, containerName: 'main' } })],
  [failing({ action: 'Count', onExitCodes: { ...exit, containerName: 'first' } })],
  [
    failing({ action: 'Count', onExitCodes: { ...exit, containerName: 'other' } }),
    `${rule}.onExitCodes.containerName: Invalid value: "other": must be one of the container or initContainer names in the pod template`,
  ],
  [
    failing({ action: 'Count', onExitCodes: { values: [1] } }),
    `${rule}.onExitCodes.operator: Required value: valid values: ["In" "NotIn"]`,
  ],
  [
    failing({ action: 'Count', onExitCodes: { operator: 'Is', values: [1] } }),
    `${rule}.onExitCodes.operator: Unsupported value: "Is": supported values: "In", "NotIn"`,
  ],
  [
    failing({ action: 'Count', onExitCodes: { operator: 'In', values: [] } }),
    `${rule}.onExitCodes.values: Invalid value: []: at least one value is required`,
  ],
  [failing({ action: 'Count', onExitCodes: { operator: 'NotIn', values: [0, 1, 2] } })],
  [
    failing({ action: 'Count', onExitCodes: { operator: 'In', values: [0, 1] } }),
    `${rule}.onExitCodes.values[0]: Invalid value: 0: must not be 0 for the In operator`,
  ],
  [
    failing({ action: 'Count', onExitCodes: { operator: 'In', values: [1, 1] } }),
    `${rule}.onExitCodes.values[1]: Duplicate value: 1`,
  ],
  [
    failing({ action: 'Count', onExitCodes: { operator: 'In', values: [2, 1] } }),
    `${rule}.onExitCodes.values: Invalid value: [2,1]: must be ordered`,
  ],
  [succeeding({ succeededCount: 5 })],
  [succeeding({ succeededCount: 0 })],
  [succeeding({ succeededIndexes: '0-4' })],
  [succeeding({ succeededIndexes: '0,2', succeededCount: 2 })],
  [
    succeeding(),
    'spec.successPolicy.rules: Required value: at least one rules must be specified when the successPolicy is specified',
  ],
  [succeeding({}), `${goal}: Required value: at least one of succeededCount or succeededIndexes must be specified`],
  [succeeding({ succeededCount: -1 }), `${goal}.succeededCount: Invalid value: -1: ${atLeast0}`],
  [
    succeeding({ succeededCount: 6 }),
    `${goal}.succeededCount: Invalid value: 6: must be less than or equal to 5 (the number of specified completions)`,
  ],
  [
    succeeding({ succeededIndexes: '0,2', succeededCount: 3 }),
    `${goal}.succeededCount: Invalid value: 3: must be less than or equal to 2 (the number of indexes in the specified succeededIndexes field)`,
  ],
  [
    succeeding({ succeededIndexes: '5' }),
    `${goal}.succeededIndexes: Invalid value: "5": error parsing succeededIndexes: too large index: "5"`,
  ],
  [
    { successPolicy: { rules: [{ succeededCount: 1 }] } },
    'spec.successPolicy: Invalid value: {"Rules":[{"SucceededIndexes":null,"SucceededCount":1}]}: requires indexed completion mode',
  ],
]

for (const [spec, ...told] of rows)
  test(`a Job with ${JSON.stringify(spec).slice(0, 110)} is ${told.length === 0 ? 'taken' : 'refused'}`, () => {
    assert.deepEqual(refusals(job(spec)), told)
  })

const noMatch = (labels: string): string =>
  `spec.template.metadata.labels: Invalid value: ${labels}: \`selector\` does not match template \`labels\``

test('a Job finds its own pods, by labels that are made for it', () => {
  const { selector: _selector, ...spec } = job({}).spec as JsonObject
  const bare = JSON.stringify(own)
  assert.deepEqual(refusals({ ...job({}), spec }), ['spec.selector: Required value', noMatch(bare)])
  const others = { ...own, 'job-name': 'k' }
  assert.deepEqual(refusals(job({ template: template({}, others) })), [
    `spec.template.metadata.labels[job-name]: Invalid value: ${JSON.stringify(others)}: must be 'j'`,
  ])
  const elsewhere = { matchLabels: { app: 'a' } }
  const marked = { ...own, app: 'a' }
  assert.deepEqual(refusals(job({ selector: elsewhere, template: template({}, marked) })), [
    'spec.selector: Invalid value: {"matchLabels":{"app":"a"}}: `selector` not auto-generated',
  ])
  assert.deepEqual(refusals(job({ selector: elsewhere, manualSelector: true, template: template({}, { app: 'a' }) })), [])
  assert.deepEqual(refusals(job({ selector: elsewhere, manualSelector: true, template: template({}, { app: 'b' }) })), [
    noMatch('{"app":"b"}'),
  ])
})

test('the name of an indexed Job leaves room for the numbers of its pods', () => {
  const named = (length: number, completions: number, mode = 'Indexed'): JsonObject => {
    const name = 'j'.repeat(length)
    const labels = { ...own, 'batch.kubernetes.io/job-name': name, 'job-name': name }
    return job({ completionMode: mode, completions, parallelism: 1, template: template({}, labels) }, { name })
  }
  const last = (length: number, completions: number): string =>
    `metadata.name: Invalid value: "${'j'.repeat(length)}": will not able to create pod with invalid DNS label: ${'j'.repeat(length)}-${completions - 1}`
  assert.deepEqual(refusals(named(61, 10)), [])
  assert.deepEqual(refusals(named(61, 11)), [last(61, 11)])
  assert.deepEqual(refusals(named(62, 1)), [last(62, 1)])
  assert.deepEqual(refusals(named(62, 0)), [])
  assert.deepEqual(refusals(named(62, 1, 'NonIndexed')), [])
})

test('the labels by which a Job finds its pods are looked at first, when it is made and when it changes', () => {
  const { uid: is, name } = job({}).metadata as { uid: string; name: string }
  const labels = { 'controller-uid': 'x', 'batch.kubernetes.io/controller-uid': is }
  const changed = job({ completions: -1, template: template({}, labels) })
  const at = 'spec.template.metadata.labels'
  const given = `{"batch.kubernetes.io/controller-uid":"${is}","controller-uid":"x"}`
  const told = [
    `${at}[controller-uid]: Invalid value: ${given}: must be '${is}'`,
    `${at}[job-name]: Required value: must be '${name}'`,
    `${at}[batch.kubernetes.io/job-name]: Required value: must be '${name}'`,
    'spec.completions: Invalid value: -1: must be greater than or equal to 0',
  ]
  assert.deepEqual(refusals(changed), told)
  assert.deepEqual(refusals(changed, { old: job({}) }).slice(0, 5), [...told, told.at(-1)])
  assert.deepEqual(refusals(changed, { old: job({}) })[5], 'spec.completions: Invalid value: -1: field is immutable')
  assert.equal(refusals(job({ manualSelector: true, template: template({}, labels) })).length, 0)
})

const immutable = (field: string, value: string): string => `spec.${field}: Invalid value: ${value}: field is immutable`

test('what a Job is made of stays, but where its pods run while it is suspended', () => {
  const old = job({ ...indexed, managedBy: 'a/b', backoffLimitPerIndex: 1, suspend: true })
  const now = (spec: JsonObject): readonly string[] =>
    refusals(job({ ...indexed, managedBy: 'a/b', backoffLimitPerIndex: 1, suspend: true, ...spec }), { old })
  assert.deepEqual(now({}), [])
  assert.deepEqual(now({ suspend: false, parallelism: 1, backoffLimit: 2, activeDeadlineSeconds: 1 }), [])
  assert.deepEqual(now({ completions: 2, parallelism: 2 }), [])
  assert.deepEqual(now({ completions: 3 }), [
    'spec.completions: Invalid value: 3: can only be modified in tandem with spec.parallelism',
  ])
  assert.deepEqual(now({ managedBy: 'a/c' }), [immutable('managedBy', '"a/c"')])
  assert.deepEqual(now({ backoffLimitPerIndex: 2 }), [immutable('backoffLimitPerIndex', '2')])
  const nodeAffinity = { preferredDuringSchedulingIgnoredDuringExecution: [] }
  const tolerations = [{ operator: 'Exists' }]
  const placed = template({ nodeSelector: { a: 'b' }, tolerations, affinity: { nodeAffinity } }, { ...own, more: 'x' })
  assert.deepEqual(now({ template: placed }), [])
  assert.deepEqual(now({ template: template({ affinity: {} }) }), [])
  assert.equal(now({ template: template({ affinity: { podAffinity: {} } }) }).length, 1)
  assert.equal(now({ template: template({ hostNetwork: true }) }).length, 1)
  assert.match(
    now({ template: template({ hostNetwork: true }) }).join(),
    /^spec\.template: Invalid value: .*: field is immutable$/,
  )
  assert.match(
    now({ template: template({ hostNetwork: true }) }).join(),
    /"SecurityContext":{"HostNetwork":true,"HostPID":false,/,
  )
  const running = job({ ...indexed, suspend: false })
  assert.match(
    refusals(job({ ...indexed, suspend: false, template: placed }), { old: running }).join(),
    /^spec\.template: Invalid value: .*: field is immutable$/,
  )
})

test('what of a Job may not change is told in the order of a real server', () => {
  const policies = { ...succeeding({ succeededCount: 1 }), ...failing({ action: 'Count', onExitCodes: exit }) }
  const old = job({ ...indexed, ...policies, managedBy: 'a/b', backoffLimitPerIndex: 1 })
  const now = job({ ...indexed, completionMode: 'NonIndexed', completions: 7, template: template({ hostname: 'h' }) })
  assert.deepEqual(
    refusals(now, { old }).map(line => line.slice(0, line.indexOf(':'))),
    [
      'spec.completions',
      'spec.template',
      'spec.completionMode',
      'spec.podFailurePolicy',
      'spec.backoffLimitPerIndex',
      'spec.managedBy',
      'spec.successPolicy',
    ],
  )
})

test('a selector of a Job that cannot be read is told as such, and not compared with labels', () => {
  const unread = { matchExpressions: [{ key: 'a', operator: 'Foo' }] }
  const told = 'spec.selector.matchExpressions[0].operator: Invalid value: "Foo": not a valid selector operator'
  assert.deepEqual(refusals(job({ selector: unread })), [told])
  assert.deepEqual(refusals(job({ selector: unread, manualSelector: true })), [told])
  const frozen = 'spec.selector: Invalid value: {"matchExpressions":[{"key":"a","operator":"Foo"}]}: field is immutable'
  assert.deepEqual(refusals(job({ selector: unread }), { old: job({}) }), [told, told, frozen])
})

test('how many completions a Job has stays where they have no numbers', () => {
  const old = job({ completions: 2, parallelism: 2 })
  assert.deepEqual(refusals(job({ completions: 3, parallelism: 3 }), { old }), [immutable('completions', '3')])
  assert.deepEqual(refusals(job({ completions: 2, parallelism: 3 }), { old }), [])
})

test('how a finished pod counts stays', () => {
  const old = job({ ...succeeding({ succeededCount: 1 }), ...failing({ action: 'Count', onExitCodes: exit }) })
  const conditions = [{ type: 'A', status: 'True' }]
  const now = job({ ...succeeding({ succeededIndexes: '0' }), ...failing({ action: 'Count', onPodConditions: conditions }) })
  assert.deepEqual(refusals(now, { old }), [
    'spec.podFailurePolicy: Invalid value: {"Rules":[{"Action":"Count","OnExitCodes":null,"OnPodConditions":[{"Type":"A","Status":"True"}]}]}: field is immutable',
    'spec.successPolicy: Invalid value: {"Rules":[{"SucceededIndexes":"0","SucceededCount":null}]}: field is immutable',
  ])
  const none = job({ ...indexed })
  assert.deepEqual(refusals(none, { old }), [immutable('podFailurePolicy', 'null'), immutable('successPolicy', 'null')])
  assert.deepEqual(refusals(job({ ...indexed, podFailurePolicy: {}, successPolicy: {} }), { old }).slice(-2), [
    immutable('podFailurePolicy', '{"Rules":null}'),
    immutable('successPolicy', '{"Rules":null}'),
  ])
  const coded = failing({ action: 'Ignore', onExitCodes: { operator: 'In' } })
  assert.deepEqual(refusals(job({ ...succeeding({ succeededCount: 1 }), ...coded }), { old }).slice(-1), [
    immutable(
      'podFailurePolicy',
      '{"Rules":[{"Action":"Ignore","OnExitCodes":{"ContainerName":null,"Operator":"In","Values":null},"OnPodConditions":null}]}',
    ),
  ])
  const named = failing({ action: 'Ignore', onExitCodes: { ...exit, containerName: 'main' } })
  assert.deepEqual(refusals(job({ ...succeeding({ succeededCount: 1 }), ...named }), { old }), [
    immutable(
      'podFailurePolicy',
      '{"Rules":[{"Action":"Ignore","OnExitCodes":{"ContainerName":"main","Operator":"In","Values":[1]},"OnPodConditions":null}]}',
    ),
  ])
})

function cron(spec: JsonObject, name = 'c', job: JsonObject = {}): JsonObject {
  const jobTemplate = { spec: { template: template({}, {}), ...job } }
  return { apiVersion: 'batch/v1', kind: 'CronJob', metadata: { name }, spec: { schedule: '* * * * *', jobTemplate, ...spec } }
}

const tzText = 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead'
const history = 'HistoryLimit: Invalid value: -1'

const crons: readonly (readonly [spec: JsonObject, ...told: string[]])[] = [
  [{ schedule: '@daily', timeZone: 'Europe/Paris', startingDeadlineSeconds: 0 }],
  [{ startingDeadlineSeconds: -1 }, `spec.startingDeadlineSeconds: Invalid value: -1: ${atLeast0}`],
  [
    { successfulJobsHistoryLimit: -1, failedJobsHistoryLimit: -1 },
    `spec.successfulJobs${history}: ${atLeast0}`,
    `spec.failedJobs${history}: ${atLeast0}`,
  ],
  [{ successfulJobsHistoryLimit: 0, failedJobsHistoryLimit: 0 }],
  [
    { concurrencyPolicy: 'Sometimes' },
    'spec.concurrencyPolicy: Unsupported value: "Sometimes": supported values: "Allow", "Forbid", "Replace"',
  ],
  [{ schedule: '' }, 'spec.schedule: Required value'],
  [{ schedule: 'daily' }, 'spec.schedule: Invalid value: "daily": expected exactly 5 fields, found 1: [daily]'],
  [{ schedule: 'TZ=UTC @daily' }, `spec.schedule: Invalid value: "TZ=UTC @daily": ${tzText}`],
  [{ timeZone: '' }, 'spec.timeZone: Invalid value: "": timeZone must be nil or non-empty string'],
  [
    { timeZone: 'LOCAL' },
    'spec.timeZone: Invalid value: "LOCAL": timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones',
  ],
  [{ timeZone: 'Nowhere' }, 'spec.timeZone: Invalid value: "Nowhere": unknown time zone Nowhere'],
  [
    { startingDeadlineSeconds: -1, timeZone: 'Nowhere', failedJobsHistoryLimit: -1, jobTemplate: { spec: { template: {} } } },
    `spec.startingDeadlineSeconds: Invalid value: -1: ${atLeast0}`,
    'spec.timeZone: Invalid value: "Nowhere": unknown time zone Nowhere',
    'spec.jobTemplate.spec.template.spec.containers: Required value',
    'spec.jobTemplate.spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"',
    `spec.failedJobsHistoryLimit: Invalid value: -1: ${atLeast0}`,
  ],
]

for (const [spec, ...told] of crons)
  test(`a CronJob with ${JSON.stringify(spec)} is ${told.length === 0 ? 'taken' : 'refused'}`, () => {
    assert.deepEqual(refusals(cron(spec)), told)
  })

test('the name of a CronJob leaves room for the times of its jobs, when it is made', () => {
  const long = 'c'.repeat(53)
  assert.deepEqual(refusals(cron({}, 'c'.repeat(52))), [])
  assert.deepEqual(refusals(cron({}, long)), [`metadata.name: Invalid value: "${long}": must be no more than 52 characters`])
  assert.deepEqual(refusals(cron({}, long), { old: cron({}, long) }), [])
})

test('a zone in the schedule stays with who had it before it was forbidden', () => {
  const [old, now] = [cron({ schedule: 'TZ=UTC @daily' }), cron({ schedule: 'TZ=UTC @hourly' })]
  const both = cron({ schedule: 'TZ=UTC @hourly', timeZone: 'UTC' })
  assert.deepEqual(refusals(now, { old }), [])
  assert.deepEqual(refusals(both, { old }), [
    'spec.schedule: Invalid value: "TZ=UTC @hourly": cannot use both timeZone field and TZ or CRON_TZ in schedule',
  ])
  assert.deepEqual(refusals(now, { old: cron({}) }), [`spec.schedule: Invalid value: "TZ=UTC @hourly": ${tzText}`])
  const unknown = cron({ timeZone: 'Nowhere' })
  assert.deepEqual(refusals(unknown, { old: unknown }), [])
})

test('jobs of a CronJob get a selector of their own', () => {
  const at = 'spec.jobTemplate.spec'
  assert.deepEqual(refusals(cron({}, 'c', { manualSelector: false })), [])
  assert.deepEqual(refusals(cron({}, 'c', { manualSelector: true, selector: { matchLabels: { a: 'b' } } })), [
    `${at}.selector: Invalid value: {"matchLabels":{"a":"b"}}: \`selector\` will be auto-generated`,
    `${at}.manualSelector: Unsupported value: true: supported values: "nil", "false"`,
  ])
  assert.deepEqual(refusals(cron({}, 'c', { backoffLimit: -1 })), [`${at}.backoffLimit: Invalid value: -1: ${atLeast0}`])
})
