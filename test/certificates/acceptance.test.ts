// What the operator is accepted by (rows 19.* of docs/rules/certificates.md): each row, and each invariant that it names, with what proves it.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { hasTestNamed } from './named-tests.ts'

const top = join(import.meta.dirname, '../..')
const textOf = (file: string): string => readFileSync(join(top, file), 'utf8')

type Row = readonly [code: string, what: string, file: string, words: string]

const simulated = 'test/sim/certificates.ts'
const settings = 'src/cli/charts/settings.fixture.ts'

const rows: readonly Row[] = [
  [
    '19.1',
    'every case',
    'test/certificates/cases.test.ts',
    'every case of the catalogue of certificates stands in the name of a test',
  ],
  [
    '19.1',
    'every transition',
    'test/certificates/cases.test.ts',
    'every row of the transition table stands in the name of a test',
  ],
  ['19.1', 'AWS that delays', 'src/operators/certificates/testing/cert-world.ts', "profile = 'async'"],
  ['19.1', 'AWS that throttles', 'src/operators/certificates/cert/limits.test.ts', 'at the published limits'],
  ['19.1', 'AWS that is busy', 'src/operators/certificates/cert/issuance.test.ts', 'a busy zone is asked again'],
  ['19.1', 'AWS that loses answers', 'src/operators/certificates/cert/issuance.test.ts', 'a request whose answer is lost'],
  [
    '19.1',
    'AWS that shows an older state',
    'src/operators/certificates/cert/deletion.test.ts',
    'that does not find the certificate is no deletion',
  ],
  ['19.1', 'AWS that denies', 'src/operators/certificates/denied-actions.test.ts', 'an account that denies ${action} is told so'],
  ['19.2', 'random faults, edits and restarts', 'test/sim/certificates.test.ts', 'Certs hold their invariants'],
  ['19.2', 'one live certificate for each Cert and hash', simulated, 'check: oneLiveForEachHash'],
  ['19.2', 'no record deleted while it is needed', simulated, 'check: recordsStayWhileNeeded'],
  ['19.2', 'nothing deleted that is retained or in use', simulated, 'check: deletesWhatMayGo'],
  ['19.2', 'certReady means ISSUED', simulated, 'check: readyMeansIssued'],
  ['19.2', 'state and conditions agree', simulated, 'check: stateAndConditionsAgree'],
  ['19.2', 'every Cert ends Ready or Failed with a reason', simulated, '  unfinished,'],
  ['19.2', 'each invariant can fail', 'test/sim/mutants/mutants.ts', 'certificateMutants'],
  ['19.3', 'the embedded API server', 'test/certificates/embedded.test.ts', "'the embedded API server'"],
  ['19.3', 'a real API server', 'test/real/certificates.real.test.ts', "'a real kube-apiserver'"],
  ['19.3', 'the webhook over TLS', 'test/certificates/operation.test.ts', 'the next handshake of the webhook of Certs'],
  [
    '19.4',
    'metrics are linted',
    'test/real/certificates-alerts.real.test.ts',
    'the exposition has nothing that promtool complains of',
  ],
  ['19.4', 'series', 'src/operators/certificates/telemetry/telemetry.test.ts', 'ten thousand Certs are fewer than 2,500 series'],
  ['19.5', 'the values are rendered', 'src/cli/charts/charts.test.ts', 'that is held against Helm is rendered'],
  ['19.5', 'Helm renders the same', 'test/real/charts.real.test.ts', 'prints what vouch render prints'],
  ['19.5', 'by default', settings, "'nothing at all'"],
  ['19.5', 'one zone', settings, "'certificates of one zone'"],
  ['19.5', 'several zones', settings, "'certificates of several zones'"],
  ['19.5', 'another account', settings, "'certificates of zones of another account'"],
  ['19.5', 'all features', settings, "'certificates with all features'"],
]

const missing = (all: readonly Row[]): readonly string[] =>
  all.filter(([, , file, words]) => !isProven(file, words)).map(([code, what]) => `${code} ${what}`)

/** A test by its name; what is no test, a setting or a check of the simulation, by its words. */
const isProven = (file: string, words: string): boolean =>
  file.endsWith('.test.ts') ? hasTestNamed(textOf(file), words) : textOf(file).includes(words)

test('each row of the acceptance has what proves it, and each proof stands where the table says', () => {
  const told = [...textOf('docs/rules/certificates.md').matchAll(/^\| (19\.\d+) \|/gm)].map(([, code]) => code)
  assert.deepEqual([...new Set(rows.map(([code]) => code))], told)
  assert.deepEqual(missing(rows), [])
})

test('every invariant of the simulation stands in the table', () => {
  const [, list = ''] = /invariants: \[([^\]]+)\]/.exec(textOf(simulated)) ?? []
  const checks = [...list.matchAll(/check: \w+/g)].map(([found]) => found)
  // Of the rules of reliability, and not of the acceptance.
  const others = ['check: strangersStay', 'check: recordsAreListedFirst']
  const named = new Set([...rows.map(([, , , words]) => words), ...others])
  assert.ok(checks.length > 5)
  assert.deepEqual(
    checks.filter(check => !named.has(check)),
    [],
  )
})

test('a proof that is not there is noticed', () => {
  assert.deepEqual(missing([['19.1', 'nothing', simulated, 'words of no test']]), ['19.1 nothing'])
})
