// A replacement and what it replaces, from what was seen alone.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CertSpec } from '../../api.ts'
import {
  arn,
  certificate,
  certSeen,
  hourMs,
  issued,
  nowMs,
  pendingArn,
  present,
  primary,
  request,
  settings,
} from '../../testing/cert-seen.fixture.ts'
import { isCloudAction } from '../cloud-action.ts'
import { decide } from './decide.ts'

const good = { state: 'Ready', certReady: true, certificateArn: arn, request: request(hourMs) } as const

test('a replacement that nobody wants any more goes, and the current certificate stays [8.4, #72]', () => {
  const seen = certSeen({
    spec: { subjectAlternativeNames: ['c.k8s.example.com'] },
    status: { ...good, state: 'Created', pendingCertificateArn: pendingArn, request: request(60_000, 'other', 2) },
    pending: present(certificate({ arn: pendingArn, names: [primary, 'b.k8s.example.com'], validations: [] })),
    current: present(issued()),
  })
  const { status, actions } = decide(seen, settings)
  assert.deepEqual([status?.certificateArn, status?.certReady, status?.pendingCertificateArn], [arn, true, undefined])
  assert.deepEqual(
    actions.flatMap(action => (isCloudAction(action) ? [action.input.CertificateArn] : [])),
    [pendingArn],
  )
})

test('a replacement that is not wanted any more and that ACM does not show yet is kept in mind until it is seen [8.4, S26]', () => {
  const after = (isSettled: boolean): unknown => {
    const seen = certSeen({
      status: { ...good, state: 'Created', pendingCertificateArn: pendingArn, request: request(60_000, 'other', 2) },
      pending: { kind: 'absent', isConfirmed: true, isSettled },
      current: present(issued()),
    })
    return decide(seen, settings).status?.state
  }
  assert.deepEqual([after(false), after(true)], ['Pending', 'Ready'])
})

/** Calls about a certificate that was replaced an hour ago. */
function callsAbout(rotation: NonNullable<CertSpec['rotation']>, inUseBy: readonly string[]): readonly string[] {
  const supersededAt = `${new Date(nowMs - hourMs).toISOString().slice(0, 19)}Z`
  const seen = certSeen({
    spec: { rotation },
    status: { ...good, supersededCertificates: [{ arn: pendingArn, supersededAt, inUse: inUseBy.length > 0 }] },
    current: present(issued()),
    superseded: new Map([[pendingArn, present(issued({ arn: pendingArn, inUseBy }))]]),
  })
  return decide(seen, settings).actions.flatMap(action => (isCloudAction(action) ? [action.operation] : []))
}

test('what was replaced goes when that is chosen, it is old enough, and nothing uses it [8.4]', () => {
  assert.deepEqual(callsAbout({ deleteSuperseded: true, retain: '60m' }, []), ['DeleteCertificate'])
  assert.deepEqual(callsAbout({ deleteSuperseded: true, retain: '61m' }, []), [])
  assert.deepEqual(callsAbout({ deleteSuperseded: true, retain: '60m' }, ['arn:aws:cloudfront::1:distribution/a']), [])
  assert.deepEqual(callsAbout({ deleteSuperseded: false, retain: '0s' }, []), [])
})
