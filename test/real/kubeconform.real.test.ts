// kubeconform judges manifests by what a server's OpenAPI says of its kinds: the same verdicts by the embedded server's as by the real one's.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { dump } from 'js-yaml'
import { createApiServer } from '#apiserver'
import { collectBody, type HttpExchange } from '#base'
import { renderChart } from '../../src/cli/charts/charts.ts'
import { kubeconformProgram, runKubeconform, type Verdict, writeSchemas } from './programs/kubeconform.ts'
import { controlPlaneSkipped, sharedControlPlane } from './shared.ts'

const noControlPlane = await controlPlaneSkipped()
const program = kubeconformProgram()
const folder = mkdtempSync(join(tmpdir(), 'kubeconform-'))
after(() => rmSync(folder, { recursive: true, force: true }))

/** Those of whose kinds the manifests are. */
const groupVersions = [
  'api/v1',
  ...['apps/v1', 'batch/v1', 'autoscaling/v2', 'policy/v1', 'networking.k8s.io/v1', 'rbac.authorization.k8s.io/v1'].map(
    gv => `apis/${gv}`,
  ),
  ...['apiextensions.k8s.io/v1', 'admissionregistration.k8s.io/v1', 'scheduling.k8s.io/v1', 'storage.k8s.io/v1'].map(
    gv => `apis/${gv}`,
  ),
]
const documentBytesMax = 64 * 1024 * 1024

describe('kubeconform', { skip: 'skipped' in program ? program.skipped : false }, () => {
  it("finds by the embedded server's OpenAPI what is wrong with manifests, and nothing with ours", async () => {
    const verdicts = await judged('embedded')
    for (const { kind, name, status, problems } of verdicts.slice(0, good.length + chart.length))
      assert.deepEqual([kind, name, status, problems], [kind, name, 'statusValid', []])
    assert.deepEqual(
      verdicts.slice(good.length + chart.length).map(({ name, status }) => [name, status]),
      bad.map(({ metadata }) => [metadata.name, 'statusInvalid']),
    )
  })

  it("says by it, word for word, what it says by the real server's", { skip: noControlPlane ?? false }, async () => {
    assert.deepEqual(await judged('embedded'), await judged('real'))
  })
})

const known = new Map<string, Promise<readonly Verdict[]>>()

function judged(server: 'embedded' | 'real'): Promise<readonly Verdict[]> {
  const verdicts = known.get(server) ?? judge(server)
  known.set(server, verdicts)
  return verdicts
}

async function judge(server: 'embedded' | 'real'): Promise<readonly Verdict[]> {
  assert.ok('path' in program)
  const schemas = join(folder, server)
  if (server === 'real') await fetchSchemas((await sharedControlPlane()).exchange, schemas)
  else {
    const embedded = createApiServer({ emulate: '1.34' })
    await fetchSchemas(embedded.as(), schemas)
    await embedded.close()
  }
  const manifests = [...good, ...chart, ...bad].map(object => dump(object)).join('---\n')
  return runKubeconform(program.path, schemas, manifests)
}

async function fetchSchemas(exchange: HttpExchange, into: string): Promise<void> {
  for (const groupVersion of groupVersions) {
    const headers = { accept: 'application/json' }
    const { status, body } = await exchange({ method: 'GET', target: `/openapi/v3/${groupVersion}`, headers, body: null })
    assert.equal(status, 200, groupVersion)
    const text = Buffer.from(await collectBody(body, documentBytesMax)).toString()
    assert.ok(writeSchemas(into, JSON.parse(text)) > 0, groupVersion)
  }
}

interface Manifest {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string }
}

const of = (apiVersion: string, kind: string, name: string, rest: object): Manifest => ({
  apiVersion,
  kind,
  metadata: { name },
  ...rest,
})
const pod = { containers: [{ name: 'main', image: 'example.com/app:1' }] }
const workload = { selector: { matchLabels: { app: 'a' } }, template: { metadata: { labels: { app: 'a' } }, spec: pod } }
const target = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }
const path = { path: '/', pathType: 'Prefix', backend: { service: { name: 'web', port: { number: 80 } } } }

