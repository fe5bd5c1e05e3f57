// Specs and templates of pods as a real server holds them, and which are the same to it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type StructType, type TypeNode, typeNamed } from '../../../builtin/types.ts'
import { type Json, type JsonObject, renderJson } from '../../../json.ts'
import { podSpecChange, samePodSpecs, sameTemplates, templateForm } from './pods.ts'

/** As a real server shows them, all their fields set. */
const rows: readonly (readonly [given: JsonObject, shown: string])[] = [
  [{ activeDeadlineSeconds: 3 }, '"ActiveDeadlineSeconds":3'],
  [
    {
      affinity: {
        nodeAffinity: {
          preferredDuringSchedulingIgnoredDuringExecution: [
            {
              preference: {
                matchExpressions: [{ key: 'key', operator: 'operator', values: ['values'] }],
                matchFields: [{ key: 'key', operator: 'operator', values: ['values'] }],
              },
              weight: 4,
            },
          ],
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [
              {
                matchExpressions: [{ key: 'key', operator: 'operator', values: ['values'] }],
                matchFields: [{ key: 'key', operator: 'operator', values: ['values'] }],
              },
            ],
          },
        },
        podAffinity: {
          preferredDuringSchedulingIgnoredDuringExecution: [
            {
              podAffinityTerm: {
                labelSelector: {
                  matchExpressions: [{ key: 'key', operator: 'operator', values: ['values'] }],
                  matchLabels: { b: 'x', a: 'y' },
                },
                matchLabelKeys: ['matchLabelKeys'],
                mismatchLabelKeys: ['mismatchLabelKeys'],
                namespaceSelector: {
                  matchExpressions: [{ key: 'key', operator: 'operator', values: ['values'] }],
                  matchLabels: { b: 'x', a: 'y' },
                },
                namespaces: ['namespaces'],
                topologyKey: 'topologyKey',
              },
              weight: 5,
            },
          ],
          requiredDuringSchedulingIgnoredDuringExecution: [
            {
              labelSelector: {
                matchExpressions: [{ key: 'key', operator: 'operator', values: ['values'] }],
                matchLabels: { b: 'x', a: 'y' },
              },
              matchLabelKeys: ['matchLabelKeys'],
              mismatchLabelKeys: ['mismatchLabelKeys'],
              namespaceSelector: {
                matchExpressions: [{ key: 'key', operator: 'operator', values: ['values'] }],
                matchLabels: { b: 'x', a: 'y' },
              },
              namespaces: ['namespaces'],
              topologyKey: 'topologyKey',
            },
          ],
        },
        podAntiAffinity: {
          preferredDuringSchedulingIgnoredDuringExecution: [
            {
              podAffinityTerm: {
                labelSelector: {
                  matchExpressions: [{ key: 'key', operator: 'operator', values: ['values'] }],
                  matchLabels: { b: 'x', a: 'y' },
                },
                matchLabelKeys: ['matchLabelKeys'],
                mismatchLabelKeys: ['mismatchLabelKeys'],
                namespaceSelector: {
                  matchExpressions: [{ key: 'key', operator: 'operator', values: ['values'] }],
                  matchLabels: { b: 'x', a: 'y' },
                },
                namespaces: ['namespaces'],
                topologyKey: 'topologyKey',
              },
              weight: 6,
            },
          ],
          requiredDuringSchedulingIgnoredDuringExecution: [
            {
              labelSelector: {
                matchExpressions: [{ key: 'key', operator: 'operator', values: ['values'] }],
                matchLabels: { b: 'x', a: 'y' },
              },
              matchLabelKeys: ['matchLabelKeys'],
              mismatchLabelKeys: ['mismatchLabelKeys'],
              namespaceSelector: {
                matchExpressions: [{ key: 'key', operator: 'operator', values: ['values'] }],
                matchLabels: { b: 'x', a: 'y' },
              },
              namespaces: ['namespaces'],
              topologyKey: 'topologyKey',
            },
          ],
        },
      },
    },
    '"Affinity":{"NodeAffinity":{"RequiredDuringSchedulingIgnoredDuringExecution":{"NodeSelectorTerms":[{"MatchExpressions":[{"Key":"key","Operator":"operator","Values":["values"]}],"MatchFields":[{"Key":"key","Operator":"operator","Values":["values"]}]}]},"PreferredDuringSchedulingIgnoredDuringExecution":[{"Weight":4,"Preference":{"MatchExpressions":[{"Key":"key","Operator":"operator","Values":["values"]}],"MatchFields":[{"Key":"key","Operator":"operator","Values":["values"]}]}}]},"PodAffinity":{"RequiredDuringSchedulingIgnoredDuringExecution":[{"LabelSelector":{"matchLabels":{"a":"y","b":"x"},"matchExpressions":[{"key":"key","operator":"operator","values":["values"]}]},"Namespaces":["namespaces"],"TopologyKey":"topologyKey","NamespaceSelector":{"matchLabels":{"a":"y","b":"x"},"matchExpressions":[{"key":"key","operator":"operator","values":["values"]}]},"MatchLabelKeys":["matchLabelKeys"],"MismatchLabelKeys":["mismatchLabelKeys"]}],"PreferredDuringSchedulingIgnoredDuringExecution":[{"Weight":5,"PodAffinityTerm":{"LabelSelector":{"matchLabels":{"a":"y","b":"x"},"matchExpressions":[{"key":"key","operator":"operator","values":["values"]}]},"Namespaces":["namespaces"],"TopologyKey":"topologyKey","NamespaceSelector":{"matchLabels":{"a":"y","b":"x"},"matchExpressions":[{"key":"key","operator":"operator","values":["values"]}]},"MatchLabelKeys":["matchLabelKeys"],"MismatchLabelKeys":["mismatchLabelKeys"]}}]},"PodAntiAffinity":{"RequiredDuringSchedulingIgnoredDuringExecution":[{"LabelSelector":{"matchLabels":{"a":"y","b":"x"},"matchExpressions":[{"key":"key","operator":"operator","values":["values"]}]},"Namespaces":["namespaces"],"TopologyKey":"topologyKey","NamespaceSelector":{"matchLabels":{"a":"y","b":"x"},"matchExpressions":[{"key":"key","operator":"operator","values":["values"]}]},"MatchLabelKeys":["matchLabelKeys"],"MismatchLabelKeys":["mismatchLabelKeys"]}],"PreferredDuringSchedulingIgnoredDuringExecution":[{"Weight":6,"PodAffinityTerm":{"LabelSelector":{"matchLabels":{"a":"y","b":"x"},"matchExpressions":[{"key":"key","operator":"operator","values":["values"]}]},"Namespaces":["namespaces"],"TopologyKey":"topologyKey","NamespaceSelector":{"matchLabels":{"a":"y","b":"x"},"matchExpressions":[{"key":"key","operator":"operator","values":["values"]}]},"MatchLabelKeys":["matchLabelKeys"],"MismatchLabelKeys":["mismatchLabelKeys"]}}]}}',
  ],
  [{ automountServiceAccountToken: true }, '"AutomountServiceAccountToken":true'],
  [
    { dnsConfig: { nameservers: ['nameservers'], options: [{ name: 'name', value: 'value' }], searches: ['searches'] } },
    '"DNSConfig":{"Nameservers":["nameservers"],"Searches":["searches"],"Options":[{"Name":"name","Value":"value"}]}',
  ],
  [{ dnsPolicy: 'dnsPolicy' }, '"DNSPolicy":"dnsPolicy"'],
  [{ enableServiceLinks: true }, '"EnableServiceLinks":true'],
  [{ hostAliases: [{ hostnames: ['hostnames'], ip: 'ip' }] }, '"HostAliases":[{"IP":"ip","Hostnames":["hostnames"]}]'],
  [{ hostname: 'hostname' }, '"Hostname":"hostname"'],
  [{ imagePullSecrets: [{ name: 'name' }] }, '"ImagePullSecrets":[{"Name":"name"}]'],
  [{ nodeName: 'nodeName' }, '"NodeName":"nodeName"'],
  [{ nodeSelector: { b: 'x', a: 'y' } }, '"NodeSelector":{"a":"y","b":"x"}'],
  [{ os: { name: 'name' } }, '"OS":{"Name":"name"}'],
  [{ overhead: { b: '1500m', a: '1Mi' } }, '"Overhead":{"a":"1Mi","b":"1500m"}'],
  [{ preemptionPolicy: 'preemptionPolicy' }, '"PreemptionPolicy":"preemptionPolicy"'],
  [{ priority: 9 }, '"Priority":9'],
  [{ priorityClassName: 'priorityClassName' }, '"PriorityClassName":"priorityClassName"'],
  [{ readinessGates: [{ conditionType: 'conditionType' }] }, '"ReadinessGates":[{"ConditionType":"conditionType"}]'],
  [
    {
      resourceClaims: [
        { name: 'name', resourceClaimName: 'resourceClaimName', resourceClaimTemplateName: 'resourceClaimTemplateName' },
      ],
    },
    '"ResourceClaims":[{"Name":"name","ResourceClaimName":"resourceClaimName","ResourceClaimTemplateName":"resourceClaimTemplateName"}]',
  ],
  [
    {
      resources: {
        claims: [{ name: 'name', request: 'request' }],
        limits: { b: '1Mi', a: '1500m' },
        requests: { b: '1Mi', a: '1500m' },
      },
    },
    '"Resources":{"Limits":{"a":"1500m","b":"1Mi"},"Requests":{"a":"1500m","b":"1Mi"},"Claims":[{"Name":"name","Request":"request"}]}',
  ],
  [{ restartPolicy: 'Always' }, '"RestartPolicy":"Always"'],
  [{ runtimeClassName: 'runtimeClassName' }, '"RuntimeClassName":"runtimeClassName"'],
  [{ schedulerName: 'schedulerName' }, '"SchedulerName":"schedulerName"'],
  [{ schedulingGates: [{ name: 'name' }] }, '"SchedulingGates":[{"Name":"name"}]'],
  [{ serviceAccountName: 'serviceAccountName' }, '"ServiceAccountName":"serviceAccountName"'],
  [{ setHostnameAsFQDN: true }, '"SetHostnameAsFQDN":true'],
  [{ subdomain: 'subdomain' }, '"Subdomain":"subdomain"'],
  [{ terminationGracePeriodSeconds: 9 }, '"TerminationGracePeriodSeconds":9'],
  [
    { tolerations: [{ effect: 'effect', key: 'key', operator: 'operator', tolerationSeconds: 1, value: 'value' }] },
    '"Tolerations":[{"Key":"key","Operator":"operator","Value":"value","Effect":"effect","TolerationSeconds":1}]',
  ],
  [
    {
      topologySpreadConstraints: [
        {
          labelSelector: {
            matchExpressions: [{ key: 'key', operator: 'operator', values: ['values'] }],
            matchLabels: { b: 'x', a: 'y' },
          },
          matchLabelKeys: ['matchLabelKeys'],
          maxSkew: 2,
          minDomains: 3,
          nodeAffinityPolicy: 'nodeAffinityPolicy',
          nodeTaintsPolicy: 'nodeTaintsPolicy',
          topologyKey: 'topologyKey',
          whenUnsatisfiable: 'whenUnsatisfiable',
        },
      ],
    },
    '"TopologySpreadConstraints":[{"MaxSkew":2,"TopologyKey":"topologyKey","WhenUnsatisfiable":"whenUnsatisfiable","LabelSelector":{"matchLabels":{"a":"y","b":"x"},"matchExpressions":[{"key":"key","operator":"operator","values":["values"]}]},"MinDomains":3,"NodeAffinityPolicy":"nodeAffinityPolicy","NodeTaintsPolicy":"nodeTaintsPolicy","MatchLabelKeys":["matchLabelKeys"]}]',
  ],
  [
    {
      hostIPC: true,
      hostPID: true,
      hostNetwork: true,
      hostUsers: true,
      shareProcessNamespace: true,
      securityContext: {
        appArmorProfile: { localhostProfile: 'localhostProfile', type: 'type' },
        fsGroup: 5,
        fsGroupChangePolicy: 'fsGroupChangePolicy',
        runAsGroup: 6,
        runAsNonRoot: true,
        runAsUser: 7,
        seLinuxChangePolicy: 'seLinuxChangePolicy',
        seLinuxOptions: { level: 'level', role: 'role', type: 'type', user: 'user' },
        seccompProfile: { localhostProfile: 'localhostProfile', type: 'type' },
        supplementalGroups: [8],
        supplementalGroupsPolicy: 'supplementalGroupsPolicy',
        sysctls: [{ name: 'name', value: 'value' }],
        windowsOptions: {
          gmsaCredentialSpec: 'gmsaCredentialSpec',
          gmsaCredentialSpecName: 'gmsaCredentialSpecName',
          hostProcess: true,
          runAsUserName: 'runAsUserName',
        },
      },
    },
    '"SecurityContext":{"HostNetwork":true,"HostPID":true,"HostIPC":true,"ShareProcessNamespace":true,"HostUsers":true,"SELinuxOptions":{"User":"user","Role":"role","Type":"type","Level":"level"},"WindowsOptions":{"GMSACredentialSpecName":"gmsaCredentialSpecName","GMSACredentialSpec":"gmsaCredentialSpec","RunAsUserName":"runAsUserName","HostProcess":true},"RunAsUser":7,"RunAsGroup":6,"RunAsNonRoot":true,"SupplementalGroups":[8],"SupplementalGroupsPolicy":"supplementalGroupsPolicy","FSGroup":5,"FSGroupChangePolicy":"fsGroupChangePolicy","Sysctls":[{"Name":"name","Value":"value"}],"SeccompProfile":{"Type":"type","LocalhostProfile":"localhostProfile"},"AppArmorProfile":{"Type":"type","LocalhostProfile":"localhostProfile"},"SELinuxChangePolicy":"seLinuxChangePolicy"}',
  ],
]

