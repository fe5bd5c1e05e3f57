// EKS Auth as a service of the emulator. What is faithful and what is not: README.md.
import { type ServiceModel, serviceModel } from '#aws'
import type { Call, Service } from '../service.ts'
import { credentialsForPod, type EksAuthState } from './credentials.ts'

interface Input {
  readonly clusterName: string
  readonly token: string
}

/** Waits for the issuer first and writes the session last, as asynchronous operations must. */
async function assumeRoleForPodIdentity(call: Call<EksAuthState, Input>): Promise<object> {
  const { clusterName, token } = call.input
  const resource = `arn:${call.partition}:eks:${call.region}:${call.account}:cluster/${clusterName}`
  call.authorise({ action: 'eks-auth:AssumeRoleForPodIdentity', resource })
  const { subject, association, issued } = await credentialsForPod(call, { cluster: clusterName, token })
  return {
    subject: { namespace: subject.namespace, serviceAccount: subject.serviceAccount },
    audience: 'pods.eks.amazonaws.com',
    podIdentityAssociation: { associationArn: association.arn, associationId: association.id },
    assumedRoleUser: { arn: issued.session.arn, assumeRoleId: issued.session.userId },
    credentials: {
      accessKeyId: issued.accessKeyId,
      secretAccessKey: issued.secretAccessKey,
      sessionToken: issued.sessionToken,
      expiration: issued.expiresAtMs,
    },
  }
}

export const eksAuth: Service<EksAuthState> = {
  name: 'eks-auth',
  get model(): ServiceModel {
    return serviceModel('eks-auth')
  },
  address: { hosts: ['eks-auth'], path: /^\/clusters\/[^/]+\/assume-role-for-pod-identity\/?$/ },
  scope: 'region',
  initial: () => ({}),
  operations: { AssumeRoleForPodIdentity: assumeRoleForPodIdentity },
  controls: {
    /** What the agent on a pod's node does for it; see agent.ts. */
    credentials: (context, { cluster = '', token = '' }) => credentialsForPod(context, { cluster, token }),
  },
  throttles: [
    {
      name: 'eks-auth',
      operations: 'all',
      perSecond: 300,
      burst: 600,
      source: 'choice',
      per: 'region',
      error: { code: 'ThrottlingException', status: 429, message: 'Rate exceeded' },
    },
  ],
}
