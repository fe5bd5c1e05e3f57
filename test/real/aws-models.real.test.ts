// The model readers and the model-driven client beyond the services we ship: every API model of botocore's catalogue, and calls to
// services this project has no line of code for, answered by moto.
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { type Member, type ServiceModel, type ShippedService, serviceModel } from '#aws'
import { type AwsClient, createAwsClient, netTransport, staticCredentials, type Transport } from '#aws/client'
import { systemClock, systemNet, systemRandom } from '#base'
import { pruneModel, readModel } from '#crdgen'
import { Tuples } from '../../src/aws/client/wire/tuples.ts'
import { botocoreData } from './programs/botocore-data.ts'
import { type Moto, startMoto } from './programs/moto.ts'
import { type Python, pythonEnvironment } from './programs/python.ts'

const python = await pythonEnvironment()
const skip = 'missing' in python ? python.missing : false

describe('API models from botocore', { skip }, () => {
  let data = ''

  before(() => {
    data = botocoreData(python as Python)
  })

  test('every model of the catalogue is read, and every operation of it can be called', t => {
    const services = readdirSync(data).filter(name => modelFile(data, name) !== undefined)
    assert.ok(services.length >= 400, `${services.length} services`)
    let operations = 0
    const startedMs = performance.now()
    for (const name of services) {
      const model = pruneModel(read(data, name))
      const tuples = new Tuples(model)
      for (const operation of Object.values(model.operations)) {
        tuples.operation(operation)
        operations += 1
      }
      assert.ok(Object.keys(model.shapes).length > 0, name)
    }
    t.diagnostic(
      `${services.length} services, ${operations} operations in ${((performance.now() - startedMs) / 1000).toFixed(1)} s`,
    )
  })

  const pairs: readonly (readonly [ShippedService, string])[] = [
    ['acm', 'acm'],
    ['eks', 'eks'],
    ['iam', 'iam'],
    ['route53', 'route53'],
    ['s3', 's3'],
    ['sts', 'sts'],
  ]
  for (const [service, folder] of pairs) {
    test(`the C2J model of ${service} says what the Smithy model says, where both versions know of it`, t => {
      const compared = compareModels(serviceModel(service), pruneModel(read(data, folder)))
      t.diagnostic(`${compared} members compared`)
      assert.ok(compared > 50)
    })
  }
})

