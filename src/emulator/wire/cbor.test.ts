import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CborTime, readCbor, writeCbor } from './cbor.ts'
import { MalformedInput } from './malformed.ts'

const hex = (text: string): Uint8Array => Buffer.from(text.replaceAll(' ', ''), 'hex')

/** From appendix A of RFC 8949. */
const published: readonly (readonly [string, unknown])[] = [
  ['00', 0],
  ['17', 23],
  ['1818', 24],
  ['1903e8', 1000],
  ['1a000f4240', 1_000_000],
  ['1b000000e8d4a51000', 1_000_000_000_000],
  ['20', -1],
  ['3903e7', -1000],
  ['f93e00', 1.5],
  ['f90001', 5.960464477539063e-8],
  ['f9fc00', Number.NEGATIVE_INFINITY],
  ['fa47c35000', 100_000],
  ['fb3ff199999999999a', 1.1],
  ['f4', false],
  ['f5', true],
  ['f6', null],
  ['f7', null],
  ['c11a514b67b0', 1_363_896_240],
  ['c1fb41d452d9ec200000', 1_363_896_240.5],
  ['4401020304', 'AQIDBA=='],
  ['62c3bc', 'ü'],
  ['83010203', [1, 2, 3]],
  ['a26161016162820203', { a: 1, b: [2, 3] }],
  ['5f42010243030405ff', 'AQIDBAU='],
  ['7f657374726561646d696e67ff', 'streaming'],
  ['9f018202039f0405ffff', [1, [2, 3], [4, 5]]],
  ['bf61610161629f0203ffff', { a: 1, b: [2, 3] }],
]

for (const [bytes, value] of published) test(`${bytes} is read`, () => assert.deepEqual(readCbor(hex(bytes)), value))

test('what is written is read again, at every size of a length', () => {
  for (const value of [
    0,
    23,
    24,
    255,
    256,
    65_535,
    65_536,
    2 ** 32,
    2 ** 50,
    -1,
    -300,
    1.25,
    'x'.repeat(300),
    [1, [2]],
    { a: { b: true } },
  ])
    assert.deepEqual(readCbor(writeCbor(value)), value)
  assert.deepEqual(readCbor(writeCbor({ at: new CborTime(1.5), blob: Uint8Array.of(1, 2, 3, 4) })), { at: 1.5, blob: 'AQIDBA==' })
})

test('what is no CBOR is refused, and never a crash', () => {
  for (const wrong of [
    '',
    '18',
    '62c3',
    '62ffff',
    'ff',
    '1c',
    'f8ff',
    '8201',
    'a101',
    'a1',
    '9f',
    '5f6161ff',
    '0000',
    '3f',
    'a16161ff',
    '82ff',
  ])
    assert.throws(() => readCbor(hex(wrong)), MalformedInput, wrong)
  assert.throws(() => readCbor(Buffer.alloc(100_000, 0x81)), MalformedInput)
  assert.throws(() => readCbor(hex('9b00ffffffffffffff')), MalformedInput)
})
