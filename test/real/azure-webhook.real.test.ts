// The Azure webhook called by a real kube-apiserver over TLS, with the rights of its manifests; and the certificate that it keeps itself.
import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { describe, it } from 'node:test'
import { memoryFiles, type Seams, silentLog, systemRandom, systemSeams } from '#base'
import { mutatingWebhookConfigurations, namespaces, type StoredObject, secrets } from '#kube'
import { connect, type KubeClient } from '#kube/client'
import { type AzureManifestOptions, readAzureProgram, renderAzureWebhookManifests, runAzureWebhook } from '#operators/pods'
import { servingPair } from '../../src/base/x509/serving-pair.fixture.ts'
import { accountsAreFollowed, groupsByServer, isAsked, matrixHolds } from '../../src/operators/pods/testing/azure-by-server.ts'
import { type AzureSetting, tenant } from '../../src/operators/pods/testing/azure-world.ts'
import { type ControlPlane, renderKubeconfig } from './control-plane.ts'
import { comesAbout } from './eventually.ts'
import { controlPlaneSkipped, sharedControlPlane } from './shared.ts'

const skip = await controlPlaneSkipped()
const pair = servingPair()
const kept = { kind: 'secret', secretName: 'pair', caBundle: pair.certificate } as const
const home = 'azure-workload-identity-system'
const configurationName = 'azure-wi-webhook-mutating-webhook-configuration'

type Configuration = StoredObject & {
  readonly webhooks: readonly { readonly clientConfig: { readonly caBundle?: string; readonly service?: object } }[]
}

/** What the manifests print applied, but for the workloads, and the webhook running with its own token. */
class AzureInstallation implements AsyncDisposable {
  readonly plane: ControlPlane
  readonly admin: KubeClient
  readonly apps: string = `azure-${systemRandom.uuid().slice(0, 8)}`
  #stop = new AbortController()
  #running: Promise<void> = Promise.resolve()

  private constructor(plane: ControlPlane, admin: KubeClient) {
    this.plane = plane
    this.admin = admin
  }

  static async open(plane: ControlPlane): Promise<AzureInstallation> {
    const { client } = await connect(systemSeams({}, { log: silentLog }), { kubeconfig: [plane.kubeconfig] })
    const installation = new AzureInstallation(plane, client)
    await client.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: installation.apps } })
    return installation
  }

  async #apply(objects: readonly object[]): Promise<void> {
    const list = { apiVersion: 'v1', kind: 'List', items: objects }
    const { code, stderr } = await this.plane.kubectl(['apply', '-f', '-'], { input: JSON.stringify(list) })
    assert.equal(code, 0, stderr)
  }

  /** All but the workloads: they run here. */
  async install(certificate: AzureManifestOptions['certificate']): Promise<void> {
    const workloads = new Set(['Deployment', 'PodDisruptionBudget', 'MutatingWebhookConfiguration'])
    await this.#apply(renderAzureWebhookManifests({ tenantId: tenant, certificate }).filter(({ kind }) => !workloads.has(kind)))
  }

  /** In place of the one before. The port at which it serves; flags come on top of those for a listener on loopback. */
  async start(more: readonly string[], { flags = {}, env, environmentFile }: AzureSetting = {}): Promise<number> {
    await this.stop()
    const { token } = await this.admin.requestToken(
      { namespace: home, name: 'azure-wi-webhook-admin' },
      { audiences: [], expirationSeconds: 3_600 },
    )
    const kubeconfig = renderKubeconfig({ address: this.plane.address, ca: this.plane.ca, token })
    const stack = environmentFile === undefined ? {} : { '/stack.json': JSON.stringify(environmentFile) }
    const given = { '/kubeconfig': kubeconfig, '/certs/tls.crt': pair.certificate, '/certs/tls.key': pair.key, ...stack }
    const seams: Seams = { ...systemSeams({}, { log: silentLog }), files: memoryFiles(given, () => performance.now()) }
    const local = ['--kubeconfig=/kubeconfig', '--bind-address=127.0.0.1', '--health-addr=', '--metrics-addr=0']
    const own = Object.entries(flags).map(([name, value]) => `--${name}=${value}`)
    const stackAt = environmentFile === undefined ? {} : { AZURE_ENVIRONMENT_FILEPATH: '/stack.json' }
    const program = readAzureProgram([...local, ...more, ...own], {
      POD_NAMESPACE: home,
      ...stackAt,
      ...(env ?? { AZURE_TENANT_ID: tenant }),
    })
    this.#stop = new AbortController()
    return new Promise<number>((resolve, reject) => {
      this.#running = runAzureWebhook({ program, seams, onListening: at => resolve(at.webhook) }, this.#stop.signal)
      this.#running.catch(reject)
    })
  }

  async stop(): Promise<void> {
    this.#stop.abort(new Error('it has done its work'))
    await this.#running
  }

  /** The configuration of the manifests, for the pods of one namespace. With an address the API server calls there, since no Service leads anywhere. */
  async register(certificate: AzureManifestOptions['certificate'], address?: string): Promise<void> {
    const printed = renderAzureWebhookManifests({ tenantId: tenant, certificate }).find(
      ({ metadata }) => metadata.name === configurationName,
    )
    assert.ok(printed !== undefined && 'webhooks' in printed && Array.isArray(printed.webhooks))
    const webhooks: readonly Configuration['webhooks'][number][] = printed.webhooks
    const changed = webhooks.map(webhook => ({
      ...webhook,
      ...(address === undefined ? {} : { clientConfig: { url: address, caBundle: webhook.clientConfig.caBundle } }),
      namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': this.apps } },
    }))
    await this.#apply([Object.assign({}, printed, { webhooks: changed })])
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.plane.kubectl(['delete', 'mutatingwebhookconfiguration', configurationName, '--ignore-not-found'])
    await this.stop()
    await this.plane.kubectl(['delete', 'clusterrole,clusterrolebinding', '-l', 'azure-workload-identity.io/system=true'])
    await this.plane.kubectl(['delete', 'namespace', this.apps, '--ignore-not-found', '--wait=false'])
    await this.admin.close()
  }
}

