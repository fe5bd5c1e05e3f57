// A binding as everything that a decision rests on, for tables: in the middle of a healthy life unless a row says otherwise.
import { asRoleArn, type RoleArn } from '#aws'
import { given } from '#base'
import type { Condition, StoredObject } from '#kube'
import type { OperatorConfig, RoleSpec, RoleStatus, ServiceAccountRole, WorkloadIdentityConfig } from '../api/kinds.ts'
import { finalizers, labels } from '../api/labels.ts'
import { associationKind, type ChildKind, roleKind as iamRoleKind, policyKind } from '../children/kinds.ts'
import { type AbsentChild, absentChild, type ChildState, readChild } from '../children/state.ts'
import type { DescribedCluster } from '../inventory/describe.ts'
import type { AnnotationSeen } from '../target/annotation.ts'
import { withRoleArn } from './child-resources.ts'
import { resourceNames } from './resources.ts'
import type { RoleSeen } from './seen.ts'

export const uid = '204381cb-58f0-47a9-ac3d-0f75cb1d293d'
export const account = '123456789012'
export const issuer = 'awi-wlc-a-eu-west-1-0000000000.s3.eu-west-1.amazonaws.com'
export const now: number = Date.parse('2026-11-21T12:00:00Z')
export const longAgo = '2026-11-20T12:00:00Z'
const api = 'aws.identity.appthrust.io/v1alpha1'

export function claim(
  spec: Partial<RoleSpec> = {},
  status?: RoleStatus,
  metadata: Partial<StoredObject['metadata']> = {},
): ServiceAccountRole {
  const serviceAccount = { namespace: 'apps', name: 'app1' }
  const what = spec.policyDocument === undefined ? { policyARNs: ['arn:aws:iam::aws:policy/ReadOnlyAccess'] } : {}
  return {
    apiVersion: api,
    kind: 'AWSServiceAccountRole',
    metadata: {
      namespace: 'wlc-a',
      name: 'app1',
      uid,
      resourceVersion: '9',
      generation: 1,
      finalizers: [finalizers.role],
      ...metadata,
    },
    spec: { serviceAccount, ...what, ...spec },
    ...given({ status }),
  }
}

export const roleName: string = resourceNames(claim()).role
export const roleArn: RoleArn = asRoleArn(`arn:aws:iam::${account}:role/${roleName}`)
export const policyArn: string = `arn:aws:iam::${account}:policy/${resourceNames(claim()).policy}`

export function config(
  type: WorkloadIdentityConfig['spec']['type'] = 'SelfHostedIRSA',
  ready: Condition['status'] = 'True',
): WorkloadIdentityConfig {
  const issued =
    type === 'EKSPodIdentity'
      ? {}
      : { issuerHostPath: issuer, oidcProviderARN: `arn:aws:iam::${account}:oidc-provider/${issuer}` }
  const condition = { type: 'Ready', status: ready, reason: 'Reconciled', message: '', lastTransitionTime: longAgo }
  return {
    apiVersion: api,
    kind: 'AWSWorkloadIdentityConfig',
    metadata: { namespace: 'wlc-a', name: 'default', uid: 'config-uid', resourceVersion: '3', generation: 1 },
    spec: { type, region: 'eu-west-1' },
    status: { ...issued, conditions: [condition] },
  }
}

export const operatorConfig: OperatorConfig = {
  apiVersion: api,
  kind: 'AWSWorkloadIdentityOperatorConfig',
  metadata: { name: 'default', uid: 'operator-config-uid', resourceVersion: '1' },
  spec: {},
}

type Resolved = Extract<DescribedCluster, { kind: 'resolved' }>

export const eksProperties: Resolved['properties'] = {
  eksClusterName: 'prod',
  eksClusterArn: `arn:aws:eks:eu-west-1:${account}:cluster/prod`,
  accountId: account,
  eksAutoMode: true,
}

export function resolved(properties: Partial<Resolved['properties']> = {}): DescribedCluster {
  const profile = {
    apiVersion: 'multicluster.x-k8s.io/v1alpha1',
    kind: 'ClusterProfile',
    metadata: { namespace: 'awio-system', name: 'wlc-a', uid: 'profile-uid', resourceVersion: '1' },
    spec: { clusterManager: { name: 'open-cluster-management' } },
  }
  return {
    kind: 'resolved',
    namespace: 'wlc-a',
    logicalName: 'wlc-a/wlc-a',
    profile,
    properties: { eksAutoMode: false, ...properties },
  }
}

