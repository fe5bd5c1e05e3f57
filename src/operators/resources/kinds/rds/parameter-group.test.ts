import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Content, Values } from '../../model/request.ts'
import type { Caller, Deviation, PlannedCall } from '../deviation.ts'
import { rdsClusterParameterGroup, rdsParameterGroup } from './parameter-group.ts'

const field = (camel: string, json: string): readonly [string, object] => [camel, { camel, json, type: { kind: 'string' } }]
const named = (fields: Map<string, object>): object => ({ named: (camel: string) => fields.get(camel) })
const statuses = {
  camel: 'ParameterOverrideStatuses',
  json: 'parameterOverrideStatuses',
  type: { kind: 'list', element: { kind: 'structure', shape: 'Parameter' } },
}
const parameterFields = [
  { camel: 'ParameterName', json: 'parameterName', member: 'ParameterName', type: { kind: 'string' } },
  { camel: 'ApplyType', json: 'applyType', member: 'ApplyType', type: { kind: 'string' } },
]
const model = {
  spec: named(new Map([field('ParameterOverrides', 'parameterOverrides')])),
  status: named(new Map([['ParameterOverrideStatuses', statuses]])),
  service: {
    structures: { Parameter: parameterFields },
    model: {
      shapes: {
        ParametersList: { type: 'list', member: { target: 'Parameter' } },
        Parameter: { type: 'structure', members: { ParameterName: { target: 'String' }, ApplyType: { target: 'String' } } },
        String: { type: 'string' },
      },
    },
  },
} as never

const group = (spec: object): Content => ({ spec: { name: 'tuned', ...spec }, status: {} })
const user = (ParameterName: string, ParameterValue?: string, ApplyType = 'dynamic'): Values => ({
  ParameterName,
  ...(ParameterValue === undefined ? {} : { ParameterValue }),
  Source: 'user',
  ApplyType,
})

/** An engine of these parameters: the questions are kept. */
function engine(parameters: readonly Values[]): { readonly caller: Caller; readonly asked: [string, Values][] } {
  const asked: [string, Values][] = []
  const list = (operation: string, input: Values): Promise<readonly Values[]> => {
    asked.push([operation, input])
    const [filter] = (input['Filters'] ?? []) as readonly { readonly Values: readonly string[] }[]
    const isAsked = (each: Values): boolean =>
      filter === undefined ? each['Source'] === input['Source'] : filter.Values.includes(String(each['ParameterName']))
    return Promise.resolve(parameters.filter(isAsked))
  }
  return { caller: { list } as unknown as Caller, asked }
}

async function look(wanted: Content, caller: Caller, deviation: Deviation = rdsParameterGroup): Promise<Content> {
  const found = await deviation.readMore?.({ model, wanted, caller } as never, group({ description: 'one' }))
  assert.ok(found !== undefined)
  return found
}

function calls(
  wanted: Content,
  latest: Content,
  deviation: Deviation = rdsParameterGroup,
  isNew = false,
): readonly PlannedCall[] {
  return deviation.sync?.({ model, wanted, latest, isNew } as never) ?? []
}

const sent = (all: readonly PlannedCall[]): readonly (readonly [string, unknown])[] =>
  all.map(({ operation, input }) => [operation, input['Parameters']])

test('what somebody set is read by one question, whatever the engine has of its own', async () => {
  const { caller, asked } = engine([user('work_mem', '4096'), { ParameterName: 'port', Source: 'engine-default' }])
  const found = await look(group({ parameterOverrides: { work_mem: '4096' } }), caller)
  assert.deepEqual(found.spec, { name: 'tuned', description: 'one', parameterOverrides: { work_mem: '4096' } })
  assert.deepEqual(asked, [['DescribeDBParameters', { DBParameterGroupName: 'tuned', Source: 'user' }]])
})

