// Hosted control planes in the embedded world: the container that the operator renders, as a program, asked by the guest's API server about
// pods that are made there. The suite on a real kube-apiserver shows the same (test/real/hosted.real.test.ts).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { drain, type HttpExchange, memoryFiles, seededRandom, silentLog } from '#base'
import { type KubeObject, pods } from '#kube'
import { renderTrouble } from '#operators/hosted'
import { createAzureWebhook, createPodWebhook, type PodWebhook, readAwsProgram, readAzureProgram } from '#operators/pods'
import { awsPlane, azurePlane, type HostedWorld, hostedWorld, settings } from '../../src/operators/hosted/testing/hosted-world.ts'

const namespace = 'shop'
const role = 'arn:aws:iam::111122223333:role/app'
/** The proposal's own examples: two annotations and a label here, a label and a name there. */
const account = {
  apiVersion: 'v1',
  kind: 'ServiceAccount',
  metadata: {
    namespace,
    name: 'app',
    annotations: {
      'azure.workload.identity/client-id': '99999999-8888-4777-8666-555555555555',
      'azure.workload.identity/tenant-id': '22222222-3333-4444-8555-666666666666',
      'eks.amazonaws.com/role-arn': role,
    },
    labels: { 'azure.workload.identity/use': 'true' },
  },
}
const guestObjects: readonly KubeObject[] = [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }, account]
const use = { 'azure.workload.identity/use': 'true' }

type Pod = KubeObject & {
  readonly spec: {
    readonly containers: readonly { readonly env?: readonly { readonly name: string; readonly value?: string }[] }[]
    readonly volumes?: readonly {
      readonly name: string
      readonly projected?: { readonly sources?: readonly { readonly serviceAccountToken?: Readonly<Record<string, unknown>> }[] }
    }[]
  }
}

async function pod({ guestClient }: HostedWorld, labels: Readonly<Record<string, string>> = {}): Promise<Pod> {
  const spec = { serviceAccountName: 'app', containers: [{ name: 'app', image: 'app:1' }] }
  const metadata = { namespace, generateName: 'app-', labels }
  return (await guestClient.create(pods, { apiVersion: 'v1', kind: 'Pod', metadata, spec } as KubeObject)) as KubeObject & Pod
}

function variablesOf({ spec }: Pod): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries((spec.containers[0]?.env ?? []).map(({ name, value }) => [name, value]))
}

/** The sidecar runs and answers on loopback, until it is taken away. What it was asked is counted. */
async function beside({ guest }: HostedWorld, webhook: PodWebhook): Promise<{ asked: number; gone(): void }> {
  const stop = new AbortController()
  void webhook.run(stop.signal)
  await drain()
  assert.equal(webhook.isReady, true)
  const state = { asked: 0, gone: () => guest.serve({ host: '127.0.0.1' }, refused) }
  guest.serve({ host: '127.0.0.1' }, request => {
    state.asked++
    return webhook.exchange(request)
  })
  return state
}

const refused: HttpExchange = () => Promise.reject(new Error('connect ECONNREFUSED 127.0.0.1'))

function seamsOf({ world }: HostedWorld): Parameters<typeof createPodWebhook>[0]['seams'] {
  return { clock: world.clock, random: seededRandom(5), log: silentLog, files: memoryFiles() }
}

