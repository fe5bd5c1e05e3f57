import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CertValidationRecord } from '../../api.ts'
import {
  arn,
  certificate,
  certSeen,
  inSyncEntry,
  primary,
  recordSeen,
  request,
  settings,
  zone,
} from '../../testing/cert-seen.fixture.ts'
import { sight } from './decide.ts'
import { planRecords, withRecordsOf } from './records.ts'

const old: CertValidationRecord = {
  name: `_9.old.${zone.name}`,
  type: 'CNAME',
  value: '_8.acm-validations.aws.',
  zoneId: zone.id,
  domains: [`old.${zone.name}`],
  phase: 'Submitted',
  changeId: 'C1',
}

function seenWith(validationRecords: readonly CertValidationRecord[]) {
  const status = { state: 'Created', certificateArn: arn, certReady: false, request: request(), validationRecords } as const
  const seen = sight(certSeen({ status, records: [recordSeen()] }))
  assert.ok(seen !== undefined)
  return seen
}

test('the record of a name that is not asked for any more stays on the list, so that it goes with the object', () => {
  const { entries } = planRecords(seenWith([old]), settings)
  assert.deepEqual(
    entries.map(({ name, phase, changeId }) => [name, phase, changeId]),
    [
      [recordSeen().name, entries[0]?.phase, undefined],
      [old.name, 'InSync', undefined],
    ],
  )
})

test('records of a certificate that goes are added once, and nothing is said where the list has them all', () => {
  const asked = { name: `_1.${primary}`, value: '_2.acm-validations.aws.', zone, domains: [primary] }
  const leaving = { kind: 'present', certificate: certificate(), asked: [asked, asked] } as const
  const added = withRecordsOf(seenWith([old]), [leaving])
  assert.deepEqual(
    added?.map(({ name }) => name),
    [old.name, asked.name],
  )
  assert.equal(withRecordsOf(seenWith(added ?? []), [leaving]), undefined)
  assert.equal(withRecordsOf(seenWith([old]), [{ kind: 'unasked' }]), undefined)
})

test('as long as one record is not listed none is written, and the list says that none is there [P2]', () => {
  const absent = { kind: 'absent' } as const
  const listed: CertValidationRecord = { ...inSyncEntry, phase: 'Absent' }
  const more = { name: `_5.b.${zone.name}`, value: '_6.acm-validations.aws.', domains: [`b.${zone.name}`] }
  const planOf = (validationRecords: readonly CertValidationRecord[]) => {
    const seen = seenWith(validationRecords)
    return planRecords(
      { ...seen, records: [recordSeen({ standing: absent }), recordSeen({ ...more, standing: absent })] },
      settings,
    )
  }
  const first = planOf([listed])
  assert.deepEqual([first.isOnRecord, first.writes, first.entries.map(({ phase }) => phase)], [false, [], ['Absent', 'Absent']])
  const second = planOf(first.entries)
  assert.deepEqual(
    [second.isOnRecord, second.writes.length, second.entries.map(({ phase }) => phase)],
    [true, 2, ['Submitted', 'Submitted']],
  )
})

test('what had another value of ACM is overwritten, and told; what was not there is written, and no news [8.1, 8.2]', () => {
  const at = (value: string) => ({ kind: 'present', type: 'CNAME', values: [value], ttl: 60 }) as const
  const of = (standing: ReturnType<typeof at> | { readonly kind: 'absent' }, overwritesConflicts = false) => {
    const { writes, replaced } = planRecords(
      { ...seenWith([inSyncEntry]), records: [recordSeen({ standing })] },
      { overwritesConflicts },
    )
    return [writes.map(({ name }) => name), replaced]
  }
  const { name } = recordSeen()
  assert.deepEqual(of({ kind: 'absent' }), [[name], []])
  assert.deepEqual(of(at('_old.acm-validations.aws.')), [[name], [name]])
  assert.deepEqual(of(at('else.example.net'), true), [[name], [name]])
  assert.deepEqual(of(at('else.example.net')), [[], []])
  assert.deepEqual(of(at('_2.ACM-validations.aws')), [[], []])
})

test('the change that brings a record is known as long as it is on its way [8.1]', () => {
  const submitted: CertValidationRecord = { ...inSyncEntry, phase: 'Submitted', changeId: 'C1' }
  const entry = (change: 'PENDING' | 'INSYNC', standing?: object) => {
    const record = recordSeen({ change, standing: standing as never })
    const [found] = planRecords({ ...seenWith([submitted]), records: [record] }, settings).entries
    return [found?.phase, found?.changeId]
  }
  assert.deepEqual(
    [entry('PENDING'), entry('INSYNC')],
    [
      ['Submitted', 'C1'],
      ['InSync', undefined],
    ],
  )
  assert.deepEqual(entry('PENDING', { kind: 'absent' }), ['Submitted', undefined])
})

test('a CNAME of somebody else is a conflict, and is overwritten only where that was chosen', () => {
  const standing = { kind: 'present', type: 'CNAME', values: ['else.example.net'], ttl: 60 } as const
  const status = { state: 'Created', certificateArn: arn, certReady: false, request: request() } as const
  const seen = sight(certSeen({ status, records: [{ ...recordSeen(), standing }] }))
  assert.ok(seen !== undefined)
  const kept = planRecords(seen, settings)
  assert.deepEqual([kept.writes.length, kept.conflict === undefined], [0, false])
  const { entries } = kept
  const onRecord = { ...seen, claim: { ...seen.claim, status: { ...status, validationRecords: entries } } }
  const taken = planRecords(onRecord, { overwritesConflicts: true })
  assert.deepEqual([taken.writes.length, taken.conflict], [1, undefined])
})
