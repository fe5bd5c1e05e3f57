// What a record is known by, compared by and asked for with.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Resource } from '../../api.ts'
import type { Content, Values } from '../../model/request.ts'
import { recordCondition } from '../../ownership/ownership-record.ts'
import { type Answer, answering } from '../../testing/answers.ts'
import { modelOf } from '../../testing/parts.ts'
import { route53RecordSet as deviation, fullName } from './record-set.ts'

const model = modelOf('route53', 'RecordSet')
const content = (spec: object, more: object = {}): Content => ({ spec, status: {}, ...more }) as Content
const is = (spec: object, more: object = {}) => deviation.identity?.(content(spec, more))
const zone = { hostedZoneID: 'Z1', recordType: 'A' }

test('a record without a zone is refused', () => {
  const refuse = (spec: object) => deviation.refuse?.({ wanted: content(spec) } as never)
  assert.deepEqual([refuse(zone), refuse({})], [undefined, 'hostedZoneID or hostedZoneRef is required'])
})

for (const [what, found, expected] of [
  ['its whole name', is({ ...zone, name: 'A.Example.com.' }), { ...zone, name: 'a.example.com.' }],
  ['a name that a look told whole', is({ ...zone, name: 'a' }, { extra: { name: 'a.b.' } }), { ...zone, name: 'a.b.' }],
  ['a name within its zone, which is not known', is({ ...zone, name: 'a' }), {}],
  ['no name', is(zone), {}],
  ['no zone', is({ name: 'a.', recordType: 'A' }), {}],
  ['a zone with its prefix', is({ ...zone, hostedZoneID: '/hostedzone/Z1', name: 'a.' }), { ...zone, name: 'a.' }],
  ['a set', is({ ...zone, name: 'a.', setIdentifier: 's' }), { ...zone, name: 'a.', setIdentifier: 's' }],
  ['an empty set', is({ ...zone, name: 'a.', setIdentifier: '' }), { ...zone, name: 'a.' }],
  ['no type', is({ hostedZoneID: 'Z1', name: 'a.' }), { hostedZoneID: 'Z1', name: 'a.', recordType: '' }],
] as const)
  test(`a record with ${what} is ${JSON.stringify(expected)}`, () => assert.deepEqual(found, expected))

for (const [name, full] of [
  ['www', 'www.example.com.'],
  ['', 'example.com.'],
  [undefined, 'example.com.'],
  ['www.other.org.', 'www.other.org.'],
] as const)
  test(`${name ?? 'nothing'} is ${full} in its zone`, () => assert.equal(fullName(name, 'example.com.'), full))

const passes = (code: string, message: string) => deviation.passes?.({ code, message })

test('who comes too late or too early to a record may try again, and nobody else', () => {
  assert.deepEqual(
    [
      passes('InvalidChangeBatch', 'it already exists'),
      passes('InvalidChangeBatch', 'but it was not found'),
      passes('InvalidChangeBatch', 'the values do not match'),
      passes('InvalidChangeBatch', 'bad TTL'),
      passes('InvalidInput', 'it already exists'),
    ],
    [true, true, true, false, false],
  )
})

const printed = (spec: object): string | undefined => deviation.print?.(content(spec))
const alias = { dnsName: 'lb.example.com', hostedZoneID: 'Z2' }
const records = (...values: readonly unknown[]) => ({ resourceRecords: values.map(value => ({ value })) })

for (const [what, a, b, same] of [
  ['values in another order', records('1.1.1.1', '2.2.2.2'), records('2.2.2.2', '1.1.1.1'), true],
  ['names of values in another case', records('A.example.com.'), records('a.example.com'), true],
  ['texts in another case', records('"A"'), records('"a"'), false],
  [
    'an alias in another spelling',
    { aliasTarget: alias },
    { aliasTarget: { ...alias, dnsName: 'LB.example.com.', hostedZoneID: '/hostedzone/Z2', evaluateTargetHealth: false } },
    true,
  ],
  ['an alias that looks at health', { aliasTarget: alias }, { aliasTarget: { ...alias, evaluateTargetHealth: true } }, false],
  ['an alias and none', { aliasTarget: alias }, {}, false],
  ['another alias', { aliasTarget: alias }, { aliasTarget: { ...alias, hostedZoneID: 'Z3' } }, false],
  ['fields in another order', { ttl: 1, weight: 2, region: 'r' }, { region: 'r', weight: 2, ttl: 1 }, true],
  ['another field', { ttl: 1 }, { ttl: 2 }, false],
  ['a field that says nothing', { ttl: 1, weight: null, region: undefined }, { ttl: 1 }, true],
  ['another way to name it', { name: 'a', hostedZoneID: 'Z1' }, { name: 'a.b.', hostedZoneRef: { from: { name: 'z' } } }, true],
  ['a value that is missing', records(undefined), records(''), true],
] as const)
  test(`two wishes with ${what} have ${same ? 'one print' : 'prints of their own'}`, () =>
    assert.equal(printed(a) === printed(b), same))