const shown = (given: JsonObject): string => renderJson(templateForm({ spec: given }))

for (const [given, told] of rows)
  test(`what a pod has of ${Object.keys(given)[0]} is shown as a real server holds it`, () => {
    assert.ok(shown(given).includes(told), shown(given))
  })

const plain = {
  restartPolicy: 'Never',
  terminationGracePeriodSeconds: 30,
  dnsPolicy: 'ClusterFirst',
  schedulerName: 'default-scheduler',
  securityContext: {},
}

test('a template that says little is shown with all the fields of its pods, and with the metadata that it has', () => {
  const told =
    '"Spec":{"Volumes":null,"InitContainers":null,"Containers":null,"EphemeralContainers":null,"RestartPolicy":"Never","TerminationGracePeriodSeconds":30,"ActiveDeadlineSeconds":null,"DNSPolicy":"ClusterFirst","NodeSelector":null,"ServiceAccountName":"","AutomountServiceAccountToken":null,"NodeName":"","SecurityContext":{"HostNetwork":false,"HostPID":false,"HostIPC":false,"ShareProcessNamespace":null,"HostUsers":null,"SELinuxOptions":null,"WindowsOptions":null,"RunAsUser":null,"RunAsGroup":null,"RunAsNonRoot":null,"SupplementalGroups":null,"SupplementalGroupsPolicy":null,"FSGroup":null,"FSGroupChangePolicy":null,"Sysctls":null,"SeccompProfile":null,"AppArmorProfile":null,"SELinuxChangePolicy":null},"ImagePullSecrets":null,"Hostname":"","Subdomain":"","SetHostnameAsFQDN":null,"Affinity":null,"SchedulerName":"default-scheduler","Tolerations":null,"HostAliases":null,"PriorityClassName":"","Priority":null,"PreemptionPolicy":null,"DNSConfig":null,"ReadinessGates":null,"RuntimeClassName":null,"Overhead":null,"EnableServiceLinks":null,"TopologySpreadConstraints":null,"OS":null,"SchedulingGates":null,"ResourceClaims":null,"Resources":null,"HostnameOverride":null}}'
  const metadata = {
    creationTimestamp: null,
    finalizers: [],
    annotations: {},
    ownerReferences: [{ uid: 'u', kind: 'K', name: 'n', apiVersion: 'v1', controller: true }],
    deletionGracePeriodSeconds: 0,
    labels: { b: '2', a: '1' },
    generation: 0,
    name: 'n',
  }
  const owners = '"ownerReferences":[{"apiVersion":"v1","kind":"K","name":"n","uid":"u","controller":true}]'
  const named = `"name":"n","deletionGracePeriodSeconds":0,"labels":{"a":"1","b":"2"},${owners}`
  assert.equal(renderJson(templateForm({ spec: plain })), `{${told}`)
  assert.equal(renderJson(templateForm({ spec: plain, metadata })), `{${named},${told}`)
})

