import type { KindCase } from '../case.ts'

const trust = JSON.stringify({
  Version: '2012-10-17',
  Statement: [{ Effect: 'Allow', Principal: { Service: 'lambda.amazonaws.com' }, Action: 'sts:AssumeRole' }],
})
// A zip file with one empty file in it.
const zip = Buffer.from(
  'UEsDBBQAAAAAAAAAIQAAAAAAAAAAAAAAAAAKAAAAaGFuZGxlci5weVBLAQIUABQAAAAAAAAAIQAAAAAAAAAAAAAAAAAKAAAAAAAAAAAAAACAAQAAAABoYW5kbGVyLnB5UEsFBgAAAAABAAEAOAAAACgAAAAAAA==',
  'base64',
)
const work: NonNullable<KindCase['needs']> = [
  ['iam', 'CreateRole', { RoleName: 'runs', AssumeRolePolicyDocument: trust }],
  [
    'lambda',
    'CreateFunction',
    {
      FunctionName: 'work',
      Role: 'arn:aws:iam::123456789012:role/runs',
      Runtime: 'python3.12',
      Handler: 'handler.run',
      Code: { ZipFile: zip },
    },
  ],
]

export const lambdaCases: readonly KindCase[] = [
  {
    service: 'lambda',
    kind: 'Alias',
    needs: [...work, ['lambda', 'PublishVersion', { FunctionName: 'work' }]],
    spec: { name: 'live', functionName: 'work', functionVersion: '1', description: 'one' },
    made: { operation: 'GetAlias', input: { FunctionName: 'work', Name: 'live' }, says: { Description: 'one' } },
    changes: [
      {
        name: 'description',
        spec: { description: 'two' },
        probe: { operation: 'GetAlias', input: { FunctionName: 'work', Name: 'live' }, says: { Description: 'two' } },
        drift: { operation: 'UpdateAlias', input: { FunctionName: 'work', Name: 'live', Description: 'three' } },
      },
    ],
    gone: { operation: 'GetAlias', input: { FunctionName: 'work', Name: 'live' }, says: { error: 'ResourceNotFoundException' } },
  },
  {
    service: 'lambda',
    kind: 'EventSourceMapping',
    needs: [...work, ['sqs', 'CreateQueue', { QueueName: 'jobs' }]],
    spec: { functionName: 'work', eventSourceARN: 'arn:aws:sqs:us-east-1:123456789012:jobs', batchSize: 3 },
    made: { operation: 'GetEventSourceMapping', input: { UUID: '{status.uuid}' }, says: { BatchSize: 3 } },
    changes: [
      {
        name: 'batchSize',
        spec: { batchSize: 5 },
        probe: { operation: 'GetEventSourceMapping', input: { UUID: '{status.uuid}' }, says: { BatchSize: 5 } },
        drift: { operation: 'UpdateEventSourceMapping', input: { UUID: '{status.uuid}', BatchSize: 7 } },
      },
    ],
    gone: { operation: 'ListEventSourceMappings', input: { FunctionName: 'work' }, says: { EventSourceMappings: [] } },
  },
  {
    service: 'lambda',
    kind: 'FunctionURLConfig',
    needs: work,
    spec: { functionName: 'work', authType: 'AWS_IAM' },
    made: { operation: 'GetFunctionUrlConfig', input: { FunctionName: 'work' }, says: { AuthType: 'AWS_IAM' } },
    changes: [
      {
        name: 'authType',
        spec: { authType: 'NONE' },
        probe: { operation: 'GetFunctionUrlConfig', input: { FunctionName: 'work' }, says: { AuthType: 'NONE' } },
      },
    ],
    gone: {
      operation: 'GetFunctionUrlConfig',
      input: { FunctionName: 'work' },
      says: { error: 'ResourceNotFoundException' },
    },
  },
  {
    service: 'lambda',
    kind: 'LayerVersion',
    spec: {
      layerName: 'shared',
      description: 'one',
      compatibleRuntimes: ['python3.12'],
      content: { zipFile: zip.toString('base64') },
    },
    made: {
      operation: 'GetLayerVersion',
      input: { LayerName: 'shared', VersionNumber: 1 },
      says: { Description: 'one' },
    },
    gone: { operation: 'GetLayerVersion', input: { LayerName: 'shared', VersionNumber: 1 }, says: { error: /NotFound/ } },
  },
  {
    service: 'lambda',
    kind: 'Version',
    needs: work,
    spec: { functionName: 'work', description: 'one' },
    made: {
      operation: 'GetFunctionConfiguration',
      input: { FunctionName: 'work', Qualifier: '1' },
      says: { Version: '1', Description: 'one' },
    },
    gone: {
      operation: 'GetFunctionConfiguration',
      input: { FunctionName: 'work', Qualifier: '1' },
      says: { error: 'ResourceNotFoundException' },
    },
  },
]
