// Which calls set the parts of a resource, put and delete its entries, and about which paths they are.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Deviation, PlannedCall } from '../kinds/deviation.ts'
import { type KindMadeUp, list, madeUpKind, map, structure, structureShape } from '../testing/made-up-kind.ts'
import { arn, type Circumstances, situationOf } from '../testing/situation.ts'
import { entriesBeforeDeletion, entryCalls } from './entry-calls.ts'
import { partCalls } from './part-calls.ts'

const parts: KindMadeUp = {
  operations: { create: 'CreateThing' },
  parts: [
    {
      operation: 'PutRules',
      fields: [
        { field: 'Rule', member: 'Rule' },
        { field: 'Mode', member: 'Mode' },
      ],
      remove: 'DeleteRules',
    },
    {
      operation: 'UpdateLimits',
      fields: [
        { field: 'Low', member: 'Low' },
        { field: 'High', member: 'High' },
      ],
    },
    { operation: 'EnableAlarm', off: 'DisableAlarm', fields: [{ field: 'Alarm', member: 'Alarm' }] },
    { operation: 'SetLogging', fields: [{ field: 'Logging', member: 'Logging' }] },
  ],
  subResources: [
    { field: 'Names', list: 'ListNames', entries: 'Names', put: 'PutName', delete: 'DeleteName', key: 'Name' },
    { field: 'Texts', list: 'ListTexts', entries: 'Texts', put: 'PutText', delete: 'DeleteText', key: 'Key', value: 'Text' },
  ],
  spec: {
    Rule: 'string',
    Mode: 'string',
    Low: 'integer',
    High: 'integer',
    Alarm: 'boolean',
    Logging: structure('Logging'),
    Names: list('string'),
    Texts: map('string'),
  },
  status: { ThingId: 'string' },
  structures: { Logging: { Bucket: 'string', Prefix: 'string' } },
  inputs: {
    PutRules: { Rule: 'String', Mode: 'String' },
    UpdateLimits: { Low: 'Integer', High: 'Integer' },
    EnableAlarm: { Alarm: 'Boolean' },
    SetLogging: { Logging: 'Logging' },
    PutText: { Key: 'String', Text: 'String' },
  },
  required: {
    PutRules: ['ThingArn', 'ThingId'],
    DeleteRules: ['ThingArn'],
    UpdateLimits: ['ThingArn'],
    EnableAlarm: ['ThingArn'],
    DisableAlarm: ['ThingArn'],
    SetLogging: ['ThingArn'],
    PutName: ['ThingArn', 'ThingId', 'Name'],
    DeleteName: ['ThingArn', 'Name'],
    PutText: ['ThingArn'],
    DeleteText: ['ThingArn', 'Key'],
  },
  shapes: { Logging: structureShape({ Bucket: 'String', Prefix: 'String' }) },
}
const kind = madeUpKind(parts)

interface Case extends Circumstances {
  readonly latest?: object
  readonly told?: object
  readonly hasArn?: boolean
}

function asked(calls: typeof partCalls, of: Case, paths: readonly string[]): ReturnType<typeof partCalls> {
  const { spec, latest, told = {}, seen, hasArn = true, ...more } = of
  const wanted = { spec: { ...spec }, status: { thingId: 'old' }, arn: 'arn:wanted' }
  const situation = situationOf({ model: kind, deviation: {}, ...more, spec: { ...spec }, seen: { wanted, ...seen } })
  return calls(situation, { spec: { ...latest }, status: { ...told }, ...(hasArn ? { arn } : {}) }, paths)
}

const partsOf = (of: Case, ...paths: readonly string[]): ReturnType<typeof partCalls> => asked(partCalls, of, paths)
const entriesOf = (of: Case, ...paths: readonly string[]): ReturnType<typeof partCalls> => asked(entryCalls, of, paths)
const line = ({ operation, input, verb }: PlannedCall): string => {
  const { ThingArn: _arn, ThingId: _id, ...said } = input
  return `${verb} ${operation} ${JSON.stringify(said)}`
}
const lines = ({ calls }: { readonly calls: readonly PlannedCall[] }): readonly string[] => calls.map(line)

test('a put carries all of its part, and an update what differs of it [6.4]', () => {
  const spec = { rule: 'r', mode: 'm', low: 1, high: 2 }
  const put = partsOf({ spec }, 'Spec.Rule', 'Spec.Other')
  assert.deepEqual([lines(put), put.paths], [['UPDATE PutRules {"Rule":"r","Mode":"m"}'], ['Spec.Rule']])
  assert.deepEqual(lines(partsOf({ spec }, 'Spec.Low')), ['UPDATE UpdateLimits {"Low":1}'])
  assert.deepEqual(lines(partsOf({ spec }, 'Spec.Low', 'Spec.High')), ['UPDATE UpdateLimits {"Low":1,"High":2}'])
  assert.deepEqual(lines(partsOf({ spec: { rule: 'r' } }, 'Spec.Mode')), ['UPDATE PutRules {"Rule":"r"}'])
  assert.deepEqual(partsOf({ spec }, 'Spec.Other'), { calls: [], paths: [] })
})