export interface ChildOptions {
  readonly synced?: boolean
  readonly arn?: string | undefined
  readonly metadata?: Partial<StoredObject['metadata']>
  readonly message?: string
  /** `message` is said in `ACK.Terminal`. */
  readonly refused?: true
  readonly spec?: Readonly<Record<string, unknown>>
}

/** A child as ACK has left it. */
export function child(which: 'role', options?: ChildOptions): ChildState<RoleArn>
export function child(which: 'policy' | 'association', options?: ChildOptions): ChildState
export function child(which: 'role' | 'policy' | 'association', options: ChildOptions = {}): ChildState {
  const kind: ChildKind = { role: iamRoleKind, policy: policyKind, association: associationKind }[which]
  const parent = claim()
  const { synced = true, metadata, spec } = options
  const arn = 'arn' in options ? options.arn : { role: roleArn, policy: policyArn, association: undefined }[which]
  const conditions = [
    { type: 'ACK.ResourceSynced', status: synced ? 'True' : 'False', lastTransitionTime: longAgo },
    ...(options.message === undefined
      ? []
      : [{ type: options.refused === true ? 'ACK.Terminal' : 'ACK.Recoverable', status: 'True', message: options.message }]),
  ]
  const owner = { apiVersion: api, kind: 'AWSServiceAccountRole', name: 'app1', uid, controller: true, blockOwnerDeletion: true }
  const name = resourceNames(parent)[which]
  const object = {
    apiVersion: `${kind.type.group}/v1alpha1`,
    kind: kind.type.kind,
    metadata: {
      namespace: 'wlc-a',
      name,
      uid: `${which}-uid`,
      resourceVersion: '5',
      creationTimestamp: longAgo,
      labels: { [labels.bindingUid]: uid, [labels.delivery]: 'SelfHostedIRSA' },
      ownerReferences: [owner],
      ...metadata,
    },
    spec: spec ?? {},
    status: { conditions, ...(arn === undefined ? {} : { ackResourceMetadata: { arn } }) },
  }
  const place = { kind, key: { namespace: 'wlc-a', name }, parent: { object: parent, uidLabel: labels.bindingUid } }
  const state = readChild(object, place)
  return which === 'role' ? withRoleArn(state) : state
}

export function annotated(value: string | undefined, exists = true): AnnotationSeen {
  const held = value === undefined ? {} : annotationsOf(value)
  const metadata = { namespace: 'apps', name: 'app1', uid: 'account-uid', resourceVersion: '4', annotations: held }
  const account = exists ? { apiVersion: 'v1', kind: 'ServiceAccount', metadata } : undefined
  return { kind: 'reachable', cluster: 'wlc-a', key: { namespace: 'apps', name: 'app1' }, account }
}

export const away: AnnotationSeen = { kind: 'away', reason: 'RemoteClusterUnavailable', message: 'it is down' }
export const unknown: AnnotationSeen = { kind: 'unknown', message: 'being listed', lookAgainMs: 7_000 }

export const absent: AbsentChild = absentChild

export function seen(change: Partial<RoleSeen> = {}): RoleSeen {
  return {
    claim: claim(),
    siblings: ['wlc-a/app1'],
    operatorConfig,
    config: config(),
    cluster: resolved(),
    resources: { role: child('role'), policy: absent, association: absent, other: absent },
    annotation: annotated(roleArn),
    ...change,
  }
}

/** As the status of a binding that was delivered. */
export function recorded(change: Partial<RoleStatus> = {}): RoleStatus {
  return { deliveryType: 'SelfHostedIRSA', resolvedClusterName: 'wlc-a/wlc-a', roleARN: roleArn, ...change }
}

export function stored(type: string, status: Condition['status'], reason: string): NonNullable<RoleStatus['conditions']>[number] {
  return { type, status, reason, message: '', lastTransitionTime: longAgo, observedGeneration: 1 }
}

function annotationsOf(arn: string): Readonly<Record<string, string>> {
  return {
    'eks.amazonaws.com/role-arn': arn,
    'eks.amazonaws.com/audience': 'sts.amazonaws.com',
    'eks.amazonaws.com/sts-regional-endpoints': 'true',
    'eks.amazonaws.com/token-expiration': '86400',
  }
}
