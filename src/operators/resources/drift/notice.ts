// What a message says that happened in AWS: an event of EventBridge, mostly the record of a call by CloudTrail. Whoever can write to the
// queue can write anything, so nothing of it is believed but which objects to look at.
import { isRecord, parseRecord } from '../model/convert.ts'
import { namesIn } from './names.ts'

export interface Notice {
  /** As CloudTrail names it, `iam.amazonaws.com`; absent for events that are no call. */
  readonly source: string | undefined
  readonly account: string | undefined
  readonly region: string | undefined
  readonly requestId: string | undefined
  /** A read, or a call that was refused. */
  readonly isHarmless: boolean
  /** Every ARN, id and name that it mentions, in the spellings that objects are known by. */
  readonly names: ReadonlySet<string>
}

/** `undefined`: no event at all. */
export function parseNotice(body: string): Notice | undefined {
  const outer = parseRecord(body)
  // A topic between the rule and the queue wraps what it passes on.
  const event = outer?.['Type'] === 'Notification' ? parseRecord(textIn(outer, 'Message') ?? '') : outer
  if (event === undefined) return undefined
  const detail = isRecord(event['detail']) ? event['detail'] : undefined
  if (detail === undefined || textIn(event, 'source') === undefined) return undefined
  return {
    source: textIn(detail, 'eventSource'),
    account: textIn(detail, 'recipientAccountId') ?? textIn(event, 'account'),
    region: textIn(detail, 'awsRegion') ?? textIn(event, 'region'),
    requestId: textIn(detail, 'requestID'),
    isHarmless: detail['readOnly'] === true || detail['readOnly'] === 'true' || textIn(detail, 'errorCode') !== undefined,
    names: namesIn([event['resources'], detail['resources'], detail['requestParameters'], detail['responseElements']]),
  }
}

function textIn(record: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = record[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}
