// When a certificate that serves counts as gone: beside Ready, where it is the certificate itself that everything turns on.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { arn, certSeen, pendingArn, request, type SeenOptions } from '../../testing/cert-seen.fixture.ts'
import { currentGone, isCurrentGone } from './current-gone.ts'
import { sight } from './decide.ts'

const replacing = {
  state: 'Created',
  certificateArn: arn,
  certReady: true,
  pendingCertificateArn: pendingArn,
  request: request(),
} as const
const { state: _, ...stateless } = replacing
const gone: SeenOptions['current'] = { kind: 'absent', isConfirmed: true }

const rows: readonly (readonly [what: string, seen: SeenOptions, isGone: boolean])[] = [
  ['absent twice beside another one on its way', { status: replacing, current: gone }, true],
  ['absent once', { status: replacing, current: { kind: 'absent', isConfirmed: false } }, false],
  ['not looked at', { status: replacing, current: { kind: 'unasked' } }, false],
  ['one that never served', { status: { ...replacing, certReady: false }, current: gone }, false],
  ['in Ready', { status: { ...replacing, state: 'Ready' }, current: gone }, false],
  ['without a state', { status: stateless, current: gone }, true],
]

for (const [what, options, isGone] of rows)
  test(`the current certificate is ${isGone ? 'gone' : 'not taken for gone'}: ${what} [7.4 #32]`, () => {
    const seen = sight(certSeen(options))
    assert.ok(seen !== undefined)
    assert.equal(isCurrentGone(seen), isGone)
  })

test('what is on its way takes the first place, in the state in which it is [7.4 #32]', () => {
  for (const [state, after] of [
    ['Created', 'Created'],
    ['Validated', 'Validated'],
    ['Failed', 'Failed'],
    ['Pending', 'Pending'],
    ['Unheard', 'Pending'],
  ] as const) {
    const seen = sight(certSeen({ status: { ...replacing, state } as SeenOptions['status'] & {}, current: gone }))
    assert.ok(seen !== undefined)
    const { row, isAside, state: next, status, events } = currentGone(seen)
    assert.deepEqual([row, isAside], [32, true])
    assert.deepEqual(
      [next, status.certificateArn, status.pendingCertificateArn, status.certReady, events.map(({ reason }) => reason)],
      [after, pendingArn, undefined, false, ['CertificateMissing']],
    )
  }
})
