// Rights as RBAC objects: a ClusterRole for what holds everywhere, a Role for what holds in one namespace, and their bindings.
import type { KubeObject } from '#kube'
import type { Right } from './rights.ts'

export interface RbacOptions {
  readonly name: string
  readonly rights: readonly Right[]
  /** Who gets them. */
  readonly account: { readonly namespace: string; readonly name: string }
  /** What `within` and the name `%runtime%` stand for. */
  readonly namespaces: Readonly<Record<'own' | 'runtime', string>>
  readonly labels: Readonly<Record<string, string>>
}

export type RbacObject = KubeObject & { readonly rules?: readonly PolicyRule[] }

export interface PolicyRule {
  readonly apiGroups: readonly string[]
  readonly resources: readonly string[]
  readonly verbs: readonly string[]
  readonly resourceNames?: readonly string[]
}

export function renderRbac({ name, rights, account, namespaces, labels }: RbacOptions): readonly RbacObject[] {
  const everywhere = rights.filter(({ within }) => within === undefined)
  const objects: RbacObject[] = [
    { apiVersion, kind: 'ClusterRole', metadata: { name, labels }, rules: everywhere.map(right => ruleOf(right, namespaces)) },
    bindingOf('ClusterRole', { name, account, labels }),
  ]
  for (const place of ['own', 'runtime'] as const) {
    const rules = rights.filter(({ within }) => within === place).map(right => ruleOf(right, namespaces))
    if (rules.length === 0) continue
    const namespace = namespaces[place]
    objects.push({ apiVersion, kind: 'Role', metadata: { namespace, name, labels }, rules })
    objects.push(bindingOf('Role', { name, account, labels, namespace }))
  }
  return objects
}

const apiVersion = 'rbac.authorization.k8s.io/v1'

function ruleOf({ group, resource, verbs, names }: Right, namespaces: RbacOptions['namespaces']): PolicyRule {
  const resourceNames = names?.map(name => (name === '%runtime%' ? namespaces.runtime : name))
  return { apiGroups: [group], resources: [resource], verbs, ...(resourceNames === undefined ? {} : { resourceNames }) }
}

function bindingOf(
  kind: 'ClusterRole' | 'Role',
  options: Pick<RbacOptions, 'name' | 'account' | 'labels'> & { readonly namespace?: string },
): RbacObject {
  const { name, account, labels, namespace } = options
  return {
    apiVersion,
    kind: `${kind}Binding`,
    metadata: { ...(namespace === undefined ? {} : { namespace }), name, labels },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind, name },
    subjects: [{ kind: 'ServiceAccount', ...account }],
  } as KubeObject
}
