// The rows of built-in kinds, by `group/Kind`.
import { isObject, type Json, type JsonObject } from '#schema'
import { ageOf, renderAge } from './age.ts'
import {
  containersOf,
  count,
  firstOf,
  items,
  joined,
  labelsText,
  member,
  none,
  selectorText,
  sizeOf,
  text,
  texts,
} from './cells.ts'
import { columnsOf } from './columns.ts'
import { eventColumns, eventRow } from './events.ts'
import { nodeCells, nodeColumns } from './nodes.ts'
import { platformCells } from './platform-printers.ts'
import { podColumns, podRow } from './pods.ts'
import { endpointSliceCells, endpointsText, ingressCells, serviceCells } from './services.ts'
import type { TablePrinter } from './types.ts'

type Cells = (object: JsonObject, now: number) => readonly Json[]

function printer(columns: string, cells: Cells): TablePrinter {
  return {
    columns: columnsOf(columns),
    row: (object, now) => ({ cells: [text(member(object, 'metadata', 'name')), ...cells(object, now)] }),
  }
}

function age(object: JsonObject, now: number): string {
  return ageOf(member(object, 'metadata', 'creationTimestamp'), now)
}

/** Kinds without columns of their own. */
export const plainPrinter: TablePrinter = printer('Name | Created At:date', object => [
  text(member(object, 'metadata', 'creationTimestamp')),
])

const rbacBinding = printer('Name | Role | Age | Users^1 | Groups^1 | ServiceAccounts^1', (object, now) => {
  const subjects = items(object.subjects)
  const named = (kind: string): string =>
    joined(
      subjects.filter(subject => subject.kind === kind).map(subject => text(subject.name)),
      '',
    )
  const accounts = subjects
    .filter(subject => subject.kind === 'ServiceAccount')
    .map(subject => `${text(subject.namespace)}/${text(subject.name)}`)
  const role = `${text(member(object, 'roleRef', 'kind'))}/${text(member(object, 'roleRef', 'name'))}`
  return [role, age(object, now), named('User').replaceAll(',', ', '), named('Group').replaceAll(',', ', '), accounts.join(', ')]
})

const webhooks = printer('Name | Webhooks:integer | Age', (object, now) => [sizeOf(object.webhooks), age(object, now)])

const scaled = printer(
  'Name | Desired:integer | Current:integer | Ready:integer | Age | Containers^1 | Images^1 | Selector^1',
  (object, now) => [
    count(member(object, 'spec', 'replicas')),
    count(member(object, 'status', 'replicas')),
    count(member(object, 'status', 'readyReplicas')),
    age(object, now),
    ...containersOf(member(object, 'spec', 'template', 'spec')),
    object.kind === 'ReplicationController'
      ? labelsText(member(object, 'spec', 'selector'))
      : selectorText(member(object, 'spec', 'selector')),
  ],
)

