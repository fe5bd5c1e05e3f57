// Events of what no condition turns for: a source that went, and an STS that has given no answer for a while.
import type { Instant } from '#base'
import { type Occurrence, referenceTo } from '#kube'
import type { Action, OwnAction } from '#runtime'
import { sourceGone } from './deployment-conditions.ts'
import type { DnsSeen } from './seen.ts'

/** Writes nothing, and is worth an event all the same. */
export interface NewsAction extends OwnAction {
  readonly kind: 'act:notice'
  readonly name: string
  readonly about: 'source' | 'sts'
}

/** How long STS may be silent before somebody is told. */
const silentMsMax = 600_000

export function noticeActions(seen: DnsSeen, now: Instant): readonly Action<NewsAction>[] {
  return [...sourceNotice(seen), ...stsNotice(seen, now)]
}

/** Once: the status says it from then on. */
function sourceNotice(seen: DnsSeen): readonly Action<NewsAction>[] {
  const { dns, source, target } = seen
  if (source === undefined || source.secret !== undefined || target === undefined) return []
  const said = dns.status?.conditions?.find(({ type }) => type === 'CredentialsSecretExists')
  if (said === undefined || said.message.includes(sourceGone)) return []
  const message = 'The secret that the credentials come from is gone; the operand goes on with what was copied from it.'
  return tell(seen, 'source', { type: 'Warning', reason: 'SourceSecretMissing', message })
}

function stsNotice(seen: DnsSeen, now: Instant): readonly Action<NewsAction>[] {
  const { undecidedSince, isTold } = seen.preflight ?? {}
  if (undecidedSince === undefined || isTold === true || now - undecidedSince < silentMsMax) return []
  const message = 'AWS has given no answer for ten minutes; the conditions keep what was known before.'
  return tell(seen, 'sts', { type: 'Warning', reason: 'STSUnavailable', message })
}

function tell({ dns }: DnsSeen, about: NewsAction['about'], event: Omit<Occurrence, 'regarding'>): readonly Action<NewsAction>[] {
  const { name } = dns.metadata
  return [
    { kind: 'act:notice', summary: `tell of the ${about} of ${name}`, name, about },
    { kind: 'record-event', regarding: referenceTo(dns), ...event },
  ]
}