test('a template whose form would be far longer than itself is not shown', () => {
  const of = (count: number): JsonObject => ({ spec: { containers: Array.from({ length: count }, () => ({})) } })
  assert.notEqual(templateForm(of(5_000)), undefined)
  assert.equal(templateForm(of(50_000)), undefined)
  assert.equal(podSpecChange({}, of(50_000).spec as JsonObject), '')
})

const asking = (requests: JsonObject): JsonObject => ({ containers: [{ name: 'a', resources: { requests } }] })
const spreading = (more: JsonObject): JsonObject => ({ topologySpreadConstraints: [{ maxSkew: 1, ...more }] })

const pairs: readonly (readonly [what: string, one: JsonObject, other: JsonObject, isSame: boolean])[] = [
  ['an empty list and none', { containers: [{ command: [] }] }, { containers: [{}] }, true],
  ['no names and none', { nodeSelector: {} }, {}, true],
  ['amounts written in two ways', asking({ memory: '1000Mi' }), asking({ memory: '1048576000' }), true],
  ['a thousand in two ways', asking({ memory: '1e3' }), asking({ memory: '1k' }), true],
  ['two amounts', asking({ memory: '1000Mi' }), asking({ memory: '1048576001' }), false],
  ['an empty context of security and none', { containers: [{ securityContext: {} }] }, { containers: [{}] }, false],
  ['an empty affinity and none', { affinity: {} }, {}, false],
  ['a selector of everything and none', spreading({ labelSelector: {} }), spreading({}), false],
  [
    'a selector of no labels and an empty one',
    spreading({ labelSelector: { matchLabels: {} } }),
    spreading({ labelSelector: {} }),
    true,
  ],
  [
    'what is not optional and what says nothing of it',
    { volumes: [{ configMap: { optional: false } }] },
    { volumes: [{ configMap: {} }] },
    false,
  ],
  ['great numbers', { priority: 9007199254740993n }, { priority: 9007199254740992n }, false],
]

