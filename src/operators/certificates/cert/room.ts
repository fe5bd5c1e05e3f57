// Room in the status. It lists the records of one certificate of a hundred names, and the records of another one may have to take their place:
// when such a certificate replaces it, and when it goes. What a certificate asks for is told by ACM as long as the certificate is there, so
// only records that nobody would tell of any more must not be forgotten. They go from their zone before they go from the list.
import type { CertValidationRecord } from '../api/status.ts'
import type { AskedRecord, Look } from './seen.ts'

/** As many as the status takes. */
export const recordsMax = 101

/** Whether these would not all find a place beside what is listed. */
export function isCrowded(held: readonly CertValidationRecord[], asked: readonly AskedRecord[]): boolean {
  return held.length + unlisted(held, asked).length > recordsMax
}

/** Of these, the ones that are not listed, each once. */
export function unlisted(held: readonly CertValidationRecord[], asked: readonly AskedRecord[]): readonly AskedRecord[] {
  return asked
    .filter((each, index) => asked.findIndex(other => isSame(other, each)) === index)
    .filter(({ name, zone }) => !held.some(entry => entry.zoneId === zone.id && entry.name === name))
}

/** Of certificates that may go, the first, and those whose records find a place in the list beside its own. */
export function withRoom(
  held: readonly CertValidationRecord[],
  going: readonly (readonly [arn: string, look: Look | undefined])[],
): readonly string[] {
  const arns: string[] = []
  let asked: readonly AskedRecord[] = []
  for (const [arn, look] of going) {
    const all = [...asked, ...askedBy(look)]
    if (arns.length > 0 && isCrowded(held, all)) continue
    arns.push(arn)
    asked = all
  }
  return arns
}

/** What stays listed where these have to be. */
export function listedOf(held: readonly CertValidationRecord[], asked: readonly AskedRecord[]): readonly CertValidationRecord[] {
  return held.filter(entry => isAsked(entry, asked))
}

export function isAsked({ zoneId, name }: CertValidationRecord, asked: readonly AskedRecord[]): boolean {
  return asked.some(each => each.zone.id === zoneId && each.name === name)
}

export function askedBy(look: Look | undefined): readonly AskedRecord[] {
  return look?.kind === 'present' ? (look.asked ?? []) : []
}

function isSame(a: AskedRecord, b: AskedRecord): boolean {
  return a.zone.id === b.zone.id && a.name === b.name
}
