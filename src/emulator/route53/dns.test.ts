import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '#base'
import type { DnsReply } from '../dns/reply.ts'
import { SortedMap } from '../state/sorted-map.ts'
import { resolveDns } from './dns.ts'
import { onlyVersion, type RecordSet, recordKey, type Zone } from './model.ts'
import type { RecordType } from './record-data.ts'

type Row = readonly [name: string, type: RecordType, ...values: string[]]

let made = 0
function zone(name: string, rows: readonly Row[], more: Partial<Zone> & { visibleMs?: number } = {}): Zone {
  const { visibleMs = 0, ...fields } = more
  const sets = rows.map(([Name, Type, ...values]) => ({ Name, Type, TTL: 60, ResourceRecords: values.map(Value => ({ Value })) }))
  return zoneOf(name, sets, { visibleMs, ...fields })
}

function zoneOf(
  name: string,
  sets: readonly RecordSet[],
  { visibleMs = 0, ...fields }: Partial<Zone> & { visibleMs?: number },
): Zone {
  return {
    id: `Z${made++}`,
    partition: 'aws',
    account: '123456789012',
    name,
    callerReference: '',
    privateZone: false,
    vpcs: [],
    nameServers: [`ns.${name.slice(0, -1)}`],
    createdMs: made,
    versions: onlyVersion({ submittedMs: 0, visibleMs, sets: SortedMap.from(sets.map(set => [recordKey(set), set])) }),
    ...fields,
  }
}

function ask(
  zones: readonly Zone[],
  name: string,
  type = 'A',
  more: { vpc?: string; at?: number } = {},
): [DnsReply['code'], ...string[]] {
  const world = { zones, delegateOrphanZones: true, random: seededRandom('dns') }
  const { code, records } = resolveDns(world, { name, type, at: more.at ?? 1, ...(more.vpc !== undefined && { vpc: more.vpc }) })
  return [code, ...records.map(record => `${record.type} ${record.value}`)]
}

test('names answer with their values, absent names with NXDOMAIN, other types with nothing', () => {
  const zones = [zone('example.com.', [['a.example.com.', 'A', '1.1.1.1', '2.2.2.2']])]
  assert.deepEqual(ask(zones, 'A.example.com'), ['NOERROR', 'A 1.1.1.1', 'A 2.2.2.2'])
  assert.deepEqual(ask(zones, 'b.example.com'), ['NXDOMAIN'])
  assert.deepEqual(ask(zones, 'a.example.com', 'TXT'), ['NOERROR'])
  assert.deepEqual(ask(zones, 'a.other.org'), ['REFUSED'])
})

test('a wildcard answers below its parent, but not where a name exists, nor below one (RFC 4592)', () => {
  const zones = [
    zone('example.com.', [
      ['\\052.example.com.', 'A', '9.9.9.9'],
      ['x.sub.example.com.', 'A', '1.1.1.1'],
    ]),
  ]
  assert.deepEqual(ask(zones, 'anything.example.com'), ['NOERROR', 'A 9.9.9.9'])
  assert.deepEqual(ask(zones, 'two.deep.example.com'), ['NOERROR', 'A 9.9.9.9'])
  assert.deepEqual(ask(zones, 'sub.example.com'), ['NOERROR'])
  assert.deepEqual(ask(zones, 'y.sub.example.com'), ['NXDOMAIN'])
})

test('CNAME chains are followed across zones, and loops end in SERVFAIL', () => {
  const zones = [
    zone('a.com.', [
      ['w.a.com.', 'CNAME', 'x.b.com'],
      ['l.a.com.', 'CNAME', 'l.a.com'],
    ]),
    zone('b.com.', [['x.b.com.', 'A', '1.1.1.1']]),
  ]
  assert.deepEqual(ask(zones, 'w.a.com'), ['NOERROR', 'CNAME x.b.com', 'A 1.1.1.1'])
  assert.deepEqual(ask(zones, 'w.a.com', 'CNAME'), ['NOERROR', 'CNAME x.b.com'])
  assert.deepEqual(ask(zones, 'l.a.com'), ['SERVFAIL'])
})

