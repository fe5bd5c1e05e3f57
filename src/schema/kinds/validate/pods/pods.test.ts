import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../../../json.ts'
import { refusals, schemaOf } from '../../../testing/refusals.ts'

const containers = [{ name: 'a', image: 'web:1' }]

function pod(spec: JsonObject, more: JsonObject = {}): JsonObject {
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec: { containers, ...spec }, ...more }
}

const ipText = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'
const ids = 'must be between 0 and 2147483647, inclusive'
const nodes = 'spec.affinity.nodeAffinity'
const [needs, likes] = ['requiredDuringSchedulingIgnoredDuringExecution', 'preferredDuringSchedulingIgnoredDuringExecution']
const weights = 'must be in the range 1-100'
const label =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')"
const subdomain =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
const nameForm =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"
const valueForm =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"
const search =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?(\\._?[a-z0-9]([-_a-z0-9]*[a-z0-9])?)*')"
const sysctl =
  'must have at most 253 characters and match regex ^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$'

const weighed = (weight?: number): JsonObject => ({
  affinity: { nodeAffinity: { [likes]: [{ ...(weight !== undefined && { weight }), preference: {} }] } },
})
const term = { topologyKey: 'zone', labelSelector: {} }
const beside = (kind: string, content: JsonObject): JsonObject => ({ affinity: { [kind]: content } })
const tolerating = (toleration: JsonObject): JsonObject => ({ tolerations: [toleration] })
const toleration = 'spec.tolerations[0]'
const spread = (content: JsonObject): JsonObject => ({
  topologySpreadConstraints: [
    { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule', labelSelector: {}, ...content },
  ],
})
const spreads = 'spec.topologySpreadConstraints[0]'
const onNodes = (term: JsonObject): JsonObject => beside('nodeAffinity', { [needs]: { nodeSelectorTerms: [term] } })
const liking = (preference: JsonObject): JsonObject => beside('nodeAffinity', { [likes]: [{ weight: 1, preference }] })
const near = ({ labelSelector = {}, ...more }: JsonObject): JsonObject =>
  beside('podAffinity', { [needs]: [{ topologyKey: 'zone', labelSelector, ...more }] })
const [nodeTerm, likedTerm] = [`${nodes}.${needs}.nodeSelectorTerms[0]`, `${nodes}.${likes}[0].preference`]
const nearTerm = `spec.affinity.podAffinity.${needs}[0]`
const gate = (...schedulingGates: JsonObject[]): JsonObject => ({ schedulingGates })
const bothKeys = 'exists in both matchLabelKeys and mismatchLabelKeys'
const noSelector = 'must not be specified when labelSelector is not set'
const oneName = "must be only one value when `operator` is 'In' or 'NotIn' for node field selector"
const volume = (content: JsonObject): JsonObject => ({ volumes: [{ name: 'v', ...content }] })
const file = (item: JsonObject): JsonObject => volume({ configMap: { name: 'c', items: [{ key: 'k', path: 'p', ...item }] } })
const at = 'spec.volumes[0]'
const path = `${at}.configMap.items[0]`
const mode = 'must be a number between 0 and 0777 (octal), both inclusive'
const downward = (fieldPath: string): JsonObject => volume({ downwardAPI: { items: [{ path: 'p', fieldRef: { fieldPath } }] } })
const token = (content: JsonObject): JsonObject =>
  volume({ projected: { sources: [{ serviceAccountToken: { path: 't', ...content } }] } })
const projected = `${at}.projected.sources[0].serviceAccountToken`

const rows: readonly (readonly [spec: JsonObject, ...told: string[]])[] = [
  [{ restartPolicy: 'OnFailure', activeDeadlineSeconds: 1, nodeSelector: { a: 'b' } }],
  [{ restartPolicy: 'Never', activeDeadlineSeconds: 2147483647 }],
  [
    { restartPolicy: 'Often' },
    'spec.restartPolicy: Unsupported value: "Often": supported values: "Always", "OnFailure", "Never"',
  ],
  [{ activeDeadlineSeconds: 0 }, 'spec.activeDeadlineSeconds: Invalid value: 0: must be between 1 and 2147483647, inclusive'],
  [
    { activeDeadlineSeconds: 2147483648 },
    'spec.activeDeadlineSeconds: Invalid value: 2147483648: must be between 1 and 2147483647, inclusive',
  ],
  [{ nodeSelector: { '-': 'b' } }, `spec.nodeSelector: Invalid value: "-": ${nameForm}`],
  [
    { readinessGates: [{ conditionType: 'a.com/b' }, { conditionType: '-' }] },
    `spec.readinessGates[1].conditionType: Invalid value: "-": ${nameForm}`,
  ],
  [{ schedulingGates: [{ name: 'a.com/b' }, { name: '-' }] }, `spec.schedulingGates[1]: Invalid value: "-": ${nameForm}`],
  [beside('nodeAffinity', { [needs]: { nodeSelectorTerms: [{}] } })],
  [
    beside('nodeAffinity', { [needs]: { nodeSelectorTerms: [] } }),
    `${nodes}.${needs}.nodeSelectorTerms: Required value: must have at least one node selector term`,
  ],
  [weighed(1)],
  [weighed(100)],
  [weighed(), `${nodes}.${likes}[0].weight: Invalid value: 0: ${weights}`],
  [weighed(101), `${nodes}.${likes}[0].weight: Invalid value: 101: ${weights}`],
  [beside('podAffinity', { [needs]: [term], [likes]: [{ weight: 1, podAffinityTerm: term }] })],
  [
    beside('podAntiAffinity', { [needs]: [{ topologyKey: '' }], [likes]: [{ weight: 0, podAffinityTerm: term }] }),
    `spec.affinity.podAntiAffinity.${needs}[0].topologyKey: Required value: can not be empty`,
    `spec.affinity.podAntiAffinity.${needs}[0].topologyKey: Invalid value: "": name part must be non-empty`,
    `spec.affinity.podAntiAffinity.${needs}[0].topologyKey: Invalid value: "": ${nameForm}`,
    `spec.affinity.podAntiAffinity.${likes}[0].weight: Invalid value: 0: ${weights}`,
  ],
  [
    beside('podAffinity', {
      [likes]: [
        {
          weight: 1,
          podAffinityTerm: { topologyKey: 'zone', labelSelector: { matchExpressions: [{ key: 'a', operator: 'Is' }] } },
        },
      ],
    }),
    `spec.affinity.podAffinity.${likes}[0].podAffinityTerm.labelSelector.matchExpressions[0].operator: Invalid value: "Is": not a valid selector operator`,
  ],
  [tolerating({ operator: 'Exists' })],
  [tolerating({ key: 'a', operator: 'Equal', value: 'b', effect: 'NoExecute', tolerationSeconds: 5 })],
  [tolerating({ key: 'a', value: 'b', effect: 'PreferNoSchedule' })],
  [
    tolerating({ value: 'b' }),
    `${toleration}.operator: Invalid value: "": operator must be Exists when \`key\` is empty, which means "match all values and all keys"`,
  ],
  [
    tolerating({ key: 'a', operator: 'Is', effect: 'Never' }),
    `${toleration}.operator: Unsupported value: "Is": supported values: "Equal", "Exists"`,
    `${toleration}.effect: Unsupported value: "Never": supported values: "NoSchedule", "PreferNoSchedule", "NoExecute"`,
  ],
  [tolerating({ key: '-', operator: 'Exists' }), `${toleration}.key: Invalid value: "-": ${nameForm}`],
  [
    tolerating({ key: 'a', operator: 'Exists', tolerationSeconds: 0 }),
    `${toleration}.effect: Invalid value: "": effect must be 'NoExecute' when \`tolerationSeconds\` is set`,
  ],
  [
    tolerating({ key: 'a', effect: 'NoSchedule', tolerationSeconds: 5 }),
    `${toleration}.effect: Invalid value: "NoSchedule": effect must be 'NoExecute' when \`tolerationSeconds\` is set`,
  ],
  [spread({})],
  [spread({ maxSkew: 0 }), `${spreads}.maxSkew: Invalid value: 0: must be greater than zero`],
  [
    spread({ topologyKey: '', whenUnsatisfiable: '' }),
    `${spreads}.topologyKey: Required value: can not be empty`,
    `${spreads}.whenUnsatisfiable: Unsupported value: "": supported values: "DoNotSchedule", "ScheduleAnyway"`,
  ],
  [
    spread({ whenUnsatisfiable: 'Wait' }),
    `${spreads}.whenUnsatisfiable: Unsupported value: "Wait": supported values: "DoNotSchedule", "ScheduleAnyway"`,
  ],
  [{ hostname: 'a', subdomain: 'b', os: { name: 'linux' } }],
  [
    { hostname: 'A', subdomain: 'b.c', os: { name: 'beos' } },
    `spec.hostname: Invalid value: "A": ${label}`,
    'spec.subdomain: Invalid value: "b.c": must not contain dots',
    'spec.os: Unsupported value: "beos": supported values: "linux", "windows"',
  ],
  [
    { hostAliases: [{ ip: '10.0.0.1', hostnames: ['a'] }, { ip: 'x' }, {}] },
    `spec.hostAliases[1].ip: Invalid value: "x": ${ipText}`,
    `spec.hostAliases[2].ip: Invalid value: "": ${ipText}`,
  ],
  [{ dnsPolicy: 'Default' }],
  [
    { dnsPolicy: 'Any' },
    'spec.dnsPolicy: Unsupported value: "Any": supported values: "ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"',
  ],
  [{ dnsPolicy: 'None' }, 'spec.dnsConfig: Required value: must provide `dnsConfig` when `dnsPolicy` is None'],
  [
    { dnsPolicy: 'None', dnsConfig: {} },
    'spec.dnsConfig.nameservers: Required value: must provide at least one DNS nameserver when `dnsPolicy` is None',
  ],
  [
    {
      dnsPolicy: 'None',
      dnsConfig: { nameservers: ['10.0.0.1'], searches: ['.', 'a.b.', '_a._b'], options: [{ name: 'ndots', value: '2' }] },
    },
  ],
  [{ dnsConfig: {} }],
  [
    { dnsConfig: { nameservers: ['x'], searches: ['A'], options: [{ value: '2' }] } },
    `spec.dnsConfig.nameservers[0]: Invalid value: "x": ${ipText}`,
    `spec.dnsConfig.searches[0]: Invalid value: "A": ${search}`,
    'spec.dnsConfig.options[0]: Required value: must not be empty',
  ],
  [
    {
      securityContext: {
        runAsUser: 0,
        runAsGroup: 0,
        fsGroup: 2147483647,
        supplementalGroups: [0, 5],
        fsGroupChangePolicy: 'OnRootMismatch',
      },
    },
  ],
  [
    {
      securityContext: {
        runAsUser: -1,
        runAsGroup: -2,
        fsGroup: 2147483648,
        supplementalGroups: [0, -5],
        fsGroupChangePolicy: 'Now',
      },
    },
    `spec.securityContext.fsGroup: Invalid value: 2147483648: ${ids}`,
    `spec.securityContext.runAsUser: Invalid value: -1: ${ids}`,
    `spec.securityContext.runAsGroup: Invalid value: -2: ${ids}`,
    `spec.securityContext.supplementalGroups[1]: Invalid value: -5: ${ids}`,
    'spec.securityContext.fsGroupChangePolicy: Unsupported value: "Now": supported values: "Always", "OnRootMismatch"',
  ],
  [
    {
      securityContext: {
        sysctls: [
          { name: 'kernel.shm_rmid_forced', value: '0' },
          { name: 'net/ipv4/x', value: '1' },
        ],
      },
    },
  ],
  [
    {
      securityContext: {
        sysctls: [
          { name: '', value: '0' },
          { name: 'A', value: '0' },
        ],
      },
    },
    'spec.securityContext.sysctls[0].name: Required value',
    `spec.securityContext.sysctls[1].name: Invalid value: "A": ${sysctl}`,
  ],
  [
    { securityContext: { seccompProfile: { type: 'Any' } } },
    'spec.securityContext.seccompProfile.type: Unsupported value: "Any": supported values: "Localhost", "RuntimeDefault", "Unconfined"',
  ],
  [{ shareProcessNamespace: true }],
  [{ hostPID: true, shareProcessNamespace: false }],
  [
    { hostPID: true, shareProcessNamespace: true },
    'spec.securityContext.shareProcessNamespace: Invalid value: true: ShareProcessNamespace and HostPID cannot both be enabled',
  ],
  [
    { volumes: [{ name: '' }, { name: 'A' }] },
    'spec.volumes[0].name: Required value',
    `spec.volumes[1].name: Invalid value: "A": ${label}`,
  ],
  [{ volumes: [{ name: 'v' }, { name: 'v' }] }, 'spec.volumes[1].name: Duplicate value: "v"'],
  [volume({ emptyDir: {}, secret: { secretName: 's' } }), `${at}.secret: Forbidden: may not specify more than 1 volume type`],
  [volume({ secret: {} }), `${at}.secret.secretName: Required value`],
  [volume({ configMap: {} }), `${at}.configMap.name: Required value`],
  [volume({ persistentVolumeClaim: { claimName: '' } }), `${at}.persistentVolumeClaim.claimName: Required value`],
  [volume({ emptyDir: { sizeLimit: '0' } })],
  [
    volume({ emptyDir: { sizeLimit: '-1' } }),
    `${at}.emptyDir.sizeLimit: Forbidden: SizeLimit field must be a valid resource quantity`,
  ],
  [volume({ secret: { secretName: 's', defaultMode: 0o777 } })],
  [volume({ secret: { secretName: 's', defaultMode: 0o1000 } }), `${at}.secret.defaultMode: Invalid value: 512: ${mode}`],
  [volume({ projected: { sources: [], defaultMode: -1 } }), `${at}.projected.defaultMode: Invalid value: -1: ${mode}`],
  [file({ mode: 0 })],
  [file({ mode: 512 }), `${path}.mode: Invalid value: 512: ${mode}`],
  [file({ key: '', path: '' }), `${path}.key: Required value`, `${path}.path: Required value`],
  [file({ path: '/p' }), `${path}.path: Invalid value: "/p": must be a relative path`],
  [file({ path: 'a/../p' }), `${path}.path: Invalid value: "a/../p": must not contain '..'`],
  [file({ path: '..p' }), `${path}.path: Invalid value: "..p": must not start with '..'`],
  [downward('metadata.labels')],
  [downward("metadata.annotations['a']")],
  [downward(''), `${at}.downwardAPI.fieldRef.fieldPath: Required value`],
  [
    downward('status.podIP'),
    `${at}.downwardAPI.fieldRef.fieldPath: Unsupported value: "status.podIP": supported values: "metadata.annotations", "metadata.labels", "metadata.name", "metadata.namespace", "metadata.uid"`,
  ],
  [token({ expirationSeconds: 600 })],
  [
    token({ expirationSeconds: 599 }),
    `${projected}.expirationSeconds: Invalid value: 599: may not specify a duration less than 10 minutes`,
  ],
  [token({ path: '' }), `${at}.projected.path: Required value`],
  [volume({ hostPath: { path: '/a', type: 'Directory' } })],
  [
    volume({ hostPath: { path: '/a/..', type: 'Any' } }),
    `${at}.hostPath.path: Invalid value: "/a/..": must not contain '..'`,
    `${at}.hostPath.type: Unsupported value: "Any": supported values: "", "BlockDevice", "CharDevice", "Directory", "DirectoryOrCreate", "File", "FileOrCreate", "Socket"`,
  ],
  [volume({ hostPath: { path: '' } }), `${at}.hostPath.path: Required value`],
  [volume({ nfs: { server: 's', path: '/p' } })],
  [
    volume({ nfs: { server: '', path: '' } }),
    `${at}.nfs.server: Required value`,
    `${at}.nfs.path: Required value`,
    `${at}.nfs.path: Invalid value: "": must be an absolute path`,
  ],
  [volume({ nfs: { server: 's', path: 'p' } }), `${at}.nfs.path: Invalid value: "p": must be an absolute path`],
  [volume({ csi: { driver: 'Secrets.example.com' } })],
  [volume({ csi: { driver: '' } }), `${at}.csi.driver: Required value`, `${at}.csi.driver: Invalid value: "": ${subdomain}`],
  [
    onNodes({
      matchExpressions: [
        { key: 'a', operator: 'In', values: ['b'] },
        { key: 'a', operator: 'Exists' },
        { key: 'a', operator: 'Gt', values: ['5'] },
      ],
      matchFields: [{ key: 'metadata.name', operator: 'NotIn', values: ['n'] }],
    }),
  ],
  [
    onNodes({ matchExpressions: [{}] }),
    `${nodeTerm}.matchExpressions[0].operator: Invalid value: "": not a valid selector operator`,
    `${nodeTerm}.matchExpressions[0].key: Invalid value: "": name part must be non-empty`,
    `${nodeTerm}.matchExpressions[0].key: Invalid value: "": ${nameForm}`,
  ],
  [
    onNodes({
      matchExpressions: [
        { key: 'a', operator: 'NotIn' },
        { key: 'a', operator: 'DoesNotExist', values: ['b'] },
        { key: 'a', operator: 'Lt', values: ['1', '2'] },
        { key: 'a', operator: 'Is', values: ['-'] },
      ],
    }),
    `${nodeTerm}.matchExpressions[0].values: Required value: must be specified when \`operator\` is 'In' or 'NotIn'`,
    `${nodeTerm}.matchExpressions[1].values: Forbidden: may not be specified when \`operator\` is 'Exists' or 'DoesNotExist'`,
    `${nodeTerm}.matchExpressions[2].values: Required value: must be specified single value when \`operator\` is 'Lt' or 'Gt'`,
    `${nodeTerm}.matchExpressions[3].operator: Invalid value: "Is": not a valid selector operator`,
    `${nodeTerm}.matchExpressions[3].values[0]: Invalid value: "-": ${valueForm}`,
  ],
  [
    onNodes({
      matchFields: [
        {},
        { key: 'metadata.name', operator: 'Exists', values: ['-'] },
        { key: 'metadata.name', operator: 'In', values: [] },
      ],
    }),
    `${nodeTerm}.matchFields[0].operator: Invalid value: "": not a valid selector operator`,
    `${nodeTerm}.matchFields[0].key: Invalid value: "": not a valid field selector key`,
    `${nodeTerm}.matchFields[1].operator: Invalid value: "Exists": not a valid selector operator`,
    `${nodeTerm}.matchFields[1].values[0]: Invalid value: "-": ${subdomain}`,
    `${nodeTerm}.matchFields[2].values: Required value: ${oneName}`,
  ],
  [liking({ matchExpressions: [{ key: 'a', operator: 'In', values: ['-'] }] })],
  [
    liking({
      matchExpressions: [{ key: '-', operator: 'Gt' }],
      matchFields: [{ key: 'metadata.uid', operator: 'In', values: ['-', 'b'] }],
    }),
    `${likedTerm}.matchExpressions[0].values: Required value: must be specified single value when \`operator\` is 'Lt' or 'Gt'`,
    `${likedTerm}.matchExpressions[0].key: Invalid value: "-": ${nameForm}`,
    `${likedTerm}.matchFields[0].values: Required value: ${oneName}`,
    `${likedTerm}.matchFields[0].key: Invalid value: "metadata.uid": not a valid field selector key`,
  ],
  [near({ namespaces: ['a'], namespaceSelector: {}, matchLabelKeys: ['a'], mismatchLabelKeys: ['b'] })],
  [
    near({ namespaces: ['', 'A'], namespaceSelector: { matchLabels: { '-': 'a' } }, labelSelector: { matchLabels: { a: '-' } } }),
    `${nearTerm}.labelSelector.matchLabels: Invalid value: "-": ${valueForm}`,
    `${nearTerm}.namespaceSelector.matchLabels: Invalid value: "-": ${nameForm}`,
    `${nearTerm}.namespace: Invalid value: "": ${label}`,
    `${nearTerm}.namespace: Invalid value: "A": ${label}`,
  ],
  [
    near({ matchLabelKeys: ['-', 'a'], mismatchLabelKeys: ['-', 'b'] }),
    `${nearTerm}.matchLabelKeys[0]: Invalid value: "-": ${nameForm}`,
    `${nearTerm}.mismatchLabelKeys[0]: Invalid value: "-": ${nameForm}`,
    `${nearTerm}.matchLabelKeys[0]: Invalid value: "-": ${bothKeys}`,
  ],
  [
    near({ labelSelector: null, matchLabelKeys: ['-'], mismatchLabelKeys: ['-'] }),
    `${nearTerm}.matchLabelKeys: Forbidden: ${noSelector}`,
    `${nearTerm}.mismatchLabelKeys: Forbidden: ${noSelector}`,
    `${nearTerm}.matchLabelKeys[0]: Invalid value: "-": ${bothKeys}`,
  ],
  [spread({ minDomains: 1, nodeAffinityPolicy: 'Honor', nodeTaintsPolicy: 'Ignore', matchLabelKeys: ['a'] })],
  [
    spread({
      minDomains: 0,
      nodeAffinityPolicy: 'Any',
      nodeTaintsPolicy: '',
      matchLabelKeys: ['-'],
      labelSelector: { matchLabels: { '-': 'a' } },
    }),
    `${spreads}.minDomains: Invalid value: 0: must be greater than zero`,
    `${spreads}.nodeAffinityPolicy: Unsupported value: "Any": supported values: "Honor", "Ignore"`,
    `${spreads}.nodeTaintsPolicy: Unsupported value: "": supported values: "Honor", "Ignore"`,
    `${spreads}.matchLabelKeys[0]: Invalid value: "-": ${nameForm}`,
    `${spreads}.labelSelector.matchLabels: Invalid value: "-": ${nameForm}`,
  ],
  [
    spread({ whenUnsatisfiable: 'ScheduleAnyway', minDomains: 2 }),
    `${spreads}.minDomains: Invalid value: 2: can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ScheduleAnyway`,
  ],
  [spread({ labelSelector: null, matchLabelKeys: ['-'] }), `${spreads}.matchLabelKeys: Forbidden: ${noSelector}`],
  [
    {
      topologySpreadConstraints: [
        { maxSkew: 1, topologyKey: 'z', whenUnsatisfiable: 'DoNotSchedule', minDomains: 0 },
        { maxSkew: 1, topologyKey: 'z', whenUnsatisfiable: 'ScheduleAnyway' },
        { maxSkew: 1, topologyKey: 'z', whenUnsatisfiable: 'DoNotSchedule' },
      ],
    },
    `${spreads}.{topologyKey, whenUnsatisfiable}: Duplicate value: "{z, DoNotSchedule}"`,
    `${spreads}.minDomains: Invalid value: 0: must be greater than zero`,
  ],
  [near({ labelSelector: { matchLabels: { a: 'b' } }, matchLabelKeys: ['a', 'a'] })],
  [
    near({
      labelSelector: { matchLabels: { a: 'b' }, matchExpressions: [{ key: 'a', operator: 'Exists' }] },
      matchLabelKeys: ['a', '-', 'a'],
      mismatchLabelKeys: ['-'],
    }),
    `${nearTerm}.matchLabelKeys[1]: Invalid value: "-": ${nameForm}`,
    `${nearTerm}.mismatchLabelKeys[0]: Invalid value: "-": ${nameForm}`,
    `${nearTerm}[2]: Invalid value: "a": exists in both matchLabelKeys and labelSelector`,
    `${nearTerm}.matchLabelKeys[1]: Invalid value: "-": ${bothKeys}`,
  ],
  [
    spread({
      labelSelector: { matchExpressions: ['Exists', 'Exists', 'Exists'].map(operator => ({ key: 'a', operator })) },
      matchLabelKeys: ['a'],
    }),
    `${spreads}[0]: Invalid value: "a": exists in both matchLabelKeys and labelSelector`,
    `${spreads}[0]: Invalid value: "a": exists in both matchLabelKeys and labelSelector`,
  ],
  [tolerating({ key: 'a', value: '-' }), `${toleration}.operator: Invalid value: "-": ${valueForm}`],
  [
    tolerating({ key: 'a', operator: 'Equal', value: '-', effect: '' }),
    `${toleration}.operator: Invalid value: "-": ${valueForm}`,
  ],
  [
    tolerating({ key: 'a', operator: 'Is', value: '-' }),
    `${toleration}.operator: Unsupported value: "Is": supported values: "Equal", "Exists"`,
  ],
  [
    gate({ name: '-' }, { name: '-' }),
    `spec.schedulingGates[0]: Invalid value: "-": ${nameForm}`,
    `spec.schedulingGates[1]: Invalid value: "-": ${nameForm}`,
    'spec.schedulingGates[1]: Duplicate value: "-"',
  ],
  [
    { readinessGates: [{}] },
    'spec.readinessGates[0].conditionType: Invalid value: "": name part must be non-empty',
    `spec.readinessGates[0].conditionType: Invalid value: "": ${nameForm}`,
  ],
  [
    { serviceAccountName: 'A', nodeName: 'B', priorityClassName: 'C', runtimeClassName: '', preemptionPolicy: 'Always', os: {} },
    `spec.serviceAccountName: Invalid value: "A": ${subdomain}`,
    `spec.nodeName: Invalid value: "B": ${subdomain}`,
    `spec.priorityClassName: Invalid value: "C": ${subdomain}`,
    `spec.runtimeClassName: Invalid value: "": ${subdomain}`,
    'spec.preemptionPolicy: Unsupported value: "Always": supported values: "PreemptLowerPriority", "Never"',
    'spec.os.name: Required value',
  ],
  [
    { preemptionPolicy: '', overhead: { cpu: '-1' } },
    'spec.preemptionPolicy: Required value',
    'spec.overhead.limits[cpu]: Invalid value: "-1": must be greater than or equal to 0',
  ],
  [{ preemptionPolicy: 'Never', runtimeClassName: 'a.b', overhead: { cpu: '1' } }],
  [
    { hostAliases: [{ ip: '01.002.3.4', hostnames: ['a.b'] }, { ip: '::ffff:1.2.3.4' }, { ip: '1.2.3', hostnames: ['', 'A'] }] },
    `spec.hostAliases[2].ip: Invalid value: "1.2.3": ${ipText}`,
    `spec.hostAliases[2].hostnames[0]: Invalid value: "": ${subdomain}`,
    `spec.hostAliases[2].hostnames[1]: Invalid value: "A": ${subdomain}`,
  ],
  [
    { dnsPolicy: 'None', dnsConfig: { searches: ['A'], options: [{}] } },
    'spec.dnsConfig.nameservers: Required value: must provide at least one DNS nameserver when `dnsPolicy` is None',
  ],
  [
    { dnsConfig: { nameservers: ['1.1.1.1', '1.1.1.2', '1.1.1.3', '1.1.1.4'] } },
    'spec.dnsConfig.nameservers: Invalid value: ["1.1.1.1","1.1.1.2","1.1.1.3","1.1.1.4"]: must not have more than 3 nameservers',
  ],
  [
    { dnsConfig: { searches: ['', 'A.', 'x'.repeat(253) + '.'] } },
    `spec.dnsConfig.searches[0]: Invalid value: "": ${search}`,
    `spec.dnsConfig.searches[1]: Invalid value: "A": ${search}`,
  ],
  [
    { dnsConfig: { searches: ['x'.repeat(254)] } },
    `spec.dnsConfig.searches[0]: Invalid value: "${'x'.repeat(254)}": must be no more than 253 characters`,
  ],
  [
    {
      securityContext: {
        sysctls: [
          { name: 'a', value: '0' },
          { name: 'a', value: '0' },
          { name: 'x'.repeat(253), value: '0' },
        ],
        supplementalGroupsPolicy: 'Strict',
        seLinuxChangePolicy: 'Recursive',
      },
    },
    'spec.securityContext.sysctls[1].name: Duplicate value: "a"',
  ],
  [
    {
      securityContext: {
        sysctls: [{ name: 'x'.repeat(254), value: '0' }],
        supplementalGroupsPolicy: '',
        seLinuxChangePolicy: 'MountOption',
        appArmorProfile: {},
        windowsOptions: { gmsaCredentialSpecName: '' },
      },
    },
    `spec.securityContext.sysctls[0].name: Invalid value: "${'x'.repeat(254)}": ${sysctl}`,
    `spec.securityContext.windowsOptions.gmsaCredentialSpecName: Invalid value: "": ${subdomain}`,
    'spec.securityContext.appArmorProfile.type: Required value: type is required when appArmorProfile is set',
    'spec.securityContext.supplementalGroupsPolicy: Unsupported value: "": supported values: "Merge", "Strict"',
    'spec.securityContext.seLinuxChangePolicy: Unsupported value: "MountOption": supported values: "Recursive"',
  ],
]

for (const [spec, ...told] of rows)
  test(`a Pod with ${JSON.stringify(spec).slice(0, 130)} is ${told.length === 0 ? 'taken' : 'refused'}`, () => {
    assert.deepEqual(refusals(pod(spec)), told)
  })

test('what exists needs no value, which is shown', () => {
  const told = `${toleration}.operator: Invalid value: "b": value must be empty when \`operator\` is 'Exists'`
  for (const more of [{ key: 'a' }, { effect: 'NoExecute', tolerationSeconds: 5 }])
    assert.deepEqual(refusals(pod(tolerating({ operator: 'Exists', value: 'b', ...more }))), [told])
})

const sized = (requests: JsonObject, limits: JsonObject = {}, more: JsonObject = {}): JsonObject => ({
  containers: [{ name: 'a', image: 'web:1', resources: { requests, limits }, ...more }],
})
const burstable = sized({ cpu: '1', memory: '1Gi' })
const init = (cpu: string, more: JsonObject = {}): JsonObject => ({
  ...burstable,
  initContainers: [{ name: 'i', image: 'x:1', resources: { requests: { cpu } }, ...more }],
})

const staying = { restartPolicy: 'Always' }
const onlyBeside = 'resources for non-sidecar init containers are immutable'

const sizes: readonly (readonly [what: string, before: JsonObject, now: JsonObject, ...told: string[]])[] = [
  ['its amounts', burstable, sized({ cpu: '2', memory: '2Gi' })],
  [
    'its amounts for others',
    burstable,
    sized({ cpu: '2', memory: '1Gi', 'ephemeral-storage': '1Gi' }),
    'spec: Forbidden: only cpu and memory resources are mutable',
  ],
  [
    'how it is resized',
    burstable,
    sized({ cpu: '1', memory: '1Gi' }, {}, { resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'NotRequired' }] }),
    'spec: Forbidden: only cpu and memory resources are mutable',
  ],
  ['its amounts for others, where there are none', sized({}), sized({ 'example.com/gpu': '1' }, { 'example.com/gpu': '1' })],
  [
    'its amounts to nothing, which are none',
    sized({ cpu: '1' }),
    sized({ cpu: '0' }),
    'spec: Invalid value: "Burstable": Pod QOS Class may not change as a result of resizing',
  ],
  [
    'its image',
    burstable,
    sized({ cpu: '1', memory: '1Gi' }, {}, { image: 'web:2' }),
    'spec: Forbidden: only cpu and memory resources are mutable',
  ],
  [
    'its quality',
    burstable,
    sized({ cpu: '1', memory: '1Gi' }, { cpu: '1', memory: '1Gi' }),
    'spec: Invalid value: "Burstable": Pod QOS Class may not change as a result of resizing',
  ],
  [
    'what it asks for, to nothing',
    sized({ cpu: '1', memory: '1Gi' }, { cpu: '2', 'ephemeral-storage': '1Gi' }),
    sized({ memory: '1Gi' }, { 'ephemeral-storage': '1Gi' }),
    'spec.containers[0].resources.requests: Forbidden: resource requests cannot be removed',
    'spec.containers[0].resources.limits: Forbidden: resource limits cannot be removed',
  ],
  [
    'what it asks for to something else',
    burstable,
    sized({ memory: '1Gi', 'ephemeral-storage': '1Gi' }),
    'spec.containers[0].resources.requests: Forbidden: resource requests cannot be removed',
    'spec: Forbidden: only cpu and memory resources are mutable',
  ],
  [
    'its containers',
    burstable,
    { containers: [...(burstable['containers'] as JsonObject[]), { name: 'b', image: 'x:1' }] },
    'spec.containers: Forbidden: containers may not be added or removed on resize',
  ],
  [
    'the name of a container',
    burstable,
    { containers: [{ ...(burstable['containers'] as JsonObject[])[0], name: 'b' }] },
    'spec.containers[0].name: Forbidden: containers may not be renamed or reordered on resize',
  ],
  [
    'the name of a container and what it asks for',
    burstable,
    sized({ cpu: '1' }, {}, { name: 'b' }),
    'spec.containers[0].name: Forbidden: containers may not be renamed or reordered on resize',
  ],
  [
    'its first containers',
    burstable,
    init('1'),
    'spec.initContainers: Forbidden: initContainers may not be added or removed on resize',
  ],
  [
    'the name of a first container',
    init('1'),
    init('1', { name: 'j' }),
    'spec.initContainers[0].name: Forbidden: initContainers may not be renamed or reordered on resize',
  ],
  ['the amounts of a first container', init('1'), init('2'), `spec: Forbidden: ${onlyBeside}`],
  [
    'the amounts of a first container to none',
    init('1'),
    { ...init('1'), initContainers: [{ name: 'i', image: 'x:1' }] },
    `spec: Forbidden: ${onlyBeside}`,
  ],
  ['the amounts of a first container that stays', init('1', staying), init('2', staying)],
  [
    'how a first container that stays is resized',
    init('1', staying),
    init('1', { ...staying, resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'NotRequired' }] }),
    'spec: Forbidden: only cpu and memory resources for sidecar containers are mutable',
  ],
  [
    'what a first container that stays asks for, to nothing, and what it may use',
    { ...init('1', staying), containers: [{ name: 'a', image: 'web:1', resources: { limits: { cpu: '1' } } }] },
    {
      ...init('1', { ...staying, resources: {} }),
      containers: [{ name: 'a', image: 'web:1', resources: { requests: { cpu: '1' } } }],
    },
    'spec.initContainers[0].resources.requests: Forbidden: resource requests cannot be removed',
    'spec.containers[0].resources.limits: Forbidden: resource limits cannot be removed',
  ],
  [
    'where it runs, but it runs on Windows',
    { ...burstable, os: { name: 'windows' } },
    { containers: [] },
    '[]: Forbidden: windows pods cannot be resized',
  ],
  [
    'its amounts, but it has some of its own',
    { ...burstable, resources: { limits: { cpu: '0' } } },
    sized({ cpu: '2' }),
    '[]: Forbidden: pods with pod-level resources cannot be resized',
  ],
]

