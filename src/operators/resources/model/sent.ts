// Prints of what was sent of fields that no read tells: read by those who look and by those who decide. They stand in the status, which nobody
// writes but us, so that who makes an object cannot have it believed that something went out.
import { type Condition, findCondition } from '#kube'
import { conditions, type Resource } from '../api.ts'
import { parseRecord } from './convert.ts'

/** Prints by Camel name. One that begins with `?` was taken as it is: what AWS has there was never sent by us. */
export type Sent = Readonly<Record<string, string>>

export function sentOf({ status }: Resource): Sent {
  const held = findCondition(status?.conditions, conditions.sent)
  const record = held?.status === 'True' ? (parseRecord(held.message) ?? {}) : {}
  return Object.fromEntries(Object.entries(record).filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
}

/** Whether it is on record what was sent: what was taken over has no such record at first. */
export function isSentOnRecord({ status }: Resource): boolean {
  return findCondition(status?.conditions, conditions.sent)?.status === 'True'
}

/** The record; `undefined` where it stands there already. */
export function sentCondition(claim: Resource, sent: Sent): Condition | undefined {
  const message = JSON.stringify(sent)
  const held = findCondition(claim.status?.conditions, conditions.sent)
  if (held?.status === 'True' && held.message === message) return undefined
  return { type: conditions.sent, status: 'True', reason: 'Sent', message }
}

/** Of a resource that is taken over: whatever was sent before went to another one. */
export function nothingSent(claim: Resource): readonly Condition[] {
  return isSentOnRecord(claim) ? [{ type: conditions.sent, status: 'False', reason: 'NothingSent', message: '' }] : []
}

/** What stays in AWS although the manifest speaks of it no more is named in the status, where the next process reads it too. */
export function staysSaid(paths: readonly string[]): readonly Condition[] {
  const said = { type: conditions.advisory, status: 'True', reason: 'NotTakenOut' } as const
  return paths.map(path => ({ ...said, message: sentence(path) }))
}

export function isSaidToStay({ status }: Resource, path: string): boolean {
  return findCondition(status?.conditions, conditions.advisory)?.message.includes(sentence(path)) === true
}

function sentence(path: string): string {
  return `the manifest does not speak of ${path} any more, and nothing here takes it out of AWS`
}
