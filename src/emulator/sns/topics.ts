// Topics: made, found, set and taken away, with their tags.
import { isRecord, readJson } from '#base'
import { requestTagKeys } from '../core/caller/condition-keys.ts'
import { snsFailure } from './errors.ts'
import { type CallSns, isFifo, type Topic, topicArn } from './model.ts'
import { snsQuotas } from './quotas.ts'

type Texts = Readonly<Record<string, string>>
interface Tag {
  readonly Key: string
  readonly Value: string
}

export interface TopicInput {
  readonly TopicArn: string
}

/** The topic that the ARN names, whoever's it is: its policy may let others in. */
export function topicAt(call: CallSns, arn: string): Topic {
  const [, , service, region, account = '', name = ''] = arn.split(':')
  if (service !== 'sns' || region !== call.region || name === '')
    throw snsFailure('InvalidParameter', 'Invalid parameter: TopicArn')
  const topic = call.storeAt({ account }).get().topics.get(name)
  ask(call, { arn, account, ...(topic !== undefined && { topic }) })
  if (topic === undefined) throw snsFailure('NotFound', 'Topic does not exist')
  return topic
}

function ask(
  call: CallSns,
  {
    arn,
    account,
    topic,
    tags = {},
  }: { readonly arn: string; readonly account: string; readonly topic?: Topic; readonly tags?: Texts },
): void {
  const policy = topic?.attributes['Policy']
  call.authorise({
    action: `sns:${call.operation}`,
    resource: arn,
    context: requestTagKeys(tags),
    resourceAccount: account,
    ...(topic !== undefined && { resourceTags: topic.tags }),
    ...(policy !== undefined && {
      resourcePolicy: { kind: 'resource-based', name: `policy of the topic ${topic?.name}`, text: policy },
    }),
  })
}

export function putTopic(call: CallSns, topic: Topic): void {
  const store = call.storeAt(topic)
  const state = store.get()
  store.set({ ...state, topics: state.topics.set(topic.name, topic) })
}

interface CreateInput {
  readonly Name: string
  readonly Attributes?: Texts
  readonly Tags?: readonly Tag[]
}

/** The same name is the same topic, where its attributes and tags are not said otherwise. */
export function createTopic(call: CallSns<CreateInput>): object {
  const { Name: name, Attributes = {}, Tags = [] } = call.input
  const tags = Object.fromEntries(Tags.map(({ Key, Value }) => [Key, Value]))
  const arn = topicArn(call, name)
  const there = call.store.get().topics.get(name)
  ask(call, { arn, account: call.account, tags, ...(there !== undefined && { topic: there }) })
  const isAllowed = isFifo(name) ? /^[\w-]{1,251}\.fifo$/.test(name) : /^[\w-]{1,256}$/.test(name)
  if (!isAllowed || isFifo(name) !== (Attributes['FifoTopic'] === 'true'))
    throw snsFailure('InvalidParameter', 'Invalid parameter: Topic Name')
  for (const [attribute, value] of Object.entries(Attributes)) checkAttribute(attribute, value, { isNew: true })
  if (there !== undefined) {
    if (Object.entries(Attributes).some(([attribute, value]) => (there.attributes[attribute] ?? '') !== value))
      throw snsFailure('InvalidParameter', 'Invalid parameter: Attributes Reason: Topic already exists with different attributes')
    if (Object.entries(tags).some(([key, value]) => there.tags[key] !== value))
      throw snsFailure('InvalidParameter', 'Invalid parameter: Tags Reason: Topic already exists with different tags')
    return { TopicArn: arn }
  }
  putTopic(call, { name, arn, account: call.account, attributes: Attributes, tags: checkedTags(call, tags), deleted: 0 })
  return { TopicArn: arn }
}

const settable =
  /^(?:ArchivePolicy|ContentBasedDeduplication|DeliveryPolicy|DisplayName|FifoThroughputScope|KmsMasterKeyId|Policy|SignatureVersion|TracingConfig|(?:HTTP|Firehose|Lambda|Application|SQS)(?:SuccessFeedbackRoleArn|SuccessFeedbackSampleRate|FailureFeedbackRoleArn))$/

function checkAttribute(name: string, value: string, { isNew }: { readonly isNew: boolean }): void {
  if (!settable.test(name) && !(isNew && name === 'FifoTopic'))
    throw snsFailure('InvalidParameter', `Invalid parameter: AttributeName`)
  if (name.endsWith('Policy') && value !== '' && !isDocument(value))
    throw snsFailure('InvalidParameter', `Invalid parameter: ${name}`)
  if (name === 'TracingConfig' && !['Active', 'PassThrough'].includes(value))
    throw snsFailure('InvalidParameter', 'Invalid parameter: Attributes Reason: TracingConfig')
}

export function isDocument(text: string): boolean {
  const document = readJson(text)
  return isRecord(document) || Array.isArray(document)
}

/** What a topic is set to that nobody set. */
function defaultPolicy({ arn, account }: Topic): string {
  const Action = [
    'GetTopicAttributes',
    'SetTopicAttributes',
    'AddPermission',
    'RemovePermission',
    'DeleteTopic',
    'Subscribe',
    'ListSubscriptionsByTopic',
    'Publish',
  ]
  const statement = {
    Sid: '__default_statement_ID',
    Effect: 'Allow',
    Principal: { AWS: '*' },
    Action: Action.map(each => `SNS:${each}`),
    Resource: arn,
    Condition: { StringEquals: { 'AWS:SourceOwner': account } },
  }
  return JSON.stringify({ Version: '2008-10-17', Id: '__default_policy_ID', Statement: [statement] })
}