const printers: ReadonlyMap<string, TablePrinter> = new Map<string, TablePrinter>([
  ['/Pod', { columns: columnsOf(podColumns), row: podRow }],
  ['/Event', { columns: columnsOf(eventColumns), row: eventRow }],
  ['events.k8s.io/Event', { columns: columnsOf(eventColumns), row: eventRow }],
  ['/Node', printer(nodeColumns, nodeCells)],
  ['/Namespace', printer('Name | Status | Age', (object, now) => [text(member(object, 'status', 'phase')), age(object, now)])],
  [
    '/ConfigMap',
    printer('Name | Data | Age', (object, now) => [sizeOf(object.data) + sizeOf(object.binaryData), age(object, now)]),
  ],
  ['/Secret', printer('Name | Type | Data | Age', (object, now) => [text(object.type), sizeOf(object.data), age(object, now)])],
  ['/ServiceAccount', printer('Name | Secrets | Age', (object, now) => [sizeOf(object.secrets), age(object, now)])],
  ['/Service', printer('Name | Type | Cluster-IP | External-IP | Port(s) | Age | Selector^1', serviceCells)],
  ['/Endpoints', printer('Name | Endpoints | Age', (object, now) => [endpointsText(object), age(object, now)])],
  ['/ReplicationController', scaled],
  [
    '/PodTemplate',
    printer('Name | Containers | Images | Pod Labels', object => [
      ...containersOf(member(object, 'template', 'spec')),
      labelsText(member(object, 'template', 'metadata', 'labels')),
    ]),
  ],
  ['/ResourceQuota', printer('Name | Request | Limit | Age', quotaCells)],
  [
    '/PersistentVolumeClaim',
    printer(
      'Name | Status | Volume | Capacity | Access Modes | StorageClass | VolumeAttributesClass | Age | VolumeMode^1',
      claimCells,
    ),
  ],
  [
    '/PersistentVolume',
    printer(
      'Name | Capacity | Access Modes | Reclaim Policy | Status | Claim | StorageClass | VolumeAttributesClass | Reason | Age | VolumeMode^1',
      volumeCells,
    ),
  ],
  [
    'apps/Deployment',
    printer('Name | Ready | Up-to-date | Available | Age | Containers^1 | Images^1 | Selector^1', deploymentCells),
  ],
  ['apps/ReplicaSet', scaled],
  [
    'apps/StatefulSet',
    printer('Name | Ready | Age | Containers^1 | Images^1', (object, now) => [
      `${count(member(object, 'status', 'readyReplicas'))}/${count(member(object, 'spec', 'replicas'))}`,
      age(object, now),
      ...containersOf(member(object, 'spec', 'template', 'spec')),
    ]),
  ],
  [
    'apps/DaemonSet',
    printer(
      'Name | Desired:integer | Current:integer | Ready:integer | Up-to-date:integer | Available:integer | Node Selector | Age | Containers^1 | Images^1 | Selector^1',
      daemonSetCells,
    ),
  ],
  [
    'apps/ControllerRevision',
    printer('Name | Controller | Revision | Age', (object, now) => [
      controllerText(object),
      count(object.revision),
      age(object, now),
    ]),
  ],
  ['batch/Job', printer('Name | Status | Completions | Duration | Age | Containers^1 | Images^1 | Selector^1', jobCells)],
  [
    'batch/CronJob',
    printer(
      'Name | Schedule | Timezone | Suspend:boolean | Active:integer | Last Schedule | Age | Containers^1 | Images^1 | Selector^1',
      cronJobCells,
    ),
  ],
  ['rbac.authorization.k8s.io/RoleBinding', rbacBinding],
  ['rbac.authorization.k8s.io/ClusterRoleBinding', rbacBinding],
  [
    'coordination.k8s.io/Lease',
    printer('Name | Holder | Age', (object, now) => [text(member(object, 'spec', 'holderIdentity')), age(object, now)]),
  ],
  ['discovery.k8s.io/EndpointSlice', printer('Name | AddressType | Ports | Endpoints | Age', endpointSliceCells)],
  [
    'policy/PodDisruptionBudget',
    printer('Name | Min Available | Max Unavailable | Allowed Disruptions:integer | Age', (object, now) => [
      text(member(object, 'spec', 'minAvailable'), 'N/A'),
      text(member(object, 'spec', 'maxUnavailable'), 'N/A'),
      count(member(object, 'status', 'disruptionsAllowed')),
      age(object, now),
    ]),
  ],
  ['admissionregistration.k8s.io/MutatingWebhookConfiguration', webhooks],
  ['admissionregistration.k8s.io/ValidatingWebhookConfiguration', webhooks],
  [
    'admissionregistration.k8s.io/ValidatingAdmissionPolicy',
    printer('Name | Validations:integer | ParamKind | Age', (object, now) => {
      const kind = member(object, 'spec', 'paramKind')
      const shown = kind === undefined ? '<unset>' : `${text(member(kind, 'apiVersion'))}/${text(member(kind, 'kind'))}`
      return [sizeOf(member(object, 'spec', 'validations')), shown, age(object, now)]
    }),
  ],
  [
    'admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding',
    printer('Name | PolicyName | ParamRef | Age', (object, now) => {
      const ref = member(object, 'spec', 'paramRef')
      const named =
        text(member(ref, 'namespace')) === ''
          ? text(member(ref, 'name'))
          : `${text(member(ref, 'namespace'))}/${text(member(ref, 'name'))}`
      return [text(member(object, 'spec', 'policyName')), ref === undefined ? '<unset>' : named, age(object, now)]
    }),
  ],
  [
    'networking.k8s.io/NetworkPolicy',
    printer('Name | Pod-Selector | Age', (object, now) => [
      selectorText(member(object, 'spec', 'podSelector')),
      age(object, now),
    ]),
  ],
  ['networking.k8s.io/Ingress', printer('Name | Class | Hosts | Address | Ports | Age', ingressCells)],
  ['networking.k8s.io/IngressClass', printer('Name | Controller | Parameters | Age', ingressClassCells)],
  [
    'certificates.k8s.io/CertificateSigningRequest',
    printer('Name | Age | SignerName | Requestor | RequestedDuration | Condition', requestCells),
  ],
])

