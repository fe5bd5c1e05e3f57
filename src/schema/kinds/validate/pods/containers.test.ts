import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Json, JsonObject } from '../../../json.ts'
import { refusals } from '../../../testing/refusals.ts'

const at = 'spec.containers[0]'
const range = 'must be between 1 and 65535, inclusive'
const later = 'Forbidden: cannot be set for an Ephemeral Container'
const atLeast0 = 'must be greater than or equal to 0'
const label =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')"

function pod(spec: JsonObject): JsonObject {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p' },
    spec: { containers: [{ name: 'a', image: 'web:1' }], ...spec },
  }
}

const one = (container: JsonObject): JsonObject => ({ containers: [{ name: 'a', image: 'web:1', ...container }] })
const ports = (...list: JsonObject[]): JsonObject => one({ ports: list })
const amounts = (limits: JsonObject, requests: JsonObject): JsonObject => one({ resources: { limits, requests } })
const variable = (valueFrom: JsonObject, more: JsonObject = {}): JsonObject => one({ env: [{ name: 'A', ...more, valueFrom }] })
const from = `${at}.env[0].valueFrom`
const probe = (content: JsonObject): JsonObject => one({ livenessProbe: content })
const live = `${at}.livenessProbe`
const fieldText = 'error converting fieldPath: field label not supported'
const ofVariables =
  'supported values: "metadata.name", "metadata.namespace", "metadata.uid", "spec.nodeName", "spec.serviceAccountName", "status.hostIP", "status.hostIPs", "status.podIP", "status.podIPs"'
const ofAmounts =
  'supported values: "limits.cpu", "limits.ephemeral-storage", "limits.memory", "requests.cpu", "requests.ephemeral-storage", "requests.memory"'
const mounting = (...volumeMounts: JsonObject[]): JsonObject => ({ ...one({ volumeMounts }), volumes: [{ name: 'v' }] })

const first = (container: JsonObject): JsonObject => ({ initContainers: [{ name: 'i', image: 'web:1', ...container }] })
const secured = (securityContext: JsonObject): JsonObject => one({ securityContext })
const asking = (claims: Json[], resourceClaims: Json[]): JsonObject => ({ ...one({ resources: { claims } }), resourceClaims })
const claimed = { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } }
const volumes = [
  { name: 'v' },
  { name: 'p', persistentVolumeClaim: { claimName: 'c' } },
  { name: 'e', ephemeral: { volumeClaimTemplate: claimed } },
]
const using = (volumeMounts: Json[], volumeDevices: Json[], more: JsonObject = {}): JsonObject => ({
  ...one({ volumeMounts, volumeDevices, ...more }),
  volumes,
})
const exec = { command: ['a'] }
const key =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')"
const variableName = "a valid environment variable name must consist only of printable ASCII characters other than '='"
const header =
  "a valid HTTP header must consist of alphanumeric characters or '-' (e.g. 'X-Header-Name', regex used for validation is '[-A-Za-z0-9]+')"
const notFirst = 'Forbidden: may not be set for init containers without restartPolicy=Always'
const profiles = 'supported values: "Localhost", "RuntimeDefault", "Unconfined"'
const subdomain =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
const nameForm =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"

const noNumber = (index: number): string => `${at}.ports[${index}].containerPort: Required value`

