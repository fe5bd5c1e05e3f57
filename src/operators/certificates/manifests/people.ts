// What people may do with Certs. Kubernetes adds these roles to its own: whoever may read or change a namespace may do so with its Certs.
// Who may ask for what is no business of those who ask: policies are read by them, and changed by administrators of the cluster.
import type { KubeObject } from '#kube'
import type { InstallPlace } from '#runtime'
import { certKind } from '../api/kinds.ts'
import { certPolicyKind } from '../api/policy.ts'

const rbac = 'rbac.authorization.k8s.io'
const reading = ['get', 'list', 'watch']
const changing = ['create', 'update', 'patch', 'delete', 'deletecollection']

export function peopleRoles(place: Pick<InstallPlace, 'name' | 'labels'>, hasPolicies: boolean): readonly KubeObject[] {
  const { group, plural } = certKind.type
  const certs = { apiGroups: [group], resources: [plural] }
  const statuses = { apiGroups: [group], resources: [`${plural}/status`], verbs: ['get'] }
  const policies = { apiGroups: [group], resources: [certPolicyKind.type.plural], verbs: reading }
  return [
    role(place, 'view', [{ ...certs, verbs: reading }, statuses, ...(hasPolicies ? [policies] : [])]),
    role(place, 'edit', [{ ...certs, verbs: changing }]),
  ]
}

/** `edit` has all of `view` besides. */
function role(
  { name, labels }: Pick<InstallPlace, 'name' | 'labels'>,
  to: 'view' | 'edit',
  rules: readonly object[],
): KubeObject {
  const metadata = { name: `${name}-certs-${to}`, labels: { ...labels, [`${rbac}/aggregate-to-${to}`]: 'true' } }
  const made = { apiVersion: `${rbac}/v1`, kind: 'ClusterRole', metadata, rules }
  return made
}