test('a child zone answers only when its parent delegates to its servers', () => {
  const child = zone('dev.example.com.', [['a.dev.example.com.', 'A', '1.1.1.1']])
  const cut = zone('example.com.', [['example.com.', 'A', '5.5.5.5']])
  const delegating = zone('example.com.', [['dev.example.com.', 'NS', 'ns.dev.example.com.']])
  assert.deepEqual(ask([child, cut], 'a.dev.example.com'), ['NXDOMAIN'])
  assert.deepEqual(ask([child, delegating], 'a.dev.example.com'), ['NOERROR', 'A 1.1.1.1'])
})

test('of two zones with one name the first answers, or the one that the parent names', () => {
  const first = zone('dev.example.com.', [['a.dev.example.com.', 'A', '1.1.1.1']], { nameServers: ['ns-1'] })
  const second = zone('dev.example.com.', [['a.dev.example.com.', 'A', '2.2.2.2']], { nameServers: ['ns-2'] })
  assert.deepEqual(ask([second, first], 'a.dev.example.com'), ['NOERROR', 'A 1.1.1.1'])
  const parent = zone('example.com.', [['dev.example.com.', 'NS', 'ns-2.']])
  assert.deepEqual(ask([first, second, parent], 'a.dev.example.com'), ['NOERROR', 'A 2.2.2.2'])
})

test('a private zone answers inside its VPC and nowhere else', () => {
  const inside = zone('example.com.', [['a.example.com.', 'A', '10.0.0.1']], { privateZone: true, vpcs: [{ VPCId: 'vpc-1' }] })
  const outside = zone('example.com.', [['a.example.com.', 'A', '1.1.1.1']])
  assert.deepEqual(ask([inside, outside], 'a.example.com'), ['NOERROR', 'A 1.1.1.1'])
  assert.deepEqual(ask([inside, outside], 'a.example.com', 'A', { vpc: 'vpc-1' }), ['NOERROR', 'A 10.0.0.1'])
  assert.deepEqual(ask([inside], 'a.example.com', 'A', { vpc: 'vpc-2' }), ['REFUSED'])
})

test('nothing is seen before its change is in sync', () => {
  const zones = [zone('example.com.', [['a.example.com.', 'A', '1.1.1.1']], { visibleMs: 100 })]
  assert.deepEqual(ask(zones, 'a.example.com', 'A', { at: 99 }), ['REFUSED'])
  assert.deepEqual(ask(zones, 'a.example.com', 'A', { at: 100 }), ['NOERROR', 'A 1.1.1.1'])
})

test('an alias answers with its target under its own name, and weights choose one set', () => {
  const alias: RecordSet = {
    Name: 'alias.example.com.',
    Type: 'A',
    AliasTarget: { HostedZoneId: 'Z', DNSName: 'a.example.com.', EvaluateTargetHealth: false },
  }
  const weighted = (SetIdentifier: string, Weight: number, Value: string): RecordSet => ({
    Name: 'w.example.com.',
    Type: 'A',
    TTL: 60,
    SetIdentifier,
    Weight,
    ResourceRecords: [{ Value }],
  })
  const target: RecordSet = { Name: 'a.example.com.', Type: 'A', TTL: 60, ResourceRecords: [{ Value: '1.1.1.1' }] }
  const zones = [zoneOf('example.com.', [alias, target, weighted('a', 0, '2.2.2.2'), weighted('b', 5, '3.3.3.3')], {})]
  assert.deepEqual(ask(zones, 'alias.example.com'), ['NOERROR', 'A 1.1.1.1'])
  assert.deepEqual(ask(zones, 'w.example.com'), ['NOERROR', 'A 3.3.3.3'])
})