describe('services without a line of code here, answered by moto', { skip }, () => {
  let moto: Moto
  let transport: Transport
  let data = ''

  before(async () => {
    data = botocoreData(python as Python)
    moto = await startMoto(python as Python)
    transport = netTransport(systemNet)
  })

  after(async () => {
    await transport.close()
    await moto.stop()
  })

  const client = (service: string): AwsClient =>
    createAwsClient({
      model: read(data, service),
      region: 'eu-west-1',
      credentials: staticCredentials({ accessKeyId: 'testing', secretAccessKey: 'testing' }),
      transport,
      clock: systemClock,
      random: systemRandom,
      endpoint: moto.url,
    })

  test('SQS, JSON 1.0: a queue, a message with its digest, and a refusal under its legacy code', async () => {
    const sqs = client('sqs')
    assert.equal(sqs.model.protocol, 'json-1.0')
    const { QueueUrl } = await sqs.call('CreateQueue', {
      QueueName: 'q',
      Attributes: { VisibilityTimeout: '60' },
      tags: { a: 'b' },
    })
    await sqs.call('SendMessage', {
      QueueUrl,
      MessageBody: 'ümläut',
      MessageAttributes: { n: { DataType: 'Number', StringValue: '1' } },
    })
    const { Messages } = await sqs.call('ReceiveMessage', { QueueUrl, MessageAttributeNames: ['All'] })
    assert.deepEqual(
      (Messages as { Body: string }[]).map(({ Body }) => Body),
      ['ümläut'],
    )
    const { Attributes } = await sqs.call('GetQueueAttributes', { QueueUrl, AttributeNames: ['VisibilityTimeout'] })
    assert.deepEqual({ ...(Attributes as object) }, { VisibilityTimeout: '60' })
    const gone = sqs.call('GetQueueAttributes', { QueueUrl: `${String(QueueUrl)}-gone`, AttributeNames: ['All'] })
    await assert.rejects(gone, { class: 'not-found' })
  })

  test('SNS, query: a topic with attributes and tags, and its list', async () => {
    const sns = client('sns')
    assert.equal(sns.model.protocol, 'query')
    const { TopicArn } = await sns.call('CreateTopic', {
      Name: 't',
      Attributes: { DisplayName: 'd' },
      Tags: [{ Key: 'k', Value: 'v' }],
    })
    const { Attributes } = await sns.call('GetTopicAttributes', { TopicArn })
    assert.equal((Attributes as Record<string, string>)['DisplayName'], 'd')
    const { Tags } = await sns.call('ListTagsForResource', { ResourceArn: TopicArn })
    assert.deepEqual(Tags, [{ Key: 'k', Value: 'v' }])
    await assert.rejects(sns.call('GetTopicAttributes', { TopicArn: `${String(TopicArn)}x` }), {
      class: 'not-found',
      httpStatus: 404,
    })
  })

  test('KMS, JSON 1.1: a key, and bytes that come back', async () => {
    const kms = client('kms')
    assert.equal(kms.model.protocol, 'json-1.1')
    const { KeyMetadata } = await kms.call('CreateKey', { Description: 'd' })
    const { KeyId, CreationDate } = KeyMetadata as { KeyId: string; CreationDate: unknown }
    assert.ok(CreationDate instanceof Date)
    const { CiphertextBlob } = await kms.call('Encrypt', { KeyId, Plaintext: Buffer.from([0, 1, 255]) })
    const { Plaintext } = await kms.call('Decrypt', { CiphertextBlob })
    assert.deepEqual([...(Plaintext as Uint8Array)], [0, 1, 255])
  })

  test('DynamoDB, JSON 1.0: unions, numbers, bytes and pages', async () => {
    const dynamodb = client('dynamodb')
    await dynamodb.call('CreateTable', {
      TableName: 't',
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      BillingMode: 'PAY_PER_REQUEST',
    })
    const item = {
      id: { S: 'x' },
      n: { N: '1.5' },
      b: { B: Buffer.from([1, 2]) },
      l: { L: [{ BOOL: true }, { NULL: true }] },
      m: { M: { k: { SS: ['a'] } } },
    }
    await dynamodb.call('PutItem', { TableName: 't', Item: item })
    const { Item } = await dynamodb.call('GetItem', { TableName: 't', Key: { id: { S: 'x' } } })
    assert.deepEqual(plain(Item), plain(item))
    for (let index = 0; index < 5; index++) await dynamodb.call('PutItem', { TableName: 't', Item: { id: { S: `p${index}` } } })
    let count = 0
    for await (const page of dynamodb.pages('Scan', { TableName: 't', Limit: 2 })) count += (page['Items'] as unknown[]).length
    assert.equal(count, 6)
    await assert.rejects(dynamodb.call('GetItem', { TableName: 'gone', Key: { id: { S: 'x' } } }), {
      code: 'ResourceNotFoundException',
    })
  })

  test('EC2, EC2 query: a network with tags, found by a filter', async () => {
    const ec2 = client('ec2')
    assert.equal(ec2.model.protocol, 'ec2')
    const { Vpc } = await ec2.call('CreateVpc', {
      CidrBlock: '10.1.0.0/16',
      TagSpecifications: [{ ResourceType: 'vpc', Tags: [{ Key: 'Name', Value: 'v' }] }],
    })
    const { VpcId } = Vpc as { VpcId: string }
    const { Vpcs } = await ec2.call('DescribeVpcs', { Filters: [{ Name: 'tag:Name', Values: ['v'] }] })
    assert.deepEqual(
      (Vpcs as { VpcId: string }[]).map(vpc => vpc.VpcId),
      [VpcId],
    )
    await assert.rejects(ec2.call('DescribeVpcs', { VpcIds: ['vpc-00000000'] }), {
      code: 'InvalidVpcID.NotFound',
      class: 'not-found',
    })
  })

  test('Lambda and API Gateway, REST-JSON: labels, headers, lists and patches', async () => {
    const gateway = client('apigateway')
    const { id } = await gateway.call('CreateRestApi', { name: 'api', description: 'd' })
    const { items } = await gateway.call('GetRestApis', {})
    assert.deepEqual(
      (items as { id: string }[]).map(api => api.id),
      [id],
    )
    await gateway.call('UpdateRestApi', { restApiId: id, patchOperations: [{ op: 'replace', path: '/description', value: 'e' }] })
    const { description } = await gateway.call('GetRestApi', { restApiId: id })
    assert.equal(description, 'e')
    await assert.rejects(client('lambda').call('GetFunction', { FunctionName: 'gone' }), { class: 'not-found', httpStatus: 404 })
  })

  test('CloudWatch, where the service offers CBOR, JSON and query', async () => {
    for (const protocol of ['json-1.0', 'query'] as const) {
      const model = readModel(readFileSync(modelFile(data, 'cloudwatch') as string), { protocol })
      const cloudwatch = createAwsClient({
        model,
        region: 'eu-west-1',
        credentials: staticCredentials({ accessKeyId: 'testing', secretAccessKey: 'testing' }),
        transport,
        clock: systemClock,
        random: systemRandom,
        endpoint: moto.url,
      })
      await cloudwatch.call('PutMetricData', {
        Namespace: 'n',
        MetricData: [{ MetricName: 'm', Value: 1.5, Dimensions: [{ Name: 'd', Value: 'v' }] }],
      })
      const { Metrics } = await cloudwatch.call('ListMetrics', { Namespace: 'n' })
      assert.equal((Metrics as { MetricName: string }[])[0]?.MetricName, 'm', protocol)
    }
  })
})

