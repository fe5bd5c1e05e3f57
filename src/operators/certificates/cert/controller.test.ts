// Which changes are worth a pass over a Cert, which each costs calls of AWS.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StoredObject } from '#kube'
import type { Change, Reads, Watch } from '#runtime'
import { annotations, personAnnotations } from '../api/labels.ts'
import type { CertStatus } from '../api/status.ts'
import type { Cert } from '../api.ts'
import { certSeen, inSyncEntry, primary, settings } from '../testing/cert-seen.fixture.ts'
import { certController, certSource, isWorth } from './controller.ts'

interface About {
  readonly metadata?: object
  readonly annotations?: Readonly<Record<string, string>>
  readonly status?: CertStatus
}

const certOf = ({ metadata = {}, annotations: notes = {}, status = {} }: About = {}): Cert =>
  certSeen({ metadata: { ...metadata }, annotations: notes, status }).claim ?? assert.fail()

const changed = (before: About, after: About): Change =>
  ({ kind: 'changed', object: certOf(after), previous: certOf(before) }) as unknown as Change

const deletionTimestamp = '2026-06-01T00:00:00Z'
for (const [what, change, isWorthIt] of [
  ['a Cert that came', { kind: 'added', object: certOf() } as unknown as Change, true],
  ['a Cert that is gone', { kind: 'removed', object: certOf() } as unknown as Change, true],
  ['nothing', changed({}, {}), false],
  ['another object of the name', changed({}, { metadata: { uid: 'uid-2' } }), true],
  ['another spec', changed({}, { metadata: { generation: 2 } }), true],
  ['a deletion', changed({}, { metadata: { deletionTimestamp } }), true],
  ['our own status', changed({}, { status: { state: 'Ready' } }), false],
  ['our own notes', changed({}, { annotations: { [annotations.attempts]: '1' } }), false],
  ['a label', changed({}, { metadata: { labels: { a: 'b' } } }), false],
  ...personAnnotations.map(
    name => [`the word ${name}`, changed({ annotations: { [name]: '1' } }, { annotations: { [name]: '2' } }), true] as const,
  ),
  [
    'a word that stays',
    changed({ annotations: { [annotations.retry]: '1' } }, { annotations: { [annotations.retry]: '1' } }),
    false,
  ],
] as const)
  test(`${what} is ${isWorthIt ? '' : 'not '}worth a pass [8.1]`, () => assert.equal(isWorth(change), isWorthIt))

function controllerOf(hasPolicies: boolean, namespaces?: readonly string[]) {
  const observe = { settings: { ...settings, hasPolicies } } as Parameters<typeof certController>[0]['observe']
  return certController({ observe, act: {} as Parameters<typeof certController>[0]['act'], namespaces })
}

const watchOf = (name: string, namespaces?: readonly string[]): Watch =>
  controllerOf(true, namespaces).watches?.find(each => each.name === name) ?? assert.fail()

const failedBy = (reason: string, refusedBy?: 'CertPolicy' | 'DailyBudget'): CertStatus => ({
  state: 'Failed',
  lastFailure: { reason, message: '', time: deletionTimestamp, count: 1, ...(refusedBy === undefined ? {} : { refusedBy }) },
})
const named = (name: string, status: CertStatus): Cert => certOf({ metadata: { name }, status })

test('a name that is free is news to those that wait for it, and to no others [7.4 #6, #39]', () => {
  const watch = watchOf('certsForFreedName')
  const kinds = ['added', 'changed', 'removed'] as const
  assert.deepEqual(
    kinds.map(kind => watch.isWorth?.({ kind } as Change)),
    [false, false, true],
  )
  const waiting = [named('a', failedBy('DuplicateDomain')), named('b', failedBy('ZoneNotFound')), named('c', {})]
  const asked: string[] = []
  const world = {
    byIndex: (_: unknown, index: string, label: string) => (asked.push(`${index} ${label}`), waiting),
  } as unknown as Reads
  assert.deepEqual(watch.toClaims(certOf() as StoredObject, world, 'hub'), [{ namespace: 'team', name: 'a' }])
  assert.deepEqual(asked, ['first-label api-prod'])
})

test('a policy that changes is news to those that a policy forbade, in the namespaces that are ours [16.9]', () => {
  const all = [
    named('a', failedBy('IssuanceFailed', 'CertPolicy')),
    named('b', failedBy('QuotaExceeded', 'DailyBudget')),
    named('c', {}),
  ]
  const claimsOf = (namespaces?: readonly string[]): unknown => {
    const asked: (string | undefined)[] = []
    const world = { list: (_: unknown, namespace?: string) => (asked.push(namespace), all) } as unknown as Reads
    const found = watchOf('certsForPolicy', namespaces).toClaims({} as StoredObject, world, 'hub')
    return [asked, found]
  }
  const found = { namespace: 'team', name: 'a' }
  assert.deepEqual(claimsOf(), [[undefined], [found]])
  assert.deepEqual(claimsOf(['x', 'y']), [
    ['x', 'y'],
    [found, found],
  ])
})

test('the labels of a namespace are kept, and are no reason for a pass; without policies nobody asks for them [16.9]', () => {
  assert.equal(watchOf('certsForNamespace').isWorth?.({ kind: 'changed' } as Change), false)
  assert.deepEqual(
    controllerOf(false).watches?.map(({ name }) => name),
    ['certsForFreedName'],
  )
})

test('three passes go at once, each for two minutes at most, and the status says which spec it answers', () => {
  const { workers, deadlineMs, status } = controllerOf(false)
  assert.deepEqual([workers, deadlineMs], [3, 120_000])
  assert.deepEqual(status, { kind: 'subresource', observedGeneration: true, decidedOnce: ['certReady'] })
})

test('a Cert is found by the records that it lists, each in its zone [8.7]', () => {
  const { indexes = {} } = certSource(undefined)
  const of = (status: CertStatus): unknown => indexes['validation-record']?.of(certOf({ status }) as StoredObject)
  assert.deepEqual(of({}), [])
  assert.deepEqual(of({ validationRecords: [inSyncEntry] }), [`Z1/_1.${primary}`])
})