const rows: readonly (readonly [spec: JsonObject, ...told: string[]])[] = [
  [{}],
  [{ containers: [] }, 'spec.containers: Required value'],
  [one({ name: '' }), `${at}.name: Required value`],
  [one({ name: 'A' }), `${at}.name: Invalid value: "A": ${label}`],
  [
    {
      containers: [
        { name: 'a', image: 'i' },
        { name: 'a', image: 'i' },
      ],
      initContainers: [{ name: 'a', image: 'i' }],
    },
    'spec.containers[1].name: Duplicate value: "a"',
    'spec.initContainers[0].name: Duplicate value: "a"',
  ],
  [one({ image: '' }), `${at}.image: Required value`],
  [one({ image: ' web' }), `${at}.image: Invalid value: " web": must not have leading or trailing whitespace`],
  [one({ image: 'web ' }), `${at}.image: Invalid value: "web ": must not have leading or trailing whitespace`],
  [
    one({ imagePullPolicy: 'Sometimes', terminationMessagePolicy: 'Mail' }),
    `${at}.terminationMessagePolicy: Unsupported value: "Mail": supported values: "File", "FallbackToLogsOnError"`,
    `${at}.imagePullPolicy: Unsupported value: "Sometimes": supported values: "Always", "IfNotPresent", "Never"`,
  ],
  [ports({ containerPort: 1, name: 'a' }, { containerPort: 65535, hostPort: 65535, protocol: 'UDP', name: 'b' })],
  [ports({ containerPort: 1, hostPort: 0 })],
  [ports({}), `${at}.ports[0].containerPort: Required value`],
  [ports({ containerPort: 0 }), `${at}.ports[0].containerPort: Required value`],
  [
    ports({ containerPort: 65536, hostPort: 65536, protocol: 'HTTP' }),
    `${at}.ports[0].containerPort: Invalid value: 65536: ${range}`,
    `${at}.ports[0].hostPort: Invalid value: 65536: ${range}`,
    `${at}.ports[0].protocol: Unsupported value: "HTTP": supported values: "SCTP", "TCP", "UDP"`,
  ],
  [ports({ containerPort: 1, protocol: '' })],
  [ports({ containerPort: 1, name: 'a' }, { containerPort: 2, name: 'a' }), `${at}.ports[1].name: Duplicate value: "a"`],
  [ports({ containerPort: 1, name: 'a'.repeat(15) })],
  [
    ports({ containerPort: 1, name: 'a'.repeat(16) }),
    `${at}.ports[0].name: Invalid value: "aaaaaaaaaaaaaaaa": must be no more than 15 characters`,
  ],
  [ports({ containerPort: 1, name: '80' }), `${at}.ports[0].name: Invalid value: "80": must contain at least one letter (a-z)`],
  [
    ports({ containerPort: 1, name: 'A_b-' }),
    `${at}.ports[0].name: Invalid value: "A_b-": must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)`,
    `${at}.ports[0].name: Invalid value: "A_b-": must not begin or end with a hyphen`,
  ],
  [ports({ containerPort: 1, name: '-a' }), `${at}.ports[0].name: Invalid value: "-a": must not begin or end with a hyphen`],
  [
    ports({ containerPort: 1, hostPort: 8000 }, { containerPort: 2, hostPort: 8000 }),
    `${at}.ports[1].hostPort: Duplicate value: "TCP//8000"`,
  ],
  [
    ports({ containerPort: 1, hostPort: 1 }, { containerPort: 2, hostPort: 1 }),
    `${at}.ports[1].hostPort: Duplicate value: "TCP//1"`,
  ],
  [{ ...ports({}, {}), hostNetwork: true }, noNumber(0), noNumber(1)],
  [probe({ httpGet: {} }), `${live}.httpGet.port: Invalid value: 0: ${range}`],
  [ports({ containerPort: 1, hostPort: 8000 }, { containerPort: 2, hostPort: 8000, protocol: 'UDP' })],
  [ports({ containerPort: 1, hostPort: 8000, hostIP: '10.0.0.1' }, { containerPort: 2, hostPort: 8000 })],
  [
    { ...ports({ containerPort: 1, hostPort: 2 }), hostNetwork: true },
    `${at}.ports[0].hostPort: Invalid value: 2: must match \`containerPort\` when \`hostNetwork\` is true`,
  ],
  [{ ...ports({ containerPort: 1, hostPort: 1 }), hostNetwork: true }],
  [mounting({ name: 'v', mountPath: '/a' }, { name: 'v', mountPath: '/b' })],
  [
    mounting({ name: '', mountPath: '' }),
    `${at}.volumeMounts[0].name: Required value`,
    `${at}.volumeMounts[0].name: Not found: ""`,
    `${at}.volumeMounts[0].mountPath: Required value`,
  ],
  [
    mounting({ name: 'v', mountPath: '/a' }, { name: 'w', mountPath: '/a' }),
    `${at}.volumeMounts[1].name: Not found: "w"`,
    `${at}.volumeMounts[1].mountPath: Invalid value: "/a": must be unique`,
  ],
  [amounts({ cpu: '1', memory: '1Gi', 'example.com/gpu': '1', 'hugepages-2Mi': '2Mi' }, { cpu: '500m', 'example.com/gpu': '1' })],
  [amounts({ cpu: '0' }, { cpu: '0' })],
  [
    amounts({ gpu: '1' }, { gpu: '1' }),
    `${at}.resources.limits[gpu]: Invalid value: "gpu": must be a standard resource type or fully qualified`,
    `${at}.resources.limits[gpu]: Invalid value: "gpu": must be a standard resource for containers`,
    `${at}.resources.requests[gpu]: Invalid value: "gpu": must be a standard resource type or fully qualified`,
    `${at}.resources.requests[gpu]: Invalid value: "gpu": must be a standard resource for containers`,
  ],
  [
    amounts({ pods: '1' }, { pods: '1' }),
    `${at}.resources.limits[pods]: Invalid value: "pods": must be a standard resource for containers`,
    `${at}.resources.requests[pods]: Invalid value: "pods": must be a standard resource for containers`,
  ],
  [
    amounts({ cpu: '-1' }, { cpu: '-1' }),
    `${at}.resources.limits[cpu]: Invalid value: "-1": ${atLeast0}`,
    `${at}.resources.requests[cpu]: Invalid value: "-1": ${atLeast0}`,
  ],
  [
    amounts({ cpu: '1' }, { cpu: '1001m' }),
    `${at}.resources.requests: Invalid value: "1001m": must be less than or equal to cpu limit of 1`,
  ],
  [
    amounts({ 'example.com/gpu': '2' }, { 'example.com/gpu': '1' }),
    `${at}.resources.requests: Invalid value: "1": must be equal to example.com/gpu limit of 2`,
  ],
  [
    amounts({ cpu: '1' }, { 'example.com/gpu': '1' }),
    `${at}.resources.limits: Required value: Limit must be set for non overcommitable resources`,
  ],
  [
    amounts({ 'hugepages-2Mi': '4Mi' }, { 'hugepages-2Mi': '2Mi' }),
    `${at}.resources.requests: Invalid value: "2Mi": must be equal to hugepages-2Mi limit of 4Mi`,
    `${at}.resources: Forbidden: HugePages require cpu or memory`,
  ],
  [one({ securityContext: { runAsUser: 0, runAsGroup: 2147483647, procMount: 'Default' } })],
  [{ ...one({ securityContext: { procMount: 'Unmasked' } }), hostUsers: false }],
  [
    one({ securityContext: { procMount: 'Unmasked' } }),
    `${at}.securityContext.procMount: Invalid value: "Unmasked": \`hostUsers\` must be false to use \`Unmasked\``,
  ],
  [
    one({ securityContext: { runAsUser: -1, runAsGroup: 2147483648, procMount: 'Any' } }),
    `${at}.securityContext.runAsUser: Invalid value: -1: must be between 0 and 2147483647, inclusive`,
    `${at}.securityContext.runAsGroup: Invalid value: 2147483648: must be between 0 and 2147483647, inclusive`,
    `${at}.securityContext.procMount: Unsupported value: "Any": supported values: "Default", "Unmasked"`,
  ],
  [one({ securityContext: { privileged: true, allowPrivilegeEscalation: true } })],
  [one({ securityContext: { allowPrivilegeEscalation: false } })],
  [
    one({ securityContext: { privileged: true, allowPrivilegeEscalation: false, runAsUser: 1 } }),
    `${at}.securityContext: Invalid value: {"Capabilities":null,"Privileged":true,"SELinuxOptions":null,"WindowsOptions":null,"RunAsUser":1,"RunAsGroup":null,"RunAsNonRoot":null,"ReadOnlyRootFilesystem":null,"AllowPrivilegeEscalation":false,"ProcMount":null,"SeccompProfile":null,"AppArmorProfile":null}: cannot set \`allowPrivilegeEscalation\` to false and \`privileged\` to true`,
  ],
  [one({ env: [{ name: 'A b', value: 'x' }, { name: '~' }, { name: ' ' }] })],
  [one({ env: [{ name: '' }] }), `${at}.env[0].name: Required value`],
  [
    one({ env: [{ name: 'a=b' }, { name: 'é' }] }),
    `${at}.env[0].name: Invalid value: "a=b": a valid environment variable name must consist only of printable ASCII characters other than '='`,
    `${at}.env[1].name: Invalid value: "é": a valid environment variable name must consist only of printable ASCII characters other than '='`,
  ],
  [
    variable({}),
    `${from}: Invalid value: "": must specify one of: \`fieldRef\`, \`resourceFieldRef\`, \`configMapKeyRef\` or \`secretKeyRef\``,
  ],
  [variable({ secretKeyRef: { name: 's', key: 'k' } })],
  [
    variable({ secretKeyRef: { name: 's', key: 'k' } }, { value: 'x' }),
    `${from}: Invalid value: "": may not be specified when \`value\` is not empty`,
  ],
  [
    variable({ secretKeyRef: { name: 's', key: 'k' }, configMapKeyRef: { name: 'c', key: 'k' } }),
    `${from}: Invalid value: "": may not have more than one field specified at a time`,
  ],
  [variable({ configMapKeyRef: { name: 'c', key: '' } }), `${from}.configMapKeyRef.key: Required value`],
  [variable({ fieldRef: { fieldPath: "metadata.labels['a']" } })],
  [variable({ fieldRef: { fieldPath: 'status.podIP' } })],
  [variable({ fieldRef: { fieldPath: '' } }), `${from}.fieldRef.fieldPath: Required value`],
  [
    variable({ fieldRef: { fieldPath: 'spec.nope' } }),
    `${from}.fieldRef.fieldPath: Invalid value: "spec.nope": ${fieldText}: spec.nope`,
  ],
  [
    variable({ fieldRef: { fieldPath: 'metadata.labels' } }),
    `${from}.fieldRef.fieldPath: Unsupported value: "metadata.labels": ${ofVariables}`,
  ],
  [variable({ resourceFieldRef: { resource: 'limits.cpu' } })],
  [variable({ resourceFieldRef: { resource: 'requests.hugepages-2Mi' } })],
  [variable({ resourceFieldRef: { resource: '' } }), `${from}.resourceFieldRef.resource: Required value`],
  [
    variable({ resourceFieldRef: { resource: 'cpu' } }),
    `${from}.resourceFieldRef.resource: Unsupported value: "cpu": ${ofAmounts}`,
  ],
  [one({ envFrom: [{ secretRef: { name: 's' } }, { configMapRef: { name: 'c' }, prefix: 'A' }] })],
  [
    one({ envFrom: [{ prefix: 'A' }] }),
    `${at}.envFrom: Invalid value: "": must specify one of: \`configMapRef\` or \`secretRef\``,
  ],
  [
    one({ envFrom: [{ secretRef: { name: '' }, configMapRef: { name: 'c' } }] }),
    `${at}.envFrom[0].secretRef.name: Required value`,
    `${at}.envFrom: Invalid value: "": may not have more than one field specified at a time`,
  ],
  [probe({ exec: { command: ['a'] } })],
  [probe({ httpGet: { port: 'web', scheme: 'HTTPS' } })],
  [probe({ tcpSocket: { port: 65535 }, initialDelaySeconds: 0, periodSeconds: 0 })],
  [probe({}), `${live}: Required value: must specify a handler type`],
  [
    probe({ exec: { command: ['a'] }, tcpSocket: { port: 1 }, grpc: { port: 1 } }),
    `${live}.tcpSocket: Forbidden: may not specify more than 1 handler type`,
    `${live}.grpc: Forbidden: may not specify more than 1 handler type`,
  ],
  [probe({ exec: { command: [] } }), `${live}.exec.command: Required value`],
  [
    probe({ httpGet: { port: 0, scheme: 'FTP' } }),
    `${live}.httpGet.port: Invalid value: 0: ${range}`,
    `${live}.httpGet.scheme: Unsupported value: "FTP": supported values: "HTTP", "HTTPS"`,
  ],
  [probe({ tcpSocket: { port: 'a--b' } }), `${live}.tcpSocket.port: Invalid value: "a--b": must not contain consecutive hyphens`],
  [probe({ grpc: { port: 65536 } }), `${live}.grpc.port: Invalid value: 65536: ${range}`],
  ...['initialDelaySeconds', 'timeoutSeconds', 'periodSeconds', 'failureThreshold'].map(
    field => [probe({ exec: { command: ['a'] }, [field]: -1 }), `${live}.${field}: Invalid value: -1: ${atLeast0}`] as const,
  ),
  [probe({ exec: { command: ['a'] }, successThreshold: 2 }), `${live}.successThreshold: Invalid value: 2: must be 1`],
  [one({ readinessProbe: { exec: { command: ['a'] }, successThreshold: 2 } })],
  [
    one({ startupProbe: { exec: { command: ['a'] }, successThreshold: 3 } }),
    `${at}.startupProbe.successThreshold: Invalid value: 3: must be 1`,
  ],
  [one({ lifecycle: { preStop: { sleep: { seconds: 1 } }, postStart: { exec: { command: ['a'] } } } })],
  [
    one({ lifecycle: { preStop: {}, postStart: { exec: {} } } }),
    `${at}.lifecycle.postStart.exec.command: Required value`,
    `${at}.lifecycle.preStop: Required value: must specify a handler type`,
  ],
  [
    ports({ name: 'A' }, { name: 'A', containerPort: 1 }),
    `${at}.ports[0].name: Invalid value: "A": must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)`,
    `${at}.ports[0].name: Invalid value: "A": must contain at least one letter (a-z)`,
    `${at}.ports[0].containerPort: Required value`,
    `${at}.ports[1].name: Invalid value: "A": must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)`,
    `${at}.ports[1].name: Invalid value: "A": must contain at least one letter (a-z)`,
  ],
  [
    {
      containers: [
        { name: 'a', image: 'i', ports: [{ containerPort: 1, hostPort: 5 }] },
        { name: 'a', image: 'i', ports: [{ containerPort: 1, hostPort: 5 }] },
      ],
      hostNetwork: true,
    },
    'spec.containers[1].name: Duplicate value: "a"',
    'spec.containers[1].ports[0].hostPort: Duplicate value: "TCP//5"',
    `${at}.ports[0].hostPort: Invalid value: 5: must match \`containerPort\` when \`hostNetwork\` is true`,
    'spec.containers[1].ports[0].hostPort: Invalid value: 5: must match `containerPort` when `hostNetwork` is true',
  ],
  [
    first({
      ports: [
        { containerPort: 1, hostPort: 5 },
        { containerPort: 2, hostPort: 5 },
      ],
    }),
    'spec.initContainers[0].ports[1].hostPort: Duplicate value: "TCP//5"',
  ],
  [
    first({ lifecycle: {}, livenessProbe: {}, readinessProbe: {}, startupProbe: {} }),
    `spec.initContainers[0].lifecycle: ${notFirst}`,
    `spec.initContainers[0].livenessProbe: ${notFirst}`,
    `spec.initContainers[0].readinessProbe: ${notFirst}`,
    `spec.initContainers[0].startupProbe: ${notFirst}`,
  ],
  [
    first({ restartPolicy: 'Always', lifecycle: { postStart: {} }, livenessProbe: {} }),
    'spec.initContainers[0].lifecycle.postStart: Required value: must specify a handler type',
    'spec.initContainers[0].livenessProbe: Required value: must specify a handler type',
  ],
  [
    using([{ name: 'v', mountPath: '/a' }, { name: 'w', mountPath: '/a' }, {}], []),
    `${at}.volumeMounts[1].name: Not found: "w"`,
    `${at}.volumeMounts[1].mountPath: Invalid value: "/a": must be unique`,
    `${at}.volumeMounts[2].name: Required value`,
    `${at}.volumeMounts[2].name: Not found: ""`,
    `${at}.volumeMounts[2].mountPath: Required value`,
  ],
  [
    using(
      [
        { name: 'v', mountPath: '/a', subPath: 'b/..c' },
        { name: 'v', mountPath: '/b', subPathExpr: '$(A)' },
      ],
      [],
    ),
  ],
  [
    using([{ name: 'v', mountPath: '/a', subPath: '/..', subPathExpr: '../b' }], []),
    `${at}.volumeMounts.subPath: Invalid value: "/..": must be a relative path`,
    `${at}.volumeMounts.subPath: Invalid value: "/..": must not contain '..'`,
    `${at}.volumeMounts[0].subPathExpr: Invalid value: "../b": subPathExpr and subPath are mutually exclusive`,
    `${at}.volumeMounts.subPathExpr: Invalid value: "../b": must not contain '..'`,
  ],
  [
    using([{ name: 'v', mountPath: '/a', mountPropagation: 'Bidirectional' }], []),
    `${at}.volumeMounts.mountPropagation: Forbidden: Bidirectional mount propagation is available only to privileged containers`,
  ],
  [using([{ name: 'v', mountPath: '/a', mountPropagation: 'Bidirectional' }], [], { securityContext: { privileged: true } })],
  [
    using([{ name: 'v', mountPath: '/a', mountPropagation: 'Any', recursiveReadOnly: 'Any' }], []),
    `${at}.volumeMounts.mountPropagation: Unsupported value: "Any": supported values: "Bidirectional", "HostToContainer", "None"`,
    `${at}.volumeMounts.recursiveReadOnly: Unsupported value: "Any": supported values: "Disabled", "Enabled", "IfPossible"`,
  ],
  [using([{ name: 'v', mountPath: '/a', readOnly: true, recursiveReadOnly: 'Enabled', mountPropagation: 'None' }], [])],
  [
    using(
      [
        { name: 'v', mountPath: '/a', recursiveReadOnly: 'IfPossible', mountPropagation: 'HostToContainer' },
        { name: 'v', mountPath: '/b', recursiveReadOnly: 'Disabled' },
      ],
      [],
    ),
    `${at}.volumeMounts.recursiveReadOnly: Forbidden: may only be specified when readOnly is true`,
    `${at}.volumeMounts.recursiveReadOnly: Forbidden: may only be specified when mountPropagation is None or not specified`,
  ],
  [
    using(
      [],
      [
        { name: 'p', devicePath: '/p' },
        { name: 'e', devicePath: '/e..f' },
      ],
    ),
  ],
  [
    using([], [{}, { name: 'v', devicePath: '/a' }, { name: 'x', devicePath: '/a' }, { name: 'x', devicePath: '/a/..' }]),
    `${at}.volumeDevices[0].name: Required value`,
    `${at}.volumeDevices[0].name: Not found: ""`,
    `${at}.volumeDevices[0].devicePath: Required value`,
    `${at}.volumeDevices[1].name: Invalid value: "v": can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode`,
    `${at}.volumeDevices[2].name: Not found: "x"`,
    `${at}.volumeDevices[2].devicePath: Invalid value: "/a": must be unique`,
    `${at}.volumeDevices[3].name: Invalid value: "x": must be unique`,
    `${at}.volumeDevices[3].name: Not found: "x"`,
    `${at}.volumeDevices[3].devicePath: Invalid value: "/a/..": can not contain backsteps ('..')`,
  ],
  [
    using([{ name: 'p', mountPath: '/p' }], [{ name: 'p', devicePath: '/p' }]),
    `${at}.volumeMounts[0].name: Invalid value: "p": must not already exist in volumeDevices`,
    `${at}.volumeMounts[0].mountPath: Invalid value: "/p": must not already exist as a path in volumeDevices`,
    `${at}.volumeDevices[0].name: Invalid value: "p": must not already exist in volumeMounts`,
    `${at}.volumeDevices[0].devicePath: Invalid value: "/p": must not already exist as a path in volumeMounts`,
  ],
  [
    { ...using([], [{ name: 'p', devicePath: '/p' }]), hostUsers: false, hostNetwork: true, hostPID: true, hostIPC: true },
    'spec.hostNetwork: Forbidden: when `hostUsers` is false',
    'spec.HostPID: Forbidden: when `hostUsers` is false',
    'spec.HostIPC: Forbidden: when `hostUsers` is false',
    `${at}.volumeDevices: Forbidden: when \`hostUsers\` is false`,
  ],
  [
    amounts({ cpu: '1', 'example.com/gpu': '1500m' }, {}),
    `${at}.resources.limits[example.com/gpu]: Invalid value: "1500m": must be an integer`,
    `${at}.resources.requests[example.com/gpu]: Invalid value: "1500m": must be an integer`,
  ],
  [
    amounts({ cpu: '1', 'hugepages-2Mi': '3Mi' }, {}),
    `${at}.resources.limits[hugepages-2Mi]: Invalid value: "3Mi": 3Mi is not positive integer multiple of hugepages-2Mi`,
    `${at}.resources.requests[hugepages-2Mi]: Invalid value: "3Mi": 3Mi is not positive integer multiple of hugepages-2Mi`,
  ],
  [
    amounts({ cpu: '1' }, { 'hugepages-2Mi': '3Mi' }),
    `${at}.resources.limits: Required value: Limit must be set for non overcommitable resources`,
    `${at}.resources.requests[hugepages-2Mi]: Invalid value: "3Mi": 3Mi is not positive integer multiple of hugepages-2Mi`,
  ],
  [
    amounts({ cpu: '1', 'hugepages-x': '1' }, {}),
    `${at}.resources.limits[hugepages-x]: Invalid value: "1": 1 is not positive integer multiple of hugepages-x`,
    `${at}.resources.requests[hugepages-x]: Invalid value: "1": 1 is not positive integer multiple of hugepages-x`,
  ],
  [amounts({ cpu: '1', 'hugepages-2Mi': '0' }, {})],
  [amounts({ memory: '1Gi', 'hugepages-2Mi': '4Mi' }, { 'hugepages-2Mi': '4Mi' })],
  [
    amounts({ 'requests.example.com/gpu': '1' }, { 'requests.example.com/gpu': '1' }),
    `${at}.resources.limits[requests.example.com/gpu]: Invalid value: "requests.example.com/gpu": doesn't follow extended resource name standard`,
    `${at}.resources.requests[requests.example.com/gpu]: Invalid value: "requests.example.com/gpu": doesn't follow extended resource name standard`,
  ],
  [
    asking(
      [
        { name: 'c', request: 'r' },
        { name: 'c', request: 's' },
      ],
      [{ name: 'c', resourceClaimName: 'x' }],
    ),
  ],
  [
    asking([{ name: 'c', request: 'r' }, { name: 'c', request: 'r' }, { name: 'c' }], [{ name: 'c', resourceClaimName: 'x' }]),
    `${at}.resources.claims[1]: Duplicate value: "c/r"`,
    `${at}.resources.claims[2]: Duplicate value: "c"`,
  ],
  [
    asking([{ name: 'c' }, { name: 'c', request: 'r' }], [{ name: 'c', resourceClaimName: 'x' }]),
    `${at}.resources.claims[1]: Duplicate value: "c"`,
  ],
  [
    asking(
      [{}, { name: 'd' }],
      [
        { name: 'c', resourceClaimName: 'x' },
        { name: 'b', resourceClaimName: 'x' },
      ],
    ),
    `${at}.resources.claims[0]: Required value`,
    `${at}.resources.claims[1]: Not found: "d": must be one of the names in pod.spec.resourceClaims: b, c`,
  ],
  [
    asking([{ name: 'd' }], []),
    `${at}.resources.claims[0]: Not found: "d": must be one of the names in pod.spec.resourceClaims which is empty`,
  ],
  [
    one({
      resizePolicy: [
        { resourceName: 'cpu', restartPolicy: 'NotRequired' },
        { resourceName: 'memory', restartPolicy: 'RestartContainer' },
      ],
    }),
  ],
  [
    one({
      resizePolicy: [{}, { resourceName: 'disk', restartPolicy: 'Any' }, { resourceName: 'disk', restartPolicy: 'NotRequired' }],
    }),
    `${at}.resizePolicy: Required value`,
    `${at}.resizePolicy: Required value`,
    `${at}.resizePolicy: Unsupported value: "disk": supported values: "cpu", "memory"`,
    `${at}.resizePolicy: Unsupported value: "Any": supported values: "NotRequired", "RestartContainer"`,
    `${at}.resizePolicy[2]: Duplicate value: "disk"`,
    `${at}.resizePolicy: Unsupported value: "disk": supported values: "cpu", "memory"`,
  ],
  [
    secured({
      seccompProfile: { type: 'Localhost', localhostProfile: '' },
      appArmorProfile: { type: 'Localhost', localhostProfile: 'p' },
    }),
  ],
  [
    secured({ seccompProfile: {}, appArmorProfile: {} }),
    `${at}.securityContext.seccompProfile.type: Required value: type is required when seccompProfile is set`,
    `${at}.securityContext.appArmorProfile.type: Required value: type is required when appArmorProfile is set`,
  ],
  [
    secured({ seccompProfile: { type: 'Any', localhostProfile: 'p' }, appArmorProfile: { type: 'Any', localhostProfile: 'p' } }),
    `${at}.securityContext.seccompProfile.type: Unsupported value: "Any": ${profiles}`,
    `${at}.securityContext.seccompProfile.localhostProfile: Invalid value: {"Type":"Any","LocalhostProfile":"p"}: can only be set when seccomp type is Localhost`,
    `${at}.securityContext.appArmorProfile.type: Unsupported value: "Any": ${profiles}`,
  ],
  [
    secured({ seccompProfile: { type: 'Localhost' }, appArmorProfile: { type: 'Localhost' } }),
    `${at}.securityContext.seccompProfile.localhostProfile: Required value: must be set when seccomp type is Localhost`,
    `${at}.securityContext.appArmorProfile.localhostProfile: Required value: must be set when AppArmor type is Localhost`,
  ],
  [
    secured({
      seccompProfile: { type: 'Localhost', localhostProfile: '/..' },
      appArmorProfile: { type: 'Localhost', localhostProfile: ' p' },
    }),
    `${at}.securityContext.seccompProfile.localhostProfile: Invalid value: "/..": must be a relative path`,
    `${at}.securityContext.seccompProfile.localhostProfile: Invalid value: "/..": must not contain '..'`,
    `${at}.securityContext.appArmorProfile.localhostProfile: Invalid value: " p": must not be padded with whitespace`,
  ],
  [
    secured({
      seccompProfile: { type: 'Unconfined', localhostProfile: '' },
      appArmorProfile: { type: 'Unconfined', localhostProfile: '' },
    }),
    `${at}.securityContext.seccompProfile.localhostProfile: Invalid value: {"Type":"Unconfined","LocalhostProfile":""}: can only be set when seccomp type is Localhost`,
    `${at}.securityContext.appArmorProfile.localhostProfile: Invalid value: "": can only be set when AppArmor type is Localhost`,
  ],
  [
    secured({ appArmorProfile: { type: 'Localhost', localhostProfile: 'p'.repeat(4096) } }),
    `${at}.securityContext.appArmorProfile.localhostProfile: Too long: may not be more than 4095 bytes`,
  ],
  [
    secured({ windowsOptions: { gmsaCredentialSpecName: 'A' } }),
    `${at}.securityContext.windowsOptions.gmsaCredentialSpecName: Invalid value: "A": ${subdomain}`,
  ],
  [secured({ allowPrivilegeEscalation: false, capabilities: { add: ['SYS_ADMIN'] } })],
  [
    secured({
      allowPrivilegeEscalation: false,
      privileged: true,
      capabilities: { add: ['CAP_SYS_ADMIN'] },
      seLinuxOptions: { level: 'l' },
      windowsOptions: {},
      seccompProfile: { type: 'RuntimeDefault' },
      appArmorProfile: { type: 'Unconfined' },
    }),
    `${at}.securityContext: Invalid value: {"Capabilities":{"Add":["CAP_SYS_ADMIN"],"Drop":null},"Privileged":true,"SELinuxOptions":{"User":"","Role":"","Type":"","Level":"l"},"WindowsOptions":{"GMSACredentialSpecName":null,"GMSACredentialSpec":null,"RunAsUserName":null,"HostProcess":null},"RunAsUser":null,"RunAsGroup":null,"RunAsNonRoot":null,"ReadOnlyRootFilesystem":null,"AllowPrivilegeEscalation":false,"ProcMount":null,"SeccompProfile":{"Type":"RuntimeDefault","LocalhostProfile":null},"AppArmorProfile":{"Type":"Unconfined","LocalhostProfile":null}}: cannot set \`allowPrivilegeEscalation\` to false and \`privileged\` to true`,
    `${at}.securityContext: Invalid value: {"Capabilities":{"Add":["CAP_SYS_ADMIN"],"Drop":null},"Privileged":true,"SELinuxOptions":{"User":"","Role":"","Type":"","Level":"l"},"WindowsOptions":{"GMSACredentialSpecName":null,"GMSACredentialSpec":null,"RunAsUserName":null,"HostProcess":null},"RunAsUser":null,"RunAsGroup":null,"RunAsNonRoot":null,"ReadOnlyRootFilesystem":null,"AllowPrivilegeEscalation":false,"ProcMount":null,"SeccompProfile":{"Type":"RuntimeDefault","LocalhostProfile":null},"AppArmorProfile":{"Type":"Unconfined","LocalhostProfile":null}}: cannot set \`allowPrivilegeEscalation\` to false and \`capabilities.Add\` CAP_SYS_ADMIN`,
  ],
  [variable({ fieldRef: { fieldPath: 'spec.host' } })],
  [
    variable({ fieldRef: { apiVersion: 'v2', fieldPath: 'metadata.name' } }),
    `${from}.fieldRef.fieldPath: Invalid value: "metadata.name": error converting fieldPath: unsupported pod version: v2`,
  ],
  [variable({ fieldRef: { fieldPath: "metadata.labels['A b']" } }), `${from}.fieldRef: Invalid value: "A b": ${nameForm}`],
  [
    variable({ fieldRef: { fieldPath: "spec.nodeName['a']" } }),
    `${from}.fieldRef.fieldPath: Invalid value: "spec.nodeName['a']": error converting fieldPath: field label does not support subscript: spec.nodeName['a']`,
  ],
  [
    variable({ resourceFieldRef: { resource: 'limits.memory', divisor: '3' } }),
    `${from}.resourceFieldRef.divisor: Invalid value: "limits.memory": only divisor's values 1, 1k, 1M, 1G, 1T, 1P, 1E, 1Ki, 1Mi, 1Gi, 1Ti, 1Pi, 1Ei are supported with the memory resource`,
  ],
  [
    variable({ configMapKeyRef: { name: '', key: 'A b' } }),
    `${from}.configMapKeyRef.name: Invalid value: "": ${subdomain}`,
    `${from}.configMapKeyRef.key: Invalid value: "A b": ${key}`,
  ],
  [
    variable({ secretKeyRef: { name: 's', key: '..a' } }),
    `${from}.secretKeyRef.key: Invalid value: "..a": must not start with '..'`,
  ],
  [
    variable({}, { value: 'x' }),
    `${from}: Invalid value: "": must specify one of: \`fieldRef\`, \`resourceFieldRef\`, \`configMapKeyRef\` or \`secretKeyRef\``,
  ],
  [
    variable({ fieldRef: {}, secretKeyRef: { name: 's', key: 'k' } }, { value: 'x' }),
    `${from}.fieldRef.fieldPath: Required value`,
    `${from}: Invalid value: "": may not be specified when \`value\` is not empty`,
  ],
  [one({ envFrom: [{ prefix: '1-', configMapRef: { name: 'c' } }] })],
  [
    one({ envFrom: [{ prefix: '=', configMapRef: { name: 'A' } }, { secretRef: { name: 'B' } }] }),
    `${at}.envFrom[0].prefix: Invalid value: "=": ${variableName}`,
    `${at}.envFrom[0].configMapRef.name: Invalid value: "A": ${subdomain}`,
    `${at}.envFrom[1].secretRef.name: Invalid value: "B": ${subdomain}`,
  ],
  [probe({ exec, terminationGracePeriodSeconds: 1 })],
  [
    probe({ exec, terminationGracePeriodSeconds: 0, successThreshold: -1 }),
    `${live}.successThreshold: Invalid value: -1: must be greater than or equal to 0`,
    `${live}.terminationGracePeriodSeconds: Invalid value: 0: must be greater than 0`,
    `${live}.successThreshold: Invalid value: -1: must be 1`,
  ],
  [
    one({ readinessProbe: { exec, terminationGracePeriodSeconds: 5 } }),
    `${at}.readinessProbe.terminationGracePeriodSeconds: Invalid value: 5: must not be set for readinessProbes`,
  ],
  [
    probe({ httpGet: { port: 1, httpHeaders: [{ name: 'X-A' }, { name: '' }, { name: 'a b' }] } }),
    `${live}.httpGet.httpHeaders: Invalid value: "": ${header}`,
    `${live}.httpGet.httpHeaders: Invalid value: "a b": ${header}`,
  ],
  [
    {
      ...one({ lifecycle: { postStart: { sleep: { seconds: 6 } }, preStop: { sleep: { seconds: 5 } } } }),
      terminationGracePeriodSeconds: 5,
    },
    `${at}.lifecycle.postStart.sleep: Invalid value: 6: must be non-negative and less than terminationGracePeriodSeconds (5)`,
  ],
  [
    one({ lifecycle: { preStop: { sleep: { seconds: -1 } } } }),
    `${at}.lifecycle.preStop.sleep: Invalid value: -1: must be non-negative and less than terminationGracePeriodSeconds (30)`,
  ],
]

