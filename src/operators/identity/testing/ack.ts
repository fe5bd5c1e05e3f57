// Stand-ins for the ACK controllers: they bring child objects about in the emulated AWS, one look at a time, when a test says so. What
// they do in between is the test's: a crash, a refusal, a slow one. The real thing for us is the resources operator.

import { AwsError } from '#aws'
import type { AwsClient } from '#aws/client'
import { type KubeObject, type ResourceType, type StoredObject } from '#kube'
import type { KubeClient } from '#kube/client'
import { openCrd } from '../../../runtime/testing/open-crd.ts'
import { associationKind, bucketKind, type ChildKind, policyKind, providerKind, roleKind } from '../children/kinds.ts'

const finalizer = 'finalizers.services.k8s.aws/resource'

interface AckObject extends StoredObject {
  readonly spec: Readonly<Record<string, unknown>>
  readonly status?: Readonly<Record<string, unknown>>
}

export interface Ack {
  /** One look at every object; true when anything changed. */
  look(): Promise<boolean>
  /** Kinds that it does not look at: the controller is down. */
  readonly down: Set<string>
}

/** CRDs of the kinds, open ones: their own schemas are ACK's. */
export const ackCrds: readonly KubeObject[] = [roleKind, policyKind, providerKind, bucketKind, associationKind].map(({ type }) =>
  openCrd(type, { hasStatus: true }),
)

export function createAck(client: KubeClient, aws: (service: 'iam' | 's3' | 'eks') => AwsClient): Ack {
  const down = new Set<string>()
  return {
    down,
    look: async () => {
      let changed = false
      for (const kind of [bucketKind, providerKind, policyKind, roleKind, associationKind]) {
        if (down.has(kind.type.kind)) continue
        const { items } = await client.listAll<AckObject>(kind.type)
        for (const object of items) changed = (await lookAt(client, aws, kind, object)) || changed
      }
      return changed
    },
  }
}

async function lookAt(
  client: KubeClient,
  aws: (service: 'iam' | 's3' | 'eks') => AwsClient,
  { type }: ChildKind,
  object: AckObject,
): Promise<boolean> {
  const key = { namespace: object.metadata.namespace ?? '', name: object.metadata.name }
  const arn = (object.status?.ackResourceMetadata as { readonly arn?: string } | undefined)?.arn
  if (object.metadata.deletionTimestamp !== undefined) {
    if (!(object.metadata.finalizers ?? []).includes(finalizer)) return false
    const trouble = await remove(aws, type, object, arn)
    if (trouble !== undefined) return setStatus(client, type, object, arn, trouble)
    await client.patch(type, key, 'merge', { metadata: { finalizers: null } })
    return true
  }
  if (!(object.metadata.finalizers ?? []).includes(finalizer)) {
    await client.patch(type, key, 'merge', { metadata: { finalizers: [finalizer] } })
    return true
  }
  const made = await make(aws, type, object)
  return setStatus(client, type, object, made.arn, made.trouble)
}

async function setStatus(
  client: KubeClient,
  type: ResourceType,
  object: AckObject,
  arn: string | undefined,
  trouble: string | undefined,
): Promise<boolean> {
  const conditions = [
    { type: 'ACK.ResourceSynced', status: trouble === undefined ? 'True' : 'False' },
    ...(trouble === undefined ? [] : [{ type: 'ACK.Recoverable', status: 'True', message: trouble }]),
  ]
  const status = { ...(arn === undefined ? {} : { ackResourceMetadata: { arn } }), conditions }
  if (JSON.stringify(status) === JSON.stringify(object.status)) return false
  const key = { namespace: object.metadata.namespace ?? '', name: object.metadata.name }
  await client.patch(type, key, 'merge', { status }, { subresource: 'status' })
  return true
}

