// The rights of one operand: a binding of its own ServiceAccount to the role of its source, where operands are kept apart.
import { clusterRoleBindings, controllerOf, type KubeObject, type StoredObject } from '#kube'
import { type Action, isEqualJson } from '#runtime'
import { operandName } from '../api/names.ts'
import { ownerOf } from '../operand/deployment.ts'
import { sourceRoleName } from './source-rules.ts'

export type SourceBinding = KubeObject & {
  readonly roleRef?: { readonly apiGroup: string; readonly kind: string; readonly name: string }
  readonly subjects?: readonly object[]
}

export interface SourceBindingWish {
  readonly name: string
  readonly uid: string
  readonly operandNamespace: string
  readonly source: string
}

/** By which its own bindings are found among all of the cluster. */
export const bindingSelector = 'app.kubernetes.io/name=external-dns'

const apiGroup = 'rbac.authorization.k8s.io'

export function wantedSourceBinding({ name, uid, operandNamespace, source }: SourceBindingWish): SourceBinding {
  const labels = { 'app.kubernetes.io/name': 'external-dns', 'app.kubernetes.io/instance': name }
  return {
    apiVersion: `${apiGroup}/v1`,
    kind: 'ClusterRoleBinding',
    metadata: { name: operandName(name), labels, ownerReferences: [ownerOf({ name, uid })] },
    roleRef: { apiGroup, kind: 'ClusterRole', name: sourceRoleName(source) },
    subjects: [{ kind: 'ServiceAccount', namespace: operandNamespace, name: operandName(name) }],
  }
}

/** Another role needs another binding: the role of one can never change. */
export function sourceBindingActions(
  held: (SourceBinding & StoredObject) | undefined,
  wish: SourceBindingWish,
): readonly Action[] {
  const wanted = wantedSourceBinding(wish)
  const create: Action = { kind: 'create', type: clusterRoleBindings, object: wanted }
  if (held === undefined) return [create]
  if (controllerOf(held)?.uid !== wish.uid) return []
  if (!isEqualJson(held.roleRef, wanted.roleRef)) return [{ kind: 'delete', type: clusterRoleBindings, object: held }, create]
  if (isEqualJson(held.subjects, wanted.subjects)) return []
  return [{ kind: 'update', type: clusterRoleBindings, object: { ...held, subjects: wanted.subjects ?? [] } as StoredObject }]
}
