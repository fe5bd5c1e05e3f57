// The two clusters in which the operand runs: the embedded one, and a real kube-apiserver with what its missing controllers would do. In both
// the pods of the operand's namespace are processes of this machine.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApiServer } from '#apiserver'
import { collectBody, type HttpExchange, silentLog, systemClock, systemNet } from '#base'
import { configMaps, type KubeObject, namespaces, type ResourceType } from '#kube'
import { createKubeClient, type KubeClient } from '#kube/client'
import { hasOwnRoots, type Image, type RunningNode, startNode } from '../../../src/cli/dev/node/index.ts'
import { type ControlPlane, renderKubeconfig, startControlPlane } from '../control-plane.ts'
import { ownAddress } from '../own-address.ts'
import { followDeployments } from './deployments.ts'
import { serveLogs } from './kubelet-port.ts'

const nodes: ResourceType = { group: '', version: 'v1', kind: 'Node', plural: 'nodes', namespaced: false }

export interface Cluster extends AsyncDisposable {
  readonly name: 'embedded' | 'real'
  readonly admin: KubeClient
  readonly node: RunningNode
  /** For programs: a kubeconfig with this token. */
  kubeconfig(token: string): string
  /** An address of this machine that an EndpointSlice may hold. */
  readonly ownAddress: string
  /** What the server refused for want of a right since it began, where it counts that: verb, resource and how often. */
  forbidden?(): Promise<readonly string[]>
}

export interface ClusterOptions {
  readonly images: Readonly<Record<string, Image>>
  readonly namespaces: readonly string[]
}

/** Short, so that a suite need not wait as long as people do. */
const restartMs = 200

export async function embeddedCluster(options: ClusterOptions): Promise<Cluster> {
  const controllers = [
    'namespace',
    'serviceaccount',
    'root-ca-cert-publisher',
    'garbage-collector',
    'clusterrole-aggregation',
    'deployment',
    'replicaset',
    'scheduler',
    'node',
  ]
  const server = createApiServer({ controllers, net: systemNet })
  const listener = await server.listen()
  const admin = createKubeClient({ clock: systemClock, address: 'embedded', exchange: server.as() })
  const apiServer = `https://127.0.0.1:${listener.port}`
  const node = startTestNode(options, { name: 'embedded-node-0', kube: admin, apiServer }, (pod, text) => {
    const { namespace = 'default', name = '' } = pod.metadata
    server.printed({ namespace, name }, text)
  })
  return {
    name: 'embedded',
    admin,
    node,
    ownAddress: ownAddress ?? '127.0.0.1',
    kubeconfig: token => renderKubeconfig({ address: apiServer, ca: server.ca, token }),
    [Symbol.asyncDispose]: async () => {
      await node.end()
      await server.close()
    },
  }
}

export async function realCluster(options: ClusterOptions): Promise<Cluster> {
  return clusterOf(await startControlPlane(), options)
}

/** The control plane stops with the cluster. */
export async function clusterOf(plane: ControlPlane, options: ClusterOptions): Promise<Cluster> {
  const admin = createKubeClient({ clock: systemClock, address: plane.address, exchange: plane.exchange })
  const node = startTestNode(options, { name: 'node-0', kube: admin, apiServer: plane.address, schedules: true })
  const logs = await serveLogs(node, plane.folder)
  const stop = new AbortController()
  await admin.create(nodes, { apiVersion: 'v1', kind: 'Node', metadata: { name: 'node-0' } })
  const status = {
    addresses: [{ type: 'InternalIP', address: '127.0.0.1' }],
    daemonEndpoints: { kubeletEndpoint: { Port: logs.port } },
  }
  await admin.patch(nodes, { namespace: '', name: 'node-0' }, 'merge', { status }, { subresource: 'status' })
  for (const name of options.namespaces) await makeNamespace(admin, name, plane.ca)
  const following = options.namespaces.map(namespace => followDeployments(admin, namespace, stop.signal))
  return {
    name: 'real',
    admin,
    node,
    ownAddress: ownAddress ?? '127.0.0.1',
    kubeconfig: token => renderKubeconfig({ ...plane, token }),
    forbidden: () => forbiddenOf(plane.exchange),
    [Symbol.asyncDispose]: async () => {
      stop.abort(new Error('enough'))
      await Promise.all(following)
      await node.end()
      await logs.close()
      await plane.stop()
    },
  }
}

async function forbiddenOf(exchange: HttpExchange): Promise<readonly string[]> {
  const { body } = await exchange({ method: 'GET', target: '/metrics', headers: {}, body: null })
  const text = new TextDecoder().decode(await collectBody(body, 64 * 1024 * 1024))
  return text.split('\n').filter(line => line.startsWith('apiserver_request_total{') && line.includes('code="403"'))
}

/** What the publisher of the root certificate does for each namespace. */
async function makeNamespace(admin: KubeClient, name: string, ca: string): Promise<void> {
  await admin.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
  const metadata = { namespace: name, name: 'kube-root-ca.crt' }
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { 'ca.crt': ca } }
  await admin.create(configMaps, object as KubeObject)
}

interface NodePlace {
  readonly name: string
  readonly kube: KubeClient
  readonly apiServer: string
  readonly schedules?: boolean
}

type TestNode = RunningNode & { end(): Promise<void> }

function startTestNode(
  { images, namespaces: inNamespaces }: ClusterOptions,
  place: NodePlace,
  onPrinted?: (pod: KubeObject, text: string) => void,
): TestNode {
  const folder = mkdtempSync(join(tmpdir(), 'vouch-operand-'))
  const stop = new AbortController()
  const node = startNode(
    {
      ...place,
      clock: systemClock,
      log: silentLog,
      folder,
      images,
      ownRoots: hasOwnRoots(),
      namespaces: inNamespaces,
      restartMs,
      ...(onPrinted === undefined ? {} : { onPrinted: (pod, _container, text) => onPrinted(pod, text) }),
    },
    stop.signal,
  )
  return {
    ...node,
    end: async () => {
      stop.abort(new Error('enough'))
      await node.stopped
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
