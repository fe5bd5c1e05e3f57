// What the webhook may do, and no more: a test compares it with what it does.
import type { KubeObject, PolicyRule } from '#kube'
import { configMapName } from '../sources/config-map.ts'
import { clusterWide, namespaced, secretNameOf } from './names.ts'
import type { ManifestOptions } from './options.ts'

/** `get` is for direct reads of what the cache does not know yet. */
export const accountsRule: PolicyRule = { apiGroups: [''], resources: ['serviceaccounts'], verbs: ['get', 'list', 'watch'] }

/** `more`: for what else runs in the same process. */
export function accessObjects(
  options: ManifestOptions,
  more: { readonly cluster: readonly PolicyRule[]; readonly namespaced: readonly PolicyRule[] } = { cluster: [], namespaced: [] },
): readonly KubeObject[] {
  const { namespace, name } = options
  const own = [...namespacedRules(options), ...more.namespaced]
  const subjects = [{ kind: 'ServiceAccount', name, namespace }]
  const roleRef = (kind: string) => ({ apiGroup: 'rbac.authorization.k8s.io', kind, name })
  const rbac = (kind: string, fields: object): KubeObject => {
    const metadata = kind.startsWith('Cluster') ? clusterWide(options) : namespaced(options)
    return { apiVersion: 'rbac.authorization.k8s.io/v1', kind, metadata, ...fields } as KubeObject
  }
  return [
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: namespaced(options) },
    rbac('ClusterRole', { rules: [...clusterRules(options), ...more.cluster] }),
    rbac('ClusterRoleBinding', { subjects, roleRef: roleRef('ClusterRole') }),
    ...(own.length === 0 ? [] : [rbac('Role', { rules: own }), rbac('RoleBinding', { subjects, roleRef: roleRef('Role') })]),
  ]
}

function clusterRules({ name, certificate }: ManifestOptions): readonly PolicyRule[] {
  if (certificate.kind === 'own') return [accountsRule, trustRule(name)]
  if (certificate.kind !== 'cluster') return [accountsRule]
  return [
    accountsRule,
    { apiGroups: ['certificates.k8s.io'], resources: ['certificatesigningrequests'], verbs: ['create', 'get'] },
  ]
}

/** Whom the API server trusts, in the one configuration. */
function trustRule(name: string): PolicyRule {
  const verbs = ['get', 'list', 'watch', 'patch']
  return {
    apiGroups: ['admissionregistration.k8s.io'],
    resources: ['mutatingwebhookconfigurations'],
    verbs,
    resourceNames: [name],
  }
}

/** Lists and watches of one name are granted by that name: the webhook selects it by its field. */
function namespacedRules(options: ManifestOptions): readonly PolicyRule[] {
  const { certificate, watchConfigMap } = options
  return [
    ...(watchConfigMap
      ? [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list', 'watch'], resourceNames: [configMapName] }]
      : []),
    ...(certificate.kind === 'own'
      ? [
          {
            apiGroups: [''],
            resources: ['secrets'],
            verbs: ['get', 'list', 'watch', 'update'],
            resourceNames: [secretNameOf(options)],
          },
        ]
      : []),
    ...(certificate.kind === 'cluster'
      ? [
          { apiGroups: [''], resources: ['secrets'], verbs: ['create'] },
          { apiGroups: [''], resources: ['secrets'], verbs: ['get', 'update'], resourceNames: [secretNameOf(options)] },
        ]
      : []),
  ]
}
