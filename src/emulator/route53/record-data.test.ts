import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseDnsName } from './names.ts'
import { characterStrings, type RecordType, recordDataProblem } from './record-data.ts'

const rows: readonly (readonly [type: RecordType, yes: readonly string[], no: readonly string[]])[] = [
  ['A', ['192.0.2.1'], ['192.0.2', '::1', '192.0.2.256', '']],
  ['AAAA', ['2001:db8::1', '::'], ['192.0.2.1', 'x']],
  ['CNAME', ['a.example.com', 'a.example.com.', '.'], ['', 'a..b', 'a b']],
  ['NS', ['ns.example.com'], ['a..b']],
  ['PTR', ['a.example.com'], ['a..b']],
  ['MX', ['0 a.example.com', '65535 a.example.com.', '10\ta.example.com'], ['65536 a', '-1 a', '10', '10 a b', '10 a..b', 'x a']],
  [
    'SRV',
    ['0 0 0 a.example.com', '65535 65535 65535 .'],
    ['65536 0 0 a', '0 65536 0 a', '0 0 65536 a', '0 0 0', '0 0 0 a b', '0 0 0 a..b'],
  ],
  [
    'SOA',
    ['a. b. 1 2 3 4 5', 'a. b. 4294967295 4294967295 4294967295 4294967295 4294967295'],
    [
      'a. b. 1 2 3 4',
      'a. b. 1 2 3 4 5 6',
      'a..b b. 1 2 3 4 5',
      'a. b..c 1 2 3 4 5',
      'a. b. 4294967296 2 3 4 5',
      'a. b. 1 4294967296 3 4 5',
      'a. b. 1 2 4294967296 4 5',
      'a. b. 1 2 3 4294967296 5',
      'a. b. 1 2 3 4 4294967296',
    ],
  ],
  ['CAA', ['0 issue "ca.example.com"', '255 iodef ""'], ['256 issue "x"', '0 issue x', 'x issue "x"', '0 is-sue "x"']],
  ['DS', ['65535 255 255 ABCD', '1 2 3 ab cd'], ['65536 1 1 AB', '1 256 1 AB', '1 1 256 AB', '1 1 1 XY', '1 1 AB']],
  ['TLSA', ['255 255 255 ab'], ['256 1 1 ab', '1 256 1 ab', '1 1 256 ab', '1 1 1 a b', '1 1 1 xy']],
  ['SSHFP', ['255 255 ab'], ['256 1 ab', '1 256 ab', '1 1 xy', '1 1']],
  [
    'NAPTR',
    ['65535 65535 "u" "s" "r" .'],
    ['65536 1 "u" "s" "r" .', '1 65536 "u" "s" "r" .', '1 1 "u" "s" .', '1 1 u "s" "r" .'],
  ],
  ['SVCB', ['0 a.example.com', '65535 . alpn=h2'], ['65536 a', 'x a', '1', '1 a..b']],
  ['HTTPS', ['0 a.example.com', '65535 . alpn=h2'], ['65536 a', 'x a', '1', '1 a..b']],
  ['TXT', ['"a"', '"a" "b"', '""', ' "a" ', `"${'a'.repeat(255)}"`], ['a', '"a', '"a" b', '', `"${'a'.repeat(256)}"`]],
  ['SPF', ['"v=spf1"'], ['v=spf1']],
]
for (const [type, yes, no] of rows) {
  test(`${type}: values that are taken, and values that are not`, () => {
    for (const value of yes) assert.equal(recordDataProblem(type, value), undefined, value)
    for (const value of no) {
      const problem = recordDataProblem(type, value)
      assert.match(problem ?? '', /^Invalid Resource Record: 'FATAL problem: \w+ \(.+\) encountered with '/, value)
      assert.ok(problem?.endsWith(`encountered with '${value}''`), value)
    }
  })
}

test('the strings of a text come without quotes and escapes', () => {
  assert.deepEqual(characterStrings('"a" "b c"'), ['a', 'b c'])
  assert.deepEqual(characterStrings('"a\\"b" "\\\\" "\\101\\377"'), ['a"b', '\\', 'Aÿ'])
  assert.deepEqual(characterStrings('"a""b"'), ['a', 'b'])
  assert.deepEqual(characterStrings(`"${'ä'.repeat(127)}"`), ['ä'.repeat(127)])
  assert.equal(characterStrings(`"${'ä'.repeat(128)}"`), 'CharacterStringTooLong (Value is too long)')
})

const label = (length: number): string => 'a'.repeat(length)
const names: readonly (readonly [what: string, text: string, found: string])[] = [
  ['upper case and no last dot', 'WWW.Example.COM', 'www.example.com.'],
  ['a wildcard', '*.example.com', '\\052.example.com.'],
  ['a wildcard that is escaped', '\\052.example.com.', '\\052.example.com.'],
  ['letters at the ends of the alphabet', 'AZaz09-_', 'azaz09-_.'],
  ['signs beside them', '@[`{/:!~', '\\100\\133\\140\\173\\057\\072\\041\\176.'],
  ['an escaped dot and space', 'a\\056b\\040c', 'a\\056b\\040c.'],
  ['the highest escape', '\\377', '\\377.'],
  ['an escaped letter', '\\101', 'a.'],
  ['no label', '', 'DomainLabelEmpty'],
  ['a dot alone', '.', 'DomainLabelEmpty'],
  ['two dots', 'a..b', 'DomainLabelEmpty'],
  ['a dot in front', '.a', 'DomainLabelEmpty'],
  ['a label of 63 bytes', label(63), `${label(63)}.`],
  ['a label of 64 bytes', label(64), 'DomainLabelTooLong'],
  ['63 escapes', '\\052'.repeat(63), `${'\\052'.repeat(63)}.`],
  ['64 escapes', '\\052'.repeat(64), 'DomainLabelTooLong'],
  ['255 bytes', [63, 63, 63, 61].map(label).join('.'), `${[63, 63, 63, 61].map(label).join('.')}.`],
  ['255 bytes with a dot', `${[63, 63, 63, 61].map(label).join('.')}.`, `${[63, 63, 63, 61].map(label).join('.')}.`],
  ['256 bytes', [63, 63, 63, 62].map(label).join('.'), 'DomainNameTooLong'],
  ['256 bytes with a dot', `${[63, 63, 63, 62].map(label).join('.')}.`, 'DomainNameTooLong'],
  ['a space', 'a b', 'UnsupportedCharacter'],
  ['a character that is not printed', 'a\u007fb', 'UnsupportedCharacter'],
  ['a letter beyond ASCII', 'ä', 'UnsupportedCharacter'],
  ['an escape of two digits', '\\05', 'DomainNameInvalidEscape'],
  ['an escape of no byte', '\\400', 'DomainNameInvalidEscape'],
  ['an escape of no octal', '\\089', 'DomainNameInvalidEscape'],
]
for (const [what, text, found] of names) {
  test(`a name with ${what}: ${found.length > 60 ? 'taken' : found}`, () => {
    const parsed = parseDnsName(text)
    assert.equal(parsed.ok ? parsed.name : parsed.problem, found)
  })
}