for (const [spec, ...told] of rows)
  test(`a Pod with ${JSON.stringify(spec).slice(0, 130)} is ${told.length === 0 ? 'taken' : 'refused'}`, () => {
    assert.deepEqual(refusals(pod(spec)), told)
  })

test('a container that comes later is a container with less', () => {
  const old = pod({})
  const told = (container: JsonObject, more: JsonObject = {}): readonly string[] =>
    refusals(pod({ ephemeralContainers: [{ name: 'e', image: 'web:1', ...container }], ...more }), {
      old,
      subresource: 'ephemeralcontainers',
    })
  const path = 'spec.ephemeralContainers[0]'
  assert.deepEqual(told({}), [])
  assert.deepEqual(told({ targetContainerName: 'a' }), [])
  assert.deepEqual(told({ targetContainerName: 'e' }), [`${path}.targetContainerName: Not found: "e"`])
  assert.deepEqual(told({ name: 'a' }), [`${path}.name: Duplicate value: "a"`])
  const fields = {
    ports: [{ containerPort: 1 }],
    resources: { limits: { cpu: '1' } },
    livenessProbe: { exec: { command: ['a'] } },
    readinessProbe: { exec: { command: ['a'] } },
    startupProbe: { exec: { command: ['a'] } },
    lifecycle: { preStop: { exec: { command: ['a'] } } },
  }
  assert.deepEqual(
    told(fields),
    Object.keys(fields).map(field => `${path}.${field}: ${later}`),
  )
  assert.deepEqual(told({ resources: {} }), [])
  assert.deepEqual(told({ lifecycle: {} }), [`${path}.lifecycle: ${later}`])
  assert.deepEqual(told({ startupProbe: {} }), [`${path}.startupProbe: ${later}`])
  const mount = (subPath: string): JsonObject => ({ volumeMounts: [{ name: 'v', mountPath: '/a', subPath }] })
  assert.deepEqual(told(mount(''), { volumes: [{ name: 'v' }] }), [])
  assert.deepEqual(told(mount('b'), { volumes: [{ name: 'v' }] }), [`${path}.volumeMounts[0].subPath: ${later}`])
})

test('containers that came later stay as they are', () => {
  const held = (...ephemeralContainers: JsonObject[]): JsonObject => pod({ ephemeralContainers })
  const [e, f] = [
    { name: 'e', image: 'web:1' },
    { name: 'f', image: 'web:1' },
  ]
  const told = (object: JsonObject): readonly string[] => refusals(object, { old: held(e), subresource: 'ephemeralcontainers' })
  const what = 'spec.ephemeralContainers: Forbidden: existing ephemeral containers "e" may not be'
  assert.deepEqual(told(held(e, f)), [])
  assert.deepEqual(told(held(f)), [`${what} removed\n`])
  assert.deepEqual(told(held({ ...e, command: [] })), [])
  const change =
    '@@ -1,6 +1,6 @@\n {\n  "Name": "e",\n- "Image": "web:1",\n+ "Image": "web:2",\n  "Command": null,\n  "Args": null,\n  "WorkingDir": "",\n'
  assert.deepEqual(told(held({ ...e, image: 'web:2' })), [`${what} changed\n${change}`])
  assert.deepEqual(refusals(held(e)), ['spec.ephemeralContainers: Forbidden: cannot be set on create'])
})
