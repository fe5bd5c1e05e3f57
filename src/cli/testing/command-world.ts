// A folder with all that the examples of the helps name, a cluster and AWS behind it, and a shell in which `vouch` is this program.
import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type ApiServer, createApiServer } from '#apiserver'
import { given, systemClock } from '#base'
import { type Aws, createAws } from '#emulator'
import { clusterProfileKind } from '#fleet'
import { type KubeObject, renderCrd } from '#kube'
import { createKubeClient, type KubeClient } from '#kube/client'
import { certKind } from '#operators/certificates'
import { renderDnsCrd } from '#operators/dns'
import { controlPlaneKind } from '#operators/hosted'
import { renderIdentityCrds } from '#operators/identity'
import { resourceCrds } from '#operators/resources'
import { servingPair } from '../../base/x509/serving-pair.fixture.ts'
import { prepareRemoteIdentity } from './remote-identity.ts'

const main = join(import.meta.dirname, '..', 'main.ts')

export interface CommandWorld extends AsyncDisposable {
  readonly folder: string
  readonly aws: Aws
  /** Runs a line in a shell; until what it prints holds `until`, or `until` says so itself, when it is told to stop. */
  run(line: string, until?: Until): Promise<Ended>
}

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** What was printed, or a question to ask again and again. */
export type Until = RegExp | (() => Promise<boolean>)

const role = 'arn:aws:iam::123456789012:role/reader'
const trust = `'{"Version":"2012-10-17","Statement":[]}'`
const podOf = (serviceAccountName: string): object => ({
  metadata: {},
  spec: { serviceAccountName, containers: [{ name: 'a' }] },
})
/** The ServiceAccount of the review, which has a role. */
export const reader: KubeObject = {
  apiVersion: 'v1',
  kind: 'ServiceAccount',
  metadata: { name: 'reader', namespace: 'demo', annotations: { 'eks.amazonaws.com/role-arn': role } },
}
const config = {
  apiVersion: 'aws.identity.appthrust.io/v1alpha1',
  kind: 'AWSWorkloadIdentityOperatorConfig',
  metadata: { name: 'default' },
  spec: {},
}
const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { kind: 'Widget', plural: 'widgets', singular: 'widget', listKind: 'WidgetList' },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
  },
}
const model = {
  metadata: {
    apiVersion: '2012-11-05',
    endpointPrefix: 'sqs',
    protocol: 'json',
    jsonVersion: '1.0',
    targetPrefix: 'AmazonSQS',
    serviceId: 'SQS',
  },
  operations: {
    CreateQueue: { name: 'CreateQueue', http: { method: 'POST', requestUri: '/' }, input: { shape: 'CreateQueueRequest' } },
    DeleteQueue: { name: 'DeleteQueue', http: { method: 'POST', requestUri: '/' }, input: { shape: 'CreateQueueRequest' } },
  },
  shapes: {
    String: { type: 'string' },
    CreateQueueRequest: { type: 'structure', required: ['QueueName'], members: { QueueName: { shape: 'String' } } },
  },
}

const pair = servingPair()
const files: Readonly<Record<string, string>> = {
  'review.json': JSON.stringify({
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    request: { uid: 'u', namespace: 'demo', object: podOf('reader') },
  }),
  'no-review.json': '{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1"}',
  'serviceaccount.yaml': JSON.stringify(reader),
  'manifests/role.yaml': `apiVersion: iam.services.k8s.aws/v1alpha1\nkind: Role\nmetadata: {name: r}\nspec: {name: r, assumeRolePolicyDocument: ${trust}}\n`,
  'as-it-is.yaml': JSON.stringify(config),
  'crd.yaml': JSON.stringify(definition),
  'other-crd.yaml': JSON.stringify({ ...definition, spec: { ...definition.spec, scope: 'Cluster' } }),
  'sqs.json': JSON.stringify(model),
  'providers.json': '{"providers":[]}',
  'control-plane.yaml': readFileSync(join(main, '../../../examples/hosted/control-plane.yaml'), 'utf8'),
  'tls.crt': pair.certificate,
  'tls.key': pair.key,
}

/** Fixed ports may be taken here; what starts there takes free ones. */
const program = `#!/bin/sh
case "$1 $2" in
  "operator "*) set -- "$@" --health-probe-bind-address="\${HEALTH:-0}" --webhook-bind-address=0 ;;
  "webhook aws") set -- "$@" --port=0 --metrics-port=0 ;;
  "webhook azure") set -- "$@" --port=0 --health-addr=127.0.0.1:0 --metrics-addr=0 ;;
  "webhook both") set -- "$@" --aws.port=0 --aws.metrics-port=0 --azure.port=0 --azure.health-addr=127.0.0.1:0 --azure.metrics-addr=0 ;;
  "aws explain" | "aws can" | "aws --help") ;;
  "azure --help") ;;
  "azure "*) set -- "$@" --port 0 ;;
  "aws "*) set -- "$@" --port 0 --control-port 0 ;;
esac
exec '${process.execPath}' --disable-warning=ExperimentalWarning '${main}' "$@"
`

