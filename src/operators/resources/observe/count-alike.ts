// Counts what there is of a kind that looks as a manifest asks for, before it is made; and finds afterwards what was made, when nobody got the
// create call's answer.
import { AwsError } from '#aws'
import { Trouble } from '#runtime'
import { annotations, type Resource } from '../api.ts'
import type { Equipment } from '../equipment.ts'
import type { ReadContext } from '../kinds/deviation.ts'
import { inputOf } from '../model/kind-model.ts'
import { type Content, requestOf } from '../model/request.ts'
import { alikeMax, countedAs, isAlike, needsCount } from '../ownership/alike.ts'
import { recordOf } from '../ownership/ownership-record.ts'
import type { InAws, Seen } from '../seen/seen.ts'
import { ListingError, listed, listOperation } from './listed.ts'
import { readResource } from './read-aws.ts'

type Absent = Extract<InAws, { readonly kind: 'absent' }>

/** The absence with what was counted, or what our create call made meanwhile. `others`: the claims of the kind. */
export async function countAlike(
  equipment: Equipment,
  context: ReadContext,
  { seen, absent, others }: { readonly seen: Seen; readonly absent: Absent; readonly others: () => readonly Resource[] },
): Promise<InAws> {
  const { claim } = context
  if (seen.adoption.kind !== 'none' || !needsCount({ ...equipment, seen })) return absent
  const record = recordOf(claim)
  const { unsent, refusedIntent } = seen.notes
  if (record.kind !== 'intended') {
    if (claim.metadata.deletionTimestamp !== undefined) return absent
    const alike = await alikeIn(context)
    return alike === undefined ? absent : { ...absent, alike: alike.map(countedAs) }
  }
  const { before, intent } = record
  // A create call that was never sent, or that AWS refused, made nothing.
  if (before === undefined || unsent?.token === intent.token || refusedIntent === intent.token) return absent
  const counted = await alikeIn(context)
  const fresh = (counted ?? []).filter(found => !before.includes(countedAs(found)))
  const free = fresh.filter(found => !others().some(other => other.metadata.uid !== claim.metadata.uid && has(other, found)))
  const [only] = free
  if (only === undefined) return counted === undefined ? absent : { ...absent, isSearched: true }
  if (free.length > 1) return { kind: 'failed', trouble: severalNew(free) }
  const { wanted } = context
  const known = {
    spec: { ...wanted.spec, ...only.spec },
    status: { ...wanted.status, ...only.status },
    arn: only.arn ?? wanted.arn,
  }
  const content = await readResource({ ...context, wanted: known })
  return content === undefined || content.isAbsent === true ? absent : { kind: 'present', content, isNew: true }
}

function severalNew(found: readonly Content[]): Trouble {
  const names = found.map(({ arn, spec, status }) => arn ?? Object.values({ ...spec, ...status }).join('/')).join(', ')
  const message = `the answer of our create call is lost, and several that it may have made are there: ${names}; say which by ${annotations.adoptionPolicy} and ${annotations.adoptionFields}`
  return new Trouble({ kind: 'backoff', reason: 'OutcomeUnknown', message })
}

/** `undefined`: nothing lists them, or there are too many. */
async function alikeIn(context: ReadContext): Promise<readonly Content[] | undefined> {
  const { model, wanted, caller } = context
  const operation = listOperation(context)
  if (operation === undefined) return undefined
  const all = requestOf(model, operation, wanted, { method: 'ReadMany' })
  const given = inputOf(model.service.model, operation).required.flatMap(name =>
    typeof all[name] === 'string' ? [[name, all[name]] as const] : [],
  )
  const found: Content[] = []
  try {
    for await (const { content, element } of listed(context, Object.fromEntries(given), caller)) {
      if (isAlike(model, operation, { element, wanted })) found.push(content)
      if (found.length > alikeMax) return undefined
    }
  } catch (error) {
    // An operator that may create and not list works without the count.
    if (
      error instanceof ListingError ||
      (error instanceof AwsError && /AccessDenied|NotAuthorized|Unauthorized/.test(error.code))
    )
      return undefined
    throw error
  }
  return found
}

/** Whether a claim has the resource on record. */
function has({ status }: Resource, { arn, status: ids }: Content): boolean {
  if (arn !== undefined) return status?.ackResourceMetadata?.arn === arn
  const entries = Object.entries(ids)
  return entries.length > 0 && entries.every(([name, value]) => status?.[name] === value)
}
