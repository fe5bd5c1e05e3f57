// What the operator may do, on the hub and on each target: the one list from which manifests are rendered, and that tests hold against
// what it really does, in both directions (X10). No wildcards; where an object's name is known, the right is for that name.

import { given } from '#base'
import { clusterProfileKind, placementDecisionKind, placementKind } from '#fleet'
import {
  clusterRoleBindings,
  clusterRoles,
  customResourceDefinitions,
  deployments,
  mutatingWebhookConfigurations,
  namespaces,
  type Right,
  rightTo as right,
  secrets,
  serviceAccounts,
  services,
  type Verb,
} from '#kube'
import { configKind, operatorConfigKind, replicaSetKind, roleKind } from '../api/kinds.ts'
import { singletonName } from '../api/labels.ts'
import { associationKind, bucketKind, roleKind as iamRoleKind, policyKind, providerKind } from '../children/kinds.ts'
import { signingSecretName } from '../names.ts'
import { caSecretName, runtimeName } from '../target/kinds.ts'

export interface HubRightsOptions {
  /** How AWS resources are made. */
  readonly awsWriter: 'children' | 'direct'
  /** Where ClusterProfiles are; absent for all namespaces. */
  readonly profileNamespaces?: readonly string[] | undefined
}

const follow: readonly Verb[] = ['list', 'watch']
const childKinds = [bucketKind, providerKind, iamRoleKind, policyKind, associationKind]

/** For the hub, beside what every process of ours needs. */
export function hubRights({ awsWriter, profileNamespaces }: HubRightsOptions): readonly Right[] {
  const profiles = right(clusterProfileKind.type, follow, 'the inventory')
  return [
    right(
      configKind.type,
      ['get', ...follow, 'patch'],
      'configs; patched for their finalizer, read afresh before anything is destroyed',
    ),
    right(configKind.type, ['patch'], 'what is said of a config', 'status'),
    right(configKind.type, ['update'], 'children that block the deletion of their config', 'finalizers'),
    right(
      roleKind.type,
      ['get', ...follow, 'patch'],
      'roles; patched for their finalizer, read afresh before anything is destroyed',
    ),
    right(roleKind.type, ['patch'], 'what is said of a role', 'status'),
    right(roleKind.type, ['create', 'delete'], 'the Roles of a ReplicaSet'),
    right(replicaSetKind.type, ['get', ...follow, 'patch'], 'ReplicaSets; patched for their finalizer'),
    right(replicaSetKind.type, ['patch'], 'what is said of a ReplicaSet', 'status'),
    right(placementKind.type, ['get', ...follow], 'which clusters a ReplicaSet means; read afresh before a Role is taken away'),
    right(placementDecisionKind.type, follow, 'which clusters were chosen'),
    right(namespaces, follow, 'which clusters have a namespace'),
    right(operatorConfigKind.type, follow, 'the settings of the platform'),
    { ...profiles, ...given({ within: profileNamespaces }) },
    ...(awsWriter === 'children' ? childRights() : leftOverRights()),
    right(secrets, ['create'], 'the signing key of a self-hosted issuer, which has no name for RBAC before it is there'),
    {
      ...right(secrets, ['get', ...follow, 'update', 'delete'], 'the signing key of a self-hosted issuer'),
      names: [signingSecretName(singletonName)],
    },
    { group: '', resource: 'events', verbs: ['get', 'create', 'patch'], why: 'events, and their counts' },
  ]
}

function childRights(): readonly Right[] {
  return [
    right(roleKind.type, ['update'], 'children that block the deletion of their role', 'finalizers'),
    ...childKinds.map(({ type }) =>
      right(type, ['get', ...follow, 'create', 'patch', 'delete'], 'children: AWS resources as objects'),
    ),
    right(customResourceDefinitions, follow, 'whether the kinds of the children are there by now'),
  ]
}

/** Without children of our own: whether any of an earlier time are there still, which would go on describing the same to ACK. */
function leftOverRights(): readonly Right[] {
  return childKinds.map(({ type }) => right(type, follow, 'children that the other way of writing left behind'))
}

/** For the account of the operator on a target, in whose namespace `runtime` the webhook is. */
export function targetRights(runtime: string): readonly Right[] {
  const one = { names: [runtimeName] }
  const there = { within: [runtime] }
  return [
    right(serviceAccounts, ['get', ...follow, 'patch'], 'annotations; get because the webhook gets the same right from us'),
    right(namespaces, ['get', ...follow], 'which cluster it is, and whether the namespace of the runtime is there'),
    { ...right(namespaces, ['update'], 'labels of the namespace, where it was given to us'), names: [runtime] },
    { ...right(secrets, follow, 'the certificates'), names: [runtimeName, caSecretName] },
    right(services, follow, 'the service of the webhook, by label'),
    right(deployments, follow, 'the webhook, by label'),
    right(clusterRoles, [...follow, 'create'], 'the rights of the webhook'),
    { ...right(clusterRoles, ['get', 'update', 'delete'], 'the rights of the webhook'), ...one },
    right(clusterRoleBindings, [...follow, 'create'], 'the rights of the webhook'),
    { ...right(clusterRoleBindings, ['get', 'update', 'delete'], 'the rights of the webhook'), ...one },
    right(mutatingWebhookConfigurations, [...follow, 'create'], 'which pods the webhook sees'),
    { ...right(mutatingWebhookConfigurations, ['get', 'update', 'delete'], 'which pods the webhook sees'), ...one },
    ...[secrets, serviceAccounts, services, deployments].map(type => ({
      ...right(type, ['create'], 'the runtime'),
      ...there,
    })),
    {
      ...right(secrets, ['get', 'update', 'delete'], 'the certificates'),
      ...there,
      names: [runtimeName, caSecretName],
    },
    { ...right(serviceAccounts, ['delete'], 'the account of the webhook'), ...one, ...there },
    {
      ...right(serviceAccounts, ['create'], 'with which key the cluster signs, while a key is replaced', 'token'),
      ...one,
      ...there,
    },
    ...[services, deployments].map(type => ({
      ...right(type, ['get', 'update', 'delete'], 'the runtime'),
      ...one,
      ...there,
    })),
  ]
}