for (const [what, before, now, ...told] of sizes)
  test(`that a Pod changes ${what} by resizing is ${told.length === 0 ? 'taken' : 'refused'}`, () => {
    assert.deepEqual(refusals(pod(now), { old: pod(before), subresource: 'resize' }), told)
  })

test('what a node runs by itself is neither resized nor gets containers', () => {
  const metadata = { name: 'p', annotations: { 'kubernetes.io/config.mirror': 'x' } }
  const old = pod({ nodeName: 'n' }, { metadata })
  assert.deepEqual(refusals(old, { old, subresource: 'resize' }), ['[]: Forbidden: static pods cannot be resized'])
  assert.deepEqual(refusals(pod({ containers: [] }), { old, subresource: 'ephemeralcontainers' }), [
    '[]: Forbidden: static pods do not support ephemeral containers',
  ])
})

test('a pod is bound to whatever is named', () => {
  assert.deepEqual(refusals(pod({ nodeName: 'A b' }), { old: pod({}), subresource: 'binding' }), [])
})

test('the quality that a Pod was given when it was made is told', () => {
  const old = pod(burstable, { status: { qosClass: 'BestEffort' } })
  assert.deepEqual(
    refusals(pod({}), { old, subresource: 'resize' })[0],
    'spec: Invalid value: "BestEffort": Pod QOS Class may not change as a result of resizing',
  )
})

