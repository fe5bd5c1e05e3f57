// Who the kubeconfig of a sidecar acts as, and which role that ServiceAccount has been given.
import { type KubeObject, type ObjectKey, type ResourceType, serviceAccounts } from '#kube'
import type { KubeClient } from '#kube/client'
import { patterns, roleArnAnnotation } from '#operators/identity/api'

const selfSubjectReviews: ResourceType = {
  group: 'authentication.k8s.io',
  version: 'v1',
  kind: 'SelfSubjectReview',
  plural: 'selfsubjectreviews',
  namespaced: false,
}

interface SelfSubjectReview extends KubeObject {
  readonly status?: { readonly userInfo?: { readonly username?: string } }
}

export type IdentityClient = Pick<KubeClient, 'create' | 'get'>

/** The ServiceAccount that the client acts as; anybody else has no role of their own. */
export async function ownAccount(client: IdentityClient, signal: AbortSignal): Promise<ObjectKey> {
  const review: SelfSubjectReview = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview', metadata: {} }
  const { status } = await client.create(selfSubjectReviews, review, { signal })
  const user = status?.userInfo?.username ?? ''
  const [, namespace, name] = /^system:serviceaccount:([^:]+):([^:]+)$/.exec(user) ?? []
  if (namespace !== undefined && name !== undefined) return { namespace, name }
  throw new Error(`the kubeconfig acts as ${JSON.stringify(user)}, which is no ServiceAccount`)
}

const roleArn = new RegExp(patterns.roleArn)

/** As it is annotated now. What is no ARN of a role is not written into a file that programs take orders from. */
export async function annotatedRole(client: IdentityClient, account: ObjectKey, signal: AbortSignal): Promise<string> {
  const { metadata } = await client.get(serviceAccounts, account, { signal })
  const arn = metadata.annotations?.[roleArnAnnotation] ?? ''
  const name = `ServiceAccount ${account.namespace}/${account.name}`
  if (arn === '') throw new Error(`${name} has no annotation ${roleArnAnnotation}`)
  if (!roleArn.test(arn) || arn.includes('\n'))
    throw new Error(`the annotation ${roleArnAnnotation} of ${name} is no ARN of a role`)
  return arn
}
