// What the existing design has wrong, and what people get wrong: each has a test, which is found here by its words.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { mutants } from '../sim/mutants/mutants.ts'
import { hasTestNamed } from './named-tests.ts'

const room = join(import.meta.dirname, '../../src/operators/certificates')

type Row = readonly [what: string, file: string, words: string]

const corrections: readonly Row[] = [
  ['a suffix matches without a dot', 'names/names.test.ts', 'at the boundary of a label'],
  ['only single labels are checked for length', 'admission/admission.test.ts', 'is too long: label'],
  [
    'a name outside every zone falls to the first',
    'names/names.test.ts',
    'a name outside every zone is never put into the default one',
  ],
  ['duplicates are seen by the status alone', 'cert/issuance.test.ts', 'of two Certs made at once the earlier one has the name'],
  ['the account is replaced before the ARN, of one partition', 'sanitise.test.ts', 'arn:aws-us-gov:acm'],
  ['a shift without a limit', 'cert/decide/backoff.test.ts', 'a counter beyond every measure gives the cap'],
  ['the last error is never set', 'aws/layers.test.ts', 'six throttled tries are too many, and still known as throttling'],
  ['what is on its way is remembered for minutes', 'aws/layers.test.ts', 'one on its way for seconds'],
  ['a name is the only key of the memory', 'aws/layers.test.ts', 'what was read by ARN is known by name: the issued one first'],
  ['one pace for all calls of ACM', 'aws/layers.test.ts', 'lists of ACM keep to one in two seconds'],
  ['the pace of Route 53 is of the zone alone', 'aws/layers.test.ts', 'zones of one account share its pace where that is chosen'],
  ['the counter of untracked ones grows with each pass', 'telemetry/telemetry.test.ts', 'of 1001 certificates that end soon'],
  ['the record goes with its certificate', 'cert/deletion.test.ts', 'a record that another Cert needs stays'],
  ['two layers repeat a call', 'operator.ts', 'triesMax: 1,'],
]

const troubles: readonly Row[] = [
  ['a primary name of 65 octets', 'admission/admission.test.ts', "'a primary name of 65 octets'"],
  ['a name of 254 octets', 'names/names.test.ts', 'a name of 253 octets is the longest there is'],
  ['letters beyond ASCII', 'names/names.test.ts', 'bücher'],
  ['a wildcard in the middle', 'admission/admission.test.ts', "'a wildcard in the middle'"],
  ['a hundred names and one', 'admission/admission.test.ts', "'a name too many'"],
  ['a zone that is gone', 'cert/issuance.test.ts', 'a hosted zone that is gone is told'],
  ['a zone of others', 'admission/admission.test.ts', "'a name in no zone'"],
  ['a zone that is delegated elsewhere', 'cert/issuance.test.ts', 'a zone that is delegated elsewhere is told'],
  [
    'a zone that the DNS does not lead to',
    'cert/not-delegated.test.ts',
    'a zone that nobody is led to is told with its name servers',
  ],
  [
    'a name within a zone that is delegated further',
    'zones/dns-looks.test.ts',
    'a name within the zone that is delegated further',
  ],
  ['a private authority that refuses', 'cert/issuance.test.ts', 'a private authority that refuses is told with its reason'],
  ['a private zone', 'admission/admission.test.ts', "'a private zone'"],
  ...[
    'RequestCertificate',
    'DescribeCertificate',
    'ListResourceRecordSets',
    'ChangeResourceRecordSets',
    'GetChange',
    'DeleteCertificate',
    'ListTagsForCertificate',
    'AddTagsToCertificate',
    'RemoveTagsFromCertificate',
    'UpdateCertificateOptions',
    'RenewCertificate',
  ].map((operation): Row => [`${operation} is denied`, 'cert/denied.test.ts', operation]),
  ['ListCertificates is denied', 'cert/deletion.test.ts', 'where nobody may look, the record stays and is told'],
  ['a record that somebody else holds', 'cert/issuance.test.ts', 'a foreign CNAME is left alone unless overwriting is chosen'],
  ['a record of another type', 'cert/issuance.test.ts', 'a record of another type is left alone'],
  ['further names in each state', 'cert/edits.test.ts', 'a further name in state'],
  ['tags and options in each state', 'cert/edits.test.ts', 'tags and options that change in state'],
  ...['another primary name', 'another key algorithm', 'a private authority', 'deletion with the object'].map(
    (what): Row => [`${what} in each state`, 'cert/edits-of-fields.test.ts', what],
  ),
]

const missing = (rows: readonly Row[]): readonly string[] =>
  rows.filter(([, file, words]) => !isProven(file, words)).map(([what]) => what)

function isProven(file: string, words: string): boolean {
  const text = readFileSync(join(room, file), 'utf8')
  return file.endsWith('.test.ts') ? hasTestNamed(text, words) : text.includes(words)
}

test('each correction of the existing design has its test', () => {
  assert.equal(corrections.length, 14)
  assert.deepEqual(missing(corrections), [])
})

/** Each correction taken back, in the table of mutants: the test that is named here is the one that must notice. */
const takenBack: Readonly<Record<string, string>> = {
  'a suffix matches without a dot': 'cert-suffix-without-dot',
  'only single labels are checked for length': 'cert-seed-joined-label',
  'a name outside every zone falls to the first': 'cert-seed-falls-to-first',
  'duplicates are seen by the status alone': 'cert-seed-rival-by-status',
  'the account is replaced before the ARN, of one partition': 'cert-seed-one-partition',
  'a shift without a limit': 'cert-seed-shift',
  'the last error is never set': 'cert-seed-last-error',
  'what is on its way is remembered for minutes': 'cert-cache-pending-long',
  'a name is the only key of the memory': 'cert-seed-memory-by-name',
  'one pace for all calls of ACM': 'cert-list-too-fast',
  'the pace of Route 53 is of the zone alone': 'cert-seed-zone-pace-alone',
  'the counter of untracked ones grows with each pass': 'cert-seed-counts-each-pass',
  'the record goes with its certificate': 'cert-seed-record-goes-along',
}

/** What only the wiring of the whole program holds. */
const byReading = ['two layers repeat a call']

test('each correction that is taken back is noticed by the test that is named for it', () => {
  const unheld = corrections.filter(([what, file]) => {
    const mutant = mutants.find(({ id }) => id === takenBack[what])
    return mutant?.tests?.some(test => test.endsWith(`/certificates/${file}`)) !== true
  })
  assert.deepEqual(
    unheld.map(([what]) => what),
    byReading,
  )
})

test('each trouble with names, zones, rights, records and edits has its test', () => {
  assert.deepEqual(missing(troubles), [])
})

test('a test that is not there is noticed, and so are words that name none', () => {
  assert.deepEqual(missing([['nothing', 'sanitise.test.ts', 'words of no test']]), ['nothing'])
  assert.equal(
    hasTestNamed("// what it is about\n  assert.equal(a, 'what it is about')\ntest('b', run)", 'what it is about'),
    false,
  )
  assert.equal(hasTestNamed("  'a row without a test',\n]", 'a row without a test'), false)
  assert.equal(hasTestNamed("  'a row',\n]\n  test(`${what} is refused`, run)", 'a row'), true)
  assert.equal(hasTestNamed("test('it holds', run)", 'it holds'), true)
})
