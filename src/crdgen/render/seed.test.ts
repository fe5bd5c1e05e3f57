// The worked example (§4.15), from both model formats and in both published forms.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { load } from 'js-yaml'
import { diffCrds } from '../compare/diff.ts'
import { flattenCrd } from '../compare/flatten.ts'
import { readGeneratorConfig } from '../config/read-config.ts'
import { type InferredService, inferService } from '../infer/infer-service.ts'
import type { InferredKind } from '../infer/inferred-kind.ts'
import { fieldsOf } from '../infer/model.fixture.ts'
import { readModel } from '../read/read-model.ts'
import { crdOf, crdYaml } from './crd.ts'
import type { CrdMode } from './crd-mode.ts'
import { renderService } from './output.ts'
import { typeView } from './type-view.ts'
import { constantName } from './typescript.ts'

const texts = ['ACL', 'Bucket', 'GrantFullControl', 'GrantRead', 'GrantReadACP', 'GrantWrite', 'GrantWriteACP']
const cannedAcls = ['private', 'public-read', 'public-read-write', 'authenticated-read']

const c2j = JSON.stringify({
  metadata: { apiVersion: '2006-03-01', endpointPrefix: 's3', protocol: 'rest-xml', serviceId: 'S3', signatureVersion: 's3' },
  operations: {
    CreateBucket: {
      name: 'CreateBucket',
      http: { method: 'PUT', requestUri: '/{Bucket}' },
      input: { shape: 'CreateBucketRequest' },
      output: { shape: 'CreateBucketOutput' },
    },
  },
  shapes: {
    String: { type: 'string' },
    Boolean: { type: 'boolean' },
    BucketCannedACL: { type: 'string', enum: cannedAcls },
    CreateBucketRequest: {
      type: 'structure',
      required: ['Bucket'],
      members: {
        ...Object.fromEntries(
          texts.map(name => [
            name,
            {
              shape: name === 'ACL' ? 'BucketCannedACL' : 'String',
              ...(name === 'Bucket' ? { location: 'uri', locationName: 'Bucket' } : {}),
            },
          ]),
        ),
        CreateBucketConfiguration: { shape: 'CreateBucketConfiguration' },
        ObjectLockEnabledForBucket: { shape: 'Boolean' },
      },
    },
    CreateBucketConfiguration: { type: 'structure', members: { LocationConstraint: { shape: 'String' } } },
    CreateBucketOutput: { type: 'structure', members: { Location: { shape: 'String' } } },
  },
})

const id = (name: string): string => `com.amazonaws.s3#${name}`
const member = (target: string, traits: object = {}): object => ({ target, traits })
const smithy = JSON.stringify({
  smithy: '2.0',
  shapes: {
    [id('AmazonS3')]: {
      type: 'service',
      version: '2006-03-01',
      operations: [{ target: id('CreateBucket') }],
      traits: {
        'aws.api#service': { sdkId: 'S3', arnNamespace: 's3', endpointPrefix: 's3' },
        'aws.auth#sigv4': { name: 's3' },
        'aws.protocols#restXml': {},
      },
    },
    [id('CreateBucket')]: {
      type: 'operation',
      input: { target: id('CreateBucketRequest') },
      output: { target: id('CreateBucketOutput') },
      traits: { 'smithy.api#http': { method: 'PUT', uri: '/{Bucket}', code: 200 } },
    },
    [id('BucketCannedACL')]: {
      type: 'enum',
      members: Object.fromEntries(
        cannedAcls.map(value => [
          value.replaceAll('-', '_'),
          { target: 'smithy.api#Unit', traits: { 'smithy.api#enumValue': value } },
        ]),
      ),
    },
    [id('CreateBucketRequest')]: {
      type: 'structure',
      members: {
        ...Object.fromEntries(
          texts.map(name => [
            name,
            name === 'Bucket'
              ? member('smithy.api#String', { 'smithy.api#required': {}, 'smithy.api#httpLabel': {} })
              : member(name === 'ACL' ? id('BucketCannedACL') : 'smithy.api#String'),
          ]),
        ),
        CreateBucketConfiguration: member(id('CreateBucketConfiguration')),
        ObjectLockEnabledForBucket: member('smithy.api#Boolean'),
      },
    },
    [id('CreateBucketConfiguration')]: { type: 'structure', members: { LocationConstraint: member('smithy.api#String') } },
    [id('CreateBucketOutput')]: { type: 'structure', members: { Location: member('smithy.api#String') } },
  },
})

const rename =
  'resources:\n  Bucket:\n    renames:\n      operations:\n        CreateBucket:\n          input_fields:\n            Bucket: Name\n'

function seed(model = c2j, config = rename): { readonly service: InferredService; readonly kind: InferredKind } {
  const service = inferService(readModel(model), { alias: 's3', loaded: readGeneratorConfig(config) })
  const [kind] = service.kinds
  assert.ok(kind !== undefined)
  return { service, kind }
}

