// Carries out the calls of a plan. Each is behind the lease; a certificate goes only after its own tags said whose it is.
import type { Values } from '#aws'
import { given } from '#base'
import { type Act, type ActContext, type ActResult, Trouble } from '#runtime'
import type { LayeredCall } from '../aws/call.ts'
import { isOwnedBy, ownershipOf } from '../aws/certificate.ts'
import type { CertificateCloud } from '../aws/cloud.ts'
import { type CloudFault, faultOf, isAbsence, patience, weather } from '../aws/faults.ts'
import { record, text } from '../aws/values.ts'
import type { CertAction, CloudAction } from './cloud-action.ts'
import type { RequestBudget } from './day/request-budget.ts'
import type { ArnMemory, RequestMemory } from './memory.ts'
import type { RecordLocks } from './record-locks.ts'

export interface ActTools {
  readonly cloud: CertificateCloud
  readonly budget: RequestBudget
  readonly arns: Pick<ArnMemory, 'gone' | 'know'>
  readonly requests: Pick<RequestMemory, 'asked' | 'gone' | 'made'>
  readonly locks: RecordLocks
  readonly failedMs: number
}

const conflictMs = 30_000

export function actOf(tools: ActTools): Act<CertAction> {
  return async (action, context) => {
    if (action.kind === 'act:fault') throw action.trouble
    if (action.kind === 'act:notice') return { changed: true }
    try {
      return await carryOut(action, context, tools)
    } catch (error) {
      if (error instanceof Trouble) throw error
      return answerTo(action, error, tools)
    }
  }
}

async function carryOut(action: CloudAction, context: ActContext, tools: ActTools): Promise<ActResult> {
  const { cloud, budget, locks, requests } = tools
  const { service, operation, input, zone, purpose, owner, madeFor, askedFor, ofTheDay } = action
  const call: LayeredCall = { service, operation, input, ...given({ zone }) }
  const send = (): Promise<Values> => cloud.call(call, context.signal, () => context.checkFence())
  if (purpose === 'request') {
    if (askedFor !== undefined) requests.asked(askedFor)
    const output = await (ofTheDay === undefined ? send() : budget.spend(ofTheDay, send))
    const arn = String(output.CertificateArn)
    if (askedFor !== undefined) remember(askedFor, { arn, token: String(input.IdempotencyToken) }, tools)
    return { changed: true, value: { arn } }
  }
  if (purpose === 'write-records') {
    const output = await send()
    return { changed: true, value: { changeId: changeIdOf(output) } }
  }
  if (purpose === 'delete-record') {
    await locks.hold(`${zone?.id}/${action.summary}`, context.signal, () => send())
    return { changed: true }
  }
  const holder = owner ?? madeFor
  if (holder !== undefined) {
    const tags = await cloud.marks(String(input.CertificateArn), holder, context.signal).catch(lookAgain)
    const isAnothers = ownershipOf(tags, holder) !== 'ours'
    // Somebody else's by its own word, whatever our status says of it: it is left as it is.
    if (isAnothers || (owner !== undefined && !isOwnedBy(tags, owner)))
      return { changed: false, value: { isForeign: true, isAnothers } }
  }
  await send()
  if (purpose === 'delete-certificate') forget(holder?.uid, String(input.CertificateArn), tools)
  return { changed: true }
}

function remember(uid: string, made: { readonly arn: string; readonly token: string }, { arns, requests }: ActTools): void {
  arns.know(uid, [made.arn])
  requests.made(uid, made.arn, made.token)
}

function forget(uid: string | undefined, arn: string, { arns, requests }: ActTools): void {
  requests.gone(arn)
  if (uid !== undefined) arns.gone(uid, arn)
}

/** It was there a moment ago, and one look that does not find it is no deletion. */
function lookAgain(error: unknown): never {
  if (!isAbsence(error)) throw error
  throw new Trouble({ kind: 'soon', reason: 'NotFound', message: 'ACM does not show the certificate just now', cause: error })
}

function changeIdOf(output: Values): string {
  return (text(record(output.ChangeInfo).Id) ?? '').replace(/^\/change\//, '')
}

/** What was to go and is not there is gone; everything else is trouble of one of the four kinds. */
function answerTo(action: CloudAction, error: unknown, { failedMs }: ActTools): ActResult {
  const fault = faultOf(error)
  if (fault === undefined) throw error
  const isRemoval = action.purpose === 'delete-certificate' || action.purpose === 'delete-record'
  if (isRemoval && (isAbsence(error) || fault.class === 'zone-gone')) return { changed: false }
  // Somebody changed the record, or took it away: it is not ours any more.
  if (action.purpose === 'delete-record' && fault.class === 'record-conflict') return { changed: false }
  throw troubleOf(action, fault, { error, failedMs })
}

function troubleOf(
  action: CloudAction,
  fault: CloudFault,
  { error, failedMs }: { readonly error: unknown; readonly failedMs: number },
): Trouble {
  const { message } = fault
  switch (fault.class) {
    case 'held-back':
      return patience('AWSUnavailable', message, fault.retryAfterMs ?? conflictMs)
    case 'conflict':
      return patience('AWSUnavailable', message, conflictMs)
    case 'in-use':
      return patience('CertificateInUse', 'certificate is in use', conflictMs)
    case 'quota':
      return patience('QuotaExceeded', message, failedMs)
    case 'denied':
      return patience('AccessDenied', deniedWords(action, message), failedMs)
    case 'record-conflict':
      return patience('RecordConflict', message, failedMs)
    case 'zone-gone':
      return patience('ZoneNotFound', `the hosted zone of "${action.zone?.name ?? ''}" does not exist in Route 53`, failedMs)
    case 'invalid':
      return patience('IssuanceFailed', message, failedMs)
    case 'not-found':
      // What we meant to change went away: the next look sees that.
      return new Trouble({ kind: 'soon', reason: 'NotFound', message, cause: error })
    default:
      return weather(fault, error)
  }
}

/** A role is nobody's business but the operator's. */
function deniedWords({ zone, operation }: CloudAction, message: string): string {
  return zone?.assumeRoleArn === undefined ? message : `${operation} in the zone "${zone.name}" was denied`
}
