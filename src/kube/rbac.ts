// Rights as data, and as RBAC objects: a ClusterRole for what holds everywhere, a Role for each namespace in which more holds, and their
// bindings. A program states once what it may do; its manifests are rendered from that, and tests hold it against what it really asks.
import { given } from '#base'
import type { KubeObject, ResourceType } from './objects.ts'

export type Verb = 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete' | 'bind'

export interface Right {
  readonly group: string
  /** Plural, with its subresource. */
  readonly resource: string
  readonly verbs: readonly Verb[]
  /** Only these objects. */
  readonly names?: readonly string[]
  /** Only in these namespaces. Everywhere when absent. */
  readonly within?: readonly string[]
  /** For people. */
  readonly why: string
}

export interface RbacOptions {
  readonly name: string
  readonly rights: readonly Right[]
  /** Who gets them. */
  readonly account: { readonly namespace: string; readonly name: string }
  readonly labels: Readonly<Record<string, string>>
}

export type RbacObject = KubeObject & { readonly rules?: readonly PolicyRule[] }

export interface PolicyRule {
  readonly apiGroups: readonly string[]
  readonly resources: readonly string[]
  readonly verbs: readonly string[]
  readonly resourceNames?: readonly string[]
}

export function rightTo(
  { group, plural }: Pick<ResourceType, 'group' | 'plural'>,
  verbs: readonly Verb[],
  why: string,
  subresource?: string,
): Right {
  return { group, resource: subresource === undefined ? plural : `${plural}/${subresource}`, verbs, why }
}

export function renderRbac({ name, rights, account, labels }: RbacOptions): readonly RbacObject[] {
  const everywhere = rights.filter(({ within }) => within === undefined)
  const objects: RbacObject[] = [
    { apiVersion, kind: 'ClusterRole', metadata: { name, labels }, rules: everywhere.map(ruleOf) },
    bindingOf('ClusterRole', { name, account, labels }),
  ]
  for (const namespace of new Set(rights.flatMap(({ within = [] }) => within))) {
    const rules = rights.filter(({ within }) => within?.includes(namespace) === true).map(ruleOf)
    objects.push({ apiVersion, kind: 'Role', metadata: { namespace, name, labels }, rules })
    objects.push(bindingOf('Role', { name, account, labels, namespace }))
  }
  return objects
}

/** The rights with each given once: what two programs in one process need together. */
export function mergeRights(rights: readonly Right[]): readonly Right[] {
  const merged: Right[] = []
  for (const right of rights) {
    const at = merged.findIndex(other => isSamePlace(other, right))
    const same = merged[at]
    if (same === undefined) merged.push(right)
    else merged[at] = { ...same, verbs: [...new Set([...same.verbs, ...right.verbs])], why: joined(same.why, right.why) }
  }
  return merged
    .map(right => ({ ...right, verbs: right.verbs.filter(verb => !merged.some(other => isWider(other, right, verb))) }))
    .filter(({ verbs }) => verbs.length > 0)
}

const apiVersion = 'rbac.authorization.k8s.io/v1'

function isSamePlace(a: Right, b: Right): boolean {
  const place = ({ group, resource, names, within }: Right): string => JSON.stringify([group, resource, names, within])
  return place(a) === place(b)
}

/** Whether `other` gives the verb wherever and on whatever `right` does, and more. */
function isWider(other: Right, right: Right, verb: Verb): boolean {
  if (other === right || other.group !== right.group || other.resource !== right.resource || isSamePlace(other, right))
    return false
  return other.verbs.includes(verb) && holds(other.names, right.names) && holds(other.within, right.within)
}

function holds(wide: readonly string[] | undefined, narrow: readonly string[] | undefined): boolean {
  return wide === undefined || (narrow !== undefined && narrow.every(one => wide.includes(one)))
}

function joined(a: string, b: string): string {
  return a.includes(b) ? a : `${a}; ${b}`
}

function ruleOf({ group, resource, verbs, names }: Right): PolicyRule {
  return {
    apiGroups: [group],
    resources: [resource],
    verbs,
    ...given({ resourceNames: names }),
  }
}

function bindingOf(
  kind: 'ClusterRole' | 'Role',
  options: Pick<RbacOptions, 'name' | 'account' | 'labels'> & { readonly namespace?: string },
): RbacObject {
  const { name, account, labels, namespace } = options
  return {
    apiVersion,
    kind: `${kind}Binding`,
    metadata: { ...given({ namespace }), name, labels },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind, name },
    subjects: [{ kind: 'ServiceAccount', ...account }],
  } as KubeObject
}
