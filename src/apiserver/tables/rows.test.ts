import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '#schema'
import { builtinPrinter } from './builtin-printers.ts'

const now = Date.UTC(2026, 0, 2)
const hour = '2026-01-01T23:00:00Z'

/** The cells behind the name, of an object that is a day old. */
function cellsOf(kind: string, { metadata = {}, ...rest }: { metadata?: object; [field: string]: unknown }): readonly unknown[] {
  const slash = kind.lastIndexOf('/')
  const object = { metadata: { name: 'a', creationTimestamp: '2026-01-01T00:00:00Z', ...metadata }, ...rest }
  const { cells } = builtinPrinter(kind.slice(0, slash), kind.slice(slash + 1)).row(object as unknown as JsonObject, now)
  return cells
}

const waiting = (reason: string): object => ({ state: { waiting: { reason } } })
const ended = (more: object): object => ({ state: { terminated: more } })
const running = { state: { running: {} }, ready: true }
const containers = [{ name: 'c' }]
const init = [{ name: 'i' }, { name: 'j' }]
const sidecar = [{ name: 'i', restartPolicy: 'Always' }]
const isReady = { type: 'Ready', status: 'True' }

/** Ready, status and restarts of a pod. */
const pods: readonly (readonly [
  said: string,
  pod: { spec?: object; status?: object; metadata?: object },
  cells: readonly string[],
])[] = [
  ['that is new', { status: { phase: 'Pending' } }, ['0/1', 'Pending', '0']],
  ['that was evicted', { status: { phase: 'Failed', reason: 'Evicted' } }, ['0/1', 'Evicted', '0']],
  ['that runs', { status: { phase: 'Running', containerStatuses: [running] } }, ['1/1', 'Running', '0']],
  [
    'that runs and is not ready',
    { status: { phase: 'Running', containerStatuses: [{ ...running, ready: false }] } },
    ['0/1', 'Running', '0'],
  ],
  [
    'that is ready and does not run',
    { status: { phase: 'Running', containerStatuses: [{ ready: true }] } },
    ['0/1', 'Running', '0'],
  ],
  [
    'that waits',
    { status: { phase: 'Pending', containerStatuses: [waiting('ImagePullBackOff')] } },
    ['0/1', 'ImagePullBackOff', '0'],
  ],
  [
    'of two that wait',
    { spec: { containers: [{}, {}] }, status: { containerStatuses: [waiting('First'), waiting('Second')] } },
    ['0/2', 'First', '0'],
  ],
  ['that ended', { status: { containerStatuses: [ended({ reason: 'OOMKilled' })] } }, ['0/1', 'OOMKilled', '0']],
  ['that ended with a code', { status: { containerStatuses: [ended({ exitCode: 3 })] } }, ['0/1', 'ExitCode:3', '0']],
  ['that ended by a signal', { status: { containerStatuses: [ended({ signal: 9, exitCode: 3 })] } }, ['0/1', 'Signal:9', '0']],
  [
    'of which one has ended and one runs, ready',
    {
      spec: { containers: [{}, {}] },
      status: { conditions: [isReady], containerStatuses: [ended({ reason: 'Completed' }), running] },
    },
    ['1/2', 'Running', '0'],
  ],
  [
    'of which one has ended and one runs, not ready',
    {
      spec: { containers: [{}, {}] },
      status: {
        conditions: [
          { ...isReady, status: 'False' },
          { type: 'Other', status: 'True' },
        ],
        containerStatuses: [ended({ reason: 'Completed' }), running],
      },
    },
    ['1/2', 'NotReady', '0'],
  ],
  [
    'all of which has ended',
    { status: { phase: 'Succeeded', conditions: [isReady], containerStatuses: [ended({ reason: 'Completed' })] } },
    ['0/1', 'Completed', '0'],
  ],
  [
    'that began again',
    {
      spec: { containers: [{}, {}] },
      status: {
        phase: 'Running',
        containerStatuses: [
          { ...running, restartCount: 2, lastState: { terminated: { finishedAt: '2026-01-01T22:00:00Z' } } },
          { ...running, restartCount: 1, lastState: { terminated: { finishedAt: hour } } },
        ],
      },
    },
    ['2/2', 'Running', '3 (60m ago)'],
  ],
  [
    'that began again once',
    {
      status: {
        phase: 'Running',
        containerStatuses: [{ ...running, restartCount: 1, lastState: { terminated: { finishedAt: hour } } }],
      },
    },
    ['1/1', 'Running', '1 (60m ago)'],
  ],
  [
    'that began again, nobody knows when',
    { status: { phase: 'Running', containerStatuses: [{ ...running, restartCount: 2 }] } },
    ['1/1', 'Running', '2'],
  ],
  [
    'whose first program runs',
    {
      spec: { containers, initContainers: init },
      status: { initContainerStatuses: [{ name: 'i', restartCount: 4 }], containerStatuses: [running] },
    },
    ['0/1', 'Init:0/2', '4'],
  ],
  [
    'whose first program has ended',
    {
      spec: { containers, initContainers: init },
      status: { initContainerStatuses: [ended({ exitCode: 0 }), waiting('PodInitializing')] },
    },
    ['0/1', 'Init:1/2', '0'],
  ],
  [
    'whose first program waits',
    { spec: { containers, initContainers: init }, status: { initContainerStatuses: [waiting('CrashLoopBackOff')] } },
    ['0/1', 'Init:CrashLoopBackOff', '0'],
  ],
  [
    'whose first program failed',
    { spec: { containers, initContainers: init }, status: { initContainerStatuses: [ended({ exitCode: 1, reason: 'Error' })] } },
    ['0/1', 'Init:Error', '0'],
  ],
  [
    'whose first program failed with a code',
    { spec: { containers, initContainers: init }, status: { initContainerStatuses: [ended({ exitCode: 1 })] } },
    ['0/1', 'Init:ExitCode:1', '0'],
  ],
  [
    'whose first program failed by a signal',
    { spec: { containers, initContainers: init }, status: { initContainerStatuses: [ended({ exitCode: 1, signal: 9 })] } },
    ['0/1', 'Init:Signal:9', '0'],
  ],
  [
    'whose first programs have ended',
    {
      spec: { containers, initContainers: init },
      status: {
        phase: 'Running',
        initContainerStatuses: [ended({ exitCode: 0, restartCount: 0 }), { ...ended({}), restartCount: 3 }],
        containerStatuses: [running],
      },
    },
    ['1/1', 'Running', '0'],
  ],
  [
    'with a companion that runs',
    {
      spec: { containers, initContainers: sidecar },
      status: {
        phase: 'Running',
        initContainerStatuses: [
          { name: 'i', started: true, ready: true, restartCount: 2, lastState: { terminated: { finishedAt: hour } } },
        ],
        containerStatuses: [{ ...running, restartCount: 1 }],
      },
    },
    ['2/2', 'Running', '3'],
  ],
  [
    'with a companion that is not ready',
    {
      spec: { containers, initContainers: sidecar },
      status: {
        phase: 'Running',
        initContainerStatuses: [{ name: 'i', started: true, ready: false }],
        containerStatuses: [running],
      },
    },
    ['1/2', 'Running', '0'],
  ],
  [
    'with a companion that has not started',
    {
      spec: { containers, initContainers: sidecar },
      status: { initContainerStatuses: [{ name: 'i', started: false, ready: true }], containerStatuses: [running] },
    },
    ['0/2', 'Init:0/1', '0'],
  ],
  [
    'that is held by a gate',
    { status: { phase: 'Pending', conditions: [{ type: 'PodScheduled', reason: 'SchedulingGated' }] } },
    ['0/1', 'SchedulingGated', '0'],
  ],
  [
    'that no node takes',
    { status: { phase: 'Pending', conditions: [{ type: 'PodScheduled', reason: 'Unschedulable' }] } },
    ['0/1', 'Pending', '0'],
  ],
  [
    'that goes',
    { metadata: { deletionTimestamp: hour }, status: { phase: 'Running', containerStatuses: [running] } },
    ['1/1', 'Terminating', '0'],
  ],
  [
    'that goes and has ended',
    {
      metadata: { deletionTimestamp: hour },
      status: { phase: 'Succeeded', containerStatuses: [ended({ reason: 'Completed' })] },
    },
    ['0/1', 'Completed', '0'],
  ],
  [
    'that goes and whose node is lost',
    { metadata: { deletionTimestamp: hour }, status: { phase: 'Running', reason: 'NodeLost' } },
    ['0/1', 'Unknown', '0'],
  ],
]
for (const [said, pod, cells] of pods)
  test(`the row of a pod ${said} says ${cells.join(', ')}`, () => {
    assert.deepEqual(cellsOf('/Pod', { spec: { containers }, ...pod }).slice(1, 4), cells)
  })

