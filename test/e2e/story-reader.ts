// What a reader of the story does from another terminal: asks for the logs of its pods, plans its files, breaks something.
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { get } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { load } from 'js-yaml'
import { silentLog, systemSeams } from '#base'
import { type ResourceType, serviceAccounts } from '#kube'
import { connect, type KubeClient } from '#kube/client'
import type { TimelineEntry, WorldAccess } from '../../src/cli/dev/screen.ts'
import { type Told, vouchIn } from './vouch-process.ts'

export type { TimelineEntry }

/** The kinds of AWS that the story makes objects of. */
const awsKinds: readonly ResourceType[] = [
  ['s3', 'Bucket', 'buckets'],
  ['iam', 'Role', 'roles'],
  ['iam', 'Policy', 'policies'],
  ['iam', 'OpenIDConnectProvider', 'openidconnectproviders'],
  ['eks', 'PodIdentityAssociation', 'podidentityassociations'],
].map(([service = '', kind = '', plural = '']) => {
  return { group: `${service}.services.k8s.aws`, version: 'v1alpha1', kind, plural, namespaced: true }
})

/** Of the files that were applied, and of every resource that the hub holds. */
export async function planOfAll({ kubeconfig, environment }: WorldAccess): Promise<Told> {
  const folder = mkdtempSync(join(tmpdir(), 'vouch-plan-'))
  try {
    await onCluster(kubeconfig, 'hub', async client => {
      for (const kind of awsKinds) {
        const { items } = await client.list(kind)
        writeFileSync(join(folder, `${kind.plural}.json`), JSON.stringify({ apiVersion: 'v1', kind: 'List', items }))
      }
    })
    const applied = join(import.meta.dirname, '../../examples/quickstart/hub')
    return await vouchIn(folder, ['plan', '-f', folder, applied], { ...environment, KUBECONFIG: kubeconfig })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Whatever the operator adds of its own, as the tags of a bucket, is no change of what the manifests say. */
export function checkPlan({ code, stdout, stderr }: Told): void {
  const judged = stdout
    .split('\n')
    .filter(line => / (?:Bucket|Role|Policy|OpenIDConnectProvider|PodIdentityAssociation) /.test(line))
  assert.ok(judged.length >= 18, stdout + stderr)
  assert.ok(judged.includes('= none Bucket default/vouch-demo-data'), stdout)
  assert.match(stdout, /\n0 create, 0 update, 0 replace, 0 delete, \d+ none, 0 blocked\n$/)
  assert.equal(code, 0, stdout)
}

interface Kubeconfig {
  readonly clusters: readonly { readonly name: string; readonly cluster: Readonly<Record<string, string>> }[]
  readonly users: readonly { readonly name: string; readonly user: Readonly<Record<string, string>> }[]
}

/** As `kubectl logs` asks for it. */
export function logOf(kubeconfig: string, context: string, pod: string): Promise<string> {
  const { clusters, users } = load(readFileSync(kubeconfig, 'utf8')) as Kubeconfig
  const { server = '', 'certificate-authority-data': ca = '' } = clusters.find(({ name }) => name === context)?.cluster ?? {}
  const { token = '' } = users.find(({ name }) => name === context)?.user ?? {}
  const options = { ca: Buffer.from(ca, 'base64'), headers: { authorization: `Bearer ${token}` } }
  return new Promise((resolve, reject) => {
    get(`${server}/api/v1/namespaces/demo/pods/${pod}/log`, options, response => {
      let printed = ''
      response.setEncoding('utf8').on('data', (text: string) => (printed += text))
      response.on('end', () => resolve(printed))
    }).on('error', reject)
  })
}

/** Takes the annotation away that names the role. */
export async function breakEdge(kubeconfig: string): Promise<void> {
  const annotations = { 'eks.amazonaws.com/role-arn': null }
  await onCluster(kubeconfig, 'edge', async client => {
    await client.patch(serviceAccounts, { namespace: 'demo', name: 'reader' }, 'merge', { metadata: { annotations } })
  })
}

async function onCluster(kubeconfig: string, context: string, work: (client: KubeClient) => Promise<void>): Promise<void> {
  const { client } = await connect(systemSeams({ ...process.env }, { log: silentLog }), { kubeconfig: [kubeconfig], context })
  try {
    await work(client)
  } finally {
    await client.close()
  }
}