test('a Pod whose host would have an odd name, or that will not do what its author thinks, is warned of', () => {
  const { validate } = schemaOf({ apiVersion: 'v1', kind: 'Pod' })
  const object = pod({
    topologySpreadConstraints: [{ labelSelector: {} }, { maxSkew: 1 }],
    imagePullSecrets: [{ name: 'a' }, {}, { name: '' }],
  })
  const warnings = [
    'spec.topologySpreadConstraints[1].labelSelector: a null labelSelector results in matching no pod',
    'spec.imagePullSecrets[2].name: duplicate name ""',
    'spec.imagePullSecrets[1].name: invalid empty name ""',
    'spec.imagePullSecrets[2].name: invalid empty name ""',
  ]
  assert.deepEqual(validate(object).warnings, warnings)
  assert.deepEqual(validate(object, { old: object }).warnings, [])
  const dotted = { ...pod({}), metadata: { name: 'a.b' } }
  assert.deepEqual(validate(dotted).warnings, [
    `metadata.name: this is used in the Pod's hostname, which can result in surprising behavior; a DNS label is recommended: [must not contain dots]`,
  ])
})

for (const [apiVersion, kind] of [
  ['apps/v1', 'Deployment'],
  ['apps/v1', 'ReplicaSet'],
  ['batch/v1', 'Job'],
  ['batch/v1', 'CronJob'],
  ['v1', 'ReplicationController'],
] as const)
  test(`a ${kind} whose pods would have odd names is warned of, when it is made`, () => {
    const object = { apiVersion, kind, metadata: { name: 'a.b' }, spec: {} }
    const { validate } = schemaOf(object)
    assert.deepEqual(validate(object).warnings, [
      'metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is recommended: [must not contain dots]',
    ])
    assert.deepEqual(validate(object, { old: object }).warnings, [])
    assert.deepEqual(validate({ ...object, metadata: { name: 'a' } }).warnings, [])
  })

