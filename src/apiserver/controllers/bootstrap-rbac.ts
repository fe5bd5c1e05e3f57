// The roles and bindings that every cluster begins with. Same names and the same reach as a real server's; the long lists of the
// roles of kube-controller-manager's own loops are left out, because ours run as the master.

import type { RbacRule } from '../auth/rules.ts'
import type { Draft } from '../draft.ts'

const readVerbs = ['get', 'list', 'watch']
const writeVerbs = ['create', 'delete', 'deletecollection', 'patch', 'update']

interface RoleRow {
  readonly name: string
  readonly rules?: readonly RbacRule[]
  readonly labels?: Readonly<Record<string, string>>
  /** Gathers the rules of roles that carry this label. */
  readonly aggregates?: string
}

const aggregate = (to: string): Record<string, string> => ({ [`rbac.authorization.k8s.io/aggregate-to-${to}`]: 'true' })

const core = [
  'configmaps',
  'endpoints',
  'persistentvolumeclaims',
  'persistentvolumeclaims/status',
  'pods',
  'replicationcontrollers',
  'replicationcontrollers/scale',
  'serviceaccounts',
  'services',
  'services/status',
]
const apps = [
  'daemonsets',
  'deployments',
  'deployments/scale',
  'replicasets',
  'replicasets/scale',
  'statefulsets',
  'statefulsets/scale',
]

const viewRules: readonly RbacRule[] = [
  { apiGroups: [''], resources: core, verbs: readVerbs },
  {
    apiGroups: [''],
    resources: [
      'bindings',
      'events',
      'limitranges',
      'namespaces/status',
      'pods/log',
      'pods/status',
      'replicationcontrollers/status',
      'resourcequotas',
      'resourcequotas/status',
      'namespaces',
    ],
    verbs: readVerbs,
  },
  { apiGroups: ['discovery.k8s.io'], resources: ['endpointslices'], verbs: readVerbs },
  {
    apiGroups: ['apps'],
    resources: [
      ...apps,
      'controllerrevisions',
      'daemonsets/status',
      'deployments/status',
      'replicasets/status',
      'statefulsets/status',
    ],
    verbs: readVerbs,
  },
  { apiGroups: ['batch'], resources: ['cronjobs', 'cronjobs/status', 'jobs', 'jobs/status'], verbs: readVerbs },
  { apiGroups: ['policy'], resources: ['poddisruptionbudgets', 'poddisruptionbudgets/status'], verbs: readVerbs },
  { apiGroups: ['networking.k8s.io'], resources: ['ingresses', 'ingresses/status', 'networkpolicies'], verbs: readVerbs },
]

const editRules: readonly RbacRule[] = [
  {
    apiGroups: [''],
    resources: ['secrets', 'pods/attach', 'pods/exec', 'pods/portforward', 'pods/proxy', 'services/proxy'],
    verbs: readVerbs,
  },
  { apiGroups: [''], resources: ['serviceaccounts'], verbs: ['impersonate'] },
  { apiGroups: [''], resources: ['pods', 'pods/attach', 'pods/exec', 'pods/portforward', 'pods/proxy'], verbs: writeVerbs },
  { apiGroups: [''], resources: ['pods/eviction', 'serviceaccounts/token'], verbs: ['create'] },
  {
    apiGroups: [''],
    resources: [
      'configmaps',
      'endpoints',
      'events',
      'persistentvolumeclaims',
      'replicationcontrollers',
      'replicationcontrollers/scale',
      'secrets',
      'serviceaccounts',
      'services',
      'services/proxy',
    ],
    verbs: writeVerbs,
  },
  { apiGroups: ['apps'], resources: [...apps, 'deployments/rollback'], verbs: writeVerbs },
  { apiGroups: ['batch'], resources: ['cronjobs', 'jobs'], verbs: writeVerbs },
  { apiGroups: ['policy'], resources: ['poddisruptionbudgets'], verbs: writeVerbs },
  { apiGroups: ['networking.k8s.io'], resources: ['ingresses', 'networkpolicies'], verbs: writeVerbs },
  { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: [...writeVerbs, ...readVerbs] },
]

const adminRules: readonly RbacRule[] = [
  { apiGroups: ['authorization.k8s.io'], resources: ['localsubjectaccessreviews'], verbs: ['create'] },
  { apiGroups: ['rbac.authorization.k8s.io'], resources: ['rolebindings', 'roles'], verbs: [...writeVerbs, ...readVerbs] },
]

