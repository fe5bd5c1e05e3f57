// The built-in kinds as data: where each is served and how its metadata behaves.
import { type KindSchema, storedForm } from '#schema'
import type { EmulatedVersion } from '../emulated-version.ts'
import { type BuiltinRow, both, onSpec, readWrite, status, strict } from './builtin-row.ts'
import { platformRows } from './platform-rows.ts'
import {
  allVerbs,
  apiVersion,
  type Behaviour,
  type RegisteredResource,
  type ScalePaths,
  type ServedKind,
  type Subresource,
} from './resource.ts'

const scale: Subresource = { name: 'scale', verbs: readWrite, kind: 'Scale', group: 'autoscaling', version: 'v1' }
const workloadScale: ScalePaths = {
  specReplicas: '.spec.replicas',
  statusReplicas: '.status.replicas',
  labelSelector: '.spec.selector',
}
const createOnly = ['create']
const toConnect = ['create', 'get']
const orphanedPods =
  'child pods are preserved by default when jobs are deleted; ' +
  'set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning'
/** As an object, and not when only its status is written. */
const wholeToo = { ...both, statusMetadataChecks: ['change'] } as const
const wholeOnly = { metadataChecks: ['whole'] } as const
const rbac = { nameRule: 'path-segment', createOnUpdate: true, metadataChecks: ['whole', 'whole', 'change'] } as const
const eventFields = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath']

