import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../../json.ts'
import { refusals } from '../../testing/refusals.ts'

const quota = (spec: JsonObject, status: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'ResourceQuota',
  metadata: { name: 'q' },
  spec,
  status,
})

const atLeast0 = 'must be greater than or equal to 0'
const unsupported = (value: string): string => `spec.scopes: Invalid value: ${value}: unsupported scope applied to resource`
const expressions = 'spec.scopeSelector.matchExpressions'
const select = (...list: JsonObject[]): JsonObject => ({ scopeSelector: { matchExpressions: list } })
const mustExist =
  "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity"

const rows: readonly (readonly [spec: JsonObject, ...told: string[]])[] = [
  [{}],
  [
    {
      hard: {
        cpu: '1',
        'requests.cpu': '1',
        'limits.memory': '1Gi',
        pods: '2',
        'count/deployments.apps': '3',
        'requests.storage': '1',
      },
    },
  ],
  [
    {
      hard: { 'example.com/gpu': '1', 'requests.example.com/gpu': '1', 'hugepages-2Mi': '2Mi', 'requests.hugepages-2Mi': '2Mi' },
    },
  ],
  [
    { hard: { gpu: '1' } },
    'spec.hard[gpu]: Invalid value: "gpu": must be a standard resource type or fully qualified',
    'spec.hard[gpu]: Invalid value: "gpu": must be a standard resource for quota',
  ],
  [{ hard: { storage: '1' } }, 'spec.hard[storage]: Invalid value: "storage": must be a standard resource for quota'],
  [{ hard: { cpu: '-1' } }, `spec.hard[cpu]: Invalid value: "-1": ${atLeast0}`],
  [{ hard: { cpu: '0', pods: '0' } }],
  [{ hard: { cpu: '500m', pods: '1500m' } }, 'spec.hard[pods]: Invalid value: "1500m": must be an integer'],
  [{ hard: { 'count/pods': '500m' } }, 'spec.hard[count/pods]: Invalid value: "500m": must be an integer'],
  [{ hard: { pods: '1' }, scopes: ['BestEffort'] }],
  [{ hard: { pods: '1', cpu: '1', 'requests.memory': '1' }, scopes: ['NotBestEffort', 'Terminating'] }],
  [{ hard: { cpu: '1', memory: '1' }, scopes: ['BestEffort'] }, unsupported('["BestEffort"]'), unsupported('["BestEffort"]')],
  [{ hard: { services: '1', 'count/pods': '1' }, scopes: ['NotTerminating'] }, unsupported('["NotTerminating"]')],
  [{ hard: { persistentvolumeclaims: '1', 'requests.storage': '1' }, scopes: ['VolumeAttributesClass'] }],
  [{ hard: { pods: '1' }, scopes: ['VolumeAttributesClass'] }, unsupported('["VolumeAttributesClass"]')],
  [{ scopes: ['Any'] }, 'spec.scopes: Invalid value: ["Any"]: unsupported scope'],
  [{ scopes: ['BestEffort', 'NotBestEffort'] }, 'spec.scopes: Invalid value: ["BestEffort","NotBestEffort"]: conflicting scopes'],
  [
    { scopes: ['NotTerminating', 'Terminating'] },
    'spec.scopes: Invalid value: ["NotTerminating","Terminating"]: conflicting scopes',
  ],
  [select({ scopeName: 'PriorityClass', operator: 'In', values: ['high'] })],
  [select({ scopeName: 'PriorityClass', operator: 'DoesNotExist' })],
  [select({ scopeName: 'BestEffort', operator: 'Exists' })],
  [
    select({ scopeName: 'PriorityClass', operator: 'NotIn' }),
    `${expressions}.values: Required value: must be at least one value when \`operator\` is 'In' or 'NotIn' for scope selector`,
  ],
  [
    select({ scopeName: 'PriorityClass', operator: 'Exists', values: ['a'] }),
    `${expressions}.values: Invalid value: ["a"]: must be no value when \`operator\` is 'Exist' or 'DoesNotExist' for scope selector`,
  ],
  [
    select({ scopeName: 'PriorityClass', operator: 'Is' }),
    `${expressions}.operator: Invalid value: "Is": not a valid selector operator`,
  ],
  [select({ scopeName: 'Any', operator: 'Exists' }), `${expressions}.scopeName: Invalid value: "Any": unsupported scope`],
  [
    select({ scopeName: 'Terminating', operator: 'In', values: ['a'] }),
    `${expressions}.operator: Invalid value: "In": ${mustExist}`,
  ],
  [
    { hard: { cpu: '1' }, ...select({ scopeName: 'BestEffort', operator: 'Exists' }) },
    `${expressions}: Invalid value: {"MatchExpressions":[{"ScopeName":"BestEffort","Operator":"Exists","Values":null}]}: unsupported scope applied to resource`,
  ],
]

for (const [spec, ...told] of rows)
  test(`a quota with ${JSON.stringify(spec)} is ${told.length === 0 ? 'taken' : 'refused'}`, () => {
    assert.deepEqual(refusals(quota(spec)), told)
  })

