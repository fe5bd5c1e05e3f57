// What S3 tells of a bucket's policy to a question that is not a request: "could this pod read that object?"
import type { ResourcePoliciesPort } from '../ports.ts'
import type { Context } from '../service.ts'
import { blockOf, policyOf } from './access.ts'
import type { S3State } from './model.ts'
import { isPublicPolicy } from './public-policy.ts'

export function resourcePoliciesPort(at: () => Context<S3State>): ResourcePoliciesPort {
  return {
    of(arn, callerAccount) {
      const name = /^arn:[^:]+:s3:::([^/]+)/.exec(arn)?.[1]
      const context = at()
      const bucket = name === undefined ? undefined : context.store.get().buckets.get(name)
      if (bucket === undefined) return undefined
      const own = bucket.account === callerAccount
      const text = policyOf(context, bucket, own ? 'newest' : 'late')
      const isVetoed =
        !own && text !== undefined && blockOf(context, bucket, 'late').RestrictPublicBuckets && isPublicPolicy(text)
      return {
        resourceAccount: bucket.account,
        ...(text !== undefined && { resourcePolicy: { kind: 'resource-based', name: `bucket policy of ${bucket.name}`, text } }),
        ...(isVetoed && { veto: `the bucket policy of ${bucket.name} is public and RestrictPublicBuckets is on` }),
      }
    },
  }
}
