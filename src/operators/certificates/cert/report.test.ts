// What a status learns from the calls of a pass, whatever became of the others.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Action, emptyPlan, type Outcome, type OwnAction, Trouble } from '#runtime'
import { arn, certSeen, issued, nowMs, pendingArn, present, request, settings } from '../testing/cert-seen.fixture.ts'
import { deleteCertificateCall } from './decide/calls.ts'
import { reportCert } from './report.ts'

const [first, second] = [`${arn}-1`, `${arn}-2`]
const supersededAt = new Date(nowMs).toISOString()
const seen = certSeen({
  status: {
    state: 'Ready',
    certReady: true,
    certificateArn: arn,
    request: request(),
    supersededCertificates: [first, second].map(each => ({ arn: each, supersededAt, inUse: false })),
  },
  current: present(issued()),
})

const claim = seen.claim ?? assert.fail('a claim is seen')
const deleting = (which: string): Action<OwnAction> => deleteCertificateCall(claim, 'here', which)

/** The replaced certificates that the status lists after the pass: what a report says nothing of stays as it is. */
function listedAfter(...outcomes: readonly Outcome[]): readonly string[] {
  const around = { plan: emptyPlan, failures: 1, current: [], generation: 1, summary: 'Ready' }
  const report = reportCert({ ...around, seen, outcomes }, settings) ?? assert.fail('nothing is reported')
  return { ...claim.status, ...report.status }.supersededCertificates?.map(each => each.arn) ?? []
}

const denied = new Trouble({ kind: 'backoff', reason: 'AccessDenied', message: 'acm:DeleteCertificate' })

for (const [what, outcomes, listed] of [
  ['both were deleted', [done(first), done(second)], []],
  ['one was deleted, and the other one was refused', [done(first), refused(second)], [second]],
  ['one was refused, and the other one left out', [refused(first), leftOut(second)], [first, second]],
] as const)
  test(`of two replaced certificates those stay in the status that are still there: ${what} [8.4, P5]`, () => {
    assert.deepEqual(listedAfter(...outcomes), listed)
  })

test('what became of an object of the cluster is nothing that a certificate is known by [P5]', () => {
  const removal: Action<OwnAction> = {
    kind: 'remove-finalizer',
    type: { group: 'x.dev', version: 'v1', kind: 'X', plural: 'xs', namespaced: true },
    object: claim,
    finalizer: pendingArn,
  }
  assert.deepEqual(listedAfter({ kind: 'done', action: removal, changed: true }), [first, second])
})

function done(which: string): Outcome {
  return { kind: 'done', action: deleting(which), changed: true }
}

function refused(which: string): Outcome {
  return { kind: 'failed', action: deleting(which), trouble: denied }
}

function leftOut(which: string): Outcome {
  return { kind: 'skipped', action: deleting(which) }
}