const none = '<none>'
const day = '24h'
for (const [kind, object, ...cells] of [
  ['/Pod', { spec: { containers }, status: {} }, '0/1', '', '0', day, none, none, none, none],
  [
    '/Pod',
    {
      spec: { containers, nodeName: 'n', readinessGates: [{ conditionType: 'a' }, { conditionType: 'b' }] },
      status: {
        phase: 'Running',
        podIP: '1.1.1.1',
        podIPs: [{ ip: '1.1.1.2' }],
        nominatedNodeName: 'm',
        conditions: [
          { type: 'a', status: 'True' },
          { type: 'b', status: 'False' },
        ],
      },
    },
    '0/1',
    'Running',
    '0',
    day,
    '1.1.1.2',
    'n',
    'm',
    '1/2',
  ],
  ['/Pod', { spec: { containers }, status: { podIP: '1.1.1.1' } }, '0/1', '', '0', day, '1.1.1.1', none, none, none],
  ['/Node', {}, 'Unknown', none, day, '', none, none, '<unknown>', '<unknown>', '<unknown>'],
  [
    '/Node',
    {
      metadata: {
        labels: {
          'node-role.kubernetes.io/worker': '',
          'node-role.kubernetes.io/': '',
          'kubernetes.io/role': 'edge',
          other: 'x',
        },
      },
      spec: { unschedulable: true },
      status: {
        conditions: [{ type: 'Other', status: 'False' }, isReady],
        addresses: [
          { type: 'ExternalIP', address: '2.2.2.2' },
          { type: 'InternalIP', address: '1.1.1.1' },
        ],
        nodeInfo: { kubeletVersion: 'v1', osImage: 'o', kernelVersion: 'k', containerRuntimeVersion: 'r' },
      },
    },
    'Ready,SchedulingDisabled',
    'edge,worker',
    day,
    'v1',
    '1.1.1.1',
    '2.2.2.2',
    'o',
    'k',
    'r',
  ],
  [
    '/Node',
    { metadata: { labels: { 'kubernetes.io/role': '' } }, status: { conditions: [{ ...isReady, status: 'False' }] } },
    'NotReady',
    none,
    day,
    '',
    none,
    none,
    '<unknown>',
    '<unknown>',
    '<unknown>',
  ],
  ['/Service', { spec: { type: 'ClusterIP' } }, 'ClusterIP', none, none, none, day, none],
  [
    '/Service',
    {
      spec: {
        type: 'NodePort',
        clusterIP: '1.1.1.1',
        clusterIPs: ['1.1.1.2'],
        externalIPs: ['3.3.3.3', '2.2.2.2'],
        selector: { b: '1', a: '2' },
        ports: [
          { port: 80, protocol: 'TCP' },
          { port: 81, nodePort: 30_000, protocol: 'UDP' },
        ],
      },
    },
    'NodePort',
    '1.1.1.2',
    '3.3.3.3,2.2.2.2',
    '80/TCP,81:30000/UDP',
    day,
    'a=2,b=1',
  ],
  [
    '/Service',
    { spec: { type: 'ExternalName', externalName: 'a.b', clusterIP: '' } },
    'ExternalName',
    none,
    'a.b',
    none,
    day,
    none,
  ],
  ['/Service', { spec: { type: 'LoadBalancer', clusterIP: '1.1.1.1' } }, 'LoadBalancer', '1.1.1.1', '<pending>', none, day, none],
  [
    '/Service',
    {
      spec: { type: 'LoadBalancer', externalIPs: ['2.2.2.2'] },
      status: { loadBalancer: { ingress: [{ hostname: 'h' }, { ip: '2.2.2.2', hostname: 'g' }] } },
    },
    'LoadBalancer',
    none,
    '2.2.2.2,h',
    none,
    day,
    none,
  ],
  ['/Endpoints', {}, none, day],
  [
    '/Endpoints',
    {
      subsets: [
        { addresses: [{ ip: '1.1.1.1' }], ports: [] },
        { addresses: [{ ip: '1.1.1.2' }], ports: [{ port: 80 }, { port: 81 }] },
      ],
    },
    '1.1.1.1,1.1.1.2:80,1.1.1.2:81',
    day,
  ],
  ['/Endpoints', { subsets: [{ addresses: ['1', '2', '3', '4', '5'].map(ip => ({ ip })) }] }, '1,2,3 + 2 more...', day],
  ['discovery.k8s.io/EndpointSlice', { addressType: 'IPv4' }, 'IPv4', '<unset>', '<unset>', day],
  [
    'discovery.k8s.io/EndpointSlice',
    { addressType: 'IPv4', ports: [{}, { port: 80 }], endpoints: [{ addresses: ['1', '2'] }, { addresses: ['3'] }] },
    'IPv4',
    '*,80',
    '1,2,3',
    day,
  ],
  ['networking.k8s.io/Ingress', { spec: { rules: [{ host: '' }] } }, none, '*', '', '80', day],
  [
    'networking.k8s.io/Ingress',
    {
      spec: { ingressClassName: 'c', rules: [{ host: 'h' }, {}], tls: [{}] },
      status: { loadBalancer: { ingress: [{ ip: '1' }, { hostname: 'x' }] } },
    },
    'c',
    'h',
    '1,x',
    '80, 443',
    day,
  ],
  ['networking.k8s.io/IngressClass', { spec: { controller: 'c' } }, 'c', none, day],
  [
    'networking.k8s.io/IngressClass',
    { spec: { controller: 'c', parameters: { kind: 'K', apiGroup: 'g', name: 'n' } } },
    'c',
    'K.g/n',
    day,
  ],
  ['networking.k8s.io/IngressClass', { spec: { controller: 'c', parameters: { kind: 'K', name: 'n' } } }, 'c', 'K/n', day],
  ['batch/Job', { spec: {}, status: {} }, 'Running', '0/1', '', day, '', '', none],
  ['batch/Job', { spec: { parallelism: 1 }, status: { succeeded: 1 } }, 'Running', '1/1', '', day, '', '', none],
  ['batch/Job', { spec: { parallelism: 2 }, status: { startTime: hour } }, 'Running', '0/1 of 2', '60m', day, '', '', none],
  [
    'batch/Job',
    {
      spec: { completions: 3 },
      status: { startTime: hour, completionTime: '2026-01-01T23:10:00Z', conditions: [{ type: 'Complete', status: 'True' }] },
    },
    'Complete',
    '0/3',
    '10m',
    day,
    '',
    '',
    none,
  ],
  ['batch/CronJob', { spec: { schedule: '* * * * *' } }, '* * * * *', none, '<unset>', 0, none, day, '', '', none],
  [
    'batch/CronJob',
    { spec: { schedule: 's', timeZone: 'Z', suspend: true }, status: { active: [{}], lastScheduleTime: hour } },
    's',
    'Z',
    'True',
    1,
    '60m',
    day,
    '',
    '',
    none,
  ],
  ['batch/CronJob', { spec: { schedule: 's', suspend: false } }, 's', none, 'False', 0, none, day, '', '', none],
  [
    '/PersistentVolumeClaim',
    { status: { phase: 'Pending', capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'] } },
    'Pending',
    '',
    '',
    '',
    '',
    '<unset>',
    day,
    '<unset>',
  ],
  [
    '/PersistentVolumeClaim',
    {
      metadata: { deletionTimestamp: hour },
      spec: { volumeName: 'v', storageClassName: 's' },
      status: { phase: 'Bound', capacity: { storage: '1Gi' }, accessModes: ['ReadWriteMany', 'ReadWriteOnce'] },
    },
    'Terminating',
    'v',
    '1Gi',
    'RWO,RWX',
    's',
    '<unset>',
    day,
    '<unset>',
  ],
  [
    '/PersistentVolume',
    {
      spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOncePod'], claimRef: { namespace: 'x', name: 'c' } },
      status: { phase: 'Bound' },
    },
    '1Gi',
    'RWOP',
    '',
    'Bound',
    'x/c',
    '',
    '<unset>',
    '',
    day,
    '<unset>',
  ],
  [
    '/PersistentVolume',
    { metadata: { deletionTimestamp: hour }, status: { phase: 'Bound' } },
    '',
    '',
    '',
    'Terminating',
    '',
    '',
    '<unset>',
    '',
    day,
    '<unset>',
  ],
  [
    '/ResourceQuota',
    { status: { hard: { 'limits.cpu': '2', pods: '3', cpu: '1' }, used: { pods: '1' } } },
    'cpu: /1, pods: 1/3',
    'limits.cpu: /2',
    day,
  ],
  ['/ConfigMap', { data: { a: '', b: '' }, binaryData: { c: '' } }, 3, day],
  ['apps/ControllerRevision', { revision: 2 }, none, 2, day],
  [
    'apps/ControllerRevision',
    {
      revision: 2,
      metadata: { ownerReferences: [{ kind: 'Pod' }, { apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'd', controller: true }] },
    },
    'daemonset.apps/d',
    2,
    day,
  ],
  [
    'apps/ControllerRevision',
    { metadata: { ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name: 'n', controller: true }] } },
    'node/n',
    0,
    day,
  ],
  ['/ReplicationController', { kind: 'ReplicationController', spec: { selector: { a: 'b' } } }, 0, 0, 0, day, '', '', 'a=b'],
  ['apps/ReplicaSet', { kind: 'ReplicaSet', spec: { selector: { matchLabels: { a: 'b' } } } }, 0, 0, 0, day, '', '', 'a=b'],
  ['certificates.k8s.io/CertificateSigningRequest', {}, day, none, '', none, 'Pending'],
  [
    'certificates.k8s.io/CertificateSigningRequest',
    {
      spec: { signerName: 's', username: 'u', expirationSeconds: 600 },
      status: { certificate: 'c', conditions: [{ type: 'Approved' }] },
    },
    day,
    's',
    'u',
    '10m',
    'Approved,Issued',
  ],
  [
    'admissionregistration.k8s.io/ValidatingAdmissionPolicy',
    { spec: { validations: [{}], paramKind: { apiVersion: 'v1', kind: 'ConfigMap' } } },
    1,
    'v1/ConfigMap',
    day,
  ],
  ['admissionregistration.k8s.io/ValidatingAdmissionPolicy', {}, 0, '<unset>', day],
  ['admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding', { spec: { policyName: 'p' } }, 'p', '<unset>', day],
  ['admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding', { spec: { paramRef: { name: 'n' } } }, '', 'n', day],
  [
    'admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding',
    { spec: { paramRef: { name: 'n', namespace: 'x' } } },
    '',
    'x/n',
    day,
  ],
  [
    'rbac.authorization.k8s.io/RoleBinding',
    {
      roleRef: { kind: 'Role', name: 'r' },
      subjects: [
        { kind: 'User', name: 'u' },
        { kind: 'User', name: 'v' },
        { kind: 'Group', name: 'g' },
        { kind: 'ServiceAccount', name: 's', namespace: 'x' },
      ],
    },
    'Role/r',
    day,
    'u, v',
    'g',
    'x/s',
  ],
  ['rbac.authorization.k8s.io/RoleBinding', { roleRef: { kind: 'Role', name: 'r' } }, 'Role/r', day, '', '', ''],
] as const)
  test(`the row of a ${kind.split('/').at(-1)} says ${cells.join(', ')}`, () => {
    assert.deepEqual(cellsOf(kind, object).slice(1), cells)
  })