for (const [what, one, other, isSame] of pairs)
  test(`${what} are ${isSame ? 'the same' : 'two things'} in a pod and in a template`, () => {
    assert.equal(samePodSpecs(one, other), isSame)
    assert.equal(sameTemplates({ spec: one }, { spec: other }), isSame)
  })

/** With each of its fields in turn, and what it is without that one. */
function* withEach(
  type: StructType,
  within: (part: JsonObject) => JsonObject,
  at: string,
): Generator<readonly [at: string, JsonObject, JsonObject]> {
  for (const [name, { type: field }] of Object.entries(type.fields)) {
    const holds = field.kind === 'list' ? field.items : field
    const wrapped = (part: Json): JsonObject => within({ [name]: field.kind === 'list' ? [part] : part })
    if (holds.kind === 'struct') yield* withEach(holds, wrapped, `${at}.${name}`)
    else yield [`${at}.${name}`, wrapped(valueOf(holds)), within({})]
  }
}

function valueOf(type: TypeNode): Json {
  if (type.kind === 'map') return { a: valueOf(type.values) }
  if (type.kind === 'boolean') return true
  if (type.kind === 'quantity') return '7'
  return ['int32', 'int64', 'number', 'int-or-string'].includes(type.kind) ? 7 : 'a'
}