const good: readonly Manifest[] = [
  of('v1', 'ConfigMap', 'config', { data: { a: 'b' }, immutable: true }),
  of('v1', 'Service', 'service', {
    spec: {
      ports: [
        { port: 80, targetPort: 'http' },
        { port: 81, targetPort: 8080, name: 'b' },
      ],
    },
  }),
  of('v1', 'Pod', 'pod', {
    spec: {
      containers: [
        { ...pod.containers[0], resources: { limits: { cpu: 1, memory: '1Gi' } }, livenessProbe: { httpGet: { port: 8080 } } },
      ],
    },
  }),
  of('apps/v1', 'Deployment', 'deployment', {
    spec: { ...workload, strategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: '25%' } } },
  }),
  of('apps/v1', 'StatefulSet', 'stateful', { spec: { ...workload, serviceName: 's' } }),
  of('batch/v1', 'CronJob', 'cron', {
    spec: { schedule: '* * * * *', jobTemplate: { spec: { template: { spec: { ...pod, restartPolicy: 'Never' } } } } },
  }),
  of('autoscaling/v2', 'HorizontalPodAutoscaler', 'scaler', { spec: { scaleTargetRef: target, maxReplicas: 3 } }),
  of('policy/v1', 'PodDisruptionBudget', 'budget', { spec: { minAvailable: '50%' } }),
  of('networking.k8s.io/v1', 'Ingress', 'ingress', { spec: { rules: [{ http: { paths: [path] } }] } }),
  of('scheduling.k8s.io/v1', 'PriorityClass', 'priority', { value: 7 }),
  of('storage.k8s.io/v1', 'StorageClass', 'storage', { provisioner: 'example.com/disk' }),
]

/** Each has one thing wrong with it, or two. */
const bad: readonly Manifest[] = [
  of('v1', 'ConfigMap', 'number-for-text', { data: { a: 1 } }),
  of('v1', 'ConfigMap', 'list-for-map', { data: ['a'] }),
  of('v1', 'Service', 'no-port', { spec: { ports: [{ name: 'a' }] } }),
  of('v1', 'Service', 'text-for-port', { spec: { ports: [{ port: '80' }] } }),
  of('v1', 'Pod', 'no-containers', { spec: {} }),
  of('v1', 'Pod', 'no-name', { spec: { containers: [{ image: 'x' }] } }),
  of('apps/v1', 'Deployment', 'no-selector', { spec: { template: workload.template } }),
  of('apps/v1', 'Deployment', 'text-for-replicas', { spec: { ...workload, replicas: 'three' } }),
  of('apps/v1', 'Deployment', 'map-for-amount', { spec: { ...workload, strategy: { rollingUpdate: { maxSurge: {} } } } }),
  of('batch/v1', 'CronJob', 'no-schedule', { spec: { jobTemplate: {} } }),
  of('autoscaling/v2', 'HorizontalPodAutoscaler', 'no-target', { spec: { maxReplicas: 3 } }),
  of('networking.k8s.io/v1', 'Ingress', 'no-path-type', { spec: { rules: [{ http: { paths: [{ backend: {} }] } }] } }),
  of('rbac.authorization.k8s.io/v1', 'RoleBinding', 'no-role', { subjects: [{ kind: 'User' }] }),
  of('scheduling.k8s.io/v1', 'PriorityClass', 'no-value', {}),
]

/** The objects of our own chart, of which those of cert-manager are of kinds that neither server knows. */
const chart = (
  (await renderChart('vouch', {}, { name: 'vouch', namespace: 'vouch-system', service: 'Helm' })) as readonly Manifest[]
).filter(({ apiVersion }) => !apiVersion.startsWith('cert-manager.io/'))