test('what AWS says of what somebody set stands in the status, by name, and of nothing else', async () => {
  const { caller } = engine([
    user('b', '2', 'static'),
    user('a', '1'),
    { ParameterName: 'c', ParameterValue: '3', Source: 'system' },
  ])
  const found = await look(group({ parameterOverrides: { c: '3' } }), caller)
  assert.deepEqual(found.status['parameterOverrideStatuses'], [
    { parameterName: 'a', applyType: 'dynamic' },
    { parameterName: 'b', applyType: 'static' },
  ])
})

test('a parameter that was set to nothing is set', async () => {
  const found = await look(group({}), engine([user('shared_preload_libraries')]).caller)
  assert.deepEqual(found.spec['parameterOverrides'], { shared_preload_libraries: '' })
})

test('a group without overrides has none', async () => {
  const found = await look(group({ parameterOverrides: { work_mem: '1' } }), engine([]).caller)
  assert.equal(Object.hasOwn(found.spec, 'parameterOverrides'), false)
})

test('a value that is the engine’s own is as the manifest says, and is not set', async () => {
  const { caller } = engine([
    { ParameterName: 'port', ParameterValue: '5432', Source: 'system' },
    { ParameterName: 'ssl', ParameterValue: '1', Source: 'engine-default' },
  ])
  const wanted = group({ parameterOverrides: { port: '5432', ssl: '0' } })
  const found = await look(wanted, caller)
  assert.deepEqual(found.spec['parameterOverrides'], { port: '5432' })
  assert.deepEqual(sent(calls(wanted, found)), [
    ['ModifyDBParameterGroup', [{ ParameterName: 'ssl', ParameterValue: '0', ApplyMethod: 'pending-reboot' }]],
  ])
})

test('what is read while the engine runs holds at once, what is read at its start after a reboot', async () => {
  const { caller, asked } = engine([
    user('max_connections', '100', 'static'),
    user('old', '1'),
    user('old_static', '1', 'static'),
    { ParameterName: 'work_mem', ParameterValue: '1', ApplyType: 'dynamic', Source: 'engine-default' },
  ])
  const wanted = group({ parameterOverrides: { work_mem: '2', max_connections: '200', nowhere: 'x' } })
  const found = await look(wanted, caller)
  assert.deepEqual(asked.at(-1), [
    'DescribeDBParameters',
    { DBParameterGroupName: 'tuned', Filters: [{ Name: 'parameter-name', Values: ['work_mem', 'nowhere'] }] },
  ])
  assert.deepEqual(sent(calls(wanted, found)), [
    [
      'ModifyDBParameterGroup',
      [
        { ParameterName: 'work_mem', ParameterValue: '2', ApplyMethod: 'immediate' },
        { ParameterName: 'max_connections', ParameterValue: '200', ApplyMethod: 'pending-reboot' },
        { ParameterName: 'nowhere', ParameterValue: 'x', ApplyMethod: 'pending-reboot' },
      ],
    ],
    [
      'ResetDBParameterGroup',
      [
        { ParameterName: 'old', ApplyMethod: 'immediate' },
        { ParameterName: 'old_static', ApplyMethod: 'pending-reboot' },
      ],
    ],
  ])
})

test('no call takes more than twenty, and none goes out for nothing', async () => {
  const many = Object.fromEntries(Array.from({ length: 41 }, (_, index) => [`p${index}`, '1']))
  const wanted = group({ parameterOverrides: many })
  const { caller, asked } = engine([])
  const found = await look(wanted, caller)
  assert.equal(asked.length, 1 + 3)
  const sizes = (all: readonly PlannedCall[]): readonly unknown[] =>
    all.map(({ input }) => (input['Parameters'] as readonly unknown[]).length)
  assert.deepEqual(sizes(calls(wanted, found)), [20, 20, 1])
  const full = await look(wanted, engine(Object.keys(many).map(name => user(name, '1'))).caller)
  assert.deepEqual(calls(wanted, full), [])
  assert.deepEqual(sizes(calls(group({}), full)), [20, 20, 1])
})