test('a part of which the manifest says nothing is taken away where there is a word for it [6.4]', () => {
  assert.deepEqual(lines(partsOf({}, 'Spec.Rule', 'Spec.Mode')), ['DELETE DeleteRules {}'])
  const limits = partsOf({}, 'Spec.Low')
  assert.deepEqual([limits.calls, limits.paths], [[], ['Spec.Low']])
  assert.deepEqual(lines(partsOf({ spec: { rule: null } }, 'Spec.Rule')), ['DELETE DeleteRules {}'])
})

test('a switch is turned on by one operation and off by another [6.4]', () => {
  assert.deepEqual(lines(partsOf({ spec: { alarm: true } }, 'Spec.Alarm')), ['UPDATE EnableAlarm {"Alarm":true}'])
  assert.deepEqual(lines(partsOf({ spec: { alarm: false } }, 'Spec.Alarm')), ['UPDATE DisableAlarm {}'])
})

test('below a field of the manifest, what it never said is AWS’s own choice [6.4]', () => {
  const spec = { logging: { bucket: 'b' } }
  const sent = ['UPDATE SetLogging {"Logging":{"Bucket":"b"}}']
  assert.deepEqual(lines(partsOf({ spec }, 'Spec.Logging.Bucket')), sent)
  const own = partsOf({ spec }, 'Spec.Logging.Prefix')
  assert.deepEqual([own.calls, own.paths], [[], ['Spec.Logging.Prefix']])
  assert.deepEqual(lines(partsOf({ spec, metadata: { generation: 2 } }, 'Spec.Logging.Prefix')), sent, 'it may have said it')
  assert.deepEqual(lines(partsOf({ spec }, 'Spec.Logging.Bucket', 'Spec.Logging.Prefix')), sent)
})

test('parts and entries are named by what AWS tells, or else by what was known before [6.4]', () => {
  const names = (call: PlannedCall | undefined): unknown => [call?.input['ThingArn'], call?.input['ThingId']]
  const put: Case = { spec: { rule: 'r', names: ['n'] } }
  const told = { ...put, told: { thingId: 'new' } }
  const before = { ...put, hasArn: false }
  for (const [calls, path] of [
    [partsOf, 'Spec.Rule'],
    [entriesOf, 'Spec.Names'],
  ] as const) {
    assert.deepEqual(names(calls(told, path).calls[0]), [arn, 'new'])
    assert.deepEqual(names(calls(before, path).calls[0]), ['arn:wanted', 'old'])
  }
})

test('what code of the kind looks after is left to it [6.4]', () => {
  const deviation: Deviation = { own: ['Rule', 'Names'] }
  const of: Case = { deviation, spec: { rule: 'r', mode: 'm', names: ['n'] }, latest: { names: ['o'], texts: { a: '1' } } }
  assert.deepEqual(partsOf(of, 'Spec.Rule').calls, [])
  assert.equal(partsOf(of, 'Spec.Rule', 'Spec.Mode').paths.join(), 'Spec.Mode')
  assert.deepEqual(entriesOf(of, 'Spec.Names'), { calls: [], paths: [] })
  const situation = situationOf({ model: kind, deviation })
  assert.deepEqual(
    lines({ calls: entriesBeforeDeletion(situation, { spec: { names: ['o'], texts: { a: '1' } }, status: {}, arn }) }),
    ['DELETE DeleteText {"Key":"a"}'],
  )
})

test('entries that are new or say something else are put before those that nobody names are deleted [6.4]', () => {
  const of: Case = { spec: { texts: { a: '1', b: '2', c: '3' } }, latest: { texts: { a: '1', b: '0', d: '4' } } }
  const entries = entriesOf(of, 'Spec.Texts.b', 'Spec.Texts.c', 'Spec.Names')
  assert.deepEqual(lines({ calls: entries.calls.slice(0, 3) }), [
    'UPDATE PutText {"Key":"b","Text":"2"}',
    'UPDATE PutText {"Key":"c","Text":"3"}',
    'DELETE DeleteText {"Key":"d"}',
  ])
  assert.deepEqual(entries.paths, ['Spec.Names', 'Spec.Texts.b', 'Spec.Texts.c'])
  assert.equal(entries.calls.length, 3, 'of the names, none is new')
  assert.deepEqual(entriesOf(of, 'Spec.TextsOfAnother'), { calls: [], paths: [] })
})

test('before the resource goes, all of its entries go [6.7]', () => {
  const situation = situationOf({ model: kind, deviation: {}, spec: { names: ['kept'] } })
  assert.deepEqual(
    lines({ calls: entriesBeforeDeletion(situation, { spec: { names: ['n'], texts: { a: '1' } }, status: {}, arn }) }),
    ['DELETE DeleteName {"Name":"n"}', 'DELETE DeleteText {"Key":"a"}'],
  )
})
