// Who may do what on the API server. A process with one operator works as one ServiceAccount. Where several share a process, each operator
// has an account of its own with its own rights, and that of the process may only ask for tokens of those, hold leases, and ask who reads
// the metrics: what one operator may do, no other can.
import { given } from '#base'
import { type KubeObject, mergeRights, type Right, renderRbac } from '#kube'
import { authorityRights } from './certificates.ts'
import { accountOf, accountOfOperator, fullnameOf, type Install, metadataOf, namespaceOf } from './install.ts'

/** An account, and what it may do. */
export interface AccountRights {
  readonly account: string
  readonly rights: readonly Right[]
}

/** Of every account of a process; the process's own comes first. */
export function accountsOf(install: Install): readonly AccountRights[] {
  const account = accountOf(install)
  const [only, ...more] = install.operators
  if (only !== undefined && more.length === 0)
    return [{ account, rights: mergeRights([...only.needs.rights.cluster, ...processRights(install)]) }]
  const accounts = install.operators.map(({ name, needs }) => ({
    account: accountOfOperator(install, name),
    rights: mergeRights(needs.rights.cluster),
  }))
  const names = accounts.map(each => each.account)
  return [{ account, rights: [...processRights(install), tokenRight(namespaceOf(install), names)] }, ...accounts]
}

/** What every process needs, whatever runs in it. */
export function processRights(install: Install): readonly Right[] {
  const { leaderElection } = install.values.operator
  const leases = install.operators.map(({ lease }) => lease)
  return [
    ...(leaderElection.enabled
      ? leaseRights(leaderElection.namespace || namespaceOf(install), leases, leaderElection.shards)
      : []),
    ...authorityRights(install),
    { group: 'authentication.k8s.io', resource: 'tokenreviews', verbs: ['create'], why: 'who asks for metrics' },
    { group: 'authorization.k8s.io', resource: 'subjectaccessreviews', verbs: ['create'], why: 'whether they may have them' },
  ]
}

function leaseRights(namespace: string, names: readonly string[], shards: number): readonly Right[] {
  const lease = { group: 'coordination.k8s.io', resource: 'leases', within: [namespace] }
  if (shards > 0) {
    const verbs = ['create', 'get', 'list', 'watch', 'update', 'delete'] as const
    return [{ ...lease, verbs, why: 'the leases of shards and of the replicas that share them, whose names nobody knows before' }]
  }
  return [
    { ...lease, verbs: ['create'], why: 'the leases of the leaders, which have no name before they are there' },
    { ...lease, verbs: ['get', 'list', 'watch', 'update'], names, why: 'the leases of the leaders' },
  ]
}

function tokenRight(namespace: string, names: readonly string[]): Right {
  const why = 'to work as each operator, with the rights of that one'
  return { group: '', resource: 'serviceaccounts/token', verbs: ['create'], names, within: [namespace], why }
}

/** Accounts, roles and bindings. */
export function accessObjects(install: Install): readonly KubeObject[] {
  return accountsOf(install).flatMap(({ account, rights }, index) => {
    const name = index === 0 ? fullnameOf(install) : account
    return [...serviceAccount(install, account, index === 0), ...rbacObjects(install, { name, account, rights, index })]
  })
}

function serviceAccount(install: Install, name: string, isOfProcess: boolean): readonly KubeObject[] {
  const { create, labels, annotations } = install.values.serviceAccount
  if (isOfProcess && !create) return []
  const own = isOfProcess ? { labels, annotations } : {}
  const metadata = metadataOf(install, name, { namespace: namespaceOf(install), ...own })
  return [{ apiVersion: 'v1', kind: 'ServiceAccount', metadata } as KubeObject]
}

interface Bound extends AccountRights {
  readonly name: string
  readonly index: number
}

function rbacObjects(install: Install, { name, account, rights, index }: Bound): readonly KubeObject[] {
  const { annotations, extraRules } = install.values.rbac
  const { labels, annotations: all } = metadataOf(install, name, { annotations })
  const objects = renderRbac({ name, rights, account: { namespace: namespaceOf(install), name: account }, labels })
  return objects.map(object => ({
    ...object,
    metadata: { ...object.metadata, ...given({ annotations: all }) },
    ...(index === 0 && object.kind === 'ClusterRole' ? { rules: [...(object.rules ?? []), ...extraRules] } : {}),
  }))
}

/** The ClusterRole that may read the metrics; a person binds it to whoever scrapes them. */
export function metricsReader(install: Install): KubeObject {
  const rules = [{ nonResourceURLs: ['/metrics'], verbs: ['get'] }]
  const metadata = metadataOf(install, `${fullnameOf(install)}-metrics-reader`)
  return { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata, rules } as KubeObject
}