/** Their columns are recorded, or those of everything. */
const platformPrinters = new Map<string, TablePrinter>(
  platformCells.map(([kind, cells]) => [kind, printer('Name | Age', (object, now) => cells(object, age(object, now)))]),
)

export function builtinPrinter(group: string, kind: string): TablePrinter {
  return printers.get(`${group}/${kind}`) ?? platformPrinters.get(`${group}/${kind}`) ?? plainPrinter
}

function deploymentCells(object: JsonObject, now: number): readonly Json[] {
  return [
    `${count(member(object, 'status', 'readyReplicas'))}/${count(member(object, 'spec', 'replicas'))}`,
    count(member(object, 'status', 'updatedReplicas')),
    count(member(object, 'status', 'availableReplicas')),
    age(object, now),
    ...containersOf(member(object, 'spec', 'template', 'spec')),
    selectorText(member(object, 'spec', 'selector')),
  ]
}

function daemonSetCells(object: JsonObject, now: number): readonly Json[] {
  const status = (name: string): number => count(member(object, 'status', name))
  return [
    status('desiredNumberScheduled'),
    status('currentNumberScheduled'),
    status('numberReady'),
    status('updatedNumberScheduled'),
    status('numberAvailable'),
    labelsText(member(object, 'spec', 'template', 'spec', 'nodeSelector')),
    age(object, now),
    ...containersOf(member(object, 'spec', 'template', 'spec')),
    selectorText(member(object, 'spec', 'selector')),
  ]
}

function controllerText(object: JsonObject): string {
  const owner = items(member(object, 'metadata', 'ownerReferences')).find(reference => reference.controller === true)
  if (owner === undefined) return none
  const [group = '', version] = text(owner.apiVersion).split('/')
  return `${text(owner.kind).toLowerCase()}.${version === undefined ? '' : group}/${text(owner.name)}`.replace('./', '/')
}

function jobCells(object: JsonObject, now: number): readonly Json[] {
  const completions = member(object, 'spec', 'completions')
  const parallelism = count(member(object, 'spec', 'parallelism'))
  const succeeded = count(member(object, 'status', 'succeeded'))
  const wanted = completions === undefined ? (parallelism > 1 ? `1 of ${parallelism}` : '1') : String(count(completions))
  return [
    jobStatus(object),
    `${succeeded}/${wanted}`,
    jobDuration(object, now),
    age(object, now),
    ...containersOf(member(object, 'spec', 'template', 'spec')),
    selectorText(member(object, 'spec', 'selector')),
  ]
}

function jobStatus(object: JsonObject): string {
  const has = (type: string): boolean =>
    items(member(object, 'status', 'conditions')).some(condition => condition.type === type && condition.status === 'True')
  if (has('Complete')) return 'Complete'
  if (has('Failed')) return 'Failed'
  if (text(member(object, 'metadata', 'deletionTimestamp')) !== '') return 'Terminating'
  if (has('Suspended')) return 'Suspended'
  if (has('FailureTarget')) return 'FailureTarget'
  return has('SuccessCriteriaMet') ? 'SuccessCriteriaMet' : 'Running'
}

function jobDuration(object: JsonObject, now: number): string {
  const start = Date.parse(text(member(object, 'status', 'startTime')))
  if (Number.isNaN(start)) return ''
  const end = Date.parse(text(member(object, 'status', 'completionTime')))
  return renderAge(((Number.isNaN(end) ? now : end) - start) / 1000)
}