for (const [state, conditions, more] of [
  ['Failed', ['Failed', 'Suspended'], {}],
  ['Suspended', ['Suspended', 'FailureTarget'], {}],
  ['FailureTarget', ['FailureTarget', 'SuccessCriteriaMet'], {}],
  ['SuccessCriteriaMet', ['SuccessCriteriaMet'], {}],
  ['Terminating', ['Suspended'], { deletionTimestamp: hour }],
] as const)
  test(`a job with ${conditions.join(' and ')} is ${state}`, () => {
    const given = conditions.map(type => ({ type, status: 'True' }))
    assert.equal(cellsOf('batch/Job', { metadata: more, status: { conditions: given } })[1], state)
    const withdrawn = [{ type: 'Complete', status: 'False' }, ...given]
    assert.equal(cellsOf('batch/Job', { metadata: more, status: { conditions: withdrawn } })[1], state)
  })

for (const [said, event, cells] of [
  [
    'of the core group',
    {
      involvedObject: { kind: 'Pod', name: 'p', fieldPath: 'f' },
      type: 'Normal',
      reason: 'R',
      message: ' m ',
      source: { component: 'c', host: 'h' },
      firstTimestamp: '2026-01-01T22:00:00Z',
      lastTimestamp: hour,
      count: 3,
    },
    ['60m', 'Normal', 'R', 'pod/p', 'f', 'c, h', 'm', '120m', 3, 'a'],
  ],
  [
    'of its own group',
    { regarding: { kind: 'Pod' }, note: 'n', eventTime: hour, reportingController: 'rc', reportingInstance: 'ri' },
    ['60m', '', '', 'pod', '', 'rc, ri', 'n', '60m', 1, 'a'],
  ],
  [
    'of a series',
    { eventTime: '2026-01-01T22:00:00Z', series: { count: 4, lastObservedTime: hour }, count: 2, reportingComponent: 'rc' },
    ['60m', '', '', '', '', 'rc', '', '120m', 4, 'a'],
  ],
  [
    'of the older form in its own group',
    {
      deprecatedFirstTimestamp: '2026-01-01T22:00:00Z',
      deprecatedLastTimestamp: hour,
      deprecatedCount: 5,
      deprecatedSource: { component: 'c' },
    },
    ['60m', '', '', '', '', 'c', '', '120m', 5, 'a'],
  ],
  ['without a time', { lastTimestamp: null }, ['<unknown>', '', '', '', '', '', '', '<unknown>', 1, 'a']],
] as const)
  test(`the row of an event ${said} says when, what and who`, () => {
    assert.deepEqual(cellsOf('/Event', event), cells)
  })

test('the row of a pod that has ended says how', () => {
  const conditionsOf = (phase: string): unknown =>
    builtinPrinter('', 'Pod').row({ metadata: { name: 'a' }, spec: {}, status: { phase } }, now).conditions
  const completed = { type: 'Completed', status: 'True' }
  assert.deepEqual(conditionsOf('Succeeded'), [
    { ...completed, reason: 'Succeeded', message: 'The pod has completed successfully.' },
  ])
  assert.deepEqual(conditionsOf('Failed'), [{ ...completed, reason: 'Failed', message: 'The pod failed.' }])
  assert.equal(conditionsOf('Running'), undefined)
})
