import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../../../json.ts'
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
    `${at}.imagePullPolicy: Unsupported value: "Sometimes": supported values: "Always", "IfNotPresent", "Never"`,
    `${at}.terminationMessagePolicy: Unsupported value: "Mail": supported values: "File", "FallbackToLogsOnError"`,
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
  ],
  [one({ securityContext: { runAsUser: 0, runAsGroup: 2147483647, procMount: 'Unmasked' } })],
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
    `${at}.envFrom: Invalid value: "": may not have more than one field specified at a time`,
    `${at}.envFrom[0].secretRef.name: Required value`,
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
    `${live}.httpGet.scheme: Unsupported value: "FTP": supported values: "HTTP", "HTTPS"`,
    `${live}.httpGet.port: Invalid value: 0: ${range}`,
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
    `${at}.lifecycle.preStop: Required value: must specify a handler type`,
    `${at}.lifecycle.postStart.exec.command: Required value`,
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
  assert.deepEqual(told({ ports: [], resources: {}, lifecycle: {} }), [])
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
  assert.deepEqual(told(held({ ...e, image: 'web:2' })), [`${what} changed\n`])
  assert.deepEqual(refusals(held(e)), ['spec.ephemeralContainers: Forbidden: cannot be set on create'])
})
