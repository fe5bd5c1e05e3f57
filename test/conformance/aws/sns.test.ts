import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ShippedService, serviceModel } from '#aws'
import { AwsClients, inProcessTransport, staticCredentials } from '#aws/client'
import { ManualClock, seededRandom } from '#base'
import { createAws } from '#emulator'

type Values = Record<string, unknown>
type Ask = (service: ShippedService, operation: string, input?: Values) => Promise<Values>

const news = 'arn:aws:sns:eu-west-1:123456789012:news'
const jobs = 'arn:aws:sqs:eu-west-1:123456789012:jobs'
const jobsUrl = 'https://sqs.eu-west-1.amazonaws.com/123456789012/jobs'

function world(): Ask {
  const clock = new ManualClock()
  const aws = createAws({ clock, signatures: 'parse' })
  const clients = new AwsClients({
    credentials: staticCredentials(aws.adminCredentials('123456789012')),
    transport: inProcessTransport(aws.handle),
    clock,
    random: seededRandom(1),
  })
  return async (service, operation, input = {}) =>
    clients.for({ model: serviceModel(service), region: 'eu-west-1' }).call(operation, input)
}

test('a name is one topic: the same attributes find it, other ones are refused', async () => {
  const ask = world()
  const made = { Name: 'news', Attributes: { DisplayName: 'News' }, Tags: [{ Key: 'a', Value: '1' }] }
  assert.equal((await ask('sns', 'CreateTopic', made))['TopicArn'], news)
  assert.equal((await ask('sns', 'CreateTopic', { Name: 'news' }))['TopicArn'], news)
  await assert.rejects(ask('sns', 'CreateTopic', { Name: 'news', Attributes: { DisplayName: 'Other' } }), {
    code: 'InvalidParameter',
  })
  await assert.rejects(ask('sns', 'CreateTopic', { Name: 'news', Tags: [{ Key: 'a', Value: '2' }] }), {
    code: 'InvalidParameter',
  })
  await assert.rejects(ask('sns', 'CreateTopic', { Name: 'n.fifo' }), { code: 'InvalidParameter' })
})

test('attributes are set one at a time, have the defaults of AWS, and an empty text takes one away', async () => {
  const ask = world()
  await ask('sns', 'CreateTopic', { Name: 'news' })
  const set = (AttributeName: string, AttributeValue: string): Promise<Values> =>
    ask('sns', 'SetTopicAttributes', { TopicArn: news, AttributeName, AttributeValue })
  const shown = async (): Promise<Values> => (await ask('sns', 'GetTopicAttributes', { TopicArn: news }))['Attributes'] as Values
  await set('TracingConfig', 'Active')
  await set('Policy', '{"Statement":[]}')
  assert.deepEqual([(await shown())['TracingConfig'], (await shown())['Policy']], ['Active', '{"Statement":[]}'])
  await set('Policy', '')
  assert.match(String((await shown())['Policy']), /__default_statement_ID/)
  await assert.rejects(set('TracingConfig', 'No'), { code: 'InvalidParameter' })
  await assert.rejects(set('Owner', 'me'), { code: 'InvalidParameter' })
  await ask('sns', 'DeleteTopic', { TopicArn: news })
  await ask('sns', 'DeleteTopic', { TopicArn: news })
  await assert.rejects(shown(), { code: 'NotFound' })
})

test('a queue whose policy lets the topic in gets what is published, in the envelope or raw', async () => {
  const ask = world()
  await ask('sns', 'CreateTopic', { Name: 'news' })
  await ask('sqs', 'CreateQueue', { QueueName: 'jobs' })
  const { SubscriptionArn } = await ask('sns', 'Subscribe', { TopicArn: news, Protocol: 'sqs', Endpoint: jobs })
  const received = async (): Promise<readonly string[]> => {
    const { Messages = [] } = (await ask('sqs', 'ReceiveMessage', { QueueUrl: jobsUrl, MaxNumberOfMessages: 10 })) as {
      Messages?: Values[]
    }
    return Messages.map(({ Body }) => String(Body))
  }
  await ask('sns', 'Publish', { TopicArn: news, Message: 'unseen' })
  assert.deepEqual(await received(), [])
  const Statement = [
    {
      Effect: 'Allow',
      Principal: { Service: 'sns.amazonaws.com' },
      Action: 'sqs:SendMessage',
      Resource: jobs,
      Condition: { ArnEquals: { 'aws:SourceArn': news } },
    },
  ]
  await ask('sqs', 'SetQueueAttributes', {
    QueueUrl: jobsUrl,
    Attributes: { Policy: JSON.stringify({ Version: '2012-10-17', Statement }) },
  })
  await ask('sns', 'Publish', { TopicArn: news, Message: 'hello', Subject: 's' })
  const [body = '{}'] = await received()
  const { Type, Message, TopicArn, Subject } = JSON.parse(body) as Values
  assert.deepEqual([Type, Message, TopicArn, Subject], ['Notification', 'hello', news, 's'])
  await ask('sns', 'SetSubscriptionAttributes', { SubscriptionArn, AttributeName: 'RawMessageDelivery', AttributeValue: 'true' })
  await ask('sns', 'Publish', { TopicArn: news, Message: 'raw' })
  assert.deepEqual(await received(), ['raw'])
  await ask('sns', 'Unsubscribe', { SubscriptionArn })
  await ask('sns', 'Unsubscribe', { SubscriptionArn })
  await assert.rejects(ask('sns', 'GetSubscriptionAttributes', { SubscriptionArn }), { code: 'NotFound' })
})

test('an endpoint is one subscription, and mail waits for somebody to agree', async () => {
  const ask = world()
  await ask('sns', 'CreateTopic', { Name: 'news' })
  const subscribe = (more: Values): Promise<Values> => ask('sns', 'Subscribe', { TopicArn: news, ...more })
  const first = await subscribe({ Protocol: 'sqs', Endpoint: jobs })
  assert.deepEqual(await subscribe({ Protocol: 'sqs', Endpoint: jobs }), first)
  await assert.rejects(subscribe({ Protocol: 'sqs', Endpoint: jobs, Attributes: { RawMessageDelivery: 'true' } }), {
    code: 'InvalidParameter',
  })
  assert.equal((await subscribe({ Protocol: 'email', Endpoint: 'a@example.com' }))['SubscriptionArn'], 'pending confirmation')
  await assert.rejects(subscribe({ Protocol: 'pigeon', Endpoint: 'x' }), { code: 'InvalidParameter' })
})

test('tags are put, taken and listed', async () => {
  const ask = world()
  await ask('sns', 'CreateTopic', { Name: 'news', Tags: [{ Key: 'a', Value: '1' }] })
  await ask('sns', 'TagResource', { ResourceArn: news, Tags: [{ Key: 'b', Value: '2' }] })
  await ask('sns', 'UntagResource', { ResourceArn: news, TagKeys: ['a'] })
  assert.deepEqual((await ask('sns', 'ListTagsForResource', { ResourceArn: news }))['Tags'], [{ Key: 'b', Value: '2' }])
  await assert.rejects(ask('sns', 'TagResource', { ResourceArn: news, Tags: [{ Key: 'aws:x', Value: '' }] }), {
    code: 'InvalidParameter',
  })
})
