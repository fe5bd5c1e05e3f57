// S3 as a service of the emulator. What is faithful and what is not: README.md.
import { extendedModel, onFirstUse, type ServiceModel, serviceModel } from '#aws'
import type { TaggedResource } from '../ports.ts'
import type { Service } from '../service.ts'
import { bucketArn } from './access.ts'
import { s3Failure } from './errors.ts'
import { readS3Host } from './hosts.ts'
import { emptyS3, type S3State } from './model.ts'
import { s3Operations } from './operations.ts'
import { resourcePoliciesPort } from './port.ts'
import { s3Quotas } from './quotas.ts'

export const s3: Service<S3State> = {
  name: 's3',
  get model(): ServiceModel {
    return model()
  },
  address: { hosts: [], signingNames: ['s3'], readHost: readS3Host },
  scope: 'partition',
  initial: () => emptyS3,
  operations: s3Operations,
  unsigned: 'all',
  invalid: (problems, operation) => {
    const isAbout = (member: string): boolean => problems.some(problem => problem.includes(member))
    if (operation === 'CreateBucket' && isAbout('locationConstraint')) return s3Failure('InvalidLocationConstraint')
    if (operation === 'DeleteObjects' && isAbout('delete.objects')) return s3Failure('MalformedXML')
    return s3Failure('InvalidArgument', { message: problems[0] ?? 'Invalid Argument' })
  },
  offers: at => ({ resourcePolicies: resourcePoliciesPort(at) }),
  denied: (decision, { caller, knobs }) =>
    // Strangers are told nothing; the long form names policies and principals.
    s3Failure('AccessDenied', caller.kind === 'anonymous' || !knobs.longS3Messages ? {} : { message: decision.message }),
  *resources({ store, account }): Generator<TaggedResource> {
    for (const bucket of store.get().buckets.values()) {
      if (bucket.account === account && bucket.tags !== undefined) yield { arn: bucketArn(bucket), type: 's3', tags: bucket.tags }
    }
  },
  quotas: { title: 'Amazon Simple Storage Service (Amazon S3)', quotas: s3Quotas },
  throttles: [
    {
      name: 's3-write',
      operations: operation => /^(?:Put|Copy|Delete|Create|Complete|Upload|Abort)/.test(operation) && !/Bucket/.test(operation),
      perSecond: 3_500,
      burst: 3_500,
      source: 'published',
      per: 'account',
      error: { code: 'SlowDown', status: 503, message: 'Please reduce your request rate.' },
    },
    {
      name: 's3-read',
      operations: operation => /^(?:GetObject|HeadObject)/.test(operation),
      perSecond: 5_500,
      burst: 5_500,
      source: 'published',
      per: 'account',
      error: { code: 'SlowDown', status: 503, message: 'Please reduce your request rate.' },
    },
    {
      name: 's3-bucket-configuration',
      operations: operation => /^(?:Put|Delete)(?:Bucket|PublicAccessBlock)/.test(operation),
      perSecond: 5,
      burst: 10,
      source: 'choice',
      per: call => (call.input as { readonly Bucket?: string }).Bucket ?? '',
      error: { code: 'SlowDown', status: 503, message: 'Please reduce your request rate.' },
    },
  ],
}

const bucketMember = { target: 'BucketName', location: 'uri' } as const

/** Operations that came after the model we ship: controllers read this setting on every pass. */
const model = onFirstUse(() =>
  extendedModel(serviceModel('s3'), {
    shapes: {
      AbacStatus: { type: 'structure', members: { Status: { target: 'BucketAbacStatus' } }, required: [] },
      BucketAbacStatus: { type: 'string', enum: ['Enabled', 'Disabled'] },
      GetBucketAbacRequest: { type: 'structure', members: { Bucket: bucketMember }, required: ['Bucket'] },
      GetBucketAbacOutput: {
        type: 'structure',
        members: { AbacStatus: { target: 'AbacStatus' } },
        required: [],
        payload: 'AbacStatus',
      },
      PutBucketAbacRequest: {
        type: 'structure',
        members: { Bucket: bucketMember, AbacStatus: { target: 'AbacStatus' } },
        required: ['Bucket', 'AbacStatus'],
        payload: 'AbacStatus',
      },
    },
    operations: {
      GetBucketAbac: {
        name: 'GetBucketAbac',
        http: { method: 'GET', uri: '/{Bucket}?abac', code: 200 },
        input: 'GetBucketAbacRequest',
        output: 'GetBucketAbacOutput',
        errors: [],
      },
      PutBucketAbac: {
        name: 'PutBucketAbac',
        http: { method: 'PUT', uri: '/{Bucket}?abac', code: 200 },
        input: 'PutBucketAbacRequest',
        errors: [],
      },
    },
  }),
)