function modelFile(data: string, service: string): string | undefined {
  const folder = join(data, service)
  const versions =
    existsSync(folder) && statSync(folder).isDirectory()
      ? readdirSync(folder, { withFileTypes: true }).filter(entry => entry.isDirectory())
      : []
  const version = versions
    .map(({ name }) => name)
    .sort()
    .at(-1)
  return ['service-2.json.gz', 'service-2.json']
    .map(name => join(folder, version ?? '', name))
    .find(path => version !== undefined && existsSync(path))
}

function read(data: string, service: string): ServiceModel {
  const file = modelFile(data, service)
  assert.ok(file !== undefined, service)
  const paginators = join(file, '..', 'paginators-1.json')
  return readModel(readFileSync(file), { file, ...(existsSync(paginators) ? { paginators: readFileSync(paginators) } : {}) })
}

/** S3's types that one publisher changed by hand: Expires is text because people store anything in it, markers are numbers. */
const oneSided = new Set(['Expires', 'PartNumberMarker', 'NextPartNumberMarker'])

/** What the two formats cannot both say: a union is a structure in old C2J models, and S3's `x-id` is Smithy's alone. */
function compareModels(smithy: ServiceModel, c2j: ServiceModel): number {
  const { operations: ours, shapes, ...head } = smithy
  const { operations: theirs, shapes: theirShapes, ...theirHead } = c2j
  assert.deepEqual(theirHead, head)
  for (const [name, operation] of Object.entries(ours)) {
    const other = theirs[name]
    assert.ok(other !== undefined, `operation ${name}`)
    const uri = operation.http.uri.replace(/[?&]x-id=\w+$/, '').replace(/\/$/, '')
    assert.deepEqual([other.http.method, other.http.uri.replace(/\/$/, '')], [operation.http.method, uri], name)
    assert.deepEqual(
      [other.input, other.output, other.unsigned, other.unwrappedOutput],
      [operation.input, operation.output, operation.unsigned, operation.unwrappedOutput],
      name,
    )
  }
  let compared = 0
  for (const [name, shape] of Object.entries(shapes)) {
    const other = theirShapes[name]
    if (other === undefined || oneSided.has(name)) continue
    assert.equal(other.type.replace('union', 'structure'), shape.type.replace('union', 'structure'), name)
    if (!('members' in shape) || !('members' in other)) continue
    for (const [memberName, member] of Object.entries(shape.members)) {
      const theirMember: Member | undefined = Object.hasOwn(other.members, memberName) ? other.members[memberName] : undefined
      if (theirMember === undefined) continue
      assert.deepEqual(bindingOf(theirMember), bindingOf(member), `${name}.${memberName}`)
      compared += 1
    }
  }
  return compared
}

/** Everything about a member but whether it became deprecated or took another shape's name between the versions. */
function bindingOf(member: Member): object {
  const versioned = new Set(['deprecated', 'target', 'documentation'])
  return Object.fromEntries(Object.entries(member).filter(([name]) => !versioned.has(name)))
}

/** Bytes of whatever class as numbers. */
function plain(value: unknown): unknown {
  if (value instanceof Uint8Array) return [...value]
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, plain(each)]))
}
