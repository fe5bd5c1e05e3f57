// The charts under the real Helm: for the same settings they print the objects that `vouch render` prints.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { renderUmbrella, umbrellaValues } from '../../src/cli/charts/umbrella.ts'
import { mergeValues } from '../../src/cli/charts/values.ts'
import { helmProgram, helmTemplate, runHelm } from './helm.ts'
import { comparable } from './same-objects.ts'

const charts = join(import.meta.dirname, '../../deploy/charts')
const release = { name: 'vouch', namespace: 'vouch-system' }
const region = { flags: { 'aws-region': 'eu-west-1' } }
const only = (flags: object = {}): object => ({
  ...region,
  operators: { identity: { enabled: false }, resources: { enabled: true, flags } },
})
const both = (flags: object = {}): object => ({ ...region, operators: { resources: { enabled: true, flags } } })

/** What a person may write into values, by what it is for. */
const settings: Readonly<Record<string, object>> = {
  'nothing at all': {},
  'resources alone': only(),
  'both operators in one process': both(),
  'three replicas with a budget': { replicaCount: 3, podDisruptionBudget: { enabled: true, maxUnavailable: 2 } },
  'one replica without an election': { operator: { leaderElection: { enabled: false } } },
  'two operators without an election': { ...both(), operator: { leaderElection: { enabled: false } } },
  'a registry for all': { global: { imageRegistry: 'registry.example', imagePullSecrets: ['a'] }, image: { pullSecrets: ['b'] } },
  'an image by its digest': { image: { registry: 'ghcr.io', digest: 'sha256:abc', tag: 'x' } },
  'another name': { nameOverride: 'sso' },
  'another full name and namespace': { fullnameOverride: 'one', namespaceOverride: 'two' },
  'a full name that is too long': { fullnameOverride: 'x'.repeat(62) + '-y' },
  'labels and annotations on all': { commonLabels: { team: 'a' }, commonAnnotations: { note: 'b' } },
  'labels and annotations on all of two': { ...both(), commonLabels: { team: 'a' }, commonAnnotations: { note: 'b' } },
  'an account that is there': { serviceAccount: { create: false, name: 'given' } },
  'no account at all': { serviceAccount: { create: false } },
  'an account with annotations': { serviceAccount: { annotations: { 'eks.amazonaws.com/role-arn': 'arn' }, labels: { a: 'b' } } },
  'rules of a person': {
    rbac: { annotations: { a: 'b' }, extraRules: [{ apiGroups: ['x'], resources: ['y'], verbs: ['get'] }] },
  },
  'metrics as a Service': { metrics: { service: { enabled: true, annotations: { scrape: 'yes' }, port: 9090 } } },
  'a ServiceMonitor': { metrics: { service: { enabled: true } }, serviceMonitor: { enabled: true, labels: { release: 'p' } } },
  'a ServiceMonitor elsewhere': {
    metrics: { service: { enabled: true } },
    serviceMonitor: {
      enabled: true,
      namespace: 'monitoring',
      authorization: { type: 'Bearer' },
      relabelings: [{ action: 'keep' }],
    },
  },
  'a Secret with the pair': { webhookCertificate: { source: 'secret', secretName: 'pair', caBundle: 'PEM' } },
  'a NetworkPolicy': { networkPolicy: { enabled: true } },
  'a NetworkPolicy where nobody asks': { ...only(), networkPolicy: { enabled: true } },
  'other ports': { containerPorts: { webhook: 10_250, health: 9000 }, metrics: { containerPort: 9001 } },
  'other probes and resources': { livenessProbe: { periodSeconds: 3 }, resources: { limits: { cpu: '1' } } },
  'no security contexts': { podSecurityContext: { enabled: false }, containerSecurityContext: { enabled: false } },
  'where pods go': {
    nodeSelector: { a: 'b' },
    tolerations: [{ operator: 'Exists' }],
    affinity: { nodeAffinity: {} },
    topologySpreadConstraints: [{ maxSkew: 1 }],
    priorityClassName: 'high',
    schedulerName: 'other',
  },
  'more in the pod': {
    extraEnvVars: [{ name: 'A', value: 'b' }],
    extraEnvVarsCM: 'cm',
    extraEnvVarsSecret: 'secret',
    extraVolumes: [{ name: 'v', emptyDir: {} }],
    extraVolumeMounts: [{ name: 'v', mountPath: '/v' }],
    initContainers: [{ name: 'i', image: 'i' }],
    sidecars: [{ name: 's', image: 's' }],
    podLabels: { a: 'b' },
    podAnnotations: { c: 'd' },
    deploymentAnnotations: { e: 'f' },
  },
  'arguments of a person': { operator: { extraArgs: ['--log-level=debug', '--signing-key-grace=30h'] } },
  'no CRDs': { crds: { install: false } },
  'another domain of the cluster': { clusterDomain: 'example.org' },
  'roles by calls of our own': { ...region, operators: { identity: { flags: { 'aws-writer': 'direct' } } } },
  'ClusterProfiles in one namespace': { operators: { identity: { flags: { 'cluster-profile-namespaces': 'fleet' } } } },
  'ClusterProfiles in three namespaces': { operators: { identity: { flags: { 'cluster-profile-namespaces': 'c,a,b' } } } },
  'a provider file': {
    operators: { identity: { files: { 'clusterprofile-provider-file': '{"providers":[{"name":"x"}]}' } } },
  },
  'every service': only({ services: 'acm,eks,iam,route53,s3' }),
  'certificates alone': only({ services: 'acm' }),
  'certificates and their records': only({ services: 'acm,route53', 'manifest-checks': 'warn' }),
  'buckets in one namespace': only({ services: 's3', 'watch-namespace': 'a' }),
  'buckets in two namespaces': only({ services: 's3', 'watch-namespace': 'a,b' }),
  'without exports': only({ 'enable-field-export-reconciler': false }),
  'without exports in one namespace': only({ 'enable-field-export-reconciler': false, 'watch-namespace': 'a' }),
  'exports with several keys': only({ 'extended-field-exports': true }),
  'named Secrets': only({ 'allow-secrets': 'a/one,a/two,b/*' }),
  'named Secrets of certificates, followed': only({
    services: 'acm',
    'allow-secrets': 'a/one,b/*',
    'extended-field-exports': true,
  }),
  'all Secrets': only({ services: 'acm', 'allow-secrets': '*' }),
  'all Secrets of two namespaces': only({ services: 'acm', 'allow-secrets': '*', 'watch-namespace': 'a,b' }),
  'Secrets that are not followed': only({ services: 'acm', 'allow-secrets': 'a/one', 'watch-secrets': false }),
  'manifests that are denied': only({ services: 's3,iam', 'manifest-checks': 'deny' }),
  'both, with checks and a namespace': both({ 'manifest-checks': 'warn', 'watch-namespace': 'a' }),
  'numbers as flags': { flags: { 'max-concurrent-reconciles': 12 }, ...only({ 'reconcile-default-resync-seconds': 1_000_000 }) },
}

