// Changes: submitted now, INSYNC after a while. When one is, whoever waits for the DNS is told.
import type { Call, Context } from '../service.ts'
import { route53Delays } from './delays.ts'
import { route53Failure } from './errors.ts'
import { bareId, drawnId } from './ids.ts'
import { changeById, type Route53State, type SubmittedChange, withChange } from './model.ts'

export interface ChangeInfo {
  readonly Id: string
  readonly Status: 'PENDING' | 'INSYNC'
  readonly SubmittedAt: number
  readonly Comment?: string
}

/** The first answer to a change says PENDING, even when it is INSYNC at the next look. */
export function changeInfo(change: SubmittedChange, now: number): ChangeInfo {
  return {
    Id: `/change/${change.id}`,
    Status: change.insyncMs <= now && change.submittedMs < now ? 'INSYNC' : 'PENDING',
    SubmittedAt: change.submittedMs,
    ...(change.comment !== undefined && { Comment: change.comment }),
  }
}

/** Registers a change of a zone. The caller writes the zone; the timer tells ACM when the DNS sees it. */
export function submitChange(call: Context<Route53State>, zoneId: string, comment?: string): SubmittedChange {
  const id = `C${drawnId(call.random(`change/${call.serial()}`), 20)}`
  const earliest = call.store.get().zones.get(zoneId)?.versions.last()?.[1].visibleMs ?? 0
  const insyncMs = Math.max(earliest, call.now + call.delay(route53Delays.dnsChange, `change/${id}`))
  const change: SubmittedChange = {
    id,
    account: call.account,
    submittedMs: call.now,
    insyncMs,
    ...(comment !== undefined && comment !== '' && { comment }),
  }
  const state = call.store.get()
  call.store.set(withChange(state, change))
  // Whoever waits is told once of all that reach the DNS together, unless that moment is here already.
  if (state.lastInsyncMs !== insyncMs || insyncMs <= call.now)
    call.schedule({ kind: 'insync', id, atMs: insyncMs, class: 'progress' })
  return change
}

export function getChange(call: Call<Route53State, { readonly Id: string }>): { ChangeInfo: ChangeInfo } {
  const id = bareId(call.input.Id)
  call.authorise({ action: 'route53:GetChange', resource: `arn:${call.partition}:route53:::change/${id}` })
  const change = changeById(call.store.get(), id)
  if (change === undefined) {
    throw route53Failure('NoSuchChange', `Could not find resource with ID: ${id}`)
  }
  const status = change.insyncMs <= call.now ? 'INSYNC' : 'PENDING'
  return { ChangeInfo: { ...changeInfo(change, call.now), Status: status } }
}