export const defaultDelivery: object = {
  http: {
    defaultHealthyRetryPolicy: {
      minDelayTarget: 20,
      maxDelayTarget: 20,
      numRetries: 3,
      numMaxDelayRetries: 0,
      numNoDelayRetries: 0,
      numMinDelayRetries: 0,
      backoffFunction: 'linear',
    },
    disableSubscriptionOverrides: false,
    defaultRequestPolicy: { headerContentType: 'text/plain; charset=UTF-8' },
  },
}

export function getTopicAttributes(call: CallSns<TopicInput>): object {
  const topic = topicAt(call, call.input.TopicArn)
  const own = [...call.storeAt(topic).get().subscriptions.values()].filter(each => each.topicArn === topic.arn)
  const count = (isConfirmed: boolean): string => String(own.filter(each => each.isConfirmed === isConfirmed).length)
  const { Policy = defaultPolicy(topic), ...others } = topic.attributes
  const Attributes = {
    TopicArn: topic.arn,
    Owner: topic.account,
    DisplayName: '',
    Policy,
    EffectiveDeliveryPolicy: topic.attributes['DeliveryPolicy'] ?? JSON.stringify(defaultDelivery),
    SubscriptionsPending: count(false),
    SubscriptionsConfirmed: count(true),
    SubscriptionsDeleted: String(topic.deleted),
    ...(isFifo(topic.name) && { FifoTopic: 'true', ContentBasedDeduplication: 'false' }),
    ...others,
  }
  return { Attributes }
}

interface SetInput extends TopicInput {
  readonly AttributeName: string
  readonly AttributeValue?: string
}

export function setTopicAttributes(call: CallSns<SetInput>): object {
  const topic = topicAt(call, call.input.TopicArn)
  const { AttributeName: name, AttributeValue: value = '' } = call.input
  checkAttribute(name, value, { isNew: false })
  const { [name]: _before, ...others } = topic.attributes
  putTopic(call, { ...topic, attributes: value === '' ? others : { ...others, [name]: value } })
  return {}
}

/** What is not there is deleted. */
export function deleteTopic(call: CallSns<TopicInput>): object {
  const { TopicArn: arn } = call.input
  const [, , , , account = '', name = ''] = arn.split(':')
  const store = call.storeAt({ account })
  const state = store.get()
  const topic = state.topics.get(name)
  ask(call, { arn, account, ...(topic !== undefined && { topic }) })
  store.set({ ...state, topics: state.topics.delete(name) })
  return {}
}

const pageMax = 100

export function listTopics(call: CallSns<{ readonly NextToken?: string }>): object {
  call.authorise({ action: 'sns:ListTopics', resource: '*' })
  const from = call.input.NextToken === undefined ? '' : (call.tokens.open(call.input.NextToken) ?? '')
  const found = [...call.store.get().topics.values()].filter(({ name }) => name > from)
  const page = found.slice(0, pageMax)
  const last = page.at(-1)
  return {
    Topics: page.map(({ arn }) => ({ TopicArn: arn })),
    ...(last !== undefined && found.length > page.length && { NextToken: call.tokens.seal(last.name) }),
  }
}

interface TagInput {
  readonly ResourceArn: string
  readonly Tags?: readonly Tag[]
  readonly TagKeys?: readonly string[]
}

function tagged(call: CallSns<TagInput>): Topic {
  const { ResourceArn: arn } = call.input
  const [, , , , account = '', name = ''] = arn.split(':')
  const topic = call.storeAt({ account }).get().topics.get(name)
  ask(call, { arn, account, ...(topic !== undefined && { topic }) })
  if (topic === undefined) throw snsFailure('ResourceNotFound', 'Resource does not exist')
  return topic
}

export function tagResource(call: CallSns<TagInput>): object {
  const topic = tagged(call)
  const added = Object.fromEntries((call.input.Tags ?? []).map(({ Key, Value }) => [Key, Value]))
  putTopic(call, { ...topic, tags: checkedTags(call, { ...topic.tags, ...added }) })
  return {}
}

export function untagResource(call: CallSns<TagInput>): object {
  const topic = tagged(call)
  const { TagKeys = [] } = call.input
  putTopic(call, { ...topic, tags: Object.fromEntries(Object.entries(topic.tags).filter(([key]) => !TagKeys.includes(key))) })
  return {}
}

export function listTagsForResource(call: CallSns<TagInput>): object {
  return { Tags: Object.entries(tagged(call).tags).map(([Key, Value]) => ({ Key, Value })) }
}

function checkedTags(call: CallSns, tags: Texts): Texts {
  const reserved = Object.keys(tags).find(key => /^aws:/i.test(key))
  if (reserved !== undefined) throw snsFailure('InvalidParameter', `Invalid parameter: Tags Reason: ${reserved} begins with aws:`)
  if (Object.keys(tags).length > call.quota(snsQuotas.topicTags))
    throw snsFailure('TagLimitExceeded', 'Could not complete request: tag quota of per resource exceeded')
  return tags
}