async function make(
  aws: (service: 'iam' | 's3' | 'eks') => AwsClient,
  type: ResourceType,
  { spec }: AckObject,
): Promise<{ readonly arn?: string; readonly trouble?: string }> {
  try {
    if (type.kind === 'Bucket') {
      const s3 = aws('s3')
      const Bucket = spec.name as string
      await ignore(['BucketAlreadyOwnedByYou'], s3.call('CreateBucket', { Bucket }))
      const access = spec.publicAccessBlock as Record<string, boolean>
      await s3.call('PutPublicAccessBlock', {
        Bucket,
        PublicAccessBlockConfiguration: {
          BlockPublicAcls: access.blockPublicACLs,
          IgnorePublicAcls: access.ignorePublicACLs,
          BlockPublicPolicy: access.blockPublicPolicy,
          RestrictPublicBuckets: access.restrictPublicBuckets,
        },
      })
      await s3.call('PutBucketPolicy', { Bucket, Policy: spec.policy })
      return { arn: `arn:aws:s3:::${Bucket}` }
    }
    if (type.kind === 'OpenIDConnectProvider') {
      const arn = providerArn(spec.url as string)
      const input = { Url: spec.url, ClientIDList: spec.clientIDs }
      await ignore(['EntityAlreadyExists', 'EntityAlreadyExistsException'], aws('iam').call('CreateOpenIDConnectProvider', input))
      return { arn }
    }
    const name = spec.name as string
    if (type.kind === 'Policy') {
      const input = { PolicyName: name, PolicyDocument: spec.policyDocument }
      await ignore(['EntityAlreadyExists', 'EntityAlreadyExistsException'], aws('iam').call('CreatePolicy', input))
      return { arn: `arn:aws:iam::${account}:policy/${name}` }
    }
    if (type.kind === 'PodIdentityAssociation') {
      const { clusterName, namespace, serviceAccount, roleARN, clientRequestToken } = spec
      const input = { clusterName, namespace, serviceAccount, roleArn: roleARN, clientRequestToken }
      const output = await aws('eks').call('CreatePodIdentityAssociation', input)
      return { arn: (output.association as { readonly associationArn: string }).associationArn }
    }
    const input = { RoleName: name, AssumeRolePolicyDocument: spec.assumeRolePolicyDocument }
    await ignore(['EntityAlreadyExists', 'EntityAlreadyExistsException'], aws('iam').call('CreateRole', input))
    for (const PolicyArn of spec.policies as readonly string[])
      await aws('iam').call('AttachRolePolicy', { RoleName: name, PolicyArn })
    return { arn: `arn:aws:iam::${account}:role/${name}` }
  } catch (error) {
    return { trouble: error instanceof AwsError ? error.summary : String(error) }
  }
}

async function remove(
  aws: (service: 'iam' | 's3' | 'eks') => AwsClient,
  type: ResourceType,
  { spec }: AckObject,
  arn: string | undefined,
): Promise<string | undefined> {
  const gone = ['NoSuchBucket', 'NoSuchEntity', 'NoSuchEntityException']
  try {
    if (type.kind === 'Bucket') await ignore(gone, aws('s3').call('DeleteBucket', { Bucket: spec.name }))
    else if (type.kind === 'OpenIDConnectProvider') {
      await ignore(
        gone,
        aws('iam').call('DeleteOpenIDConnectProvider', { OpenIDConnectProviderArn: arn ?? providerArn(spec.url as string) }),
      )
    } else if (type.kind === 'Policy') await ignore(gone, aws('iam').call('DeletePolicy', { PolicyArn: arn }))
    else if (type.kind === 'Role') {
      for (const PolicyArn of spec.policies as readonly string[]) {
        await ignore(gone, aws('iam').call('DetachRolePolicy', { RoleName: spec.name, PolicyArn }))
      }
      await ignore(gone, aws('iam').call('DeleteRole', { RoleName: spec.name }))
    }
    return undefined
  } catch (error) {
    return error instanceof AwsError ? error.summary : String(error)
  }
}

export const account = '111122223333'

function providerArn(url: string): string {
  return `arn:aws:iam::${account}:oidc-provider/${url.replace('https://', '')}`
}

async function ignore(codes: readonly string[], call: Promise<unknown>): Promise<void> {
  try {
    await call
  } catch (error) {
    if (!(error instanceof AwsError && codes.includes(error.code))) throw error
  }
}
