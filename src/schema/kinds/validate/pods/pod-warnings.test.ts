import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../../../json.ts'
import { schemaOf } from '../../../testing/refusals.ts'

const [needs, likes] = ['requiredDuringSchedulingIgnoredDuringExecution', 'preferredDuringSchedulingIgnoredDuringExecution']
const nodes = 'template.spec.affinity.nodeAffinity'
const neighbours = 'template.spec.affinity.podAffinity'
const strangers = 'template.spec.affinity.podAntiAffinity'
const at = 'template.spec.containers[0]'
const notes = 'template.metadata.annotations'
const valueForm =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"
const future = 'will be considered invalid in a future Kubernetes release'
const apply = 'which may be dropped when using apply'
const nobody = 'a null labelSelector results in matching no pod'

const one = (container: JsonObject): JsonObject => ({ containers: [{ name: 'a', image: 'web:1', ...container }] })
const first = (container: JsonObject): JsonObject => ({ initContainers: [{ name: 'i', image: 'web:1', ...container }] })
const volume = (content: JsonObject): JsonObject => ({ volumes: [{ name: 'v', ...content }] })
const files = (...paths: string[]): JsonObject[] => paths.map(path => ({ key: 'k', path }))
const fields = (...paths: string[]): JsonObject[] => paths.map(path => ({ path, fieldRef: { fieldPath: 'metadata.name' } }))
const near = { topologyKey: 'zone' }

/** What is said of an object that is made anew. */
function warnings(object: JsonObject): readonly string[] {
  const schema = schemaOf(object)
  return schema.validate(schema.applyDefaults(schema.decode(object).object)).warnings
}

/** A template by what its pods and its annotations are. */
function templateOf({ annotations = {}, ...spec }: JsonObject): JsonObject {
  return { metadata: { annotations, labels: { a: 'b' } }, spec: { ...one({}), ...spec } }
}

