// Which of a pod's credentials its SDK uses (§4.7, step 1). The SDKs look in this order: keys in the environment, a web identity
// token, the container endpoint of pod identity; so a pod with both an annotation and an association uses the annotation's role.
import type { Aws, PodSubject } from './aws.ts'
import type { AccessStep } from './policy/access.ts'

type Subject = Parameters<Aws['canPod']>[0]['subject']
export type RoleSubject = Exclude<Subject, PodSubject>

export type ChosenCredentials =
  | { readonly kind: 'keys'; readonly accessKeyId: string; readonly step: AccessStep }
  | { readonly kind: 'role'; readonly subject: RoleSubject; readonly roleArn?: string; readonly step: AccessStep }
  | { readonly kind: 'none'; readonly step: AccessStep }

export function podCredentials(pod: PodSubject): ChosenCredentials {
  const { environment, namespace, serviceAccount } = pod
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secret, AWS_ROLE_ARN: roleArn } = environment
  if (accessKeyId && secret)
    return { kind: 'keys', accessKeyId, step: used('the keys in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY') }
  if (roleArn && environment['AWS_WEB_IDENTITY_TOKEN_FILE']) {
    const { issuer, audience = 'sts.amazonaws.com' } = pod
    if (issuer === undefined) return none('AWS_WEB_IDENTITY_TOKEN_FILE is set, but no token with an issuer is in its volumes')
    const subject = `system:serviceaccount:${namespace}:${serviceAccount}`
    return {
      kind: 'role',
      subject: { kind: 'web-identity', issuer, audience, subject },
      roleArn,
      step: used(`web identity: AWS_ROLE_ARN is ${roleArn}`),
    }
  }
  if (environment['AWS_CONTAINER_CREDENTIALS_FULL_URI']) {
    const { cluster, account, region } = pod
    if (cluster === undefined)
      return none('AWS_CONTAINER_CREDENTIALS_FULL_URI is set, but the pod is in no EKS cluster whose agent would answer')
    const place = { ...(account !== undefined && { account }), ...(region !== undefined && { region }) }
    return {
      kind: 'role',
      subject: { kind: 'pod-identity', cluster, namespace, serviceAccount, ...place },
      step: used('EKS pod identity: AWS_CONTAINER_CREDENTIALS_FULL_URI is set'),
    }
  }
  return none('the environment has no keys, no AWS_ROLE_ARN with a token file, and no container endpoint')
}

function used(detail: string): AccessStep {
  return { link: 'credentials', holds: true, detail }
}

function none(detail: string): ChosenCredentials {
  return { kind: 'none', step: { link: 'credentials', holds: false, detail } }
}
