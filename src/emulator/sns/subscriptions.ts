// Subscriptions, and what is published to them: a queue gets it at once, when its policy lets the topic in.
import { snsFailure } from './errors.ts'
import type { CallSns, Subscription } from './model.ts'
import { defaultDelivery, isDocument, type TopicInput, topicAt } from './topics.ts'

type Texts = Readonly<Record<string, string>>

const protocols = ['http', 'https', 'email', 'email-json', 'sms', 'sqs', 'application', 'lambda', 'firehose']
/** Whoever owns the endpoint of these has to agree; nobody answers here. */
const asks = ['http', 'https', 'email', 'email-json']
const settable =
  /^(?:DeliveryPolicy|FilterPolicy|FilterPolicyScope|RawMessageDelivery|RedrivePolicy|ReplayPolicy|SubscriptionRoleArn)$/

interface SubscribeInput extends TopicInput {
  readonly Protocol: string
  readonly Endpoint?: string
  readonly Attributes?: Texts
  readonly ReturnSubscriptionArn?: boolean
}

/** The same endpoint of the same topic is the same subscription, where its attributes are not said otherwise. */
export function subscribe(call: CallSns<SubscribeInput>): object {
  const { TopicArn, Protocol: protocol, Endpoint: endpoint = '', Attributes: attributes = {}, ReturnSubscriptionArn } = call.input
  const topic = topicAt(call, TopicArn)
  if (!protocols.includes(protocol))
    throw snsFailure('InvalidParameter', 'Invalid parameter: Does not support this protocol string')
  if (endpoint === '' || (protocol === 'sqs' && !/^arn:[^:]+:sqs:/.test(endpoint)))
    throw snsFailure('InvalidParameter', `Invalid parameter: ${protocol === 'sqs' ? 'SQS endpoint ARN' : 'Endpoint'}`)
  for (const [name, value] of Object.entries(attributes)) checkAttribute(name, value)
  const state = call.storeAt(topic).get()
  const there = [...state.subscriptions.values()].find(
    each => each.topicArn === topic.arn && each.protocol === protocol && each.endpoint === endpoint,
  )
  if (there !== undefined && Object.entries(attributes).some(([name, value]) => there.attributes[name] !== value))
    throw snsFailure(
      'InvalidParameter',
      'Invalid parameter: Attributes Reason: Subscription already exists with different attributes',
    )
  const subscription: Subscription = there ?? {
    arn: `${topic.arn}:${call.random(`subscription/${call.serial()}`).uuid()}`,
    topicArn: topic.arn,
    account: call.account,
    protocol,
    endpoint,
    attributes,
    isConfirmed: !asks.includes(protocol),
  }
  put(call, subscription)
  const isTold = subscription.isConfirmed || ReturnSubscriptionArn === true
  return { SubscriptionArn: isTold ? subscription.arn : 'pending confirmation' }
}

function checkAttribute(name: string, value: string): void {
  if (!settable.test(name)) throw snsFailure('InvalidParameter', 'Invalid parameter: AttributeName')
  if (name === 'RawMessageDelivery' && !['true', 'false'].includes(value))
    throw snsFailure(
      'InvalidParameter',
      `Invalid parameter: Attributes Reason: RawMessageDelivery: Invalid value [${value}]. Must be true or false.`,
    )
  if (name.endsWith('Policy') && value !== '' && !isDocument(value))
    throw snsFailure('InvalidParameter', `Invalid parameter: Attributes Reason: ${name}: failed to parse JSON.`)
}

function put(call: CallSns, subscription: Subscription): void {
  const [, , , , account = ''] = subscription.topicArn.split(':')
  const store = call.storeAt({ account })
  const state = store.get()
  store.set({ ...state, subscriptions: state.subscriptions.set(subscription.arn, subscription) })
}

interface SubscriptionInput {
  readonly SubscriptionArn: string
}

function subscriptionAt(call: CallSns<SubscriptionInput>): Subscription | undefined {
  const { SubscriptionArn: arn } = call.input
  const [, , service, , account = '', , id] = arn.split(':')
  if (service !== 'sns' || id === undefined) throw snsFailure('InvalidParameter', 'Invalid parameter: SubscriptionArn')
  call.authorise({ action: `sns:${call.operation}`, resource: arn, resourceAccount: account })
  return call.storeAt({ account }).get().subscriptions.get(arn)
}

function found(call: CallSns<SubscriptionInput>): Subscription {
  const subscription = subscriptionAt(call)
  if (subscription === undefined) throw snsFailure('NotFound', 'Subscription does not exist')
  return subscription
}

