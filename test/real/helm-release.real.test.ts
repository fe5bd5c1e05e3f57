// A release of Helm from birth to death on both servers: hooks that are jobs, an autoscaler, an upgrade that fails, a rollback. What Helm
// says and what is left at each step is the same on both.
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe } from 'node:test'
import { collectBody, type HttpExchange, systemSeams } from '#base'
import { connect } from '#kube/client'
import { onBothServers, type Stage } from './both-servers.ts'
import { runProgram } from './control-plane.ts'
import { helmProgram } from './programs/helm.ts'
import { finishJobs } from './programs/job-stand-in.ts'

const folder = mkdtempSync(join(tmpdir(), 'vouch-release-'))
after(() => rmSync(folder, { recursive: true, force: true }))

// Beside each other: a release mostly waits for its hooks.
describe('releases', { concurrency: true }, () => {
  for (const major of [3, 4] as const) {
    const helm = helmProgram(major)
    // One server after the other: what the second does is compared with what the first did.
    describe(`a release of Helm ${major}`, { skip: 'skipped' in helm ? helm.skipped : false, concurrency: false }, () => {
      const titles = {
        onEmbedded: 'is installed, upgraded, rolled back and taken away on the embedded API server',
        onReal: 'is the same on the real one',
      }
      onBothServers({ ...titles, timeoutMs: 240_000 }, stage => live(major, stage))
    })
  }
})

/** The life of one release; what it was like at each step. */
async function live(major: 3 | 4, { exchange, kubeconfig }: Stage): Promise<unknown> {
  const program = helmProgram(major)
  assert.ok('path' in program)
  const home = mkdtempSync(join(folder, 'home-'))
  const chart = writeChart(join(home, 'chart'))
  writeFileSync(join(home, 'kubeconfig'), kubeconfig, { mode: 0o600 })
  const namespace = `release-${major}`
  const helm = async (...args: string[]): Promise<{ readonly code: number; readonly text: string }> => {
    const all = [...args, '--namespace', namespace, '--kubeconfig', join(home, 'kubeconfig')]
    const { code, stdout, stderr } = await runProgram(program.path, all, home, { timeoutMs: 120_000 })
    return { code, text: `${stdout}${stderr}` }
  }
  const objects = (): Promise<unknown> => objectsOf(exchange, namespace)
  const must = async (...args: string[]): Promise<string> => {
    const { code, text } = await helm(...args)
    assert.equal(code, 0, `helm ${args.join(' ')}: ${text}`)
    return text
  }
  const { client } = await connect(systemSeams({}), { kubeconfig: [join(home, 'kubeconfig')], userAgent: 'vouch-test' })
  const standIn = finishJobs(client, namespace)
  try {
    const steps: Record<string, unknown> = {}
    await must('install', 'web', chart, '--create-namespace', '--timeout', '60s')
    steps['installed'] = await objects()
    await must('upgrade', 'web', chart, '--set', 'replicas=3,most=9', '--timeout', '60s')
    steps['upgraded'] = await objects()
    const failed = await helm('upgrade', 'web', chart, '--set', 'replicas=5,outcome=fails', '--timeout', '60s')
    assert.notEqual(failed.code, 0, failed.text)
    steps['failed'] = await objects()
    await must('rollback', 'web', '1', '--timeout', '60s')
    steps['rolled back'] = await objects()
    steps['manifest'] = await must('get', 'manifest', 'web')
    steps['history'] = (
      JSON.parse(await must('history', 'web', '-o', 'json')) as readonly Readonly<Record<string, unknown>>[]
    ).map(({ revision, status, chart: of, description }) => ({ revision, status, of, description }))
    await must('uninstall', 'web', '--timeout', '60s')
    steps['gone'] = await objects()
    steps['jobs'] = standIn.finished()
    assert.deepEqual(steps['installed'], { replicas: 1, most: 5, greeting: 'hello 1', jobs: [] })
    assert.deepEqual(steps['upgraded'], { replicas: 3, most: 9, greeting: 'hello 3', jobs: [] })
    assert.deepEqual(steps['failed'], { replicas: 3, most: 9, greeting: 'hello 3', jobs: ['web-before'] })
    assert.deepEqual(steps['rolled back'], { replicas: 1, most: 5, greeting: 'hello 1', jobs: ['web-before'] })
    assert.deepEqual(
      steps['jobs'],
      ['web-before', 'web-before', 'web-before', 'web-after', 'web-after-rollback', 'web-last'].sort(),
    )
    return steps
  } finally {
    await standIn.stop()
    await client.close()
  }
}

