// The official JavaScript client, which shares no line with ours, against both servers.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, describe, it } from 'node:test'
import {
  ApiException,
  AppsV1Api,
  AuthorizationV1Api,
  CoreV1Api,
  CustomObjectsApi,
  KubeConfig,
  KubernetesObjectApi,
  makeInformer,
  Watch,
} from '@kubernetes/client-node'
import { type ApiServer, createApiServer } from '#apiserver'
import { controlPlaneSkipped, sharedControlPlane } from './shared.ts'

const skip = await controlPlaneSkipped()
let embedded: Promise<ApiServer> | undefined

async function embeddedConfig(): Promise<string> {
  embedded ??= (async () => {
    const server = createApiServer({ emulate: '1.34' })
    await server.listen()
    return server
  })()
  return (await embedded).kubeconfig()
}

const servers: readonly (readonly [string, string | undefined, () => Promise<string>])[] = [
  ['the embedded API server', undefined, embeddedConfig],
  ['the real kube-apiserver', skip, async () => readFileSync((await sharedControlPlane()).kubeconfig, 'utf8')],
]

after(async () => (await embedded)?.close())

for (const [name, skipped, kubeconfig] of servers) {
  describe(`the official JavaScript client on ${name}`, { skip: skipped ?? false }, () => {
    const namespace = 'javascript-client'
    const connect = async (): Promise<KubeConfig> => {
      const config = new KubeConfig()
      config.loadFromString(await kubeconfig())
      const core = config.makeApiClient(CoreV1Api)
      await core.createNamespace({ body: { metadata: { name: namespace } } }).catch(ignoreExisting)
      return config
    }

    it('creates, reads, patches, lists and deletes', async () => {
      const core = (await connect()).makeApiClient(CoreV1Api)
      const made = await core.createNamespacedConfigMap({ namespace, body: { metadata: { name: 'crud' }, data: { a: '1' } } })
      assert.equal(made.data?.['a'], '1')
      const metadata = made.metadata ?? {}
      const replaced = await core.replaceNamespacedConfigMap({ name: 'crud', namespace, body: { metadata, data: { a: '2' } } })
      assert.notEqual(replaced.metadata?.resourceVersion, made.metadata?.resourceVersion)
      await assert.rejects(
        core.replaceNamespacedConfigMap({ name: 'crud', namespace, body: { metadata, data: { a: '3' } } }),
        isCode(409),
      )
      const { items } = await core.listNamespacedConfigMap({ namespace, fieldSelector: 'metadata.name=crud' })
      assert.deepEqual(
        items.map(item => item.data),
        [{ a: '2' }],
      )
      await core.deleteNamespacedConfigMap({ name: 'crud', namespace })
      await assert.rejects(core.readNamespacedConfigMap({ name: 'crud', namespace }), isCode(404))
    })

    it('applies through the generic object interface', async () => {
      const objects = KubernetesObjectApi.makeApiClient(await connect())
      const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'applied', namespace }, data: { a: '1' } }
      await objects.patch(object, undefined, undefined, 'js', true, 'application/apply-patch+yaml')
      const read = await objects.read<typeof object & { metadata: { managedFields: { manager: string }[] } }>(object)
      assert.equal(read.metadata.managedFields[0]?.manager, 'js')
    })

    it('follows a watch and an informer', async () => {
      const config = await connect()
      const core = config.makeApiClient(CoreV1Api)
      const labelSelector = 'followed=yes'
      const body = (name: string): object => ({ metadata: { name, labels: { followed: 'yes' } } })
      await core.createNamespacedConfigMap({ namespace, body: body('first') })
      const informer = makeInformer(
        config,
        `/api/v1/namespaces/${namespace}/configmaps`,
        () => core.listNamespacedConfigMap({ namespace, labelSelector }),
        labelSelector,
      )
      const added: string[] = []
      const both = new Promise<void>(resolve => {
        informer.on('add', object => {
          added.push(object.metadata?.name ?? '')
          if (added.length === 2) resolve()
        })
      })
      await informer.start()
      await core.createNamespacedConfigMap({ namespace, body: body('second') })
      await both
      await informer.stop()
      assert.deepEqual(added.sort(), ['first', 'second'])
      const seen: string[] = []
      const abort = await new Promise<AbortController>((resolve, reject) => {
        const started = new Watch(config).watch(
          `/api/v1/namespaces/${namespace}/configmaps`,
          { labelSelector },
          (type, object: { metadata: { name: string } }) => {
            seen.push(`${type} ${object.metadata.name}`)
            if (seen.length === 2) started.then(resolve, reject)
          },
          () => {},
        )
      })
      abort.abort()
      assert.deepEqual(seen, ['ADDED first', 'ADDED second'])
    })

    it('reaches workloads, reviews and custom objects', async () => {
      const config = await connect()
      const apps = config.makeApiClient(AppsV1Api)
      const labels = { app: 'w' }
      const spec = {
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'example.com/c:1' }] } },
      }
      const made = await apps.createNamespacedDeployment({ namespace, body: { metadata: { name: 'w' }, spec } })
      assert.deepEqual([made.spec?.replicas, made.spec?.strategy?.type], [1, 'RollingUpdate'])
      const scale = await apps.readNamespacedDeploymentScale({ name: 'w', namespace })
      assert.equal(scale.spec?.replicas, 1)
      const review = await config
        .makeApiClient(AuthorizationV1Api)
        .createSelfSubjectAccessReview({ body: { spec: { resourceAttributes: { verb: 'get', resource: 'pods', namespace } } } })
      assert.equal(review.status?.allowed, true)
      const custom = config.makeApiClient(CustomObjectsApi)
      await assert.rejects(
        custom.listNamespacedCustomObject({ group: 'none.example.com', version: 'v1', namespace, plural: 'nothings' }),
        isCode(404),
      )
    })
  })
}

function isCode(code: number): (error: unknown) => boolean {
  return error => error instanceof ApiException && error.code === code
}

function ignoreExisting(error: unknown): void {
  if (!isCode(409)(error)) throw error
}
