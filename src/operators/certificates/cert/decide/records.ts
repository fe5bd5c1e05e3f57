// Validation records: which are written, which stand already, and which cannot be.
import { given } from '#base'
import type { CertValidationRecord } from '../../api/status.ts'
import { recordName } from '../../names/domain-name.ts'
import { askedBy, recordsMax, unlisted } from '../room.ts'
import type { Look, RecordSeen, Sighted } from '../seen.ts'
import type { CertSettings } from '../settings.ts'
import type { RecordWrite } from './calls.ts'

export interface RecordPlan {
  readonly entries: readonly CertValidationRecord[]
  /** None before all of them are in the status. */
  readonly writes: readonly RecordWrite[]
  /** Of these the value of an earlier certificate is overwritten. */
  readonly replaced: readonly string[]
  readonly conflict: string | undefined
  /** P2: whether the status lists what is to be written. Who deletes looks there, and nowhere else once the certificate is gone. */
  readonly isOnRecord: boolean
}

export function planRecords({ claim, records }: Sighted, settings: Pick<CertSettings, 'overwritesConflicts'>): RecordPlan {
  const held = claim.status?.validationRecords ?? []
  const judged = records.map(record => {
    const before = held.find(entry => isSameRecord(entry, record))
    return { record, before, found: judgeRecord(record, before, settings.overwritesConflicts) }
  })
  const isOnRecord = judged.every(({ before, found }) => before !== undefined || !isToWrite(found))
  const entries = judged.map(each => entryOf(each, isOnRecord))
  const writes = isOnRecord ? judged.filter(({ found }) => found.kind === 'write') : []
  const replaced = writes.filter(({ found }) => found.kind === 'write' && found.isReplaced)
  const conflict = judged.flatMap(({ found }) => (found.kind === 'conflict' ? [found.message] : [])).at(0)
  return {
    entries: [...entries, ...leftOver(held, entries)].slice(0, recordsMax),
    writes: writes.map(({ record: { zone, name, value } }) => ({ zone, name, value })),
    replaced: replaced.map(({ record }) => record.name),
    conflict,
    isOnRecord,
  }
}

/** Records of names that are not asked for any more: they stand until the object goes, and are known until then. */
function leftOver(
  held: readonly CertValidationRecord[],
  entries: readonly CertValidationRecord[],
): readonly CertValidationRecord[] {
  return held
    .filter(each => !entries.some(entry => entry.zoneId === each.zoneId && entry.name === each.name))
    .map(({ name, type, value, zoneId, domains, domainStatus }) => {
      return { name, type, value, zoneId, domains, phase: 'InSync', ...given({ domainStatus }) }
    })
}

/**
 * The list of records with those that these certificates asked for; `undefined` where it has them all. ACM tells them only as long as the
 * certificate is there: they are on record before it goes, or nobody would know of them. Whether they stand is another question.
 */
export function withRecordsOf({ claim }: Sighted, looks: readonly Look[]): readonly CertValidationRecord[] | undefined {
  const held = claim.status?.validationRecords ?? []
  const added = unlisted(held, looks.flatMap(askedBy)).map(({ name, value, zone, domains }) => {
    return { name, type: 'CNAME', value, zoneId: zone.id, domains, phase: 'Absent' as const }
  })
  return added.length === 0 ? undefined : [...held, ...added].slice(0, recordsMax)
}

export function isSameRecord(entry: CertValidationRecord, record: Pick<RecordSeen, 'name' | 'value' | 'zone'>): boolean {
  return entry.zoneId === record.zone.id && entry.name === record.name && recordName(entry.value) === recordName(record.value)
}

type Judged =
  | { readonly kind: 'in-sync' }
  | { readonly kind: 'submitted' }
  /** Not in the status, and the zone was not looked at for that. */
  | { readonly kind: 'unlisted' }
  | { readonly kind: 'write'; readonly isReplaced: boolean }
  | { readonly kind: 'conflict'; readonly message: string }
  | { readonly kind: 'zone-gone' }

const ofAcm = /\.acm-validations\.aws$/

function judgeRecord(record: RecordSeen, before: CertValidationRecord | undefined, overwrites: boolean): Judged {
  const { standing, change } = record
  if (standing === undefined && before === undefined) return { kind: 'unlisted' }
  if (standing === undefined)
    return change === 'INSYNC' || before?.phase === 'InSync' ? { kind: 'in-sync' } : { kind: 'submitted' }
  if (standing.kind === 'zone-gone') return { kind: 'zone-gone' }
  if (standing.kind === 'absent') return { kind: 'write', isReplaced: false }
  if (standing.type !== 'CNAME')
    return {
      kind: 'conflict',
      message: `a ${standing.type} record stands at ${record.name}, where the validation record must be`,
    }
  const [value = ''] = standing.values
  if (recordName(value) === recordName(record.value)) return change === 'PENDING' ? { kind: 'submitted' } : { kind: 'in-sync' }
  if (ofAcm.test(recordName(value))) return { kind: 'write', isReplaced: true }
  return overwrites
    ? { kind: 'write', isReplaced: true }
    : { kind: 'conflict', message: `a CNAME with another value stands at ${record.name}, where the validation record must be` }
}

function isToWrite({ kind }: Judged): boolean {
  return kind === 'write' || kind === 'unlisted'
}

interface JudgedRecord {
  readonly record: RecordSeen
  readonly before: CertValidationRecord | undefined
  readonly found: Judged
}

function entryOf({ record, before, found }: JudgedRecord, isOnRecord: boolean): CertValidationRecord {
  const { name, value, zone, domains, domainStatus } = record
  const isSubmitted = found.kind === 'submitted' || (found.kind === 'write' && isOnRecord)
  const phase = found.kind === 'in-sync' ? 'InSync' : isSubmitted ? 'Submitted' : 'Absent'
  const changeId = found.kind === 'submitted' ? before?.changeId : undefined
  return {
    name,
    type: 'CNAME',
    value,
    zoneId: zone.id,
    domains,
    ...given({ changeId }),
    phase,
    ...given({ domainStatus }),
  }
}
