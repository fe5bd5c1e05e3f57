// Queues: made, found, set and taken away.
import { SortedMap } from '../state/sorted-map.ts'
import { ask, type QueueInput, queueAt } from './ask.ts'
import { checkAttributes, isReadable, settingOf, shownAttributes, withAttributes } from './attributes.ts'
import { missingQueue, sqsFailure } from './errors.ts'
import { type CallSqs, isFifo, putQueue, type Queue, queueArn, queueUrl } from './model.ts'
import { sqsQuotas } from './quotas.ts'
import { redriveOf } from './redrive.ts'

/** A name can be used again after that. */
const freeAfterMs = 60_000
const purgeEveryMs = 60_000
const pageMax = 1_000

interface CreateInput {
  readonly QueueName: string
  readonly Attributes?: Readonly<Record<string, string>>
  readonly tags?: Readonly<Record<string, string>>
}

/** The same name with the same attributes is the same queue. */
export function createQueue(call: CallSqs<CreateInput>): object {
  const { QueueName: name, Attributes = {}, tags = {} } = call.input
  const { account } = call
  const state = call.store.get()
  const there = state.queues.get(name)
  ask(call, { account, name, tags, ...(there !== undefined && { queue: there }) })
  checkName(call, name, Attributes)
  checkAttributes(call, name, Attributes)
  if (there !== undefined) return { QueueUrl: queueUrl(call, same(call, there, Attributes)) }
  const deletedMs = state.deleted.get(name)
  if (deletedMs !== undefined && call.now - deletedMs < freeAfterMs)
    throw sqsFailure(
      call,
      'QueueDeletedRecently',
      'You must wait 60 seconds after deleting a queue before you can create another with the same name.',
    )
  const queue: Queue = {
    name,
    account,
    region: call.region,
    arn: queueArn(call, name),
    createdMs: call.now,
    modifiedMs: call.now,
    attributes: withAttributes({}, Attributes),
    tags: checkedTags(call, tags),
    messages: SortedMap.empty(),
  }
  call.store.set({ ...state, deleted: state.deleted.delete(name) })
  putQueue(call, queue)
  return { QueueUrl: queueUrl(call, queue) }
}

function checkName(call: CallSqs, name: string, attributes: Readonly<Record<string, string>>): void {
  const isAllowed = /^[\w-]{1,80}$/.test(name) || /^[\w-]{1,75}\.fifo$/.test(name)
  if (!isAllowed)
    throw sqsFailure(
      call,
      'InvalidParameterValue',
      'Can only include alphanumeric characters, hyphens, or underscores. 1 to 80 in length',
    )
  if (isFifo(name) === (attributes['FifoQueue'] === 'true')) return
  const reason = isFifo(name)
    ? 'The name of a standard queue can not end in .fifo'
    : 'The name of a FIFO queue can only include alphanumeric characters, hyphens, or underscores, must end with .fifo suffix and be 1 to 80 in length'
  throw sqsFailure(call, 'InvalidParameterValue', reason)
}

function same(call: CallSqs, queue: Queue, wanted: Readonly<Record<string, string>>): Queue {
  const other = Object.keys(wanted).find(name => wanted[name] !== settingOf(queue, name))
  if (other === undefined) return queue
  throw sqsFailure(
    call,
    'QueueNameExists',
    `A queue already exists with the same name and a different value for attribute ${other}`,
  )
}

export function getQueueUrl(call: CallSqs<{ readonly QueueName: string; readonly QueueOwnerAWSAccountId?: string }>): object {
  const { QueueName: name, QueueOwnerAWSAccountId: account = call.account } = call.input
  const queue = call.storeAt({ account, region: call.region }).get().queues.get(name)
  ask(call, { account, name, ...(queue !== undefined && { queue }) })
  if (queue === undefined) throw missingQueue(call)
  return { QueueUrl: queueUrl(call, queue) }
}

interface ListInput {
  readonly QueueNamePrefix?: string
  readonly MaxResults?: number
  readonly NextToken?: string
}

/** Without `MaxResults` a list ends at a thousand, and says nothing of the rest. */
export function listQueues(call: CallSqs<ListInput>): object {
  const { QueueNamePrefix = '', MaxResults, NextToken } = call.input
  ask(call, { account: call.account, name: '*' })
  const from = NextToken === undefined ? '' : call.tokens.open(NextToken, QueueNamePrefix)
  if (from === undefined) throw sqsFailure(call, 'InvalidParameterValue', 'Value for parameter NextToken is invalid.')
  const found = [...call.store.get().queues.values()].filter(({ name }) => name.startsWith(QueueNamePrefix) && name > from)
  const page = found.slice(0, Math.min(MaxResults ?? pageMax, pageMax))
  const last = page.at(-1)
  const isMore = MaxResults !== undefined && last !== undefined && found.length > page.length
  return {
    ...(page.length > 0 && { QueueUrls: page.map(queue => queueUrl(call, queue)) }),
    ...(isMore && { NextToken: call.tokens.seal(last.name, QueueNamePrefix) }),
  }
}

