import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../../json.ts'
import { refusals } from '../../testing/refusals.ts'

const time = '2026-01-01T00:00:00.000000Z'
const qualified =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"

function core(content: JsonObject, namespace = 'n'): JsonObject {
  const involvedObject = { kind: 'Pod', name: 'p', namespace: 'n' }
  return { apiVersion: 'v1', kind: 'Event', metadata: { name: 'e', namespace }, involvedObject, ...content }
}

const told = 'involvedObject.namespace: Invalid value'
const noMatch = 'does not match event.namespace'

test('an event stands in the namespace of what it tells of', () => {
  assert.deepEqual(refusals(core({})), [])
  assert.deepEqual(refusals(core({}, 'other')), [`${told}: "n": ${noMatch}`])
  const ofCluster = { involvedObject: { kind: 'Node', name: 'n' } }
  assert.deepEqual(refusals(core(ofCluster, 'default')), [])
  assert.deepEqual(refusals(core(ofCluster, 'kube-system')), [])
  assert.deepEqual(refusals(core(ofCluster, 'n')), [`${told}: "": ${noMatch}`])
})

const reporter = { eventTime: time, reportingComponent: 'a.com/b', reportingInstance: 'i', action: 'a', reason: 'r' }
const long = 'x'.repeat(128)
const most = 'can have at most 128 characters'

const reports: readonly (readonly [what: string, content: JsonObject, ...told: string[]])[] = [
  ['all that is needed', reporter],
  ['as much as there may be', { ...reporter, reportingInstance: long, action: long, reason: long }],
  [
    'more than there may be',
    { ...reporter, reportingInstance: `${long}x`, action: `${long}x`, reason: `${long}x` },
    `reportingInstance: Invalid value: "": ${most}`,
    `action: Invalid value: "": ${most}`,
    `reason: Invalid value: "": ${most}`,
  ],
  [
    'nothing but a time',
    { eventTime: time },
    'reportingComponent: Required value',
    'reportingComponent: Invalid value: "": name part must be non-empty',
    `reportingComponent: Invalid value: "": ${qualified}`,
    'reportingInstance: Required value',
    'action: Required value',
    'reason: Required value',
  ],
  ['a reporter of an odd name', { ...reporter, reportingComponent: '-' }, `reportingComponent: Invalid value: "-": ${qualified}`],
]

for (const [what, content, ...lines] of reports)
  test(`an event with a time that says ${what} is ${lines.length === 0 ? 'taken' : 'refused'}`, () => {
    assert.deepEqual(refusals(core(content)), lines)
    assert.deepEqual(refusals(core(content, 'elsewhere')), lines)
  })

const regarding = { kind: 'Pod', name: 'p', namespace: 'n' }
function event(content: JsonObject): JsonObject {
  return {
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    metadata: { name: 'e', namespace: 'n' },
    eventTime: time,
    reportingController: 'a.com/b',
    reportingInstance: 'i',
    action: 'a',
    reason: 'r',
    type: 'Normal',
    regarding,
    ...content,
  }
}

const series = (content: JsonObject): JsonObject => ({ series: { count: 2, lastObservedTime: time, ...content } })

const events: readonly (readonly [what: string, content: JsonObject, ...told: string[]])[] = [
  ['all that is needed', { type: 'Warning', note: 'x'.repeat(1024), ...series({}) }],
  ['too long a note', { note: 'x'.repeat(1025) }, 'message: Invalid value: "": can have at most 1024 characters'],
  ['another type', { type: 'Odd' }, 'type: Invalid value: "": has invalid value: Odd'],
  ['a series of one', series({ count: 1 }), 'series.count: Invalid value: "": should be at least 2'],
  ['a series without a time', series({ lastObservedTime: null }), 'series.lastObservedTime: Required value'],
  [
    'fields of the old form',
    {
      deprecatedFirstTimestamp: '2026-01-01T00:00:00Z',
      deprecatedLastTimestamp: '2026-01-01T00:00:00Z',
      deprecatedCount: 1,
      deprecatedSource: { component: 'c' },
    },
    'firstTimestamp: Invalid value: "": needs to be unset',
    'lastTimestamp: Invalid value: "": needs to be unset',
    'count: Invalid value: "": needs to be unset',
    'source: Invalid value: "": needs to be unset',
  ],
]

for (const [what, content, ...lines] of events)
  test(`an event of its own group that says ${what} is ${lines.length === 0 ? 'taken' : 'refused'}`, () => {
    assert.deepEqual(refusals(event(content)), lines)
  })

test('an event of its own group needs a time, and then may tell of another namespace', () => {
  assert.deepEqual(refusals(event({ eventTime: null, regarding: { ...regarding, namespace: 'm' } })), [
    `${told}: "m": ${noMatch}`,
    'eventTime: Required value',
  ])
  assert.deepEqual(refusals(event({ regarding: { ...regarding, namespace: 'm' } })), [])
  assert.deepEqual(refusals(event({ reportingController: '' })).slice(0, 1), ['reportingController: Required value'])
})

const frozen = 'field is immutable'

test('of an event that is there its series goes on, and all else stays', () => {
  const old = event(series({}))
  assert.deepEqual(refusals(event(series({ count: 3 })), { old }), [])
  assert.deepEqual(refusals(event(series({ count: 1 })), { old }), ['series.count: Invalid value: "": should be at least 2'])
  const few = event(series({ count: 1 }))
  assert.deepEqual(refusals(few, { old: few }), [])
  assert.deepEqual(refusals({ ...old, metadata: { name: 'e', namespace: 'n', labels: { a: 'b' } } }, { old }), [])
  assert.deepEqual(
    refusals(event({ ...series({}), reason: 's', note: 'x', type: 'Warning', action: 'b', reportingInstance: 'j' }), { old }),
    [
      `reason: Invalid value: "s": ${frozen}`,
      `reason: Invalid value: "s": ${frozen}`,
      `message: Invalid value: "x": ${frozen}`,
      `type: Invalid value: "Warning": ${frozen}`,
      `action: Invalid value: "b": ${frozen}`,
      `reportingInstance: Invalid value: "j": ${frozen}`,
    ],
  )
  const shown = (kind: string, name: string): string =>
    `{"Kind":"${kind}","Namespace":"n","Name":"${name}","UID":"","APIVersion":"","ResourceVersion":"","FieldPath":""}`
  const related = { kind: 'Node', name: 'm', namespace: 'n' }
  assert.deepEqual(
    refusals(event({ ...series({}), regarding: { ...regarding, name: 'q' }, related, deprecatedSource: { component: 'c' } }), {
      old,
    }),
    [
      `involvedObject: Invalid value: ${shown('Pod', 'q')}: ${frozen}`,
      `source: Invalid value: {"Component":"c","Host":""}: ${frozen}`,
      `related: Invalid value: ${shown('Node', 'm')}: ${frozen}`,
    ],
  )
  assert.deepEqual(refusals(event(series({})), { old: event({ ...series({}), related }) }), [
    `related: Invalid value: null: ${frozen}`,
  ])
})