const rows: readonly (readonly [spec: JsonObject, ...told: string[]])[] = [
  [{}],
  [
    { nodeSelector: { 'beta.kubernetes.io/arch': 'a' } },
    'template.spec.nodeSelector[beta.kubernetes.io/arch]: deprecated since v1.14; use "kubernetes.io/arch" instead',
  ],
  [
    { nodeSelector: { 'beta.kubernetes.io/os': 'a' } },
    'template.spec.nodeSelector[beta.kubernetes.io/os]: deprecated since v1.14; use "kubernetes.io/os" instead',
  ],
  [
    { nodeSelector: { 'failure-domain.beta.kubernetes.io/region': 'a' } },
    'template.spec.nodeSelector[failure-domain.beta.kubernetes.io/region]: deprecated since v1.17; use "topology.kubernetes.io/region" instead',
  ],
  [
    { nodeSelector: { 'failure-domain.beta.kubernetes.io/zone': 'a' } },
    'template.spec.nodeSelector[failure-domain.beta.kubernetes.io/zone]: deprecated since v1.17; use "topology.kubernetes.io/zone" instead',
  ],
  [
    { nodeSelector: { 'beta.kubernetes.io/instance-type': 'a', zone: 'a' } },
    'template.spec.nodeSelector[beta.kubernetes.io/instance-type]: deprecated since v1.17; use "node.kubernetes.io/instance-type" instead',
  ],
  [
    {
      affinity: {
        nodeAffinity: {
          [needs]: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'beta.kubernetes.io/os', operator: 'Exists' }] }] },
          [likes]: [
            {
              weight: 1,
              preference: {
                matchExpressions: [{ key: 'beta.kubernetes.io/os', operator: 'In', values: ['a', '-', '-'.repeat(64)] }],
              },
            },
          ],
        },
      },
    },
    `${nodes}.${needs}.nodeSelectorTerms[0].matchExpressions[0].key: beta.kubernetes.io/os is deprecated since v1.14; use "kubernetes.io/os" instead`,
    `${nodes}.${likes}[0].preference.matchExpressions[0].key: beta.kubernetes.io/os is deprecated since v1.14; use "kubernetes.io/os" instead`,
    `${nodes}.${likes}[0].preference.matchExpressions[0].values[1]: - is invalid, ${valueForm}`,
    `${nodes}.${likes}[0].preference.matchExpressions[0].values[2]: ---------------------------------------------------------------- is invalid, must be no more than 63 characters`,
    `${nodes}.${likes}[0].preference.matchExpressions[0].values[2]: ---------------------------------------------------------------- is invalid, ${valueForm}`,
  ],
  [
    {
      affinity: {
        podAffinity: { [needs]: [near], [likes]: [{ weight: 1, podAffinityTerm: near }] },
        podAntiAffinity: { [needs]: [near], [likes]: [{ weight: 1, podAffinityTerm: near }] },
      },
    },
    `${neighbours}.${needs}[0].labelSelector: ${nobody}`,
    `${neighbours}.${likes}[0].podAffinityTerm.labelSelector: ${nobody}`,
    `${strangers}.${needs}[0].labelSelector: ${nobody}`,
    `${strangers}.${likes}[0].podAffinityTerm.labelSelector: ${nobody}`,
  ],
  [
    { topologySpreadConstraints: [{ maxSkew: 1, topologyKey: 'beta.kubernetes.io/os', whenUnsatisfiable: 'DoNotSchedule' }] },
    'template.spec.topologySpreadConstraints[0].topologyKey: beta.kubernetes.io/os is deprecated since v1.14; use "kubernetes.io/os" instead',
    `template.spec.topologySpreadConstraints[0].labelSelector: ${nobody}`,
  ],
  [
    { annotations: { 'security.alpha.kubernetes.io/sysctls': 'a', 'scheduler.alpha.kubernetes.io/critical-pod': '' } },
    `${notes}[scheduler.alpha.kubernetes.io/critical-pod]: non-functional in v1.16+; use the "priorityClassName" field instead`,
    `${notes}[security.alpha.kubernetes.io/sysctls]: non-functional in v1.11+; use the "sysctls" field instead`,
  ],
  [
    {
      annotations: {
        'seccomp.security.alpha.kubernetes.io/pod': 'runtime/default',
        'container.seccomp.security.alpha.kubernetes.io/a': 'runtime/default',
        'container.apparmor.security.beta.kubernetes.io/a': 'runtime/default',
      },
    },
    `${notes}[seccomp.security.alpha.kubernetes.io/pod]: non-functional in v1.27+; use the "seccompProfile" field instead`,
    `${notes}[container.seccomp.security.alpha.kubernetes.io/a]: non-functional in v1.27+; use the "seccompProfile" field instead`,
    `${notes}[container.apparmor.security.beta.kubernetes.io/a]: deprecated since v1.30; use the "appArmorProfile" field instead`,
  ],
  [
    {
      ...one({ securityContext: { seccompProfile: { type: 'RuntimeDefault' }, appArmorProfile: { type: 'RuntimeDefault' } } }),
      annotations: {
        'container.seccomp.security.alpha.kubernetes.io/a': 'runtime/default',
        'container.apparmor.security.beta.kubernetes.io/a': 'runtime/default',
      },
    },
  ],
  [
    {
      securityContext: { seccompProfile: { type: 'RuntimeDefault' }, appArmorProfile: { type: 'RuntimeDefault' } },
      annotations: {
        'seccomp.security.alpha.kubernetes.io/pod': 'runtime/default',
        'container.seccomp.security.alpha.kubernetes.io/a': 'runtime/default',
        'container.apparmor.security.beta.kubernetes.io/a': 'runtime/default',
      },
    },
    `${notes}[container.seccomp.security.alpha.kubernetes.io/a]: non-functional in v1.27+; use the "seccompProfile" field instead`,
  ],
  [
    {
      volumes: [
        { name: 'a', projected: { sources: [{}] } },
        { name: 'b', gitRepo: { repository: 'r' } },
      ],
    },
    'template.spec.volumes[1].gitRepo: deprecated in v1.11, and disabled by default in v1.33+',
    'volume "a" (Projected) has no sources provided',
  ],
  [
    {
      volumes: [
        { name: 'a', photonPersistentDisk: { pdID: 'p' } },
        { name: 'b', scaleIO: { gateway: 'g', system: 's', volumeName: 'v', secretRef: { name: 's' } } },
        { name: 'c', flocker: { datasetName: 'd' } },
        { name: 'd', storageos: { volumeName: 'v' } },
        { name: 'e', quobyte: { registry: 'a:1', volume: 'v' } },
        { name: 'f', glusterfs: { endpoints: 'e', path: 'p' } },
        { name: 'g', cephfs: { monitors: ['m'] } },
        { name: 'h', rbd: { monitors: ['m'], image: 'i' } },
      ],
    },
    'template.spec.volumes[0].photonPersistentDisk: deprecated in v1.11, non-functional in v1.16+',
    'template.spec.volumes[1].scaleIO: deprecated in v1.16, non-functional in v1.22+',
    'template.spec.volumes[2].flocker: deprecated in v1.22, non-functional in v1.25+',
    'template.spec.volumes[3].storageOS: deprecated in v1.22, non-functional in v1.25+',
    'template.spec.volumes[4].quobyte: deprecated in v1.22, non-functional in v1.25+',
    'template.spec.volumes[5].glusterfs: deprecated in v1.25, non-functional in v1.26+',
    'template.spec.volumes[6].cephfs: deprecated in v1.28, non-functional in v1.31+',
    'template.spec.volumes[7].rbd: deprecated in v1.28, non-functional in v1.31+',
  ],
  [volume({ secret: { secretName: 's', items: files('a', 'b', 'ab') } })],
  [
    volume({ secret: { secretName: 's', items: files('a', 'a/b', 'a') } }),
    'volume "v" (Secret "s"): overlapping paths: "a/b" with "a"',
    'volume "v" (Secret "s"): overlapping paths: "a" with "a"',
    'volume "v" (Secret "s"): overlapping paths: "a" with "a/b"',
  ],
  [
    volume({ configMap: { name: 'c', items: files('a/b', './a', 'a/', 'a//b') } }),
    'volume "v" (ConfigMap "c"): overlapping paths: "a" with "a/b"',
    'volume "v" (ConfigMap "c"): overlapping paths: "a//b" with "a"',
  ],
  [volume({ downwardAPI: { items: fields('a/b/c', 'a/b') } }), 'volume "v" (DownwardAPI): overlapping paths: "a/b" with "a/b/c"'],
  [
    volume({
      projected: {
        sources: [
          { configMap: { name: 'c', items: files('a') } },
          {},
          { secret: { name: 's', items: files('a/b') } },
          { downwardAPI: { items: fields('a/b/c') } },
          { serviceAccountToken: { path: 'a' } },
        ],
      },
    }),
    'volume "v" (Projected) has no sources provided',
    'volume "v" (Projected): overlapping paths: "a/b" (Secret "s") with "a" (ConfigMap "c")',
    'volume "v" (Projected): overlapping paths: "a/b/c" (DownwardAPI) with "a" (ConfigMap "c")',
    'volume "v" (Projected): overlapping paths: "a/b/c" (DownwardAPI) with "a/b" (Secret "s")',
    'volume "v" (Projected): overlapping paths: "a" (ServiceAccountToken) with "a" (ConfigMap "c")',
    'volume "v" (Projected): overlapping paths: "a" (ServiceAccountToken) with "a/b" (Secret "s")',
    'volume "v" (Projected): overlapping paths: "a" (ServiceAccountToken) with "a/b/c" (DownwardAPI)',
  ],
  [volume({ projected: { sources: [] } })],
  [
    { hostAliases: [{ ip: '1.2.3.4' }, { ip: '1.2.3.5' }, { ip: '1.2.3.4' }] },
    'template.spec.hostAliases[2].ip: duplicate ip "1.2.3.4"',
  ],
  [
    { imagePullSecrets: [{ name: 'a' }, {}, { name: 'a' }, {}] },
    'template.spec.imagePullSecrets[2].name: duplicate name "a"',
    'template.spec.imagePullSecrets[3].name: duplicate name ""',
    'template.spec.imagePullSecrets[1].name: invalid empty name ""',
    'template.spec.imagePullSecrets[3].name: invalid empty name ""',
  ],
  [
    { overhead: { memory: '5m', 'ephemeral-storage': '1500m', cpu: '5m' } },
    'template.spec.overhead[memory]: fractional byte value "5m" is invalid, must be an integer',
    'template.spec.overhead[ephemeral-storage]: fractional byte value "1500m" is invalid, must be an integer',
  ],
  [
    one({
      resources: {
        limits: { memory: '1500m', 'ephemeral-storage': '3m', cpu: '2m' },
        requests: { memory: '1m', 'ephemeral-storage': '1m', cpu: '1m' },
      },
    }),
    `${at}.resources.limits[memory]: fractional byte value "1500m" is invalid, must be an integer`,
    `${at}.resources.requests[memory]: fractional byte value "1m" is invalid, must be an integer`,
    `${at}.resources.limits[ephemeral-storage]: fractional byte value "3m" is invalid, must be an integer`,
    `${at}.resources.requests[ephemeral-storage]: fractional byte value "1m" is invalid, must be an integer`,
  ],
  [
    one({ env: [{ name: 'A', value: 'a' }, { name: 'A', value: '$(A)b' }, { name: 'A', value: 'c' }, { name: 'B' }] }),
    `${at}.env[2]: hides previous definition of "A", ${apply}`,
  ],
  [
    first({ env: [{ name: 'A' }, { name: 'A' }] }),
    `template.spec.initContainers[0].env[1]: hides previous definition of "A", ${apply}`,
  ],
  [
    one({
      ports: [
        { containerPort: 80 },
        { containerPort: 80, name: 'x' },
        { containerPort: 80, protocol: 'UDP' },
        { containerPort: 81 },
      ],
    }),
    `${at}.ports[1]: duplicate port definition with ${at}.ports[0]`,
  ],
  [
    { ...first({ ports: [{ containerPort: 80 }] }), ...one({ ports: [{ containerPort: 80 }] }) },
    `${at}.ports[0]: duplicate port definition with template.spec.initContainers[0].ports[0]`,
  ],
  [
    one({ ports: [{ containerPort: 80, hostPort: 1 }, { containerPort: 80, hostPort: 2 }, { containerPort: 80 }] }),
    `${at}.ports[2]: overlapping port definition with ${at}.ports[0]`,
    `${at}.ports[2]: overlapping port definition with ${at}.ports[1]`,
  ],
  [
    one({
      ports: [
        { containerPort: 80, hostPort: 1 },
        { containerPort: 80, hostPort: 1, hostIP: '1.1.1.1' },
        { containerPort: 80, hostPort: 1, hostIP: '1.1.1.2' },
      ],
    }),
    `${at}.ports[1]: dangerously ambiguous port definition with ${at}.ports[0]`,
    `${at}.ports[2]: dangerously ambiguous port definition with ${at}.ports[0]`,
  ],
  [
    one({ ports: [{ containerPort: 80, hostIP: '1.1.1.1', name: 'x' }] }),
    `${at}.ports[0]: hostIP set without hostPort: {Name:x HostPort:0 ContainerPort:80 Protocol:TCP HostIP:1.1.1.1}`,
  ],
  [
    { terminationGracePeriodSeconds: -1 },
    'template.spec.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1',
  ],
  [{ terminationGracePeriodSeconds: 0 }],
  [
    { dnsConfig: { nameservers: ['01.2.3.4', '1.2.3.4', '::1'] }, hostAliases: [{ ip: '::ffff:1.2.3.4' }, { ip: '1:0::2' }] },
    `template.spec.dnsConfig.nameservers[0]: non-standard IP address "01.2.3.4" ${future}: use "1.2.3.4"`,
    `template.spec.hostAliases[0].ip: non-standard IP address "::ffff:1.2.3.4" ${future}: use "1.2.3.4"`,
    'template.spec.hostAliases[1].ip: IPv6 address "1:0::2" should be in RFC 5952 canonical format ("1::2")',
  ],
]

