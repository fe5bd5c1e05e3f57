import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../../json.ts'
import { refusals } from '../../testing/refusals.ts'

interface Given {
  readonly before?: JsonObject
  readonly spec?: JsonObject
}

function told(status: JsonObject, { before = {}, spec = {} }: Given = {}): readonly string[] {
  const job = (its: JsonObject): JsonObject => ({
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'j' },
    spec,
    status: its,
  })
  return refusals(job(status), { old: job(before), subresource: 'status' })
}

const [began, ended] = ['2026-01-01T00:00:00Z', '2026-01-01T00:01:00Z']
const saying = (...types: string[]): JsonObject => ({ conditions: types.map(type => ({ type, status: 'True' })) })
const complete: JsonObject = { ...saying('SuccessCriteriaMet', 'Complete'), startTime: began, completionTime: ended }
const failed: JsonObject = { ...saying('FailureTarget', 'Failed'), startTime: began }
const atLeast0 = 'must be greater than or equal to 0'
const cannot = (what: string): string => `status.conditions: Invalid value: cannot set ${what}`
const indexed = { spec: { completionMode: 'Indexed', completions: 5, backoffLimitPerIndex: 1 } }

const rows: readonly (readonly [what: string, status: JsonObject, given: Given, ...told: string[]])[] = [
  ['nothing', {}, {}],
  ['counts', { active: 2, ready: 2, succeeded: 1, failed: 1, terminating: 1 }, {}],
  ...['active', 'succeeded', 'failed', 'terminating'].flatMap(
    count =>
      [
        [
          `less than nothing ${count}`,
          { [count]: -1 },
          { before: { [count]: -1 } },
          `status.${count}: Invalid value: -1: ${atLeast0}`,
        ],
      ] as const,
  ),
  [
    'more that are ready than active',
    { active: 1, ready: 2 },
    {},
    'status.ready: Invalid value: 2: cannot set more ready pods than active',
  ],
  [
    'one that is ready and none active',
    { ready: 1 },
    {},
    'status.ready: Invalid value: 1: cannot set more ready pods than active',
  ],
  ['none that is ready and none active', { ready: 0 }, {}],
  [
    'fewer that have ended than before',
    { succeeded: 1 },
    { before: { succeeded: 2, failed: 1 } },
    'status.succeeded: Invalid value: 1: cannot decrease the succeeded counter',
    'status.failed: Invalid value: 0: cannot decrease the failed counter',
  ],
  ['as many that have ended as before', { succeeded: 2 }, { before: { succeeded: 2 } }],
  ['an end', complete, {}],
  ['a failure', failed, {}],
  [
    'an end and a failure that were there',
    { ...complete, ...saying('Complete', 'Failed') },
    { before: saying('Complete', 'Failed') },
  ],
  [
    'an end that is not said any more',
    { startTime: began },
    { before: complete },
    'status.conditions: Invalid value: cannot disable the terminal Complete=True condition',
    'status.conditions: Invalid value: cannot disable the terminal SuccessCriteriaMet=True condition',
  ],
  [
    'a failure that is not said any more',
    { startTime: began, conditions: [{ type: 'Failed', status: 'False' }] },
    { before: failed },
    'status.conditions: Invalid value: cannot disable the terminal Failed=True condition',
    'status.conditions: Invalid value: cannot disable the terminal FailureTarget=True condition',
  ],
  [
    'another beginning',
    { startTime: ended },
    { before: { startTime: began } },
    'status.startTime: Required value: startTime cannot be removed for unsuspended job',
  ],
  [
    'no beginning any more',
    {},
    { before: { startTime: began } },
    'status.startTime: Required value: startTime cannot be removed for unsuspended job',
  ],
  ['no beginning of one that is suspended', {}, { before: { startTime: began }, spec: { suspend: true } }],
  [
    'an end without its reason',
    { ...complete, ...saying('Complete') },
    {},
    cannot('Complete=True condition without the SuccessCriteriaMet=true condition'),
  ],
  [
    'a failure without its reason',
    { ...failed, ...saying('Failed') },
    {},
    cannot('Failed=True condition without the FailureTarget=true condition'),
  ],
  [
    'all at once',
    { ...complete, ...saying('SuccessCriteriaMet', 'Complete', 'FailureTarget', 'Failed') },
    {},
    cannot('Complete=True and Failed=true conditions'),
    cannot('SuccessCriteriaMet=True and FailureTarget=true conditions'),
    cannot('SuccessCriteriaMet=True and Failed=true conditions'),
  ],
  [
    'an end without its time',
    { ...saying('SuccessCriteriaMet', 'Complete'), startTime: began },
    {},
    'status.completionTime: Required value: completionTime is required for Complete jobs',
  ],
  ['an end at the beginning', { ...complete, completionTime: began }, {}],
  [
    'an end before the beginning',
    { ...complete, startTime: ended, completionTime: began },
    {},
    `status.completionTime: Invalid value: "${began}": must be equal to or after \`startTime\``,
  ],
  [
    'a time of an end that is none',
    { startTime: began, completionTime: ended },
    {},
    `status.completionTime: Invalid value: "${ended}": cannot set completionTime when there is no Complete=True condition`,
  ],
  [
    'an end that never began',
    { ...saying('SuccessCriteriaMet', 'Complete'), completionTime: ended },
    {},
    'status.startTime: Required value: startTime is required for finished job',
  ],
  [
    'pods of one that has ended',
    { ...failed, active: 1, terminating: 1, uncountedTerminatedPods: { succeeded: ['a'] } },
    {},
    'status.active: Invalid value: 1: active>0 is invalid for finished job',
    'status.terminating: Invalid value: 1: terminating>0 is invalid for finished job',
    'status.uncountedTerminatedPods: Invalid value: {"Succeeded":["a"],"Failed":null}: must be empty for finished job',
  ],
  [
    'pods of both kinds that are not counted of one that has ended',
    { ...failed, uncountedTerminatedPods: { succeeded: ['a'], failed: ['b'] } },
    {},
    'status.uncountedTerminatedPods: Invalid value: {"Succeeded":["a"],"Failed":["b"]}: must be empty for finished job',
  ],
  ['no pods of one that has ended', { ...failed, active: 0, terminating: 0, uncountedTerminatedPods: {} }, {}],
  ['pods that are not counted', { uncountedTerminatedPods: { succeeded: ['a'], failed: ['b'] } }, {}],
  [
    'a pod that is not counted twice',
    { uncountedTerminatedPods: { succeeded: ['a', 'a', ''], failed: ['a'] } },
    {},
    'status.uncountedTerminatedPods.succeeded[1]: Duplicate value: "a"',
    'status.uncountedTerminatedPods.succeeded[2]: Invalid value: "": must not be empty',
    'status.uncountedTerminatedPods.failed[0]: Duplicate value: "a"',
  ],
  ['indexes', { completedIndexes: '0,2-3', failedIndexes: '1,4' }, indexed],
  [
    'indexes that failed and completed',
    { completedIndexes: '0,2-3', failedIndexes: '1,3' },
    indexed,
    'status.failedIndexes: Invalid value: "1,3": failedIndexes and completedIndexes overlap at index: 3',
  ],
  [
    'indexes that there are not',
    { completedIndexes: '5', failedIndexes: 'x' },
    indexed,
    'status.completedIndexes: Invalid value: "5": error parsing completedIndexes: too large index: "5"',
    'status.failedIndexes: Invalid value: "x": error parsing failedIndexes: cannot convert string to integer for index: "x"',
  ],
  [
    'indexes of a job without',
    { completedIndexes: '0', failedIndexes: '1' },
    { spec: { completions: 5, backoffLimitPerIndex: 1 } },
    'status.completedIndexes: Invalid value: "0": cannot set non-empty completedIndexes when non-indexed completion mode',
    'status.failedIndexes: Invalid value: "1": cannot set non-empty failedIndexes when non-indexed completion mode',
  ],
  [
    'failed indexes where none is counted',
    { failedIndexes: '1' },
    { spec: { completionMode: 'Indexed', completions: 5 } },
    'status.failedIndexes: Invalid value: "1": cannot set non-null failedIndexes when backoffLimitPerIndex is null',
  ],
]

for (const [what, status, given, ...lines] of rows)
  test(`the status of a Job that says ${what} is ${lines.length === 0 ? 'taken' : 'refused'}`, () => {
    assert.deepEqual(told(status, given), lines)
  })