test('the labels and annotations of a template are named without their metadata', () => {
  const template = { metadata: { labels: { '-': 'x', a: '-' }, annotations: { '-': 'x', 'A/b': 'x' } }, spec: { containers } }
  const spec = { selector: { matchLabels: { b: 'x' } }, template }
  const told = refusals({ apiVersion: 'apps/v1', kind: 'ReplicaSet', metadata: { name: 'r' }, spec })
  assert.deepEqual(
    told.filter(line => !line.startsWith('spec.template.metadata')),
    [
      `spec.template.labels: Invalid value: "-": ${nameForm}`,
      `spec.template.labels: Invalid value: "-": ${valueForm}`,
      `spec.template.annotations: Invalid value: "-": ${nameForm}`,
    ],
  )
})

test('a template is judged as a pod is, save what only a pod can have', () => {
  const told = (template: JsonObject): readonly string[] =>
    refusals({ apiVersion: 'v1', kind: 'PodTemplate', metadata: { name: 't' }, template })
  assert.deepEqual(told({ spec: { containers: [{ name: 'a', image: ' web' }] } }), [])
  assert.deepEqual(told({}), ['template.spec.containers: Required value'])
  assert.deepEqual(refusals({ apiVersion: 'v1', kind: 'PodTemplate', metadata: { name: 't' } }), [
    'template.spec.containers: Required value',
  ])
  assert.deepEqual(
    told({
      metadata: { annotations: { '-': 'x' } },
      spec: { containers, restartPolicy: 'x', activeDeadlineSeconds: 0, ephemeralContainers: [{ name: 'e', image: 'web:1' }] },
    }),
    [
      `template.annotations: Invalid value: "-": ${nameForm}`,
      'template.spec.restartPolicy: Unsupported value: "x": supported values: "Always", "OnFailure", "Never"',
      'template.spec.activeDeadlineSeconds: Invalid value: 0: must be between 1 and 2147483647, inclusive',
      'template.spec.ephemeralContainers: Forbidden: ephemeral containers not allowed in pod template',
    ],
  )
  const never = { containers: [{ name: 'a', image: 'web:1', resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'x' }] }] }
  const at = 'template.spec.containers[0].resizePolicy'
  assert.deepEqual(told({ spec: { ...never, restartPolicy: 'Never' } }), [
    `${at}: Unsupported value: "x": supported values: "NotRequired", "RestartContainer"`,
    `${at}: Invalid value: "x": must be 'NotRequired' when \`restartPolicy\` is 'Never'`,
  ])
})

test('what is wrong with how images are written is said last', () => {
  const spec = { hostname: 'A', containers: [{ name: 'a', image: ' web ' }], initContainers: [{ name: 'b', image: ' web' }] }
  const why = 'must not have leading or trailing whitespace'
  assert.deepEqual(refusals(pod(spec)), [
    `spec.hostname: Invalid value: "A": ${label}`,
    `spec.containers[0].image: Invalid value: " web ": ${why}`,
    `spec.initContainers[0].image: Invalid value: " web": ${why}`,
  ])
})

test('a pod that a node runs by itself says on which', () => {
  const metadata = { name: 'p', annotations: { 'kubernetes.io/config.mirror': 'x' } }
  assert.deepEqual(refusals(pod({ nodeName: 'n' }, { metadata })), [])
  assert.deepEqual(refusals(pod({ hostname: 'A' }, { metadata })), [
    'metadata.annotations[kubernetes.io/config.mirror]: Invalid value: "x": must set spec.nodeName if mirror pod annotation is set',
    `spec.hostname: Invalid value: "A": ${label}`,
  ])
})