export function getSubscriptionAttributes(call: CallSns<SubscriptionInput>): object {
  const { arn, account, topicArn, protocol, endpoint, attributes, isConfirmed } = found(call)
  return {
    Attributes: {
      SubscriptionArn: arn,
      TopicArn: topicArn,
      Owner: account,
      Protocol: protocol,
      Endpoint: endpoint,
      ConfirmationWasAuthenticated: String(isConfirmed),
      PendingConfirmation: String(!isConfirmed),
      RawMessageDelivery: 'false',
      SubscriptionPrincipal: `arn:${call.partition}:iam::${account}:root`,
      ...(attributes['DeliveryPolicy'] !== undefined && { EffectiveDeliveryPolicy: JSON.stringify(defaultDelivery) }),
      ...(attributes['FilterPolicy'] !== undefined && { FilterPolicyScope: 'MessageAttributes' }),
      ...attributes,
    },
  }
}

interface SetInput extends SubscriptionInput {
  readonly AttributeName: string
  readonly AttributeValue?: string
}

export function setSubscriptionAttributes(call: CallSns<SetInput>): object {
  const subscription = found(call)
  const { AttributeName: name, AttributeValue: value = '' } = call.input
  checkAttribute(name, value)
  const { [name]: _before, ...others } = subscription.attributes
  // An empty filter lets everything through, as none does.
  const isGone = value === '' || (name === 'FilterPolicy' && value === '{}')
  put(call, { ...subscription, attributes: isGone ? others : { ...others, [name]: value } })
  return {}
}

/** What is not there is unsubscribed. */
export function unsubscribe(call: CallSns<SubscriptionInput>): object {
  const subscription = subscriptionAt(call)
  if (subscription === undefined) return {}
  const [, , , , account = '', name = ''] = subscription.topicArn.split(':')
  const store = call.storeAt({ account })
  const state = store.get()
  const topic = state.topics.get(name)
  store.set({
    topics: topic === undefined ? state.topics : state.topics.set(name, { ...topic, deleted: topic.deleted + 1 }),
    subscriptions: state.subscriptions.delete(subscription.arn),
  })
  return {}
}

function shown({ arn, account, protocol, endpoint, topicArn, isConfirmed }: Subscription): object {
  return {
    SubscriptionArn: isConfirmed ? arn : 'PendingConfirmation',
    Owner: account,
    Protocol: protocol,
    Endpoint: endpoint,
    TopicArn: topicArn,
  }
}

export function listSubscriptions(call: CallSns): object {
  call.authorise({ action: 'sns:ListSubscriptions', resource: '*' })
  return { Subscriptions: [...call.store.get().subscriptions.values()].map(shown) }
}

export function listSubscriptionsByTopic(call: CallSns<TopicInput>): object {
  const topic = topicAt(call, call.input.TopicArn)
  const all = [...call.storeAt(topic).get().subscriptions.values()]
  return { Subscriptions: all.filter(each => each.topicArn === topic.arn).map(shown) }
}

interface PublishInput extends Partial<TopicInput> {
  readonly TargetArn?: string
  readonly Message: string
  readonly Subject?: string
}

export function publish(call: CallSns<PublishInput>): object {
  const { TopicArn, TargetArn, Message, Subject } = call.input
  const topic = topicAt(call, TopicArn ?? TargetArn ?? '')
  if (Message === '') throw snsFailure('InvalidParameter', 'Invalid parameter: Empty message')
  const id = call.random(`message/${call.serial()}`).uuid()
  const all = [...call.storeAt(topic).get().subscriptions.values()]
  for (const { topicArn, protocol, endpoint, attributes, isConfirmed, arn } of all) {
    if (topicArn !== topic.arn || protocol !== 'sqs' || !isConfirmed) continue
    const envelope = {
      Type: 'Notification',
      MessageId: id,
      TopicArn: topic.arn,
      ...(Subject !== undefined && { Subject }),
      Message,
      Timestamp: new Date(call.now).toISOString(),
      SignatureVersion: '1',
      UnsubscribeURL: `https://sns.${call.region}.amazonaws.com/?Action=Unsubscribe&SubscriptionArn=${arn}`,
    }
    const body = attributes['RawMessageDelivery'] === 'true' ? Message : JSON.stringify(envelope)
    call.ports.queues?.deliver(endpoint, { body, service: 'sns.amazonaws.com', sourceArn: topic.arn })
  }
  return { MessageId: id }
}