/** What the release made, in the few fields that its values say. */
async function objectsOf(exchange: HttpExchange, namespace: string): Promise<unknown> {
  const read = async (path: string): Promise<Readonly<Record<string, Record<string, unknown>>> | undefined> => {
    const { status, body } = await exchange({ method: 'GET', target: path, headers: { accept: 'application/json' }, body: null })
    const value = JSON.parse(Buffer.from(await collectBody(body, 1024 * 1024)).toString()) as Record<
      string,
      Record<string, unknown>
    >
    return status === 200 ? value : undefined
  }
  const web = await read(`/apis/apps/v1/namespaces/${namespace}/deployments/web`)
  const scaler = await read(`/apis/autoscaling/v2/namespaces/${namespace}/horizontalpodautoscalers/web`)
  const config = await read(`/api/v1/namespaces/${namespace}/configmaps/web`)
  const jobs = (await read(`/apis/batch/v1/namespaces/${namespace}/jobs`)) as unknown as {
    readonly items: readonly { readonly metadata: { readonly name: string } }[]
  }
  return {
    replicas: web?.['spec']?.['replicas'],
    most: scaler?.['spec']?.['maxReplicas'],
    greeting: config?.['data']?.['greeting'],
    jobs: jobs.items.map(({ metadata }) => metadata.name).sort(),
  }
}

function writeChart(path: string): string {
  mkdirSync(join(path, 'templates'), { recursive: true })
  writeFileSync(join(path, 'Chart.yaml'), 'apiVersion: v2\nname: web\nversion: 1.0.0\n')
  writeFileSync(join(path, 'values.yaml'), 'replicas: 1\nmost: 5\noutcome: succeeds\n')
  writeFileSync(join(path, 'templates', 'web.yaml'), web)
  const hooks = [
    hook('before', 'pre-install,pre-upgrade', 'before-hook-creation,hook-succeeded', '{{ .Values.outcome }}'),
    hook('after', 'post-install', 'hook-succeeded', 'succeeds'),
    hook('after-rollback', 'post-rollback', 'hook-succeeded', 'succeeds'),
    hook('last', 'pre-delete', 'hook-succeeded', 'succeeds'),
  ]
  writeFileSync(join(path, 'templates', 'hooks.yaml'), hooks.join('---\n'))
  return path
}

const web = `apiVersion: v1
kind: ConfigMap
metadata: { name: {{ .Release.Name }} }
data: { greeting: "hello {{ .Values.replicas }}" }
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: {{ .Release.Name }} }
spec:
  replicas: {{ .Values.replicas }}
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: main, image: "example.com/web:1" }] }
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: { name: {{ .Release.Name }} }
spec:
  scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: {{ .Release.Name }} }
  minReplicas: 1
  maxReplicas: {{ .Values.most }}
  metrics: [{ type: Resource, resource: { name: cpu, target: { type: Utilization, averageUtilization: 50 } } }]
`

const hook = (name: string, when: string, removed: string, outcome: string): string => `apiVersion: batch/v1
kind: Job
metadata:
  name: {{ .Release.Name }}-${name}
  labels: { outcome: "${outcome}" }
  annotations: { helm.sh/hook: "${when}", helm.sh/hook-delete-policy: "${removed}" }
spec:
  template:
    spec: { restartPolicy: Never, containers: [{ name: main, image: "example.com/job:1" }] }
`
