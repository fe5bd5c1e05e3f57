// What an absence of the current certificate lets be said, before it was seen twice.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { arn, certSeen, issued, request, type SeenOptions, settings } from '../../testing/cert-seen.fixture.ts'
import { judge, planOf, sight } from './decide.ts'

const good = { state: 'Ready', certificateArn: arn, certReady: true, request: request() } as const

const refused = {
  type: 'Ready',
  status: 'False',
  reason: 'AccessDenied',
  message: 'ACM DescribeCertificate: AccessDenied',
  observedGeneration: 2,
  lastTransitionTime: '2026-01-01T00:00:00Z',
} as const

const rows: readonly (readonly [what: string, seen: SeenOptions])[] = [
  ['of what this process saw issued', { current: { kind: 'absent', isConfirmed: false, isByAnother: false } }],
  ['of an ARN that a hand wrote', { current: { kind: 'absent', isConfirmed: false, isByAnother: true } }],
  [
    'of what another spec asked for',
    { current: { kind: 'absent', isConfirmed: false }, metadata: { generation: 2 }, status: { ...good, observedGeneration: 1 } },
  ],
  [
    'of what another spec asked for, whose last look was refused',
    {
      current: { kind: 'absent', isConfirmed: false },
      metadata: { generation: 2 },
      status: { ...good, observedGeneration: 2, conditions: [refused] },
    },
  ],
]

for (const [what, options] of rows)
  test(`one absence ${what} lets nothing be said [7.4 #32, S27]`, () => {
    const status = { ...good, observedGeneration: 1 }
    const seen = sight(certSeen({ metadata: { generation: 1 }, status, ...options }))
    const judged = judge(seen ?? assert.fail(), settings)
    assert.deepEqual([judged.row, judged.state, judged.isAside], [32, 'Ready', true])
    assert.deepEqual(planOf(seen ?? assert.fail(), judged, settings).conditions, [])
  })

test('a status of ACM that nobody knows lets nothing be said of a certificate that was good [#124, S27]', () => {
  const current = { kind: 'present', certificate: issued({ status: 'UNDER_REVIEW' }) } as const
  const seen = sight(certSeen({ status: good, current })) ?? assert.fail()
  const judged = judge(seen, settings)
  assert.deepEqual([judged.row, judged.state, judged.isAside], [0, 'Ready', true])
  assert.deepEqual(planOf(seen, judged, settings).conditions, [])
})
