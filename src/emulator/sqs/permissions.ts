// The policy of a queue by statements: who may do what, each under a label.
import { type QueueInput, queueAt } from './ask.ts'
import { sqsFailure } from './errors.ts'
import { type CallSqs, putQueue, type Queue } from './model.ts'

interface Statement {
  readonly Sid?: string
}
interface Document {
  readonly Statement: readonly Statement[]
}

const actionsMax = 7
const shareable = new Set([
  '*',
  'ChangeMessageVisibility',
  'DeleteMessage',
  'GetQueueAttributes',
  'GetQueueUrl',
  'ListDeadLetterSourceQueues',
  'PurgeQueue',
  'ReceiveMessage',
  'SendMessage',
])

interface AddInput extends QueueInput {
  readonly Label: string
  readonly AWSAccountIds: readonly string[]
  readonly Actions: readonly string[]
}

export function addPermission(call: CallSqs<AddInput>): object {
  const queue = queueAt(call)
  const { Label, AWSAccountIds, Actions } = call.input
  const document = documentOf(queue)
  const refuse = (message: string): never => {
    throw sqsFailure(call, 'InvalidParameterValue', message)
  }
  if (Actions.length > actionsMax)
    throw sqsFailure(call, 'OverLimit', `${Actions.length} Actions were found, maximum allowed is ${actionsMax}.`)
  const own = Actions.find(action => !shareable.has(action))
  if (own !== undefined)
    refuse(`Value SQS:${own} for parameter ActionName is invalid. Reason: Only the queue owner is allowed to invoke this action.`)
  if (document.Statement.some(({ Sid }) => Sid === Label))
    refuse(`Value ${Label} for parameter Label is invalid. Reason: Already exists.`)
  const principals = AWSAccountIds.map(id => `arn:${call.partition}:iam::${id}:root`)
  const statement = {
    Sid: Label,
    Effect: 'Allow',
    Principal: { AWS: oneOrAll(principals) },
    Action: oneOrAll(Actions.map(action => `SQS:${action}`)),
    Resource: queue.arn,
  }
  put(call, queue, { ...document, Statement: [...document.Statement, statement] })
  return {}
}

export function removePermission(call: CallSqs<QueueInput & { readonly Label: string }>): object {
  const queue = queueAt(call)
  const { Label } = call.input
  const document = documentOf(queue)
  const kept = document.Statement.filter(({ Sid }) => Sid !== Label)
  if (kept.length === document.Statement.length)
    throw sqsFailure(
      call,
      'InvalidParameterValue',
      `Value ${Label} for parameter Label is invalid. Reason: can't find label on existing policy.`,
    )
  put(call, queue, { ...document, Statement: kept })
  return {}
}

function documentOf(queue: Queue): Document {
  const empty = { Version: '2012-10-17', Id: `${queue.arn}/SQSDefaultPolicy`, Statement: [] }
  const text = queue.attributes['Policy']
  const document: { readonly Statement?: Statement | readonly Statement[] } = text === undefined ? empty : JSON.parse(text)
  return { ...document, Statement: [document.Statement ?? []].flat() }
}

function put(call: CallSqs, queue: Queue, document: Document): void {
  const { Policy: _, ...others } = queue.attributes
  const policy = document.Statement.length === 0 ? {} : { Policy: JSON.stringify(document) }
  putQueue(call, { ...queue, attributes: { ...others, ...policy }, modifiedMs: call.now })
}

function oneOrAll(values: readonly string[]): string | readonly string[] {
  const [first] = values
  return values.length === 1 && first !== undefined ? first : values
}