const same = (field: string, wanted: unknown, latest: unknown) => deviation.same?.[field]?.(wanted, latest, {} as never)
const target = (more: object = {}) => ({ ...alias, ...more })

for (const [field, what, wanted, latest, isSame] of [
  ['Name', 'any', 'a', 'b', true],
  ['RecordType', 'any', 'A', 'B', true],
  ['HostedZoneID', 'a prefix', 'Z1', '/hostedzone/Z1', true],
  ['HostedZoneID', 'another', 'Z1', 'Z2', false],
  ['AliasTarget', 'none and none', undefined, undefined, true],
  ['AliasTarget', 'one and none', target(), undefined, false],
  ['AliasTarget', 'none and one', undefined, target(), false],
  ['AliasTarget', 'another case', target(), target({ dnsName: 'LB.EXAMPLE.COM.' }), true],
  ['AliasTarget', 'another name', target(), target({ dnsName: 'x' }), false],
  ['AliasTarget', 'another zone', target(), target({ hostedZoneID: 'Z3' }), false],
  ['AliasTarget', 'no word of health', target(), target({ evaluateTargetHealth: false }), true],
  ['AliasTarget', 'a word of health that AWS leaves out', target({ evaluateTargetHealth: false }), target(), true],
  ['AliasTarget', 'a look at health', target({ evaluateTargetHealth: true }), target(), false],
  ['AliasTarget', 'a look at health that nobody wants', target(), target({ evaluateTargetHealth: true }), false],
  ['ResourceRecords', 'another order', records('c', 'a', 'b').resourceRecords, records('b', 'c', 'a').resourceRecords, true],
  ['ResourceRecords', 'another value', records('a').resourceRecords, records('b').resourceRecords, false],
  ['ResourceRecords', 'one less', records('a').resourceRecords, records('a', 'b').resourceRecords, false],
  ['ResourceRecords', 'none and none', undefined, [], true],
  ['ResourceRecords', 'a value that is missing', records(undefined).resourceRecords, records('').resourceRecords, true],
] as const)
  test(`${field} with ${what} ${isSame ? 'is as it is wanted' : 'differs'}`, () =>
    assert.equal(same(field, wanted, latest), isSame))

test('events name a record by its first label and its zone', () => {
  const names = (spec: object | undefined) => deviation.eventNames?.({ spec } as never)
  assert.deepEqual(names({ name: 'WWW.example.com', hostedZoneID: '/hostedzone/Z1' }), ['www', 'Z1'])
  assert.deepEqual([names({ name: '' }), names({}), names(undefined)], [[], [], []])
})

test('changes of one zone are joined, a hundred at most, and told apart by what may be the fault of one', () => {
  const { joining, workers } = deviation
  const change = (name: string, HostedZoneId = '/hostedzone/Z1') => ({
    HostedZoneId,
    ChangeBatch: { Changes: [{ Action: 'CREATE', name }] },
  })
  assert.deepEqual([joining?.topic(change('a')), joining?.max, workers], ['Z1', 100, 100])
  assert.deepEqual(joining?.join([change('a'), change('b', 'Z1'), {}]), {
    HostedZoneId: '/hostedzone/Z1',
    ChangeBatch: { Changes: [...change('a').ChangeBatch.Changes, ...change('b').ChangeBatch.Changes] },
  })
  const splits = ['InvalidChangeBatch', 'InvalidInput', 'NoSuchHealthCheck', 'Throttling'].map(code =>
    joining?.splits({ code } as never),
  )
  assert.deepEqual(splits, [true, true, true, false])
})

test('a change is looked after until all name servers have it', () => {
  const state = (status: string) => deviation.state?.(content({}, { status: { status } }), { strictSync: false })
  assert.deepEqual(
    [state('PENDING')?.synced, state('PENDING')?.lookAfterMs, state('INSYNC')],
    [false, 10_000, { synced: true, message: '' }],
  )
})

const wanted = content({ ...zone, name: 'www', ttl: 60, ...records('1.1.1.1') }, { extra: { name: 'www.example.com.' } })
const held = content({ ...zone, name: 'www', ttl: 30 }, { extra: { name: 'www.example.com.' } })
const Name = 'www.example.com.'
const made = { Name, Type: 'A', TTL: 60, ResourceRecords: [{ Value: '1.1.1.1' }] }

