// The kinds that are proven.
import { allow, containing, type KindCase, type Probe } from '../case.ts'

const queueUrl = 'http://localhost/123456789012/jobs'
const queueAttributes = (says: object): Probe => ({
  operation: 'GetQueueAttributes',
  input: { QueueUrl: queueUrl, AttributeNames: ['All'] },
  says: { Attributes: says },
})
const setQueue = (Attributes: object) => ({ operation: 'SetQueueAttributes', input: { QueueUrl: queueUrl, Attributes } })
const deadArn = 'arn:aws:sqs:us-east-1:123456789012:dead'

const sqs: readonly KindCase[] = [
  {
    service: 'sqs',
    kind: 'Queue',
    needs: [['sqs', 'CreateQueue', { QueueName: 'dead' }]],
    spec: { queueName: 'jobs', visibilityTimeout: '40', tags: { team: 'blue' } },
    made: queueAttributes({ VisibilityTimeout: '40' }),
    changes: [
      {
        name: 'visibilityTimeout',
        spec: { visibilityTimeout: '50' },
        probe: queueAttributes({ VisibilityTimeout: '50' }),
        drift: setQueue({ VisibilityTimeout: '60' }),
      },
      {
        name: 'delaySeconds',
        spec: { delaySeconds: '5' },
        probe: queueAttributes({ DelaySeconds: '5' }),
        drift: setQueue({ DelaySeconds: '6' }),
      },
      {
        name: 'maximumMessageSize',
        spec: { maximumMessageSize: '2048' },
        probe: queueAttributes({ MaximumMessageSize: '2048' }),
      },
      {
        name: 'messageRetentionPeriod',
        spec: { messageRetentionPeriod: '600' },
        probe: queueAttributes({ MessageRetentionPeriod: '600' }),
      },
      {
        name: 'receiveMessageWaitTimeSeconds',
        spec: { receiveMessageWaitTimeSeconds: '7' },
        probe: queueAttributes({ ReceiveMessageWaitTimeSeconds: '7' }),
      },
      {
        name: 'policy',
        spec: { policy: JSON.stringify(allow('sqs:SendMessage')) },
        probe: queueAttributes({ Policy: allow('sqs:SendMessage') }),
      },
      {
        name: 'redrivePolicy',
        spec: { redrivePolicy: JSON.stringify({ deadLetterTargetArn: deadArn, maxReceiveCount: 3 }) },
        probe: queueAttributes({ RedrivePolicy: { deadLetterTargetArn: deadArn, maxReceiveCount: 3 } }),
      },
      {
        name: 'kmsMasterKeyID',
        // The key of one's own and the one of SQS exclude each other, and the second was filled in late.
        spec: { kmsMasterKeyID: 'alias/aws/sqs', sqsManagedSSEEnabled: 'false' },
        probe: queueAttributes({ KmsMasterKeyId: 'alias/aws/sqs' }),
      },
      {
        name: 'tags',
        spec: { tags: { team: 'red' } },
        probe: { operation: 'ListQueueTags', input: { QueueUrl: queueUrl }, says: { Tags: { team: 'red' } } },
        drift: { operation: 'UntagQueue', input: { QueueUrl: queueUrl, TagKeys: ['team'] } },
      },
    ],
    gone: { operation: 'GetQueueUrl', input: { QueueName: 'jobs' }, says: { error: /QueueDoesNotExist|NonExistentQueue/ } },
  },
]

const keyPolicy = allow('kms:*')
const kms: readonly KindCase[] = [
  {
    service: 'kms',
    kind: 'Key',
    spec: { description: 'seals', enableKeyRotation: true, tags: [{ tagKey: 'team', tagValue: 'blue' }] },
    made: { operation: 'GetKeyRotationStatus', input: { KeyId: '{status.keyID}' }, says: { KeyRotationEnabled: true } },
    changes: [
      {
        name: 'enableKeyRotation',
        spec: { enableKeyRotation: false },
        probe: { operation: 'GetKeyRotationStatus', input: { KeyId: '{status.keyID}' }, says: { KeyRotationEnabled: false } },
        drift: { operation: 'EnableKeyRotation', input: { KeyId: '{status.keyID}' } },
      },
      {
        name: 'policy',
        spec: { policy: JSON.stringify(keyPolicy) },
        probe: {
          operation: 'GetKeyPolicy',
          input: { KeyId: '{status.keyID}', PolicyName: 'default' },
          says: { Policy: keyPolicy },
        },
        drift: {
          operation: 'PutKeyPolicy',
          input: { KeyId: '{status.keyID}', PolicyName: 'default', Policy: JSON.stringify(allow('kms:Encrypt')) },
        },
      },
      {
        name: 'tags',
        spec: { tags: [{ tagKey: 'team', tagValue: 'red' }] },
        probe: {
          operation: 'ListResourceTags',
          input: { KeyId: '{status.keyID}' },
          says: { Tags: containing({ TagKey: 'team', TagValue: 'red' }) },
        },
        drift: { operation: 'UntagResource', input: { KeyId: '{status.keyID}', TagKeys: ['team'] } },
      },
    ],
    gone: {
      operation: 'DescribeKey',
      input: { KeyId: '{status.keyID}' },
      says: { KeyMetadata: { KeyState: 'PendingDeletion' } },
    },
  },
]