test('no database uses a new group: its parameters wait for none', () => {
  const latest: Content = { spec: {}, status: {} }
  assert.deepEqual(sent(calls(group({ parameterOverrides: { work_mem: '2' } }), latest, rdsParameterGroup, true)), [
    ['ModifyDBParameterGroup', [{ ParameterName: 'work_mem', ParameterValue: '2', ApplyMethod: 'pending-reboot' }]],
  ])
})

test('a cluster group takes its older list beside its overrides, each parameter once', async () => {
  const same = rdsClusterParameterGroup.same?.['Parameters']
  const listed = (parameterValue: string): object => ({
    parameters: [{ parameterName: 'time_zone', parameterValue, applyMethod: 'pending-reboot' }],
    parameterOverrides: { binlog_format: 'ROW' },
  })
  const { caller, asked } = engine([user('time_zone', 'UTC'), user('binlog_format', 'ROW')])
  const held = group(listed('UTC'))
  const found = await look(held, caller, rdsClusterParameterGroup)
  assert.equal(asked[0]?.[0], 'DescribeDBClusterParameters')
  assert.deepEqual(found.spec['parameterOverrides'], { binlog_format: 'ROW' })
  assert.equal(same?.(undefined, undefined, { model, wanted: held, latest: found }), true)
  assert.deepEqual(calls(held, found, rdsClusterParameterGroup), [])
  const other = group(listed('SYSTEM'))
  assert.equal(same?.(undefined, undefined, { model, wanted: other, latest: found }), false)
  assert.deepEqual(sent(calls(other, found, rdsClusterParameterGroup)), [
    ['ModifyDBClusterParameterGroup', [{ ParameterName: 'time_zone', ParameterValue: 'SYSTEM', ApplyMethod: 'pending-reboot' }]],
  ])
})

test('a parameter that is called like what every object has is read, set and reset', async () => {
  const wanted = group({ parameterOverrides: { constructor: '1' } })
  const unset = await look(wanted, engine([]).caller)
  assert.deepEqual(sent(calls(wanted, unset)), [
    ['ModifyDBParameterGroup', [{ ParameterName: 'constructor', ParameterValue: '1', ApplyMethod: 'pending-reboot' }]],
  ])
  const set = await look(wanted, engine([user('constructor', '1')]).caller)
  assert.deepEqual(calls(wanted, set), [])
  assert.deepEqual(sent(calls(group({}), set)), [
    ['ResetDBParameterGroup', [{ ParameterName: 'constructor', ApplyMethod: 'immediate' }]],
  ])
})

test('what AWS tells of others than the user, where it is asked for the user’s alone, is not the user’s', async () => {
  const list = (): Promise<readonly Values[]> =>
    Promise.resolve([
      { ParameterName: 'a', ParameterValue: '1' },
      { ...user('b', '2'), Source: 'engine-default' },
    ])
  const { extra } = await look(group({}), { list } as unknown as Caller)
  assert.deepEqual(extra?.['held'], { a: '1' })
})

test('a group is asked for by the name that it has, and by that of its manifest where AWS tells none', async () => {
  const asked: unknown[] = []
  const list = (_operation: string, input: Values): Promise<readonly Values[]> => {
    asked.push(input['DBParameterGroupName'])
    return Promise.resolve([])
  }
  for (const spec of [{ name: 'held' }, {}])
    await rdsParameterGroup.readMore?.({ model, wanted: group({}), caller: { list } } as never, { spec, status: {} })
  assert.deepEqual(asked, ['held', 'tuned'])
})

test('of the older list of a cluster group every one has to be held', () => {
  const parameters = [
    { parameterName: 'a', parameterValue: '1' },
    { parameterName: 'b', parameterValue: '2' },
  ]
  const same = (held: Record<string, string>) =>
    rdsClusterParameterGroup.same?.['Parameters']?.(undefined, undefined, {
      model,
      wanted: group({ parameters }),
      latest: { ...group({}), extra: { held } },
    })
  assert.deepEqual([same({ a: '1', b: '2', c: '3' }), same({ a: '1', b: '3' }), same({})], [true, false, false])
})