test('the example gives one kind with these fields, and with `bucket` instead of `name` without a config [4.15]', () => {
  const spec = (name: string): string[] =>
    [
      'spec.acl: string',
      `spec.${name}: string required`,
      'spec.createBucketConfiguration: object',
      'spec.createBucketConfiguration.locationConstraint: string',
      'spec.grantFullControl: string',
      'spec.grantRead: string',
      'spec.grantReadACP: string',
      'spec.grantWrite: string',
      'spec.grantWriteACP: string',
      'spec.objectLockEnabledForBucket: boolean',
    ].sort()
  assert.deepEqual([...fieldsOf(seed().service, 'Bucket')].sort(), [...spec('name'), 'status.location: string'])
  assert.deepEqual([...fieldsOf(seed(c2j, '').service, 'Bucket')].sort(), [...spec('bucket'), 'status.location: string'])
})

test('C2J and Smithy give the same CRD, byte for byte, in every mode [4.15]', () => {
  for (const mode of ['current', 'seed', 'extended'] satisfies CrdMode[]) {
    const [a, b] = [seed(c2j), seed(smithy)]
    assert.equal(crdYaml(crdOf(a.service, a.kind, mode)), crdYaml(crdOf(b.service, b.kind, mode)))
  }
})

test('the first form requires the common fields and knows neither region nor partition [4.13.6]', () => {
  const { service, kind } = seed()
  const statusOf = (mode: CrdMode): Record<string, unknown> => {
    const crd = load(crdYaml(crdOf(service, kind, mode))) as {
      spec: { versions: { schema: { openAPIV3Schema: { properties: { status: Record<string, unknown> } } } }[] }
    }
    return crd.spec.versions[0]?.schema.openAPIV3Schema.properties.status ?? {}
  }
  const [current, first] = [statusOf('current'), statusOf('seed')]
  assert.deepEqual([current['required'], first['required']], [undefined, ['ackResourceMetadata', 'conditions']])
  const metadata = (status: Record<string, unknown>): unknown[] => {
    const { properties, required } = (status['properties'] as Record<string, { properties: object; required: unknown }>)[
      'ackResourceMetadata'
    ] ?? { properties: {}, required: [] }
    return [Object.keys(properties), required]
  }
  assert.deepEqual(metadata(current), [
    ['arn', 'ownerAccountID', 'partition', 'region'],
    ['ownerAccountID', 'region'],
  ])
  assert.deepEqual(metadata(first), [['arn', 'ownerAccountID'], ['ownerAccountID']])
  const differences = diffCrds(crdOf(service, kind, 'current'), crdOf(service, kind, 'seed')).differences
  assert.deepEqual(
    differences.map(difference => difference.class),
    ['common'],
  )
})

test('the fixed parts of the CRD [4.13.1]', () => {
  const { service, kind } = seed()
  assert.deepEqual(flattenCrd(crdOf(service, kind)).names, {
    group: 's3.services.k8s.aws',
    scope: 'Namespaced',
    kind: 'Bucket',
    listKind: 'BucketList',
    plural: 'buckets',
    singular: 'bucket',
    shortNames: '',
    versions: 'v1alpha1:true:true',
    subresources: '{"status":{}}',
  })
})

test('the type view of the example [4.14.2]', () => {
  const rows = typeView(seed().kind.spec)
  assert.deepEqual(
    rows.map(({ name }) => name),
    [
      'ACL',
      'CreateBucketConfiguration',
      'GrantFullControl',
      'GrantRead',
      'GrantReadACP',
      'GrantWrite',
      'GrantWriteACP',
      'Name',
      'ObjectLockEnabledForBucket',
    ],
  )
  assert.deepEqual(
    rows.find(({ name }) => name === 'Name'),
    { name: 'Name', type: '*string', tag: 'json:"name"' },
  )
  assert.deepEqual(rows[0], { name: 'ACL', type: '*string', tag: 'json:"acl,omitempty"' })
})

test('enum constants, and two values of one clean name [4.14.1]', () => {
  const { service } = seed()
  const enums = renderService(service).get('apis/v1alpha1/enums.ts')
  assert.equal(
    enums,
    `export type BucketCannedACL = "private" | "public-read" | "public-read-write" | "authenticated-read"
export const BucketCannedACL_private = "private"
export const BucketCannedACL_public_read = "public-read"
export const BucketCannedACL_public_read_write = "public-read-write"
export const BucketCannedACL_authenticated_read = "authenticated-read"
`,
  )
  const taken = new Set<string>()
  assert.deepEqual(
    [constantName('E', 'a-b', taken), constantName('E', 'a.b', taken), constantName('E', 'a b', taken)],
    ['E_a_b', 'E_a_b_2', 'E_a_b_3'],
  )
})

test('the same inputs give the same bytes in every file [1.4]', () => {
  const [a, b] = [renderService(seed().service), renderService(seed().service)]
  assert.deepEqual([...a], [...b])
  const names = [...a.keys()].sort()
  assert.deepEqual(names, [
    'apis/v1alpha1/bucket.ts',
    'apis/v1alpha1/enums.ts',
    'apis/v1alpha1/group.ts',
    'apis/v1alpha1/types.ts',
    'crds/s3.services.k8s.aws_buckets.yaml',
    'ir.json',
    'policies/bucket.json',
    'report.json',
  ])
  assert.ok(a.get('policies/bucket.json')?.startsWith('{\n  "Version": "2012-10-17",\n  "Statement": [\n    {\n'))
})