test('the scopes of a quota stay, and what is used of it is an amount', () => {
  const old = quota({ hard: { pods: '1' }, scopes: ['BestEffort'] })
  assert.deepEqual(refusals(quota({ hard: { pods: '2' }, scopes: ['BestEffort'] }), { old }), [])
  assert.deepEqual(refusals(quota({ hard: { pods: '2' }, scopes: [] }), { old }), [
    'spec.scopes: Invalid value: null: field is immutable',
  ])
  const status = { hard: { pods: '1' }, used: { pods: '-1' } }
  assert.deepEqual(refusals(quota({ hard: { cpu: '-1' } }, status), { old, subresource: 'status' }), [
    `status.used[pods]: Invalid value: "-1": ${atLeast0}`,
  ])
})

const limits = (...list: JsonObject[]): JsonObject => ({
  apiVersion: 'v1',
  kind: 'LimitRange',
  metadata: { name: 'l' },
  spec: { limits: list },
})
const at = 'spec.limits[0]'
const range = (content: JsonObject, type = 'Container'): readonly JsonObject[] => [{ type, ...content }]
const ratio = `${at}.maxLimitRequestRatio[cpu]`

const ranges: readonly (readonly [list: readonly JsonObject[], ...told: string[]])[] = [
  [range({ min: { cpu: '1' }, max: { cpu: '2' }, default: { cpu: '2' }, defaultRequest: { cpu: '1' } })],
  [range({ min: { cpu: '1' }, max: { cpu: '1' } })],
  [
    range({ min: { cpu: '2' }, max: { cpu: '1' } }, 'Pod'),
    `${at}.min[cpu]: Invalid value: "2": min value 2 is greater than max value 1`,
  ],
  [
    range({ min: { cpu: '2' }, defaultRequest: { cpu: '1' }, default: { cpu: '3' } }),
    `${at}.defaultRequest[cpu]: Invalid value: "1": min value 2 is greater than default request value 1`,
  ],
  [
    range({ max: { cpu: '2' }, defaultRequest: { cpu: '3' }, default: { cpu: '4' } }),
    `${at}.defaultRequest[cpu]: Invalid value: "3": default request value 3 is greater than max value 2`,
    `${at}.default[cpu]: Invalid value: "2": default value 4 is greater than max value 2`,
  ],
  [
    range({ defaultRequest: { cpu: '3' }, default: { cpu: '2' } }),
    `${at}.defaultRequest[cpu]: Invalid value: "3": default request value 3 is greater than default limit value 2`,
  ],
  [
    range({ min: { cpu: '2' }, default: { cpu: '1' }, defaultRequest: { cpu: '1' } }),
    `${at}.defaultRequest[cpu]: Invalid value: "1": min value 2 is greater than default request value 1`,
    `${at}.default[cpu]: Invalid value: "2": min value 2 is greater than default value 1`,
  ],
  [range({ maxLimitRequestRatio: { cpu: '1' } })],
  [range({ maxLimitRequestRatio: { cpu: '500m' } }), `${ratio}: Invalid value: "500m": ratio 500m is less than 1`],
  [range({ min: { cpu: '1' }, max: { cpu: '4' }, maxLimitRequestRatio: { cpu: '4' } }, 'Pod')],
  [
    range({ min: { cpu: '1' }, max: { cpu: '4' }, maxLimitRequestRatio: { cpu: '5' } }, 'Pod'),
    `${ratio}: Invalid value: "5": ratio 5 is greater than max/min = 4.000000`,
  ],
  [
    range({ min: { cpu: '2' }, max: { cpu: '4' }, maxLimitRequestRatio: { cpu: '3' } }, 'Pod'),
    `${ratio}: Invalid value: "3": ratio 3 is greater than max/min = 2.000000`,
  ],
  [range({ max: { cpu: '4' }, maxLimitRequestRatio: { cpu: '5' } }, 'Pod')],
  [
    range({ default: { cpu: '1' }, defaultRequest: { cpu: '1' } }, 'Pod'),
    `${at}.default: Forbidden: may not be specified when \`type\` is 'Pod'`,
    `${at}.defaultRequest: Forbidden: may not be specified when \`type\` is 'Pod'`,
  ],
  [range({ min: { storage: '1Gi' } }, 'PersistentVolumeClaim')],
  [range({ max: { storage: '1Gi' } }, 'PersistentVolumeClaim')],
  [
    range({ max: { cpu: '1' } }, 'PersistentVolumeClaim'),
    `${at}.limits: Required value: either minimum or maximum storage value is required, but neither was provided`,
  ],
  [range({ min: { pods: '1' } }, 'Pod'), `${at}.min[pods]: Invalid value: "pods": must be a standard resource for containers`],
  [range({ min: { pods: '1' } }, 'example.com/thing')],
  [
    range({ min: { gpu: '1' } }, 'example.com/thing'),
    `${at}.min[gpu]: Invalid value: "gpu": must be a standard resource type or fully qualified`,
  ],
  [range({}, 'Thing'), `${at}.type: Invalid value: "Thing": must be a standard limit type or fully qualified`],
  [[{ type: 'Pod' }, { type: 'Pod' }], 'spec.limits[1].type: Duplicate value: "Pod"'],
]

for (const [list, ...told] of ranges)
  test(`a range with ${JSON.stringify(list)} is ${told.length === 0 ? 'taken' : 'refused'}`, () => {
    assert.deepEqual(refusals(limits(...list)), told)
  })