export function getQueueAttributes(call: CallSqs<QueueInput & { readonly AttributeNames?: readonly string[] }>): object {
  const queue = queueAt(call)
  const { AttributeNames: names = [] } = call.input
  const unknown = names.find(name => !isReadable(name))
  if (unknown !== undefined) throw sqsFailure(call, 'InvalidAttributeName', `Unknown Attribute ${unknown}.`)
  const all = Object.entries(shownAttributes(queue, call.now))
  const wanted = names.includes('All') ? all : all.filter(([name]) => names.includes(name))
  return wanted.length === 0 ? {} : { Attributes: Object.fromEntries(wanted) }
}

export function setQueueAttributes(
  call: CallSqs<QueueInput & { readonly Attributes: Readonly<Record<string, string>> }>,
): object {
  const queue = queueAt(call)
  const { Attributes } = call.input
  if ('FifoQueue' in Attributes) throw sqsFailure(call, 'InvalidAttributeName', 'Unknown Attribute FifoQueue.')
  checkAttributes(call, queue.name, Attributes)
  putQueue(call, { ...queue, attributes: withAttributes(queue.attributes, Attributes), modifiedMs: call.now })
  return {}
}

export function deleteQueue(call: CallSqs<QueueInput>): object {
  const { name, account, region } = queueAt(call)
  const store = call.storeAt({ account, region })
  const state = store.get()
  store.set({ queues: state.queues.delete(name), deleted: state.deleted.set(name, call.now) })
  return {}
}

export function purgeQueue(call: CallSqs<QueueInput>): object {
  const queue = queueAt(call)
  if (queue.purgedMs !== undefined && call.now - queue.purgedMs < purgeEveryMs)
    throw sqsFailure(call, 'PurgeQueueInProgress', `Only one PurgeQueue operation on ${queue.name} is allowed every 60 seconds.`)
  putQueue(call, { ...queue, messages: SortedMap.empty(), purgedMs: call.now })
  return {}
}

export function listDeadLetterSourceQueues(call: CallSqs<QueueInput>): object {
  const dead = queueAt(call)
  const sources = [...call.store.get().queues.values()].filter(({ attributes }) => {
    const redrive = redriveOf(attributes['RedrivePolicy'] ?? '')
    return redrive?.name === dead.name && redrive.account === dead.account && redrive.region === dead.region
  })
  return { queueUrls: sources.map(source => queueUrl(call, source)) }
}

export function tagQueue(call: CallSqs<QueueInput & { readonly Tags: Readonly<Record<string, string>> }>): object {
  const queue = queueAt(call)
  if (Object.keys(call.input.Tags).length === 0)
    throw sqsFailure(call, 'MissingParameter', 'The request must contain the parameter Tags.')
  putQueue(call, { ...queue, tags: checkedTags(call, { ...queue.tags, ...call.input.Tags }) })
  return {}
}

export function untagQueue(call: CallSqs<QueueInput & { readonly TagKeys: readonly string[] }>): object {
  const queue = queueAt(call)
  const { TagKeys } = call.input
  if (TagKeys.length === 0)
    throw sqsFailure(call, 'InvalidParameterValue', 'Tag keys must be between 1 and 128 characters in length.')
  putQueue(call, { ...queue, tags: Object.fromEntries(Object.entries(queue.tags).filter(([key]) => !TagKeys.includes(key))) })
  return {}
}

export function listQueueTags(call: CallSqs<QueueInput>): object {
  const { tags } = queueAt(call)
  return Object.keys(tags).length === 0 ? {} : { Tags: tags }
}

function checkedTags(call: CallSqs, tags: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const reserved = Object.keys(tags).find(key => /^aws:/i.test(key))
  if (reserved !== undefined)
    throw sqsFailure(call, 'InvalidParameterValue', `Tag key ${reserved} is invalid: it begins with aws:.`)
  if (Object.keys(tags).length > call.quota(sqsQuotas.queueTags))
    throw sqsFailure(call, 'InvalidParameterValue', 'Too many tags added for the queue.')
  return tags
}