test('on Azure: labelled pods get their identity, others wait for nobody [S-02, S-06, S-07, S-13, S-14, S-34, S-35, S-37, E-02, E-04, E-05]', async () => {
  await using hosted = hostedWorld({ spec: azurePlane, guestObjects })
  hosted.start()
  await hosted.settle()
  // The configuration is there before the sidecar serves: pods are made as they are.
  assert.deepEqual(variablesOf(await pod(hosted, use)), {})
  const { command = [], env = [] } = (await hosted.container('Azure')) ?? {}
  const program = readAzureProgram(command.slice(1), Object.fromEntries(env.map(({ name, value }) => [name, value])))
  const webhook = createAzureWebhook({ client: hosted.guestClient, seams: seamsOf(hosted), settings: program.webhook })
  const sidecar = await beside(hosted, webhook)
  const made = await pod(hosted, use)
  assert.deepEqual(variablesOf(made), {
    AZURE_CLIENT_ID: '99999999-8888-4777-8666-555555555555',
    AZURE_TENANT_ID: '22222222-3333-4444-8555-666666666666',
    AZURE_FEDERATED_TOKEN_FILE: '/var/run/secrets/azure/tokens/azure-identity-token',
    AZURE_AUTHORITY_HOST: 'https://login.microsoftonline.com/',
  })
  const volume = made.spec.volumes?.find(({ name }) => name === 'azure-identity-token')
  assert.deepEqual(volume?.projected?.sources?.[0]?.serviceAccountToken, {
    audience: 'api://AzureADTokenExchange',
    expirationSeconds: 3_600,
    path: 'azure-identity-token',
  })
  const { asked } = sidecar
  assert.deepEqual([variablesOf(await pod(hosted)), sidecar.asked], [{}, asked], 'nobody is asked about a pod without the label')
  sidecar.gone()
  assert.deepEqual(variablesOf(await pod(hosted, use)), {}, 'without the sidecar pods are made as they are')
})

test('on AWS: the role, with the audience and the region of hosted clusters [S-03, S-35, 4.6.2, E-06]', async () => {
  await using hosted = hostedWorld({ spec: awsPlane, guestObjects })
  hosted.start()
  await hosted.settle()
  assert.deepEqual(variablesOf(await pod(hosted)), {})
  const { command = [] } = (await hosted.container('AWS')) ?? {}
  const { webhook: settings } = readAwsProgram(command.slice(1))
  const sidecar = await beside(hosted, createPodWebhook({ client: hosted.guestClient, seams: seamsOf(hosted), settings }))
  const made = await pod(hosted)
  assert.deepEqual(Object.keys(variablesOf(made)), [
    'AWS_DEFAULT_REGION',
    'AWS_REGION',
    'AWS_ROLE_ARN',
    'AWS_WEB_IDENTITY_TOKEN_FILE',
  ])
  assert.equal(variablesOf(made)['AWS_REGION'], 'eu-west-1')
  const volume = made.spec.volumes?.find(({ name }) => name === 'aws-iam-token')
  assert.equal(volume?.projected?.sources?.[0]?.serviceAccountToken?.['audience'], 'openshift')
  sidecar.gone()
  assert.deepEqual(variablesOf(await pod(hosted)), {})
})

test('what is told to be unable to start is what the program refuses, by tenant and by cloud [S-33, 4.3]', () => {
  const clouds = ['', 'AzurePublicCloud', 'azurechinacloud', 'AzureUSGovernmentCloud', 'AzureGermanCloud', 'AzureCloud']
  for (const cloud of [...clouds, 'AzureUSGovernment', 'AzureStackCloud', 'Nope', 'constructor'])
    for (const tenantID of ['', 'contoso.example']) {
      const plane = { metadata: { name: 'blue' }, spec: { platform: { type: 'Azure', azure: { tenantID, cloud } } } }
      const env = { ...(tenantID === '' ? {} : { AZURE_TENANT_ID: tenantID }), AZURE_ENVIRONMENT: cloud }
      const program = (): unknown => readAzureProgram(['--disable-cert-rotation', '--webhook-cert-dir=/certs'], env)
      // What a file describes is read when the program starts, and the sidecar has no such file.
      const isRefused = cloud === 'AzureStackCloud' || throws(program)
      assert.equal(renderTrouble({ plane }, settings) !== undefined, isRefused, `${tenantID} ${cloud}`)
    }
})

function throws(body: () => unknown): boolean {
  try {
    body()
    return false
  } catch {
    return true
  }
}