test('no field of a pod changes unseen', () => {
  const forms = [...withEach(typeNamed('io.k8s.api.core.v1.PodSpec') as StructType, part => part, 'spec')]
  assert.ok(forms.length > 600, `${forms.length}`)
  const unseen = forms.filter(([, one, other]) => samePodSpecs(one, other)).map(([at]) => at)
  // Another name of serviceAccountName, which is there beside it always.
  assert.deepEqual(unseen, ['spec.serviceAccount'])
})

test('what changed is told in lines of the form', () => {
  const before = { ...plain, securityContext: { supplementalGroups: [9007199254740993n] } }
  const now = { ...plain, hostNetwork: true, nodeSelector: { b: '<', a: '\u2028' } }
  const told = [
    '@@ -7,12 +7,15 @@',
    '  "TerminationGracePeriodSeconds": 30,',
    '  "ActiveDeadlineSeconds": null,',
    '  "DNSPolicy": "ClusterFirst",',
    '- "NodeSelector": null,',
    '+ "NodeSelector": {',
    '+  "a": "\\u2028",',
    '+  "b": "\\u003c"',
    '+ },',
    '  "ServiceAccountName": "",',
  ]
  const change = podSpecChange(before, now).split('\n')
  assert.deepEqual(change.slice(0, told.length), told)
  assert.ok(change.includes('-   9007199254740993'), change.join('\n'))
})
