// What the dns operator may do, and what it gives its operands.
import {
  clusterRoleBindings,
  clusterRoles,
  configMaps,
  customResourceDefinitions,
  deployments,
  type KubeObject,
  pods,
  type Right,
  rightTo as right,
  secrets,
  serviceAccounts,
} from '#kube'
import { roleKind } from '../../identity/api.ts'
import { dnsKind } from '../api/kinds.ts'
import { crdName } from '../api/names.ts'
import { jobs } from '../cleanup/job.ts'
import { credentialsRequests } from '../credentials/request.ts'
import { infrastructures } from '../platform.ts'
import { rulesOfAll, sourceRoleNames, sourceRoles } from '../rbac/source-rules.ts'
import type { DnsSettings } from '../settings.ts'
import { platformDnses, platformDnsName } from '../zones/platform-dns.ts'

export function dnsRights({
  operatorNamespace,
  operandNamespace,
  trustedCaConfigMap,
  bindingNamespaces,
  perInstanceRbac,
}: DnsSettings): readonly Right[] {
  const there = { within: [operandNamespace] }
  const both = { within: [...new Set([operatorNamespace, operandNamespace])] }
  return [
    right(dnsKind.type, ['get', 'list', 'watch', 'patch'], 'what is wanted; patched for its finalizer'),
    right(dnsKind.type, ['patch'], 'what is said of it', 'status'),
    right(dnsKind.type, ['update'], 'what is made for it blocks its deletion', 'finalizers'),
    { ...right(customResourceDefinitions, ['get'], 'in which versions objects are stored'), names: [crdName] },
    { ...right(customResourceDefinitions, ['patch'], 'that none is stored otherwise', 'status'), names: [crdName] },
    right(credentialsRequests, ['get', 'list', 'watch', 'create', 'update'], 'how OpenShift is asked for credentials'),
    right(infrastructures, ['get'], 'which platform OpenShift runs on'),
    {
      ...right(platformDnses, ['list', 'watch'], 'which zones OpenShift says are its own'),
      names: [platformDnsName],
    },
    right(roleKind.type, ['get', 'list', 'watch'], 'the bindings that objects name'),
    {
      ...right(roleKind.type, ['create', 'patch'], 'the bindings that objects ask for'),
      within: bindingNamespaces,
    },
    { ...right(secrets, ['get', 'list', 'watch'], 'the credentials that objects name, and their copies'), ...both },
    { ...right(secrets, ['create', 'update'], 'the copies that operands mount'), ...there },
    { ...right(serviceAccounts, ['get', 'list', 'watch', 'create', 'patch'], 'the accounts of operands'), ...there },
    { ...right(deployments, ['get', 'list', 'watch', 'create', 'update'], 'the operands'), ...there },
    { ...right(jobs, ['get', 'list', 'watch', 'create'], 'the last run of an operand whose records are to go'), ...there },
    { ...right(deployments, ['delete'], 'no operand writes beside its last run'), ...there },
    { ...right(pods, ['list', 'watch'], 'how operands fare'), ...there },
    { ...right(pods, ['get'], 'what operands say', 'log'), ...there },
    { ...right(serviceAccounts, ['create'], 'to try credentials as the operand', 'token'), ...there },
    ...(trustedCaConfigMap === ''
      ? []
      : [
          { ...right(configMaps, ['get', 'list', 'watch'], 'the bundle of authorities'), ...both },
          { ...right(configMaps, ['create', 'update'], 'its copy, which operands mount'), ...there },
        ]),
    ...(perInstanceRbac ? rightsToGive : []),
    { group: '', resource: 'events', verbs: ['get', 'create', 'patch'], why: 'events, and their counts' },
  ]
}

/** Of roles that the manifests bring, and of no others. */
const rightsToGive: readonly Right[] = [
  right(clusterRoleBindings, ['get', 'list', 'watch', 'create', 'update', 'delete'], 'the rights of each operand'),
  { ...right(clusterRoles, ['bind'], 'which roles it may give'), names: sourceRoleNames },
]

const rbac = 'rbac.authorization.k8s.io'

/** What ExternalDNS reads: for all accounts of its namespace, as the existing operator gives it, or a role for each source. */
export function operandRbac(
  { operandNamespace, perInstanceRbac }: DnsSettings,
  labels: Readonly<Record<string, string>>,
): readonly KubeObject[] {
  if (perInstanceRbac) return sourceRoles(labels)
  const rules = rulesOfAll
  const metadata = { name: 'external-dns', labels }
  const roleRef = { apiGroup: rbac, kind: 'ClusterRole', name: 'external-dns' }
  const subjects = [{ apiGroup: rbac, kind: 'Group', name: `system:serviceaccounts:${operandNamespace}` }]
  const role = { apiVersion: `${rbac}/v1`, kind: 'ClusterRole', metadata, rules }
  const binding = { apiVersion: `${rbac}/v1`, kind: 'ClusterRoleBinding', metadata, roleRef, subjects }
  return [role, binding]
}

/** For people who write ExternalDNS objects, and for those who read them. */
export function peopleRoles(labels: Readonly<Record<string, string>>): readonly KubeObject[] {
  const { group: apiGroup, plural } = dnsKind.type
  const role = (name: string, verbs: readonly string[]): KubeObject => {
    const rules = [
      { apiGroups: [apiGroup], resources: [plural], verbs },
      { apiGroups: [apiGroup], resources: [`${plural}/status`], verbs: ['get'] },
    ]
    const made = { apiVersion: `${rbac}/v1`, kind: 'ClusterRole', metadata: { name, labels }, rules }
    return made
  }
  const reading = ['get', 'list', 'watch']
  return [
    role('externaldns-viewer-role', reading),
    role('externaldns-editor-role', ['create', 'delete', ...reading, 'patch', 'update']),
  ]
}
