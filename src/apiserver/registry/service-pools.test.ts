import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Random, seededRandom } from '#base'
import { Store } from '../store/store.ts'
import { AddressRequest, PortRequest, type ServicePorts } from './service-pools.ts'

interface Chance {
  readonly ports: ServicePorts
  /** The bounds that were given. */
  readonly bounds: number[]
}

/** A store with these services, where chance is what the test says. */
function holding(specs: readonly object[], ...numbers: readonly number[]): Chance {
  const store = new Store(() => 0)
  for (const [index, spec] of specs.entries())
    store.create(store.table('services'), `x/s${index}`, { apiVersion: 'v1', kind: 'Service', metadata: {}, spec })
  const bounds: number[] = []
  const left = [...numbers]
  const integer = (bound: number): number => {
    bounds.push(bound)
    return left.length > 1 ? (left.shift() ?? 0) : (left[0] ?? 0)
  }
  const random: Random = Object.assign(Object.create(seededRandom(1)) as Random, { integer })
  return { ports: { store, random }, bounds }
}

test('an address is any of the network but its first and its last', () => {
  for (const [number, address] of [
    [0, '10.96.0.1'],
    [255, '10.96.1.0'],
    [65_535, '10.97.0.0'],
    [2 ** 20 - 3, '10.111.255.254'],
  ] as const) {
    const { ports, bounds } = holding([], number)
    assert.equal(new AddressRequest(ports, false).next(), address)
    assert.deepEqual(bounds, [2 ** 20 - 2])
  }
})

test('an address that a service has is not given again, unless its name is all that it has', () => {
  const specs = [{}, { clusterIPs: ['10.96.0.1', '10.96.0.2'] }, { type: 'ExternalName', clusterIPs: ['10.96.0.3'] }]
  assert.equal(new AddressRequest(holding(specs, 0, 1, 2).ports, false).next(), '10.96.0.3')
  const full = holding(specs, 0)
  assert.throws(() => new AddressRequest(full.ports, false).next(), /no free cluster address after a thousand tries/)
  assert.equal(full.bounds.length, 1_000)
  assert.equal(new AddressRequest(full.ports, true).next(), '10.96.0.0', 'a dry run takes none')
})

const outside = 'the provided network does not match the current range'
for (const [address, why] of [
  ['10.96.0.0', outside],
  ['10.96.0.1', undefined],
  ['10.96.0.2', 'provided IP is already allocated'],
  ['10.96.1.0', undefined],
  ['10.111.255.254', undefined],
  ['10.111.255.255', outside],
  ['10.95.255.255', outside],
  ['10.112.0.1', outside],
  ['11.96.0.1', outside],
  ['10.96.0', outside],
  ['10', outside],
] as const)
  test(`the address ${address} ${why === undefined ? 'can be had' : `cannot be had: ${why}`}`, () => {
    const { ports } = holding([{ clusterIPs: ['10.96.0.2'] }])
    assert.equal(new AddressRequest(ports, false).reserve(address), why)
    const dry = `the provided IP (${address}) is not in the valid range. The range of valid IPs is 10.96.0.0/12`
    assert.equal(new AddressRequest(ports, true).reserve(address), why === outside ? dry : undefined, 'in a dry run')
  })

const held = { ports: [{ nodePort: 30_000 }, {}], healthCheckNodePort: 30_001 }

test('a node port is any of the range that no service has, and none twice', () => {
  const { ports, bounds } = holding([held], 0, 1, 2, 2, 3)
  const request = new PortRequest(ports, false)
  assert.deepEqual([request.next(), request.next()], [30_002, 30_003])
  assert.deepEqual(new Set(bounds), new Set([2_768]))
  const full = holding([held], 0)
  assert.throws(() => new PortRequest(full.ports, false).next(), /no free node port after a thousand tries/)
  assert.equal(full.bounds.length, 1_000)
})

test('what a service had before it changes is not free for itself either', () => {
  const { ports } = holding([], 4, 5)
  assert.equal(new PortRequest(ports, false, { ports: [{ nodePort: 30_004 }] }).next(), 30_005)
})

test('the ports of a dry run are out of the range, one after another', () => {
  const request = new PortRequest(holding([held]).ports, true)
  assert.deepEqual([request.next(), request.next()], [32_769, 32_770])
  assert.equal(request.reserve(29_999), undefined)
  assert.equal(request.next(), 32_771)
})

const range = 'provided port is not in the valid range. The range of valid ports is 30000-32767'
const allotted = 'provided port is already allocated'
for (const [port, why] of [
  [29_999, range],
  [30_000, allotted],
  [30_001, allotted],
  [30_002, undefined],
  [32_767, undefined],
  [32_768, range],
] as const)
  test(`node port ${port} ${why === undefined ? 'can be had, once' : 'cannot be had'}`, () => {
    const request = new PortRequest(holding([held]).ports, false)
    assert.equal(request.reserve(port), why)
    if (why === undefined) assert.equal(request.reserve(port), allotted)
  })