const refused: Readonly<Record<string, readonly [values: object, why: RegExp]>> = {
  'a name that nobody knows': [{ replicas: 3 }, /replicas/],
  'a name that nobody knows, further down': [{ image: { name: 'x' } }, /name/],
  'a word where a number is wanted': [{ replicaCount: 'three' }, /replicaCount/],
  'no replica': [{ replicaCount: 0 }, /replicaCount/],
  'two replicas without an election': [
    { replicaCount: 2, operator: { leaderElection: { enabled: false } } },
    /only one replica may work/,
  ],
  'a Service that cannot be scraped': [{ metrics: { service: { enabled: true, type: 'ExternalName' } } }, /type/],
  'a ServiceMonitor of nothing': [{ serviceMonitor: { enabled: true } }, /needs metrics\.service\.enabled/],
  'no operator': [{ operators: { identity: { enabled: false } } }, /no operator is enabled/],
  'a flag that rights follow and charts cannot': [
    only({ 'reconcile-resources': 'Bucket' }),
    /print the manifests by vouch render/,
  ],
}

for (const major of [3, 4] as const) {
  const program = helmProgram(major)
  const skip = 'skipped' in program ? { skip: program.skipped } : {}
  const helm = 'path' in program ? program.path : ''
  const chart = join(charts, 'vouch')

  describe(`the chart vouch under Helm ${major}`, skip, () => {
    for (const [what, values] of Object.entries(settings)) {
      it(`prints what vouch render prints: ${what}`, async () => {
        const wanted = await renderUmbrella(mergeValues(umbrellaValues(), values), { ...release, service: 'Helm' })
        const printed = helmTemplate({ helm, chart, release, values })
        assert.ok(wanted.length > 5)
        assert.deepEqual(comparable(printed), comparable(wanted))
      })
    }

    for (const [what, [values, why]] of Object.entries(refused)) {
      it(`refuses what cannot hold, and says so: ${what}`, async () => {
        assert.throws(() => helmTemplate({ helm, chart, release, values }), why)
      })
    }

    it('finds nothing to complain of', () => {
      const { code, stdout } = runHelm(helm, ['lint', '--strict', chart, '--kube-version', '1.35.0'])
      assert.equal(code, 0, stdout)
    })
  })
}
