// From a pod's token to credentials of its role (§7.3).
import { ServiceError } from '../error.ts'
import type { AssociationView, IssuedCredentials } from '../ports.ts'
import type { Context } from '../service.ts'
import { type PodToken, readPodToken } from './token.ts'

export type EksAuthState = Readonly<Record<string, never>>

export interface PodCredentials {
  readonly subject: PodToken
  readonly association: AssociationView
  readonly issued: IssuedCredentials
}

const service = { kind: 'service', service: 'pods.eks.amazonaws.com' } as const

export async function credentialsForPod(
  context: Context<EksAuthState>,
  request: { readonly cluster: string; readonly token: string },
): Promise<PodCredentials> {
  const { ports, account, region } = context
  const cluster = ports.clusters.find(request.cluster, { account, region })
  if (cluster === undefined) {
    throw new ServiceError('ResourceNotFoundException', 404, `No cluster found for name: ${request.cluster}.`)
  }
  const subject = await readPodToken(request.token, { issuer: cluster.issuer, issuers: ports.issuers, now: () => context.now })
  if (!(await ports.pods.exists(cluster.arn, { namespace: subject.namespace, ...subject.pod }))) {
    throw new ServiceError('InvalidTokenException', 400, 'The pod of the token does not exist any more')
  }
  const { namespace, serviceAccount } = subject
  const where = { cluster: request.cluster, account, region, namespace, serviceAccount }
  const association = ports.clusters.association({ ...where, view: 'late' })
  if (association === undefined) throw new ServiceError('ResourceNotFoundException', 404, 'No association found')
  try {
    return {
      subject,
      association,
      issued: assume(context, { cluster: { ...cluster, name: request.cluster }, subject, association }),
    }
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'AccessDenied') throw error
    throw new ServiceError('AccessDeniedException', 400, error.message)
  }
}

interface Wanted {
  readonly cluster: { readonly arn: string; readonly name: string }
  readonly subject: PodToken
  readonly association: AssociationView
}

/** A chained session lives an hour, whatever the role allows. */
const chainedS = 3_600
const sessionNameMax = 64

function assume(context: Context<EksAuthState>, { cluster, subject, association }: Wanted): IssuedCredentials {
  const { ports, account, region } = context
  const uuid = context.random(`session/${context.serial()}`).uuid()
  const sessionName = `eks-${cluster.name}-${subject.pod.name}-${uuid}`.slice(0, sessionNameMax)
  const tags = association.disableSessionTags ? {} : sessionTags(cluster, subject)
  const role = ports.roles.find(association.roleArn, 'late')
  const durationS = Math.max(3_600, Math.min(context.knobs.podIdentitySessionMs / 1_000, role?.maxSessionDurationS ?? 3_600))
  const { targetRoleArn, externalId, policy } = association
  const ownPolicy = policy !== undefined && targetRoleArn === undefined ? { policy } : {}
  const first = ports.tokens.assumeRole({
    caller: service,
    roleArn: association.roleArn,
    sessionName,
    durationS,
    tags,
    transitiveTagKeys: Object.keys(tags),
    ...ownPolicy,
    context: { 'aws:SourceArn': cluster.arn, 'aws:SourceAccount': account, 'aws:SourceOrgID': ports.organization.id },
    region,
    account,
  })
  if (targetRoleArn === undefined) return first
  return ports.tokens.assumeRole({
    caller: first.session,
    roleArn: targetRoleArn,
    sessionName,
    durationS: chainedS,
    ...(policy !== undefined && { policy }),
    ...(externalId !== undefined && { context: { 'sts:ExternalId': externalId } }),
    region,
    account,
  })
}

function sessionTags(cluster: Wanted['cluster'], subject: PodToken): Readonly<Record<string, string>> {
  return {
    'eks-cluster-arn': cluster.arn,
    'eks-cluster-name': cluster.name,
    'kubernetes-namespace': subject.namespace,
    'kubernetes-service-account': subject.serviceAccount,
    'kubernetes-pod-name': subject.pod.name,
    'kubernetes-pod-uid': subject.pod.uid,
  }
}
