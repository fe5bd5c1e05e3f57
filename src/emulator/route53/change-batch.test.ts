import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SortedMap } from '../state/sorted-map.ts'
import { batchLimits, plannedSets, type RequestedChange } from './change-batch.ts'
import { onlyVersion, type RecordSet, recordKey, type Zone } from './model.ts'

const set = (Name: string, Type: string, more: object = {}): RecordSet =>
  ({ Name, Type, TTL: 60, ResourceRecords: [{ Value: '192.0.2.1' }], ...more }) as RecordSet
const values = (...all: readonly string[]): object => ({ ResourceRecords: all.map(Value => ({ Value })) })
const alias = (DNSName: string, HostedZoneId = 'Z1', more: object = {}): object => ({
  TTL: undefined,
  ResourceRecords: undefined,
  AliasTarget: { HostedZoneId, DNSName, EvaluateTargetHealth: false, ...more },
})
const soa = set('example.com.', 'SOA', values('a. b. 1 2 3 4 5'))
const ns = set('example.com.', 'NS', values('ns.example.net.'))

function zoneOf(id: string, name: string, sets: readonly RecordSet[]): Zone {
  const map = SortedMap.from(sets.map(one => [recordKey(one), one] as const).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  return { id, name, versions: onlyVersion({ submittedMs: 0, visibleMs: 0, sets: map }) } as unknown as Zone
}
const there = [
  soa,
  ns,
  set('a.example.com.', 'A'),
  set('c.example.com.', 'CNAME', values('x.example.net')),
  set('w.example.com.', 'A', { SetIdentifier: 'one', Weight: 1 }),
  set('r.example.com.', 'A', { SetIdentifier: 'one', Region: 'eu-west-1' }),
  set('f.example.com.', 'A', { SetIdentifier: 'one', Failover: 'PRIMARY' }),
  set('g.example.com.', 'A', { SetIdentifier: 'one', GeoLocation: { CountryCode: 'DE' } }),
]
const zone = zoneOf('Z1', 'example.com.', there)
const other = zoneOf('Z2', 'other.com.', [set('a.other.com.', 'A')])

type Action = RequestedChange['Action']
const change = (Action: Action, ResourceRecordSet: RecordSet): RequestedChange => ({ Action, ResourceRecordSet })

/** How many sets there are then, or what is complained of. */
function outcome(changes: readonly RequestedChange[], limits = batchLimits): unknown {
  try {
    return plannedSets(zone, changes, id => (id === 'Z2' ? other : undefined), limits).size - there.length
  } catch (error) {
    const { code, message } = error as { code: string; message: string }
    return code === 'InvalidChangeBatch' ? message.slice(1, -1) : `${code}: ${message}`
  }
}
const a = (name: string, more: object = {}): RecordSet => set(`${name}.example.com`, 'A', more)
const described = (name: string, more = ''): string => `resource record set [name='${name}.example.com.', type='A'${more}]`
const policy = (name: string, identifier: string, found: string): string =>
  `RRSet with DNS name ${name}.example.com., type A, SetIdentifier ${identifier} cannot be created as ${found}`
const otherPolicy = 'other RRSets exist with the same name and type that use another routing policy.'
const askers = (identifier: string): string => `the RRSet with SetIdentifier ${identifier} answers the same askers already`

const rows: readonly (readonly [what: string, changes: readonly RequestedChange[], outcome: unknown])[] = [
  ['a new set', [change('CREATE', a('new'))], 1],
  ['a set in upper case', [change('CREATE', a('NEW'))], 1],
  ['a set that is there', [change('CREATE', a('a'))], `Tried to create ${described('a')} but it already exists`],
  ['a set that is there, written over', [change('UPSERT', a('a', { TTL: 5 }))], 0],
  ['a set that goes', [change('DELETE', a('a'))], -1],
  ['a set that is not there', [change('DELETE', a('none'))], `Tried to delete ${described('none')} but it was not found`],
  [
    'a set of another time to live',
    [change('DELETE', a('a', { TTL: 5 }))],
    `Tried to delete ${described('a')} but the values provided do not match the current values`,
  ],
  [
    'a set by its identifier that is not there',
    [change('DELETE', a('w', { SetIdentifier: 'two', Weight: 1 }))],
    `Tried to delete ${described('w', ", set identifier='two'")} but it was not found`,
  ],
  ['a set that goes and comes', [change('DELETE', a('a')), change('CREATE', a('a', { TTL: 5 }))], 0],
  [
    'a set that comes twice',
    [change('UPSERT', a('a')), change('UPSERT', a('a'))],
    "The request contains an invalid set of changes for a resource record set 'A a.example.com.'",
  ],
  [
    'a set that goes and is written over',
    [change('DELETE', a('a')), change('UPSERT', a('a'))],
    "The request contains an invalid set of changes for a resource record set 'A a.example.com.'",
  ],
  [
    'a set of another zone',
    [change('CREATE', set('a.example.net', 'A'))],
    'RRSet with DNS name a.example.net. is not permitted in zone example.com.',
  ],
  ['the SOA', [change('DELETE', soa)], 'A HostedZone must contain exactly one SOA record.'],
  ['the name servers', [change('DELETE', ns)], 'A HostedZone must contain at least one NS record for the zone itself.'],
  ['name servers below', [change('CREATE', set('sub.example.com', 'NS', values('ns.example.net')))], 1],
  [
    'a SOA below',
    [change('CREATE', set('sub.example.com', 'SOA', values('a. b. 1 2 3 4 5')))],
    'RRSet of type SOA with DNS name sub.example.com. is only permitted at apex in zone example.com.',
  ],
  [
    'two values of a CNAME',
    [change('CREATE', set('x.example.com', 'CNAME', values('a', 'b')))],
    'RRSet of type CNAME with DNS name x.example.com. may only have one record.',
  ],
  ['one value twice', [change('CREATE', a('new', values('192.0.2.1', '192.0.2.1')))], "Duplicate Resource Record: '192.0.2.1'"],
  [
    'a CNAME at the apex',
    [change('CREATE', set('example.com', 'CNAME', values('x')))],
    'RRSet of type CNAME with DNS name example.com. is not permitted at apex in zone example.com.',
  ],
  [
    'an address beside a CNAME',
    [change('CREATE', a('c'))],
    'RRSet of type A with DNS name c.example.com. is not permitted as it conflicts with other records with the same DNS name in zone example.com.',
  ],
  ['a CNAME in place of an address', [change('DELETE', a('a')), change('CREATE', set('a.example.com', 'CNAME', values('x')))], 0],
  ['a second weight', [change('CREATE', a('w', { SetIdentifier: 'two', Weight: 1 }))], 1],
  ['a plain set beside weights', [change('CREATE', a('w'))], policy('w', 'null', otherPolicy)],
  ['a weight beside a plain set', [change('CREATE', a('a', { SetIdentifier: 'x', Weight: 0 }))], policy('a', 'x', otherPolicy)],
  [
    'the same region',
    [change('CREATE', a('r', { SetIdentifier: 'two', Region: 'eu-west-1' }))],
    policy('r', 'two', askers('one')),
  ],
  ['another region', [change('CREATE', a('r', { SetIdentifier: 'two', Region: 'us-east-1' }))], 1],
  [
    'a second primary',
    [change('CREATE', a('f', { SetIdentifier: 'two', Failover: 'PRIMARY' }))],
    policy('f', 'two', askers('one')),
  ],
  ['a secondary', [change('CREATE', a('f', { SetIdentifier: 'two', Failover: 'SECONDARY' }))], 1],
  [
    'the same country',
    [change('CREATE', a('g', { SetIdentifier: 'two', GeoLocation: { CountryCode: 'DE' } }))],
    policy('g', 'two', askers('one')),
  ],
  ['another country', [change('CREATE', a('g', { SetIdentifier: 'two', GeoLocation: { CountryCode: 'FR' } }))], 1],
  [
    'a part of the country',
    [change('CREATE', a('g', { SetIdentifier: 'two', GeoLocation: { CountryCode: 'DE', SubdivisionCode: 'BE' } }))],
    1,
  ],
  ['an alias into the zone', [change('CREATE', a('new', alias('a.example.com')))], 1],
  [
    'an alias to a set of another type',
    [change('CREATE', set('new.example.com', 'AAAA', alias('a.example.com')))],
    'Tried to create an alias that targets a.example.com., type AAAA in zone Z1, but that target was not found',
  ],
  ['an alias to a set of the same batch', [change('CREATE', a('one')), change('CREATE', a('two', alias('one.example.com')))], 2],
  ['an alias into a zone of ours', [change('CREATE', a('new', alias('a.other.com', '/hostedzone/Z2')))], 1],
  [
    'an alias to nothing there',
    [change('CREATE', a('new', alias('b.other.com', 'Z2')))],
    'Tried to create an alias that targets b.other.com., type A in zone Z2, but that target was not found',
  ],
  [
    'an alias beside its zone',
    [change('CREATE', a('new', alias('a.example.com', 'Z2')))],
    'Tried to create an alias that targets a.example.com., type A in zone Z2, but the alias target name does not lie within the target zone',
  ],
  ['an alias to a zone of somebody else', [change('CREATE', a('new', alias('lb.example.net', 'Z3')))], 1],
  [
    'name servers by alias',
    [change('CREATE', set('new.example.com', 'NS', alias('lb.example.net', 'Z3')))],
    'RRSet of type NS with DNS name new.example.com. cannot be an alias',
  ],
  [
    'an alias to no name',
    [change('CREATE', a('new', alias('a..b', 'Z3')))],
    "FATAL problem: DomainLabelEmpty (Domain label is empty) encountered with 'a..b'",
  ],
  [
    'no name',
    [change('CREATE', set('a..example.com', 'A'))],
    "FATAL problem: DomainLabelEmpty (Domain label is empty) encountered with 'a..example.com'",
  ],
  ['nothing', [], 'InvalidInput: Invalid request: the change batch holds no changes'],
]
for (const [what, changes, expected] of rows) {
  test(`a batch with ${what}: ${String(expected).slice(0, 80)}`, () => assert.equal(outcome(changes), expected))
}

const one = 'Expected exactly one of [AliasTarget, all of [TTL, and ResourceRecords], or TrafficPolicyInstanceId], but found'
const routing = 'Expected exactly one of [Weight, Region, Failover, GeoLocation, or MultiValueAnswer], but found'
const forms: readonly (readonly [more: object, refused: string | undefined])[] = [
  [{ TTL: 0 }, undefined],
  [{ TTL: 2_147_483_647 }, undefined],
  [{ TTL: -1 }, 'TTL -1 is out of range'],
  [{ TTL: 2_147_483_648 }, 'TTL 2147483648 is out of range'],
  [{ TTL: undefined }, `${one} none`],
  [{ ResourceRecords: undefined }, `${one} none`],
  [{ ResourceRecords: [] }, `${one} none`],
  [alias('lb.example.net', 'Z3'), undefined],
  [{ ...alias('lb.example.net', 'Z3'), ResourceRecords: [] }, undefined],
  [{ ...alias('lb.example.net', 'Z3'), TTL: 60 }, `${one} more than one`],
  [{ ...alias('lb.example.net', 'Z3'), ...values('192.0.2.1') }, `${one} more than one`],
  [{ SetIdentifier: 'x' }, `${routing} none`],
  [{ Weight: 1 }, "Missing field 'SetIdentifier'"],
  [{ SetIdentifier: 'x', MultiValueAnswer: true }, undefined],
  [{ SetIdentifier: 'x', Weight: 1, Region: 'r' }, `${routing} more than one`],
  [{ Type: 'X' }, "Unknown record type 'X'"],
]
for (const [more, refused] of forms) {
  test(`a set with ${JSON.stringify(more)}: ${refused ?? 'taken'}`, () => {
    const made = a('new', more)
    const where = `in Change with [Action=CREATE, Name=new.example.com, Type=${made.Type}, SetIdentifier=${made.SetIdentifier ?? 'null'}]`
    assert.equal(
      outcome([change('CREATE', made)]),
      refused === undefined ? 1 : `InvalidInput: Invalid request: ${refused} ${where}`,
    )
  })
}

test('a batch has bounds, and what is written over counts twice', () => {
  const limits = { recordsPerBatchMax: 4, valueCharactersMax: 36, recordsPerSetMax: 3, setsPerZoneMax: there.length + 2 }
  const create = (count: number, Action: Action = 'CREATE'): unknown =>
    outcome(
      Array.from({ length: count }, (_, index) => change(Action, a(`n${index}`))),
      limits,
    )
  const four = Array.from({ length: 4 }, (_, index) => `192.0.2.${index}`)
  const records = 'Number of records limit of 4 exceeded.'
  const characters = 'RDATA character limit of 36 exceeded.'
  assert.equal(create(2), 2)
  assert.equal(create(2, 'UPSERT'), 2)
  assert.equal(create(3), `The number of resource record sets exceeds the limit of ${there.length + 2} for zone example.com.`)
  assert.equal(
    create(3, 'UPSERT'),
    `${records}, ${characters}, The number of resource record sets exceeds the limit of ${there.length + 2} for zone example.com.`,
  )
  assert.equal(outcome([change('CREATE', a('new', values(...four.slice(1))))], limits), 1)
  assert.equal(outcome([change('CREATE', a('new', values(...four)))], limits), 'Cannot have more than 3 records in a RRSet.')
  assert.equal(
    outcome([change('CREATE', a('new', values(...four.slice(1)))), change('CREATE', a('two', values('10.10.10.10')))], limits),
    characters,
  )
  const aliases = Array.from({ length: 5 }, (_, index) =>
    change('UPSERT', a('a', { ...alias('lb.example.net', 'Z3'), Name: `n${index}.example.com` })),
  )
  assert.ok(String(outcome(aliases, limits)).startsWith(records))
  assert.equal(outcome(aliases.slice(0, 2), limits), 2)
})

test('the order of values is no part of a set, all else is', () => {
  const stored = set('m.example.com.', 'A', { ...values('192.0.2.1', '192.0.2.2'), HealthCheckId: 'h' })
  const held = zoneOf('Z1', 'example.com.', [stored])
  const gone = (more: object): boolean => {
    try {
      return plannedSets(held, [change('DELETE', { ...stored, ...more } as RecordSet)], () => undefined).size === 0
    } catch {
      return false
    }
  }
  assert.equal(gone(values('192.0.2.2', '192.0.2.1')), true)
  for (const more of [values('192.0.2.1'), { HealthCheckId: undefined }, { TTL: 61 }])
    assert.equal(gone(more), false, JSON.stringify(more))
})