export async function openCommandWorld(): Promise<CommandWorld> {
  const folder = mkdtempSync(join(tmpdir(), 'vouch-commands-'))
  for (const [name, text] of Object.entries({ ...files, 'bin/vouch': program })) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  chmodSync(join(folder, 'bin/vouch'), 0o755)
  const crds = [
    ...renderIdentityCrds(),
    renderCrd(clusterProfileKind),
    renderCrd(certKind),
    renderCrd(controlPlaneKind),
    renderDnsCrd({ service: { namespace: 'external-dns', name: 'webhook' } }),
    ...resourceCrds({ services: ['iam', 's3', 'eks'] }),
  ]
  const server = createApiServer({ objects: [...crds, config].map(object => object as never) })
  const aws = createAws({ accounts: ['123456789012'] })
  const env = await openBoth(server, aws, folder)
  const remote = await openRemote(aws, folder)
  return {
    folder,
    aws,
    run: (line, until) => runLine(line, { folder, env, ...given({ until }) }),
    [Symbol.asyncDispose]: async () => {
      await Promise.all([server.close(), ...remote.map(other => other.close()), aws.close()])
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** For those who act as a ServiceAccount of another cluster: a hub of their own, which no operator of a test works on, and that cluster. */
async function openRemote(aws: Aws, folder: string): Promise<readonly ApiServer[]> {
  const crds = [...renderIdentityCrds(), renderCrd(clusterProfileKind)]
  const hub = createApiServer({ name: 'hub', objects: crds })
  const edge = createApiServer({ name: 'edge', issuer: 'https://issuer.example.com/edge' })
  const [, { host, port }] = await Promise.all([hub.listen(), edge.listen()])
  writeFileSync(join(folder, 'hub.kubeconfig'), hub.kubeconfig())
  const clientOf = (server: ApiServer): KubeClient =>
    createKubeClient({ clock: systemClock, address: 'embedded', exchange: server.as() })
  const target = {
    client: clientOf(edge),
    address: `https://${host}:${port}`,
    ca: edge.ca,
    token: edge.adminToken,
    issuer: edge.tokens.issuer,
    jwks: edge.tokens.jwks(),
  }
  await prepareRemoteIdentity({ aws, hub: clientOf(hub), target, folder })
  return [hub, edge]
}

async function openBoth(server: ApiServer, aws: Aws, folder: string): Promise<Readonly<Record<string, string>>> {
  const [, { host, port }] = await Promise.all([server.listen(), aws.listen()])
  const endpoint = `http://${host}:${port}`
  const control = await aws.listenControl({ about: { owner: 'the world of a test', endpoint } })
  writeFileSync(join(folder, 'kubeconfig'), server.kubeconfig())
  // A call that is refused, to be explained.
  await aws.handle({ method: 'GET', target: '/?Action=ListRoles&Version=2010-05-08', headers: { host: '127.0.0.1' }, body: null })
  const { accessKeyId, secretAccessKey } = aws.adminCredentials()
  return {
    PATH: `${join(folder, 'bin')}:${process.env['PATH'] ?? ''}`,
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '',
    HOME: folder,
    KUBECONFIG: join(folder, 'kubeconfig'),
    AWS_EC2_METADATA_DISABLED: 'true',
    AZURE_TENANT_ID: 'tenant',
    AWS_ENDPOINT_URL: endpoint,
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    VOUCH_AWS_CONTROL: `http://${control.host}:${control.port}`,
  }
}

interface Running {
  readonly folder: string
  readonly env: Readonly<Record<string, string>>
  readonly until?: Until
}

const askAgainMs = 100

async function runLine(line: string, { folder, env, until }: Running): Promise<Ended> {
  // The last command takes the place of the shell, so that a signal reaches it.
  const words = /[<>|(]/.test(line) ? line : `exec ${line}`
  const child = spawn('bash', ['-c', words], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const told = { stdout: '', stderr: '' }
  // Once: who is told a second time ends at once, whatever he was about.
  let isTold = false
  const stop = (): void => {
    if (!isTold) child.kill('SIGINT')
    isTold = true
  }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8')
    child[name].on('data', (text: string) => {
      told[name] += text
      if (until instanceof RegExp && until.test(told[name])) stop()
    })
  }
  const asking = typeof until !== 'function' ? undefined : setInterval(() => void until().then(is => is && stop()), askAgainMs)
  const code = await new Promise<number | null>(resolve => child.on('close', resolve))
  clearInterval(asking)
  return { code, ...told }
}