const secret = (name: string, value: string): object => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { namespace: 'default', name },
  type: 'Opaque',
  data: { value: Buffer.from(value).toString('base64') },
})
const secretsmanager: readonly KindCase[] = [
  {
    service: 'secretsmanager',
    kind: 'Secret',
    objects: [secret('first', 'one'), secret('second', 'two')],
    spec: {
      name: 'door',
      description: 'one',
      secretString: { name: 'first', namespace: 'default', key: 'value' },
      tags: [{ key: 'team', value: 'blue' }],
    },
    made: { operation: 'GetSecretValue', input: { SecretId: 'door' }, says: { SecretString: 'one' } },
    changes: [
      {
        name: 'description',
        spec: { description: 'two' },
        probe: { operation: 'DescribeSecret', input: { SecretId: 'door' }, says: { Description: 'two' } },
        drift: { operation: 'UpdateSecret', input: { SecretId: 'door', Description: 'three' } },
      },
      {
        name: 'secretString',
        spec: { secretString: { name: 'second', namespace: 'default', key: 'value' } },
        probe: { operation: 'GetSecretValue', input: { SecretId: 'door' }, says: { SecretString: 'two' } },
      },
      {
        name: 'tags',
        spec: { tags: [{ key: 'team', value: 'red' }] },
        probe: {
          operation: 'DescribeSecret',
          input: { SecretId: 'door' },
          says: { Tags: containing({ Key: 'team', Value: 'red' }) },
        },
        drift: { operation: 'UntagResource', input: { SecretId: 'door', TagKeys: ['team'] } },
      },
    ],
    gone: { operation: 'DescribeSecret', input: { SecretId: 'door' }, says: { DeletedDate: /./ } },
  },
]