const rows: readonly BuiltinRow[] = [
  {
    group: '',
    kind: 'Namespace',
    plural: 'namespaces',
    short: ['ns'],
    cluster: true,
    verbs: ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'],
    subresources: [{ name: 'finalize', verbs: ['update'], kind: 'Namespace' }, status('Namespace')],
    fields: ['status.phase', 'name'],
    behaviour: { nameRule: 'label', statusSubresource: true, returnsDeleted: true, ...wholeToo },
  },
  {
    group: '',
    kind: 'Node',
    plural: 'nodes',
    short: ['no'],
    cluster: true,
    subresources: [status('Node')],
    fields: ['spec.unschedulable'],
    behaviour: { statusSubresource: true, ...wholeToo },
  },
  {
    group: '',
    kind: 'Pod',
    plural: 'pods',
    short: ['po'],
    all: true,
    subresources: [
      { name: 'attach', verbs: toConnect, kind: 'PodAttachOptions' },
      { name: 'binding', verbs: createOnly, kind: 'Binding' },
      { name: 'ephemeralcontainers', verbs: readWrite, kind: 'Pod' },
      { name: 'eviction', verbs: createOnly, kind: 'Eviction', group: 'policy', version: 'v1' },
      { name: 'exec', verbs: toConnect, kind: 'PodExecOptions' },
      { name: 'log', verbs: ['get'], kind: 'Pod' },
      { name: 'portforward', verbs: toConnect, kind: 'PodPortForwardOptions' },
      { name: 'proxy', verbs: ['create', 'delete', 'get', 'patch', 'update'], kind: 'PodProxyOptions' },
      { name: 'resize', verbs: readWrite, kind: 'Pod' },
      status('Pod'),
    ],
    fields: [
      'spec.nodeName',
      'spec.restartPolicy',
      'spec.schedulerName',
      'spec.serviceAccountName',
      'spec.hostNetwork',
      'status.phase',
      'status.podIP',
      'status.podIPs',
      'status.nominatedNodeName',
    ],
    behaviour: {
      statusSubresource: true,
      statusKeeps: ['ownerReferences', 'deletionTimestamp'],
      statusMetadataChecks: ['change'],
      returnsDeleted: true,
      gracefulDelete: true,
      ...both,
    },
  },
  {
    group: '',
    kind: 'Service',
    plural: 'services',
    short: ['svc'],
    all: true,
    subresources: [status('Service')],
    fields: ['spec.clusterIP', 'spec.type'],
    behaviour: { nameRule: 'label-1035', statusSubresource: true, createOnUpdate: true, returnsDeleted: true },
  },
  {
    group: '',
    kind: 'Endpoints',
    plural: 'endpoints',
    short: ['ep'],
    deprecated: 'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice',
    behaviour: { createOnUpdate: true, ...both },
  },
  {
    group: '',
    kind: 'ServiceAccount',
    plural: 'serviceaccounts',
    short: ['sa'],
    subresources: [{ name: 'token', verbs: createOnly, kind: 'TokenRequest', group: 'authentication.k8s.io', version: 'v1' }],
    behaviour: { returnsDeleted: true, ...both, statusMetadataChecks: ['change'] },
  },
  { group: '', kind: 'Secret', plural: 'secrets', fields: ['type'], behaviour: both },
  { group: '', kind: 'ConfigMap', plural: 'configmaps', short: ['cm'], behaviour: both },
  {
    group: '',
    kind: 'Event',
    plural: 'events',
    short: ['ev'],
    fields: [...eventFields.map(field => `involvedObject.${field}`), 'reason', 'reportingComponent', 'source', 'type'],
    behaviour: { nameRule: 'path-segment', createOnUpdate: true, metadataChecks: [] },
  },
  { group: '', kind: 'Binding', plural: 'bindings', verbs: createOnly, behaviour: { virtual: true } },
  {
    group: '',
    kind: 'ResourceQuota',
    plural: 'resourcequotas',
    short: ['quota'],
    subresources: [status('ResourceQuota')],
    behaviour: { statusSubresource: true, returnsDeleted: true },
  },
  { group: '', kind: 'LimitRange', plural: 'limitranges', short: ['limits'], behaviour: { createOnUpdate: true } },
  {
    group: '',
    kind: 'PersistentVolumeClaim',
    plural: 'persistentvolumeclaims',
    short: ['pvc'],
    subresources: [status('PersistentVolumeClaim')],
    behaviour: {
      statusSubresource: true,
      returnsDeleted: true,
      metadataChecks: ['whole', 'whole', 'change'],
      statusMetadataChecks: ['change'],
    },
  },
  {
    group: '',
    kind: 'PersistentVolume',
    plural: 'persistentvolumes',
    short: ['pv'],
    cluster: true,
    subresources: [status('PersistentVolume')],
    behaviour: { statusSubresource: true, returnsDeleted: true, ...wholeToo },
  },
  {
    group: '',
    kind: 'ReplicationController',
    plural: 'replicationcontrollers',
    short: ['rc'],
    all: true,
    subresources: [scale, status('ReplicationController')],
    scale: workloadScale,
    fields: ['status.replicas'],
    behaviour: { statusSubresource: true, ...wholeToo, ...onSpec },
  },
  { group: '', kind: 'PodTemplate', plural: 'podtemplates', behaviour: { returnsDeleted: true, generation: ['template'] } },
  {
    group: 'apps',
    kind: 'Deployment',
    plural: 'deployments',
    short: ['deploy'],
    all: true,
    subresources: [scale, status('Deployment')],
    scale: workloadScale,
    behaviour: { statusSubresource: true, statusKeeps: ['labels'], generation: ['spec', 'metadata.annotations'] },
  },
  {
    group: 'apps',
    kind: 'ReplicaSet',
    plural: 'replicasets',
    short: ['rs'],
    all: true,
    subresources: [scale, status('ReplicaSet')],
    scale: workloadScale,
    behaviour: { statusSubresource: true, ...onSpec },
  },
  {
    group: 'apps',
    kind: 'StatefulSet',
    plural: 'statefulsets',
    short: ['sts'],
    all: true,
    subresources: [scale, status('StatefulSet')],
    scale: workloadScale,
    behaviour: { nameRule: 'label', statusSubresource: true, ...onSpec },
  },
  {
    group: 'apps',
    kind: 'DaemonSet',
    plural: 'daemonsets',
    short: ['ds'],
    all: true,
    subresources: [status('DaemonSet')],
    behaviour: { statusSubresource: true, ...onSpec },
  },
  { group: 'apps', kind: 'ControllerRevision', plural: 'controllerrevisions', behaviour: both },
  {
    group: 'batch',
    kind: 'Job',
    plural: 'jobs',
    all: true,
    subresources: [status('Job')],
    fields: ['status.successful'],
    behaviour: { statusSubresource: true, ...wholeToo, orphansByDefault: { warning: orphanedPods }, ...onSpec },
  },
  {
    group: 'batch',
    kind: 'CronJob',
    plural: 'cronjobs',
    short: ['cj'],
    all: true,
    subresources: [status('CronJob')],
    behaviour: { statusSubresource: true, statusMetadataChecks: [], ...onSpec },
  },
  {
    group: 'authentication.k8s.io',
    kind: 'TokenReview',
    plural: 'tokenreviews',
    cluster: true,
    verbs: createOnly,
    behaviour: { virtual: true },
  },
  {
    group: 'authentication.k8s.io',
    kind: 'SelfSubjectReview',
    plural: 'selfsubjectreviews',
    cluster: true,
    verbs: createOnly,
    behaviour: { virtual: true },
  },
  {
    group: 'authorization.k8s.io',
    kind: 'SubjectAccessReview',
    plural: 'subjectaccessreviews',
    cluster: true,
    verbs: createOnly,
    behaviour: { virtual: true },
  },
  {
    group: 'authorization.k8s.io',
    kind: 'LocalSubjectAccessReview',
    plural: 'localsubjectaccessreviews',
    verbs: createOnly,
    behaviour: { virtual: true },
  },
  {
    group: 'authorization.k8s.io',
    kind: 'SelfSubjectAccessReview',
    plural: 'selfsubjectaccessreviews',
    cluster: true,
    verbs: createOnly,
    behaviour: { virtual: true },
  },
  {
    group: 'authorization.k8s.io',
    kind: 'SelfSubjectRulesReview',
    plural: 'selfsubjectrulesreviews',
    cluster: true,
    verbs: createOnly,
    behaviour: { virtual: true },
  },
  { group: 'rbac.authorization.k8s.io', kind: 'Role', plural: 'roles', behaviour: rbac },
  { group: 'rbac.authorization.k8s.io', kind: 'RoleBinding', plural: 'rolebindings', behaviour: rbac },
  { group: 'rbac.authorization.k8s.io', kind: 'ClusterRole', plural: 'clusterroles', cluster: true, behaviour: rbac },
  {
    group: 'rbac.authorization.k8s.io',
    kind: 'ClusterRoleBinding',
    plural: 'clusterrolebindings',
    cluster: true,
    behaviour: rbac,
  },
  {
    group: 'coordination.k8s.io',
    kind: 'Lease',
    plural: 'leases',
    behaviour: { ...strict, createOnUpdate: true, anyFinalizers: true },
  },
  {
    group: 'events.k8s.io',
    kind: 'Event',
    plural: 'events',
    short: ['ev'],
    table: 'events',
    fields: [...eventFields.map(field => `regarding.${field}`), 'reportingController', 'reason', 'type'],
    behaviour: { createOnUpdate: true },
  },
  {
    group: 'discovery.k8s.io',
    kind: 'EndpointSlice',
    plural: 'endpointslices',
    behaviour: { generation: ['endpoints', 'ports', 'addressType', 'metadata.labels'], ...wholeOnly },
  },
  {
    group: 'policy',
    kind: 'PodDisruptionBudget',
    plural: 'poddisruptionbudgets',
    short: ['pdb'],
    subresources: [status('PodDisruptionBudget')],
    behaviour: { nameRule: 'path-segment', metadataChecks: [], statusSubresource: true, ...strict, ...onSpec },
  },
  {
    group: 'admissionregistration.k8s.io',
    kind: 'MutatingWebhookConfiguration',
    plural: 'mutatingwebhookconfigurations',
    cluster: true,
    category: 'api-extensions',
    behaviour: { ...strict, generation: ['webhooks'], anyFinalizers: true, ...wholeOnly },
  },
  {
    group: 'admissionregistration.k8s.io',
    kind: 'ValidatingWebhookConfiguration',
    plural: 'validatingwebhookconfigurations',
    cluster: true,
    category: 'api-extensions',
    behaviour: { ...strict, generation: ['webhooks'], anyFinalizers: true, ...wholeOnly },
  },
  {
    group: 'apiextensions.k8s.io',
    kind: 'CustomResourceDefinition',
    plural: 'customresourcedefinitions',
    short: ['crd', 'crds'],
    cluster: true,
    category: 'api-extensions',
    subresources: [status('CustomResourceDefinition')],
    behaviour: {
      statusSubresource: true,
      isMetadataOwnedByStatus: false,
      ...strict,
      ...onSpec,
      returnsDeleted: false,
      anyFinalizers: true,
    },
  },
  {
    group: 'networking.k8s.io',
    kind: 'NetworkPolicy',
    plural: 'networkpolicies',
    short: ['netpol'],
    behaviour: { ...onSpec, ...both },
  },
  {
    group: 'networking.k8s.io',
    kind: 'Ingress',
    plural: 'ingresses',
    short: ['ing'],
    subresources: [status('Ingress')],
    behaviour: { statusSubresource: true, ...wholeToo, ...onSpec },
  },
  {
    group: 'networking.k8s.io',
    kind: 'IngressClass',
    plural: 'ingressclasses',
    cluster: true,
    behaviour: { ...onSpec, ...both },
  },
]