describe('the Azure webhook on a real kube-apiserver', skip === undefined ? {} : { skip }, () => {
  it('keeps its own certificate with the rights of its manifests, and the API server is told whom to trust [§3.14]', async () => {
    await using installation = await AzureInstallation.open(await sharedControlPlane())
    const { admin } = installation
    await installation.install({ kind: 'rotated' })
    await installation.register({ kind: 'rotated' })
    await installation.start(['--port=0'])
    const bundle = async (): Promise<string> => {
      const found = await admin.find<Configuration>(mutatingWebhookConfigurations, { namespace: '', name: configurationName })
      return Buffer.from(found?.webhooks[0]?.clientConfig.caBundle ?? '', 'base64').toString()
    }
    await comesAbout(
      async () => (await bundle()) !== '',
      () => 'the configuration has no authority',
    )
    const secret = await admin.get<StoredObject & { readonly data?: Readonly<Record<string, string>> }>(secrets, {
      namespace: home,
      name: 'azure-wi-webhook-server-cert',
    })
    const served = new X509Certificate(Buffer.from(secret.data?.['tls.crt'] ?? '', 'base64'))
    assert.ok(served.verify(new X509Certificate(await bundle()).publicKey))
  })

  it('pods that it is asked about are what the matrix says, at either path, under each setting [E-07, §8.2, Z-08, Z-69, Z-72]', async () => {
    await using installation = await AzureInstallation.open(await sharedControlPlane())
    await installation.install(kept)
    const { admin, apps } = installation
    // One port for all: an address that the API server has not learnt yet would be nobody's.
    let port = 0
    for (const [place, { setting, rows }] of groupsByServer.entries()) {
      port = await installation.start(['--disable-cert-rotation', `--port=${port}`], setting)
      await installation.register(kept, `https://127.0.0.1:${port}${place % 2 === 0 ? '/mutate-v1-pod' : '/mutate'}`)
      if (place === 0)
        await comesAbout(
          () => isAsked(admin, apps),
          () => 'the API server asks the webhook',
        )
      await matrixHolds(admin, apps, rows)
      if (place === 0) await accountsAreFollowed(admin, apps)
    }
  })
})