const table = (says: object): Probe => ({ operation: 'DescribeTable', input: { TableName: 'things' }, says: { Table: says } })
const dynamodb: readonly KindCase[] = [
  {
    service: 'dynamodb',
    kind: 'Table',
    spec: {
      tableName: 'things',
      billingMode: 'PAY_PER_REQUEST',
      attributeDefinitions: [{ attributeName: 'id', attributeType: 'S' }],
      keySchema: [{ attributeName: 'id', keyType: 'HASH' }],
    },
    made: table({ TableName: 'things', TableStatus: 'ACTIVE' }),
    changes: [
      {
        name: 'timeToLive',
        spec: { timeToLive: { attributeName: 'until', enabled: true } },
        probe: {
          operation: 'DescribeTimeToLive',
          input: { TableName: 'things' },
          says: { TimeToLiveDescription: { TimeToLiveStatus: 'ENABLED', AttributeName: 'until' } },
        },
        drift: {
          operation: 'UpdateTimeToLive',
          input: { TableName: 'things', TimeToLiveSpecification: { AttributeName: 'until', Enabled: false } },
        },
      },
      {
        name: 'continuousBackups',
        spec: { continuousBackups: { pointInTimeRecoveryEnabled: true } },
        probe: {
          operation: 'DescribeContinuousBackups',
          input: { TableName: 'things' },
          says: { ContinuousBackupsDescription: { PointInTimeRecoveryDescription: { PointInTimeRecoveryStatus: 'ENABLED' } } },
        },
        drift: {
          operation: 'UpdateContinuousBackups',
          input: { TableName: 'things', PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: false } },
        },
      },
      {
        name: 'deletionProtectionEnabled',
        spec: { deletionProtectionEnabled: true },
        probe: table({ DeletionProtectionEnabled: true }),
      },
      {
        name: 'deletionProtectionEnabled again',
        spec: { deletionProtectionEnabled: false },
        probe: table({ DeletionProtectionEnabled: false }),
      },
      {
        name: 'streamSpecification',
        spec: { streamSpecification: { streamEnabled: true, streamViewType: 'KEYS_ONLY' } },
        probe: table({ StreamSpecification: { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' } }),
      },
      {
        name: 'billingMode',
        spec: { billingMode: 'PROVISIONED', provisionedThroughput: { readCapacityUnits: 2, writeCapacityUnits: 3 } },
        probe: table({ ProvisionedThroughput: { ReadCapacityUnits: 2, WriteCapacityUnits: 3 } }),
      },
      {
        name: 'globalSecondaryIndexes',
        spec: {
          attributeDefinitions: [
            { attributeName: 'id', attributeType: 'S' },
            { attributeName: 'colour', attributeType: 'S' },
          ],
          globalSecondaryIndexes: [
            {
              indexName: 'by-colour',
              keySchema: [{ attributeName: 'colour', keyType: 'HASH' }],
              projection: { projectionType: 'ALL' },
              provisionedThroughput: { readCapacityUnits: 1, writeCapacityUnits: 1 },
            },
          ],
        },
        probe: table({ GlobalSecondaryIndexes: containing({ IndexName: 'by-colour' }) }),
      },
      {
        name: 'tags',
        spec: { tags: [{ key: 'team', value: 'red' }] },
        probe: {
          operation: 'ListTagsOfResource',
          input: { ResourceArn: '{status.ackResourceMetadata.arn}' },
          says: { Tags: containing({ Key: 'team', Value: 'red' }) },
        },
        drift: { operation: 'UntagResource', input: { ResourceArn: '{status.ackResourceMetadata.arn}', TagKeys: ['team'] } },
      },
    ],
    gone: { operation: 'DescribeTable', input: { TableName: 'things' }, says: { error: 'ResourceNotFoundException' } },
  },
]

const repository = (says: object): Probe => ({
  operation: 'DescribeRepositories',
  input: { repositoryNames: ['images'] },
  says: { repositories: [says] },
})
const lifecycle = (days: number): object => ({
  rules: [
    {
      rulePriority: 1,
      selection: { tagStatus: 'untagged', countType: 'sinceImagePushed', countUnit: 'days', countNumber: days },
      action: { type: 'expire' },
    },
  ],
})
const pull = { Version: '2012-10-17', Statement: [{ Sid: 'pull', Effect: 'Allow', Principal: '*', Action: 'ecr:BatchGetImage' }] }
const ecr: readonly KindCase[] = [
  {
    service: 'ecr',
    kind: 'Repository',
    spec: { name: 'images', imageScanningConfiguration: { scanOnPush: true } },
    made: repository({ imageScanningConfiguration: { scanOnPush: true } }),
    changes: [
      {
        name: 'imageScanningConfiguration',
        spec: { imageScanningConfiguration: { scanOnPush: false } },
        probe: repository({ imageScanningConfiguration: { scanOnPush: false } }),
        drift: {
          operation: 'PutImageScanningConfiguration',
          input: { repositoryName: 'images', imageScanningConfiguration: { scanOnPush: true } },
        },
      },
      {
        name: 'imageTagMutability',
        spec: { imageTagMutability: 'IMMUTABLE' },
        probe: repository({ imageTagMutability: 'IMMUTABLE' }),
        drift: { operation: 'PutImageTagMutability', input: { repositoryName: 'images', imageTagMutability: 'MUTABLE' } },
      },
      {
        name: 'policy',
        spec: { policy: JSON.stringify(pull) },
        probe: { operation: 'GetRepositoryPolicy', input: { repositoryName: 'images' }, says: { policyText: pull } },
        drift: { operation: 'DeleteRepositoryPolicy', input: { repositoryName: 'images' } },
      },
      {
        name: 'policy taken out',
        spec: { policy: null },
        probe: { operation: 'GetRepositoryPolicy', input: { repositoryName: 'images' }, says: { error: /NotFound/ } },
      },
      {
        name: 'lifecyclePolicy',
        spec: { lifecyclePolicy: JSON.stringify(lifecycle(3)) },
        probe: {
          operation: 'GetLifecyclePolicy',
          input: { repositoryName: 'images' },
          says: { lifecyclePolicyText: lifecycle(3) },
        },
        drift: {
          operation: 'PutLifecyclePolicy',
          input: { repositoryName: 'images', lifecyclePolicyText: JSON.stringify(lifecycle(4)) },
        },
      },
      {
        name: 'tags',
        spec: { tags: [{ key: 'team', value: 'red' }] },
        probe: {
          operation: 'ListTagsForResource',
          input: { resourceArn: '{status.ackResourceMetadata.arn}' },
          says: { tags: containing({ Key: 'team', Value: 'red' }) },
        },
        drift: { operation: 'UntagResource', input: { resourceArn: '{status.ackResourceMetadata.arn}', tagKeys: ['team'] } },
      },
    ],
    gone: {
      operation: 'DescribeRepositories',
      input: { repositoryNames: ['images'] },
      says: { error: 'RepositoryNotFoundException' },
    },
  },
]

const topic = (says: object): Probe => ({
  operation: 'GetTopicAttributes',
  input: { TopicArn: '{status.ackResourceMetadata.arn}' },
  says: { Attributes: says },
})
const setTopic = (AttributeName: string, AttributeValue: string): { operation: string; input: object } => ({
  operation: 'SetTopicAttributes',
  input: { TopicArn: '{status.ackResourceMetadata.arn}', AttributeName, AttributeValue },
})
const topicArn = 'arn:aws:sns:us-east-1:123456789012:news'
const subscription = (says: object): Probe => ({
  operation: 'GetSubscriptionAttributes',
  input: { SubscriptionArn: '{status.ackResourceMetadata.arn}' },
  says: { Attributes: says },
})
const delivery = { http: { defaultHealthyRetryPolicy: { minDelayTarget: 5, maxDelayTarget: 6, numRetries: 7 } } }
const sns: readonly KindCase[] = [
  {
    service: 'sns',
    kind: 'Topic',
    spec: { name: 'news', displayName: 'News', tags: [{ key: 'team', value: 'blue' }] },
    made: topic({ DisplayName: 'News' }),
    changes: [
      {
        name: 'displayName',
        spec: { displayName: 'Other' },
        probe: topic({ DisplayName: 'Other' }),
        drift: setTopic('DisplayName', 'Strange'),
      },
      { name: 'deliveryPolicy', spec: { deliveryPolicy: JSON.stringify(delivery) }, probe: topic({ DeliveryPolicy: delivery }) },
      { name: 'kmsMasterKeyID', spec: { kmsMasterKeyID: 'alias/aws/sns' }, probe: topic({ KmsMasterKeyId: 'alias/aws/sns' }) },
      {
        name: 'policy',
        spec: { policy: JSON.stringify(allow('sns:Publish', topicArn)) },
        probe: topic({ Policy: allow('sns:Publish', topicArn) }),
      },
      {
        name: 'tags',
        spec: { tags: [{ key: 'team', value: 'red' }] },
        probe: {
          operation: 'ListTagsForResource',
          input: { ResourceArn: '{status.ackResourceMetadata.arn}' },
          says: { Tags: containing({ Key: 'team', Value: 'red' }) },
        },
        drift: { operation: 'UntagResource', input: { ResourceArn: '{status.ackResourceMetadata.arn}', TagKeys: ['team'] } },
      },
    ],
    gone: { operation: 'GetTopicAttributes', input: { TopicArn: topicArn }, says: { error: /NotFound/ } },
  },
  {
    service: 'sns',
    kind: 'Subscription',
    needs: [
      ['sns', 'CreateTopic', { Name: 'news' }],
      ['sqs', 'CreateQueue', { QueueName: 'dead' }],
    ],
    spec: { topicARN: topicArn, protocol: 'sqs', endpoint: deadArn, rawMessageDelivery: 'true' },
    made: subscription({ RawMessageDelivery: 'true' }),
    changes: [
      {
        name: 'rawMessageDelivery',
        spec: { rawMessageDelivery: 'false' },
        probe: subscription({ RawMessageDelivery: 'false' }),
        drift: {
          operation: 'SetSubscriptionAttributes',
          input: {
            SubscriptionArn: '{status.ackResourceMetadata.arn}',
            AttributeName: 'RawMessageDelivery',
            AttributeValue: 'true',
          },
        },
      },
      {
        name: 'filterPolicy',
        spec: { filterPolicy: JSON.stringify({ colour: ['red'] }) },
        probe: subscription({ FilterPolicy: { colour: ['red'] } }),
      },
      {
        name: 'redrivePolicy',
        spec: { redrivePolicy: JSON.stringify({ deadLetterTargetArn: deadArn }) },
        probe: subscription({ RedrivePolicy: { deadLetterTargetArn: deadArn } }),
      },
    ],
    gone: { operation: 'ListSubscriptions', input: {}, says: { Subscriptions: [] } },
  },
  {
    service: 'sns',
    kind: 'PlatformApplication',
    spec: { name: 'app', platform: 'APNS', platformCredential: 'c', platformPrincipal: 'p' },
    made: {
      operation: 'ListPlatformApplications',
      input: {},
      says: { PlatformApplications: [{ PlatformApplicationArn: /app\/APNS\/app$/ }] },
    },
    gone: { operation: 'ListPlatformApplications', input: {}, says: { PlatformApplications: [] } },
  },
]

const role = 'arn:aws:iam::123456789012:role/runs'
const trust = JSON.stringify({
  Version: '2012-10-17',
  Statement: [{ Effect: 'Allow', Principal: { Service: 'lambda.amazonaws.com' }, Action: 'sts:AssumeRole' }],
})
// A zip file with one empty file in it.
const zip =
  'UEsDBBQAAAAAAAAAIQAAAAAAAAAAAAAAAAAKAAAAaGFuZGxlci5weVBLAQIUABQAAAAAAAAAIQAAAAAAAAAAAAAAAAAKAAAAAAAAAAAAAACAAQAAAABoYW5kbGVyLnB5UEsFBgAAAAABAAEAOAAAACgAAAAAAA=='
const configuration = (says: object): Probe => ({
  operation: 'GetFunctionConfiguration',
  input: { FunctionName: 'work' },
  says,
})
const lambda: readonly KindCase[] = [
  {
    service: 'lambda',
    kind: 'Function',
    needs: [['iam', 'CreateRole', { RoleName: 'runs', AssumeRolePolicyDocument: trust }]],
    spec: { name: 'work', role, runtime: 'python3.12', handler: 'handler.run', code: { zipFile: zip }, timeout: 3 },
    made: configuration({ FunctionName: 'work', Timeout: 3 }),
    changes: [
      {
        name: 'timeout',
        spec: { timeout: 9 },
        probe: configuration({ Timeout: 9 }),
        drift: { operation: 'UpdateFunctionConfiguration', input: { FunctionName: 'work', Timeout: 11 } },
      },
      { name: 'memorySize', spec: { memorySize: 256 }, probe: configuration({ MemorySize: 256 }) },
      { name: 'description', spec: { description: 'two' }, probe: configuration({ Description: 'two' }) },
      {
        name: 'environment',
        spec: { environment: { variables: { A: '1' } } },
        probe: configuration({ Environment: { Variables: { A: '1' } } }),
      },
      {
        name: 'reservedConcurrentExecutions',
        spec: { reservedConcurrentExecutions: 2 },
        probe: {
          operation: 'GetFunctionConcurrency',
          input: { FunctionName: 'work' },
          says: { ReservedConcurrentExecutions: 2 },
        },
        drift: { operation: 'DeleteFunctionConcurrency', input: { FunctionName: 'work' } },
      },
      {
        name: 'functionEventInvokeConfig',
        spec: { functionEventInvokeConfig: { maximumRetryAttempts: 1 } },
        probe: { operation: 'GetFunctionEventInvokeConfig', input: { FunctionName: 'work' }, says: { MaximumRetryAttempts: 1 } },
        drift: { operation: 'DeleteFunctionEventInvokeConfig', input: { FunctionName: 'work' } },
      },
      {
        name: 'tags',
        spec: { tags: { team: 'red' } },
        probe: {
          operation: 'ListTags',
          input: { Resource: '{status.ackResourceMetadata.arn}' },
          says: { Tags: { team: 'red' } },
        },
        drift: { operation: 'UntagResource', input: { Resource: '{status.ackResourceMetadata.arn}', TagKeys: ['team'] } },
      },
    ],
    gone: { operation: 'GetFunction', input: { FunctionName: 'work' }, says: { error: 'ResourceNotFoundException' } },
  },
]

export const firstCases: readonly KindCase[] = [...sqs, ...sns, ...kms, ...secretsmanager, ...dynamodb, ...ecr, ...lambda]