test('a record is made and changed by its whole wish, and deleted by what is there, under its full name', () => {
  const context = { model, wanted, latest: held, isNew: false } as never
  const create = deviation.create?.({}, context)
  const [upsert] = deviation.sync?.(context) ?? []
  const remove = deviation.delete?.(context)
  const of = (call: unknown) => {
    const { verb, records: isRecorded, input } = call as { verb: string; records: boolean; input: Values }
    return [verb, isRecorded, input['HostedZoneId'], (input['ChangeBatch'] as { Changes: unknown }).Changes]
  }
  assert.deepEqual(of(create), ['CREATE', true, 'Z1', [{ Action: 'CREATE', ResourceRecordSet: made }]])
  assert.deepEqual(of(upsert), ['UPDATE', true, 'Z1', [{ Action: 'UPSERT', ResourceRecordSet: made }]])
  assert.deepEqual(of(remove), ['DELETE', false, 'Z1', [{ Action: 'DELETE', ResourceRecordSet: { Name, Type: 'A', TTL: 30 } }]])
  assert.deepEqual(deviation.sync?.({ ...(context as object), isNew: true } as never), [])
  const unnamed = deviation.create?.({}, { model, wanted: content({ ...zone, name: 'www.', ttl: null }) } as never)
  assert.deepEqual(of(unnamed)[3], [{ Action: 'CREATE', ResourceRecordSet: { Name: 'www.', Type: 'A' } }])
})

test('the change that makes a record stands in its status, to the second', () => {
  const ChangeInfo = { Id: '/change/C1', Status: 'PENDING', SubmittedAt: new Date(1_500) }
  const created = (output: Values) => deviation.created?.(output, content({}, { status: { kept: 1 } }), {} as never).status
  assert.deepEqual(created({ ChangeInfo }), { kept: 1, id: '/change/C1', status: 'PENDING', submittedAt: '1970-01-01T00:00:01Z' })
  assert.deepEqual(created({}), { kept: 1 })
})

const claimOf = (metadata: object = {}, status?: object): Resource =>
  ({
    metadata: { namespace: 'apps', name: 'x', ...metadata },
    ...(status === undefined ? {} : { status }),
  }) as unknown as Resource
const GetHostedZone = { HostedZone: { Name: 'example.com.' } }
const listed = (...sets: readonly object[]) => ({ ResourceRecordSets: sets })
const one = { Name, Type: 'A', TTL: 60, ResourceRecords: [{ Value: '1.1.1.1' }] }

async function read(answers: Readonly<Record<string, Answer>>, { spec = {}, status = {}, claim = claimOf() } = {}) {
  const { caller, asked } = answering({ GetHostedZone, ...answers })
  const told = content({ ...zone, name: 'www', ...spec }, { status })
  const found = await deviation.read?.({ model, deviation, claim, wanted: told, caller } as never)
  return { found, asked }
}

test('a record is read under its full name, and shown under that of the manifest', async () => {
  const { found, asked } = await read({ ListResourceRecordSets: listed(one) })
  assert.deepEqual(found?.spec, { ...zone, name: 'www', ttl: 60, ...records('1.1.1.1') })
  assert.deepEqual(found?.extra, { name: Name })
  const [, input] = asked.at(-1) ?? []
  assert.deepEqual(input, { HostedZoneId: 'Z1', StartRecordName: Name, StartRecordType: 'A' })
})

test('a record that is absent leaves its full name, and one without a zone is not looked for', async () => {
  const { found } = await read({ ListResourceRecordSets: listed() })
  assert.deepEqual(found, { spec: {}, status: {}, extra: { name: Name }, isAbsent: true })
  const { found: none, asked } = await read({}, { spec: { hostedZoneID: undefined } })
  assert.deepEqual([none, asked], [undefined, []])
})

test('the change of a record is followed while it is on its way, by its bare id', async () => {
  const GetChange = { ChangeInfo: { Id: '/change/C1', Status: 'INSYNC', SubmittedAt: 'then' } }
  const answers = { ListResourceRecordSets: listed(one), GetChange }
  const pending = await read(answers, { status: { id: '/change/C1', status: 'PENDING' } })
  assert.deepEqual(pending.found?.status, { id: '/change/C1', status: 'INSYNC', submittedAt: 'then' })
  assert.deepEqual(pending.asked.at(-1), ['GetChange', { Id: 'C1' }])
  for (const status of [{ id: '/change/C1', status: 'INSYNC' }, { status: 'PENDING' }]) {
    const rested = await read(answers, { status })
    assert.deepEqual([rested.found?.status, rested.asked.length], [status, 2])
  }
})

for (const [what, claim, isExpected] of [
  ['is yet to be made', claimOf(), false],
  ['goes', claimOf({ deletionTimestamp: '2026-01-01T00:00:00Z' }), true],
  ['was made', claimOf({}, { conditions: [recordCondition({ kind: 'made', identity: { name: 'a' } })] }), true],
] as const)
  test(`a record that ${what} ${isExpected ? 'is' : 'is not'} looked for once more where a list lacks it`, async () => {
    const expected: unknown[] = []
    const { caller } = answering({ GetHostedZone, ListResourceRecordSets: listed(one) })
    const together: typeof caller.together = (topic, question, answer) => {
      expected.push(topic, question)
      return caller.together(topic, question, answer)
    }
    const spec = { ...zone, name: 'www', setIdentifier: null }
    await deviation.read?.({ model, deviation, claim, wanted: content(spec), caller: { ...caller, together } } as never)
    assert.deepEqual(expected, ['records of Z1', { name: Name, type: 'A', setIdentifier: undefined, isExpected }])
  })