for (const [spec, ...told] of rows)
  test(`a PodTemplate with ${JSON.stringify(spec).slice(0, 130)} is ${told.length === 0 ? 'not ' : ''}warned of`, () => {
    assert.deepEqual(
      warnings({ apiVersion: 'v1', kind: 'PodTemplate', metadata: { name: 't' }, template: templateOf(spec) }),
      told,
    )
  })

const selected = { selector: { matchLabels: { a: 'b' } } }
const odd = templateOf({ imagePullSecrets: [{}] })
const once = templateOf({ imagePullSecrets: [{}], restartPolicy: 'Never' })
const cron = { schedule: '* * * * *', jobTemplate: { spec: { template: once } } }
const owners: readonly (readonly [apiVersion: string, kind: string, spec: JsonObject, path: string])[] = [
  ['v1', 'ReplicationController', { selector: { a: 'b' }, template: odd }, 'spec.template.spec'],
  ['apps/v1', 'DaemonSet', { ...selected, template: odd }, 'spec.template.spec'],
  ['apps/v1', 'Deployment', { ...selected, template: odd }, 'spec.template.spec'],
  ['apps/v1', 'ReplicaSet', { ...selected, template: odd }, 'spec.template.spec'],
  ['apps/v1', 'StatefulSet', { ...selected, template: odd }, 'spec.template.spec'],
  ['batch/v1', 'CronJob', cron, 'spec.jobTemplate.spec.template.spec'],
  ['batch/v1', 'Job', { template: once }, 'spec.template.spec'],
]

test('an object is warned of by the pods that it will make', () => {
  for (const [apiVersion, kind, spec, path] of owners)
    assert.deepEqual(warnings({ apiVersion, kind, metadata: { name: 'o' }, spec }), [
      `${path}.imagePullSecrets[0].name: invalid empty name ""`,
    ])
})

test('a name that becomes part of names of pods is warned of where no host could have it', () => {
  const why = 'this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is recommended'
  const told = (kind: string): readonly string[] => {
    const [apiVersion, , spec] = owners.find(owner => owner[1] === kind) ?? assert.fail(kind)
    return warnings({ apiVersion, kind, metadata: { name: 'a.b' }, spec }).filter(line => line.startsWith('metadata'))
  }
  const lenders = ['ReplicationController', 'Deployment', 'ReplicaSet', 'CronJob', 'Job']
  for (const kind of lenders) assert.deepEqual(told(kind), [`metadata.name: ${why}: [must not contain dots]`], kind)
  assert.deepEqual(told('DaemonSet'), [])
})
