// What the operator may do, on the hub and on each target: the one list from which manifests are rendered, and that tests hold against
// what it really does, in both directions (X10). No wildcards; where an object's name is known, the right is for that name.
import {
  clusterRoleBindings,
  clusterRoles,
  deployments,
  mutatingWebhookConfigurations,
  namespaces,
  type ResourceType,
  secrets,
  serviceAccounts,
  services,
} from '#kube'
import { configKind, operatorConfigKind, roleKind } from '../api/kinds.ts'
import { operatorName } from '../api/labels.ts'
import { associationKind, bucketKind, roleKind as iamRoleKind, policyKind, providerKind } from '../children/kinds.ts'
import { clusterProfileKind } from '../inventory/cluster-profile.ts'
import { caSecretName, runtimeName } from '../target/kinds.ts'

export type Verb = 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete'

export interface Right {
  readonly group: string
  /** Plural, with its subresource. */
  readonly resource: string
  readonly verbs: readonly Verb[]
  /** Only these objects. */
  readonly names?: readonly string[]
  /** Only in one namespace: `own` is where the operator runs, `runtime` where the webhook of a target lives. Everywhere when absent. */
  readonly within?: 'own' | 'runtime'
  /** For people. */
  readonly why: string
}

const follow: readonly Verb[] = ['list', 'watch']

/** For the hub. */
export function hubRights(): readonly Right[] {
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
    right(roleKind.type, ['update'], 'children that block the deletion of their role', 'finalizers'),
    right(operatorConfigKind.type, follow, 'the settings of the platform'),
    right(clusterProfileKind.type, follow, 'the inventory'),
    ...[bucketKind, providerKind, iamRoleKind, policyKind, associationKind].map(({ type }) =>
      right(type, ['get', ...follow, 'create', 'patch', 'delete'], 'children: AWS resources as objects'),
    ),
    right(secrets, ['get', ...follow, 'create', 'update', 'delete'], 'the signing key of a self-hosted issuer'),
    {
      group: 'apiextensions.k8s.io',
      resource: 'customresourcedefinitions',
      verbs: follow,
      why: 'whether the kinds of the children are there by now',
    },
    { group: '', resource: 'events', verbs: ['get', 'create', 'patch'], why: 'events, and their counts' },
    {
      group: 'coordination.k8s.io',
      resource: 'leases',
      verbs: ['create'],
      within: 'own',
      why: 'the lease of the leader, which has no name before it is there',
    },
    {
      group: 'coordination.k8s.io',
      resource: 'leases',
      verbs: ['get', 'list', 'watch', 'update'],
      names: [operatorName],
      within: 'own',
      why: 'the lease of the leader',
    },
    { group: 'authentication.k8s.io', resource: 'tokenreviews', verbs: ['create'], why: 'who asks for metrics' },
    { group: 'authorization.k8s.io', resource: 'subjectaccessreviews', verbs: ['create'], why: 'whether they may have them' },
  ]
}

/** For the account of the operator on a target. */
export function targetRights(): readonly Right[] {
  const one = { names: [runtimeName] }
  const runtime = { within: 'runtime' } as const
  return [
    right(serviceAccounts, ['get', ...follow, 'patch'], 'annotations; get because the webhook gets the same right from us'),
    right(namespaces, ['get', ...follow], 'which cluster it is, and whether the namespace of the runtime is there'),
    { ...right(namespaces, ['update'], 'labels of the namespace, where it was given to us'), names: ['%runtime%'] },
    right(secrets, follow, 'the certificates, by label'),
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
      ...runtime,
    })),
    {
      ...right(secrets, ['get', 'update', 'delete'], 'the certificates'),
      ...runtime,
      names: [runtimeName, caSecretName],
    },
    { ...right(serviceAccounts, ['delete'], 'the account of the webhook'), ...one, ...runtime },
    {
      ...right(serviceAccounts, ['create'], 'with which key the cluster signs, while a key is replaced', 'token'),
      ...one,
      ...runtime,
    },
    ...[services, deployments].map(type => ({
      ...right(type, ['get', 'update', 'delete'], 'the runtime'),
      ...one,
      ...runtime,
    })),
  ]
}

function right({ group, plural }: ResourceType, verbs: readonly Verb[], why: string, subresource?: string): Right {
  return { group, resource: subresource === undefined ? plural : `${plural}/${subresource}`, verbs, why }
}