/** What of a built-in kind comes from elsewhere: schemas, defaults and the rules that no schema says. */
export interface BuiltinKinds {
  schema(group: string, version: string, kind: string): KindSchema
  behaviour(group: string, kind: string): Partial<Behaviour>
  readonly emulate: EmulatedVersion
}

export function builtinResources(kinds: BuiltinKinds): RegisteredResource[] {
  const resources = [...rows, ...platformRows]
    .filter(({ since }) => since === undefined || kinds.emulate >= since)
    .map(row => makeResource(row, kinds))
  const byTable = Map.groupBy(resources, ({ table }) => table)
  for (const resource of resources)
    resource.cohabitants.push(...(byTable.get(resource.table) ?? []).filter(other => other !== resource))
  return resources
}

/** While the table is made, each resource still learns who shares its objects. */
interface BuiltinResource extends RegisteredResource {
  readonly cohabitants: RegisteredResource[]
}

const plain: Behaviour = {
  generation: 'none',
  statusSubresource: false,
  unconditionalUpdate: true,
  createOnUpdate: false,
  nameRule: 'subdomain',
  returnsDeleted: false,
  gracefulDelete: false,
  virtual: false,
}

function makeResource(row: BuiltinRow, kinds: BuiltinKinds): BuiltinResource {
  const version = row.version ?? 'v1'
  const versions: ServedKind[] = []
  const resource: BuiltinResource = {
    group: row.group,
    plural: row.plural,
    singular: row.kind.toLowerCase(),
    kind: row.kind,
    listKind: `${row.kind}List`,
    namespaced: row.cluster !== true,
    shortNames: row.short ?? [],
    categories: row.all ? ['all'] : row.category === undefined ? [] : [row.category],
    verbs: row.verbs ?? allVerbs,
    behaviour: { ...plain, ...row.behaviour, ...kinds.behaviour(row.group, row.kind) },
    table: row.table ?? (row.group === '' ? row.plural : `${row.plural}.${row.group}`),
    storageVersion: version,
    versions,
    cohabitants: [],
    custom: undefined,
  }
  for (const served of [version, ...(row.older ?? [])]) versions.push(makeKind(row, resource, served, kinds))
  return resource
}

function makeKind(row: BuiltinRow, resource: RegisteredResource, version: string, kinds: BuiltinKinds): ServedKind {
  let schema: KindSchema | undefined
  return {
    resource,
    version,
    apiVersion: apiVersion(row.group, version),
    /** Made when first used: start-up does not pay for kinds that nobody touches. */
    get schema() {
      schema ??= kinds.schema(row.group, version, row.kind)
      return schema
    },
    storedForm: storedForm(apiVersion(row.group, version), row.kind),
    subresources: row.subresources ?? [],
    scale: row.scale,
    deprecation: kinds.emulate !== '1.32' ? row.deprecated : undefined,
    selectableFields: row.fields ?? [],
    printerColumns: [],
    openApi: undefined,
  }
}
