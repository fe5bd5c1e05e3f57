import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isMapped, maskedNetwork, networkContains, parseIp, parseNetwork, renderIp, sameIp } from './ip.ts'

const rows: readonly (readonly [text: string, shortest: string | undefined])[] = [
  ['0.0.0.0', '0.0.0.0'],
  ['255.255.255.255', '255.255.255.255'],
  ['10.9.8.7', '10.9.8.7'],
  ['256.0.0.1', undefined],
  ['10.0.0', undefined],
  ['10.0.0.0.1', undefined],
  ['010.0.0.1', undefined],
  ['10.0.0.00', undefined],
  ['', undefined],
  ['::', '::'],
  ['::1', '::1'],
  ['1::', '1::'],
  ['2001:db8::ffff', '2001:db8::ffff'],
  ['2001:0DB8:0:0:0:0:0:1', '2001:db8::1'],
  ['1:0:0:2:0:0:0:3', '1:0:0:2::3'],
  ['1:0:0:2:0:0:3:4', '1::2:0:0:3:4'],
  ['1:2:3:4:5:6:7:8', '1:2:3:4:5:6:7:8'],
  ['1:2:3:0:5:6:7:8', '1:2:3:0:5:6:7:8'],
  ['0:2:3:4:5:6:7:8', '0:2:3:4:5:6:7:8'],
  ['1:2:3:4:5:6:0:0', '1:2:3:4:5:6::'],
  ['1:2:3:4:5:6:7', undefined],
  ['1:2:3:4:5:6:7:8:9', undefined],
  ['1::2::3', undefined],
  ['1:2:3:4::5:6:7:8', undefined],
  ['1:2:3::5:6:7:8', '1:2:3:0:5:6:7:8'],
  [':1', undefined],
  ['1:', undefined],
  ['12345::', undefined],
  ['g::', undefined],
  ['fe80::1%eth0', undefined],
  ['::ffff:1.2.3.4', '::ffff:1.2.3.4'],
  ['::ffff:102:304', '::ffff:1.2.3.4'],
  ['64:ff9b::1.2.3.4', '64:ff9b::102:304'],
  ['1:2:3:4:5:6:1.2.3.4', '1:2:3:4:5:6:102:304'],
  ['::1.2.3.4:5', undefined],
  ['1.2.3.4::', undefined],
  ['::1.2.3', undefined],
  ['1:2:3:4:5:6:7:1.2.3.4', undefined],
]

test('an address is read strictly, and written as short as can be', () => {
  const short = (text: string): string | undefined => {
    const address = parseIp(text)
    return address === undefined ? undefined : renderIp(address)
  }
  assert.deepEqual(
    rows.map(([text]) => [text, short(text)]),
    rows,
  )
})

test('an address of version 4 in the clothes of version 6 is known', () => {
  const mapped = (text: string): boolean => isMapped(parseIp(text) ?? { family: 4, bytes: [] })
  assert.deepEqual(
    ['::ffff:1.2.3.4', '::fffe:1.2.3.4', '::feff:1.2.3.4', '1::ffff:1.2.3.4', '100::ffff:1.2.3.4', '::1.2.3.4', '1.2.3.4'].map(
      mapped,
    ),
    [true, false, false, false, false, false, false],
  )
})

const networks: readonly (readonly [text: string, masked: string | undefined])[] = [
  ['10.1.2.3/8', '10.0.0.0/8'],
  ['10.1.2.3/15', '10.0.0.0/15'],
  ['10.1.2.3/32', '10.1.2.3/32'],
  ['10.1.2.3/0', '0.0.0.0/0'],
  ['2001:db8::ffff/64', '2001:db8::/64'],
  ['2001:db8::ffff/127', '2001:db8::fffe/127'],
  ['::/128', '::/128'],
  ['10.0.0.0/33', undefined],
  ['::/129', undefined],
  ['10.0.0.0/08', undefined],
  ['10.0.0.0/8/8', undefined],
  ['10.0.0.0/', undefined],
  ['10.0.0.0/-1', undefined],
  ['10.0.0.0', undefined],
  ['/8', undefined],
]

test('a network is an address and how many of its bits count', () => {
  const masked = (text: string): string | undefined => {
    const network = parseNetwork(text)
    if (network === undefined) return undefined
    const { address, prefixLength } = maskedNetwork(network)
    return `${renderIp(address)}/${prefixLength}`
  }
  assert.deepEqual(
    networks.map(([text]) => [text, masked(text)]),
    networks,
  )
})

test('a network holds the addresses that begin as it does, of its own version', () => {
  const holds = (network: string, address: string): boolean => {
    const [whole, part] = [parseNetwork(network), parseIp(address)]
    return whole !== undefined && part !== undefined && networkContains(whole, part)
  }
  assert.ok(holds('10.0.0.0/8', '10.255.0.1'))
  assert.ok(!holds('10.0.0.0/8', '11.0.0.0'))
  assert.ok(holds('10.0.0.0/9', '10.127.0.1'))
  assert.ok(!holds('10.0.0.0/9', '10.128.0.1'))
  assert.ok(holds('10.0.0.9/31', '10.0.0.8'))
  assert.ok(!holds('10.0.0.9/32', '10.0.0.8'))
  assert.ok(holds('0.0.0.0/0', '1.2.3.4'))
  assert.ok(!holds('::/0', '1.2.3.4'))
  assert.ok(holds('fe80::/10', 'febf::1'))
  assert.ok(!holds('fe80::/10', 'fec0::1'))
})

test('an address is the same however it is written, and not one of another version', () => {
  const same = (one: string, other: string): boolean => {
    const [left, right] = [parseIp(one), parseIp(other)]
    return left !== undefined && right !== undefined && sameIp(left, right)
  }
  assert.ok(same('::1', '0:0:0:0:0:0:0:1'))
  assert.ok(!same('::1', '::2'))
  assert.ok(!same('1.2.3.4', '1.2.3.5'))
  assert.ok(!same('0.0.0.0', '::'))
})