const discoveryPaths = [
  '/api',
  '/api/*',
  '/apis',
  '/apis/*',
  '/healthz',
  '/livez',
  '/openapi',
  '/openapi/*',
  '/readyz',
  '/version',
  '/version/',
]
const publicPaths = ['/healthz', '/livez', '/readyz', '/version', '/version/']

const roles: readonly RoleRow[] = [
  {
    name: 'cluster-admin',
    rules: [
      { apiGroups: ['*'], resources: ['*'], verbs: ['*'] },
      { nonResourceURLs: ['*'], verbs: ['*'] },
    ],
  },
  { name: 'admin', aggregates: 'admin' },
  { name: 'edit', aggregates: 'edit', labels: aggregate('admin') },
  { name: 'view', aggregates: 'view', labels: aggregate('edit') },
  { name: 'system:aggregate-to-admin', rules: adminRules, labels: aggregate('admin') },
  { name: 'system:aggregate-to-edit', rules: editRules, labels: aggregate('edit') },
  { name: 'system:aggregate-to-view', rules: viewRules, labels: aggregate('view') },
  {
    name: 'system:basic-user',
    rules: [
      {
        apiGroups: ['authorization.k8s.io'],
        resources: ['selfsubjectaccessreviews', 'selfsubjectrulesreviews'],
        verbs: ['create'],
      },
      { apiGroups: ['authentication.k8s.io'], resources: ['selfsubjectreviews'], verbs: ['create'] },
    ],
  },
  { name: 'system:discovery', rules: [{ nonResourceURLs: discoveryPaths, verbs: ['get'] }] },
  { name: 'system:public-info-viewer', rules: [{ nonResourceURLs: publicPaths, verbs: ['get'] }] },
  {
    name: 'system:auth-delegator',
    rules: [
      { apiGroups: ['authentication.k8s.io'], resources: ['tokenreviews'], verbs: ['create'] },
      { apiGroups: ['authorization.k8s.io'], resources: ['subjectaccessreviews'], verbs: ['create'] },
    ],
  },
  {
    name: 'system:service-account-issuer-discovery',
    rules: [
      {
        nonResourceURLs: [
          '/.well-known/openid-configuration',
          '/.well-known/openid-configuration/',
          '/openid/v1/jwks',
          '/openid/v1/jwks/',
        ],
        verbs: ['get'],
      },
    ],
  },
]

const bindings: readonly { readonly name: string; readonly groups: readonly string[] }[] = [
  { name: 'cluster-admin', groups: ['system:masters'] },
  { name: 'system:basic-user', groups: ['system:authenticated'] },
  { name: 'system:discovery', groups: ['system:authenticated'] },
  { name: 'system:public-info-viewer', groups: ['system:authenticated', 'system:unauthenticated'] },
  { name: 'system:service-account-issuer-discovery', groups: ['system:serviceaccounts'] },
]

const group = 'rbac.authorization.k8s.io'

/** Fresh drafts on each call. */
export function bootstrapRbac(): Draft[] {
  return [...roles.map(renderRole), ...bindings.map(renderBinding)]
}

function metadata(name: string, labels: Readonly<Record<string, string>> = {}): Draft['metadata'] {
  return {
    name,
    labels: { 'kubernetes.io/bootstrapping': 'rbac-defaults', ...labels },
    annotations: { 'rbac.authorization.kubernetes.io/autoupdate': 'true' },
  }
}

function renderRole({ name, rules = [], labels, aggregates }: RoleRow): Draft {
  const base = { kind: 'ClusterRole', apiVersion: `${group}/v1`, metadata: metadata(name, labels) }
  if (aggregates === undefined) return { ...base, rules }
  const clusterRoleSelectors = [{ matchLabels: aggregate(aggregates) }]
  return { ...base, aggregationRule: { clusterRoleSelectors }, rules: aggregatedRules(aggregates) }
}

/** What the aggregation controller would gather; a server without controllers has it all the same. */
function aggregatedRules(to: string): readonly RbacRule[] {
  return roles
    .filter(role => role.labels?.[`${group}/aggregate-to-${to}`] === 'true')
    .flatMap(role => role.rules ?? (role.aggregates === undefined ? [] : aggregatedRules(role.aggregates)))
}

function renderBinding({ name, groups }: { name: string; groups: readonly string[] }): Draft {
  return {
    kind: 'ClusterRoleBinding',
    apiVersion: `${group}/v1`,
    metadata: metadata(name),
    subjects: groups.map(subject => ({ kind: 'Group', apiGroup: group, name: subject })),
    roleRef: { apiGroup: group, kind: 'ClusterRole', name },
  }
}
