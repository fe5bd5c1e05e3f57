import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hasFormat, isKnownFormat } from './formats.ts'

const addresses: readonly (readonly [text: string, isMac: boolean, why: string])[] = [
  ['00:00:5e:00:53:01', true, 'six bytes'],
  ['02-00-5e-10-00-00-00-01', true, 'eight bytes, with dashes'],
  [Array.from({ length: 20 }, () => '0a').join(':'), true, 'twenty bytes'],
  ['0000.5e00.5301', true, 'six bytes in pairs, with dots'],
  ['00:00:5e:00:53', false, 'five bytes'],
  ['00:00-5e:00-53:01', false, 'two signs between bytes'],
  ['00:00:5e:00:53:0g', false, 'a letter that is no digit'],
  ['0000.5e00', false, 'two pairs'],
  [`${'00:'.repeat(100)}00`, false, 'longer than any address'],
  ['', false, 'nothing'],
]

for (const [text, isMac, why] of addresses)
  test(`the format mac takes ${JSON.stringify(text.slice(0, 30))} or not: ${why}`, () => {
    assert.equal(hasFormat('mac', text), isMac)
  })

/** What has the format, and what nearly has it. */
const rows: readonly (readonly [format: string, has: readonly string[], hasNot: readonly string[]])[] = [
  ['bsonobjectid', ['0123456789abcdefABCDEF01'], ['0123456789abcdef0123456', '0123456789abcdef0123456g']],
  ['uri', ['https://a/b?c#d', '/a', 'urn:x', '/a%20b', 'mailto:é'], ['', 'a', 'a b:c', '/a b', '/a%2', 'https://a/%zz', '1a:b']],
  ['email', ['a@b', 'a.b+c@example.com', `${'a'.repeat(318)}@b`], ['a', '@b', 'a@', 'a b@c', 'a@b@c', `${'a'.repeat(319)}@b`]],
  [
    'hostname',
    ['a', 'A-1.b.', 'a'.repeat(63), `${`${'a'.repeat(63)}.`.repeat(3)}${'a'.repeat(61)}`],
    ['', 'a_b', '-a', 'a-', 'a..b', 'a'.repeat(64), `${`${'a'.repeat(63)}.`.repeat(3)}${'a'.repeat(62)}`],
  ],
  ['ipv4', ['1.2.3.4'], ['::1', '1.2.3']],
  ['ipv6', ['::1', '::ffff:1.2.3.4'], ['1.2.3.4', ':']],
  ['cidr', ['1.2.3.0/24', '::/0'], ['1.2.3.4', '1.2.3.0/33']],
  ['uuid', ['01234567-89ab-cdef-0123-456789ABCDEF', '0123456789abcdef0123456789abcdef'], ['01234567-89ab-cdef-0123-456789abcde']],
  ['uuid3', ['01234567-89ab-3def-0123-456789abcdef'], ['01234567-89ab-4def-8123-456789abcdef']],
  [
    'uuid4',
    ['01234567-89ab-4def-8123-456789abcdef'],
    ['01234567-89ab-4def-7123-456789abcdef', '01234567-89ab-3def-8123-456789abcdef'],
  ],
  [
    'uuid5',
    ['01234567-89ab-5def-b123-456789abcdef'],
    ['01234567-89ab-5def-c123-456789abcdef', '01234567-89ab-4def-8123-456789abcdef'],
  ],
  ['isbn', ['0-306-40615-2', '978-0-306-40615-7'], ['0-306-40615-3', '978-0-306-40615-8']],
  [
    'isbn10',
    ['0306406152', '080442957X', '0 8044 2957 X', '316148410X'],
    ['0306406153', '0804429570', '030640615', 'X804429570', '9780306406157'],
  ],
  ['isbn13', ['9780306406157', '978 0 306 40615 7', '9783161484100'], ['9780306406158', '978030640615', '0306406152']],
  [
    'creditcard',
    ['4111 1111 1111 1111', '5500-0000-0000-0004', '340000000000009', '000000000000', '0'.repeat(19)],
    ['4111111111111112', '00000000000', '0'.repeat(20)],
  ],
  ['ssn', ['123-45-6789', '123 45 6789', '123456789'], ['123-456-789', '12345678']],
  ['hexcolor', ['#fff', 'FFFFFF', '#0a0B0c'], ['#ffff', '#ggg', '##fff']],
  ['rgbcolor', ['rgb(0,1,255)', 'rgb( 10 , 200 , 249 )'], ['rgb(0,1,256)', 'rgb(0,1)', 'rgb(01,1,1)']],
  ['byte', ['', 'YQ==', 'YWI=', 'YWJj'], ['Y', 'YQ=', 'Y===', 'YQ!=']],
  ['password', ['anything'], []],
  [
    'date',
    ['2026-01-01', '2026-01-31', '2024-02-29', '2000-02-29', '2026-02-28', '2026-04-30', '2026-12-31'],
    [
      '2026-02-29',
      '1900-02-29',
      '2024-02-30',
      '2026-04-31',
      '2026-06-31',
      '2026-09-31',
      '2026-11-31',
      '2026-01-32',
      '2026-13-01',
      '2026-00-01',
      '2026-01-00',
      '26-01-01',
    ],
  ],
  [
    'datetime',
    ['2026-01-31T23:59:59Z', '2026-01-31t00:00:00.123456z', '2026-01-31T12:00:00+02:00', '2026-01-31T12:00:00-23:59'],
    [
      '2026-01-31',
      '2026-01-31T24:00:00Z',
      '2026-01-31T12:60:00Z',
      '2026-01-31T12:00:60Z',
      '2026-02-30T12:00:00Z',
      '2026-01-31T12:00:00',
      '2026-01-31T12:00:00+24:00',
    ],
  ],
  [
    'duration',
    ['1h30m', '-1.5s', '0', '.5ms', '3 hours', '2 weeks', '1 day 2 hrs', '5us', `${'1'.repeat(255)}s`],
    ['', '1', 'h', '1 fortnight', '-3 hours', `${'1'.repeat(256)}s`],
  ],
  ['unheard', ['anything', ''], []],
]

for (const [format, has, hasNot] of rows)
  test(`the format ${format} takes what has it and nothing that has it nearly`, () => {
    assert.deepEqual(
      [...has, ...hasNot].filter(value => hasFormat(format, value)),
      has,
    )
    assert.equal(isKnownFormat(format), format !== 'unheard')
  })

test('a text that is longer than any such name has no format', () => {
  assert.equal(hasFormat('ssn', '1'.repeat(5000)), false)
  assert.equal(hasFormat('rgbcolor', `rgb(1,1,1${' '.repeat(4096 - 10)})`), true)
  assert.equal(hasFormat('rgbcolor', `rgb(1,1,1${' '.repeat(4097 - 10)})`), false)
})
