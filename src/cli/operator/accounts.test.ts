// Operators that share a process, on a server that enforces rights: the process is a ServiceAccount that may nearly nothing, and each of its
// operators works as another one.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createApiServer } from '#apiserver'
import { memoryFiles, type Seams, silentLog, systemClock, systemNet, systemSeams } from '#base'
import { clusterProfileKind } from '#fleet'
import { type KubeObject, leases, namespaces, renderCrd, type StoredObject, secrets } from '#kube'
import { createKubeClient, type KubeClient, KubeError } from '#kube/client'
import { signingSecretName } from '#operators/identity'
import { hubDefaults, renderHub } from '../render/hub.ts'
import { readOperatorFlags } from './flags.ts'
import { runOperator } from './run.ts'

const namespace = hubDefaults.namespace
const args = [
  '--controllers=identity,resources',
  '--aws-region=eu-west-1',
  '--aws-account-id=111122223333',
  '--services=s3,iam,eks',
]

interface Hub extends AsyncDisposable {
  readonly server: ReturnType<typeof createApiServer>
  readonly admin: KubeClient
  as(account: string): KubeClient
}

/** A hub on which everything is applied that the manifests hold, but for what starts and what asks. */
async function openHub(): Promise<Hub> {
  const objects = await renderHub({ ...hubDefaults, args })
  const isData = ({ kind }: KubeObject): boolean =>
    ['Namespace', 'ServiceAccount', 'CustomResourceDefinition'].includes(kind) || kind.includes('Role')
  const server = createApiServer({ seed: 1, objects: [...objects.filter(isData), renderCrd(clusterProfileKind) as KubeObject] })
  await server.listen()
  const client = (address: string, exchange: ReturnType<typeof server.as>): KubeClient =>
    createKubeClient({ clock: systemClock, address, exchange })
  return {
    server,
    admin: client('admin', server.as()),
    as: account =>
      client(
        account,
        server.as({
          username: `system:serviceaccount:${namespace}:${account}`,
          groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'],
        }),
      ),
    [Symbol.asyncDispose]: () => server.close(),
  }
}

test('each operator of a process works as its own ServiceAccount, and the process as one that may only ask for their tokens', async () => {
  await using hub = await openHub()
  const { token } = await hub.admin.requestToken({ namespace, name: 'vouch' }, { audiences: [], expirationSeconds: 3_600 })
  const kubeconfig = hub.server
    .kubeconfig()
    .replace(/client-certificate-data:.*\n\s*client-key-data:.*|token:.*/, `token: ${token}`)
    .replace(/(\s+)cluster: (.*)/, `$1cluster: $2$1namespace: ${namespace}`)
  const files = memoryFiles({ '/kubeconfig': kubeconfig, '/providers.json': '{"providers":[]}' })
  const settings = readOperatorFlags(
    [
      ...args,
      '--kubeconfig=/kubeconfig',
      '--cluster-profile-namespaces=*',
      '--clusterprofile-provider-file=/providers.json',
      '--webhook-bind-address=0',
      '--health-probe-bind-address=127.0.0.1:0',
      '--leader-elect',
      `--leader-election-namespace=${namespace}`,
      '--operator-accounts=identity=vouch-identity,resources=vouch-resources',
    ],
    {},
  )
  const stop = new AbortController()
  const port = Promise.withResolvers<number>()
  const seams = seamsOf(files)
  const running = runOperator(
    { settings, seams, version: 'test', onListening: ({ health }) => port.resolve(health ?? 0) },
    stop.signal,
  )
  const ready = await readiness(await Promise.race([port.promise, running.then(() => 0)]), hub.server)
  assert.match(ready, /^200 .*\[\+\]identity-caches ok.*\[\+\]resources-caches ok/s)
  const { items } = await hub.admin.list<StoredObject & { spec: { holderIdentity?: string } }>(leases, { namespace })
  assert.deepEqual(
    items.map(({ metadata }) => metadata.name),
    ['aws-workload-identity-operator', 'vouch-resources'],
  )
  stop.abort(new Error('enough'))
  await running
})

test('one operator can do nothing with the objects of the other: signing keys are not read, not written, not listed by resources', async () => {
  await using hub = await openHub()
  await hub.admin.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'edge' } })
  const key = { namespace: 'edge', name: signingSecretName('default') }
  await hub.admin.create(secrets, { apiVersion: 'v1', kind: 'Secret', metadata: key, data: {} } as KubeObject)
  assert.equal((await hub.as('vouch-identity').get(secrets, key)).metadata.name, key.name)
  const attacks = (client: KubeClient): readonly (readonly [string, Promise<unknown>])[] => [
    ['get', client.get(secrets, key)],
    ['list', client.list(secrets, { namespace: 'edge' })],
    ['list everywhere', client.list(secrets)],
    ['patch', client.patch(secrets, key, 'merge', { data: { 'previous.pub': 'eA==' } })],
    ['apply', client.patch(secrets, key, 'apply', { apiVersion: 'v1', kind: 'Secret', metadata: key }, { fieldManager: 'x' })],
    ['delete', client.delete(secrets, key)],
    ['token of the other', client.requestToken({ namespace, name: 'vouch-identity' }, { audiences: [] })],
  ]
  for (const account of ['vouch-resources', 'vouch'])
    for (const [what, attempt] of attacks(hub.as(account))) {
      // To ask for that token is all that the process is there for.
      if (account === 'vouch' && what === 'token of the other') await attempt
      else await assert.rejects(attempt, isForbidden, `${account}: ${what}`)
    }
})

function isForbidden(error: unknown): boolean {
  return error instanceof KubeError && error.httpStatus === 403
}

async function readiness(port: number, server: Hub['server']): Promise<string> {
  let text = ''
  for (let look = 0; look < 400 && !text.startsWith('200'); look++) {
    const http = systemNet.dial({ origin: `http://127.0.0.1:${port}` })
    try {
      const { status, body } = await http.exchange({ method: 'GET', target: '/readyz?verbose', headers: {}, body: null })
      text = `${status} `
      if (body instanceof Uint8Array) text += Buffer.from(body).toString()
      else if (body !== null) for await (const piece of body) text += Buffer.from(piece).toString()
    } finally {
      await http.close()
    }
    await server.settle()
  }
  return text
}

function seamsOf(files: Seams['files']): Seams {
  const env = { AWS_ACCESS_KEY_ID: 'AKIAEXAMPLE', AWS_SECRET_ACCESS_KEY: 'example' }
  const programs = { run: () => Promise.reject(new Error('no program expected')) }
  return { ...systemSeams(env, { log: silentLog }), files, programs }
}