function cronJobCells(object: JsonObject, now: number): readonly Json[] {
  const last = text(member(object, 'status', 'lastScheduleTime'))
  const suspend = member(object, 'spec', 'suspend')
  return [
    text(member(object, 'spec', 'schedule')),
    text(member(object, 'spec', 'timeZone'), none),
    suspend === undefined ? '<unset>' : suspend === true ? 'True' : 'False',
    sizeOf(member(object, 'status', 'active')),
    last === '' ? none : ageOf(last, now),
    age(object, now),
    ...containersOf(member(object, 'spec', 'jobTemplate', 'spec', 'template', 'spec')),
    selectorText(member(object, 'spec', 'jobTemplate', 'spec', 'selector')),
  ]
}

const modes: Readonly<Record<string, string>> = {
  ReadWriteOnce: 'RWO',
  ReadOnlyMany: 'ROX',
  ReadWriteMany: 'RWX',
  ReadWriteOncePod: 'RWOP',
}

function accessModes(value: Json | undefined): string {
  const given = new Set(texts(value))
  return Object.keys(modes)
    .filter(mode => given.has(mode))
    .map(mode => modes[mode])
    .join(',')
}

function claimCells(object: JsonObject, now: number): readonly Json[] {
  const volume = text(member(object, 'spec', 'volumeName'))
  const deleting = text(member(object, 'metadata', 'deletionTimestamp')) !== ''
  return [
    deleting ? 'Terminating' : text(member(object, 'status', 'phase')),
    volume,
    volume === '' ? '' : text(member(object, 'status', 'capacity', 'storage')),
    volume === '' ? '' : accessModes(member(object, 'status', 'accessModes')),
    text(member(object, 'spec', 'storageClassName')),
    text(member(object, 'spec', 'volumeAttributesClassName'), '<unset>'),
    age(object, now),
    text(member(object, 'spec', 'volumeMode'), '<unset>'),
  ]
}

function volumeCells(object: JsonObject, now: number): readonly Json[] {
  const claim = member(object, 'spec', 'claimRef')
  const deleting = text(member(object, 'metadata', 'deletionTimestamp')) !== ''
  return [
    text(member(object, 'spec', 'capacity', 'storage')),
    accessModes(member(object, 'spec', 'accessModes')),
    text(member(object, 'spec', 'persistentVolumeReclaimPolicy')),
    deleting ? 'Terminating' : text(member(object, 'status', 'phase')),
    isObject(claim) ? `${text(claim.namespace)}/${text(claim.name)}` : '',
    text(member(object, 'spec', 'storageClassName')),
    text(member(object, 'spec', 'volumeAttributesClassName'), '<unset>'),
    text(member(object, 'status', 'reason')),
    age(object, now),
    text(member(object, 'spec', 'volumeMode'), '<unset>'),
  ]
}

function quotaCells(object: JsonObject, now: number): readonly Json[] {
  const hard = member(object, 'status', 'hard')
  const used = member(object, 'status', 'used')
  const names = isObject(hard) ? Object.keys(hard).sort() : []
  const line = (name: string): string => `${name}: ${text(member(used, name))}/${text(member(hard, name))}`
  const requests = names.filter(name => !name.startsWith('limits.')).map(line)
  const limits = names.filter(name => name.startsWith('limits.')).map(line)
  return [requests.join(', '), limits.join(', '), age(object, now)]
}

function ingressClassCells(object: JsonObject, now: number): readonly Json[] {
  const parameters = member(object, 'spec', 'parameters')
  const kind = [text(member(parameters, 'kind')), text(member(parameters, 'apiGroup'))].filter(part => part !== '').join('.')
  return [
    text(member(object, 'spec', 'controller')),
    parameters === undefined ? none : `${kind}/${text(member(parameters, 'name'))}`,
    age(object, now),
  ]
}

function requestCells(object: JsonObject, now: number): readonly Json[] {
  const seconds = member(object, 'spec', 'expirationSeconds')
  const conditions = items(member(object, 'status', 'conditions')).map(condition => text(condition.type))
  const state = conditions.length === 0 ? ['Pending'] : conditions
  if (text(member(object, 'status', 'certificate')) !== '') state.push('Issued')
  return [
    age(object, now),
    text(member(object, 'spec', 'signerName'), none),
    text(member(object, 'spec', 'username')),
    seconds === undefined ? none : renderAge(count(seconds)),
    firstOf(state, 10),
  ]
}
