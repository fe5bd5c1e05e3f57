// A stand-in for whatever runs the pods of a Deployment, where no controller and no kubelet do: each replica is a process of `vouch operator` in
// this one, with the arguments, the files and the account of the Deployment's pods and nothing else. It is ready when its own probe says so,
// and the Deployment's status says no more than that.
import { memoryFiles, type Seams, silentLog, systemNet } from '#base'
import { configMaps, deployments, type KubeObject, type StoredObject } from '#kube'
import type { KubeClient } from '#kube/client'
import { Informer } from '#runtime'
import type { ListeningAt } from '../../src/cli/operator/operator-run.ts'
import { readOperatorFlags, runOperator } from '../../src/cli/testing/commands.ts'
import { comesAbout } from './eventually.ts'

/** Caches of many kinds are filled first, on a machine that may run much else. */
const readyMsMax = 120_000

export interface StandInNodeOptions {
  readonly admin: KubeClient
  readonly namespace: string
  /** What the container sees besides its files: AWS, for one. */
  readonly seams: Seams
  /** A kubeconfig with that token, as the account's pods have it. */
  kubeconfig(token: string): string
  /** Has the API server reach these ports by the Service of the webhooks. */
  route(ports: readonly number[]): Promise<void>
}

export interface StandInNode extends AsyncDisposable {
  /** What ended a process; empty while all is well. */
  readonly failures: readonly string[]
}

interface Deployment extends StoredObject {
  readonly spec: {
    readonly replicas?: number
    readonly template: {
      readonly spec: {
        readonly serviceAccountName: string
        readonly containers: readonly [
          {
            readonly args: readonly string[]
            readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string }[]
          },
        ]
        readonly volumes?: readonly { readonly name: string; readonly configMap?: { readonly name: string } }[]
      }
    }
  }
}

interface Replica {
  readonly at: ListeningAt
  stop(): Promise<void>
}

export function standInNode(options: StandInNodeOptions): StandInNode {
  const { admin, namespace } = options
  const stop = new AbortController()
  const failures: string[] = []
  let replicas: readonly Replica[] = []
  let rolledOut = 0
  const end = async (): Promise<void> => {
    await Promise.all(replicas.map(replica => replica.stop()))
    replicas = []
  }
  const rollOut = async (deployment: Deployment): Promise<void> => {
    const generation = deployment.metadata.generation ?? 0
    if (generation === rolledOut) return
    rolledOut = generation
    await end()
    const count = deployment.spec.replicas ?? 1
    replicas = await Promise.all(Array.from({ length: count }, () => startReplica(options, deployment, failures)))
    await options.route(replicas.flatMap(({ at }) => at.webhook ?? []))
    for (const { at } of replicas) {
      let said = ''
      const isReady = async (): Promise<boolean> => (said = await readiness(at.health)).startsWith('200')
      await comesAbout(isReady, () => `a replica is not ready: ${said}`, readyMsMax)
    }
    await admin.patch(
      deployments,
      key(deployment),
      'merge',
      { status: rolledOutStatus(generation, count) },
      { subresource: 'status' },
    )
  }
  const { clock, random } = options.seams
  const informer = new Informer<Deployment>({
    client: admin,
    clock,
    random,
    log: silentLog,
    type: deployments,
    namespace,
    listing: 'pages',
  })
  let following = Promise.resolve()
  informer.cache.listen(({ kind, object }) => {
    // One after the other, as they came.
    following = following
      .then(() => (kind === 'removed' ? end() : rollOut(object)))
      .catch((error: unknown) => {
        if (!stop.signal.aborted) failures.push(String(error))
      })
  })
  const watching = informer.run(stop.signal)
  return {
    failures,
    [Symbol.asyncDispose]: async () => {
      stop.abort(new Error('enough'))
      await watching
      await following
      await end()
    },
  }
}

async function startReplica(options: StandInNodeOptions, { spec }: Deployment, failures: string[]): Promise<Replica> {
  const { admin, namespace, seams } = options
  const pod = spec.template.spec
  const [{ args }] = pod.containers
  const { token } = await admin.requestToken({ namespace, name: pod.serviceAccountName }, { audiences: [] })
  const files = memoryFiles({ '/kubeconfig': options.kubeconfig(token), ...(await mountedFiles(options, pod)) })
  // Ports of this machine may be taken, and nothing here gives pods addresses of their own.
  const ours = ['--kubeconfig=/kubeconfig', '--health-probe-bind-address=127.0.0.1:0', '--metrics-bind-address=0']
  const settings = readOperatorFlags([...args.slice(1), ...ours, '--webhook-bind-address=:0'], seams.env)
  const stop = new AbortController()
  let running: Promise<void> = Promise.resolve()
  const at = await new Promise<ListeningAt>((resolve, reject) => {
    const run = { settings, seams: { ...seams, files, log: silentLog }, version: 'test', onListening: resolve }
    running = runOperator(run, stop.signal).catch((error: unknown) => {
      if (stop.signal.aborted) return
      failures.push(String(error))
      reject(error)
    })
  })
  return {
    at,
    stop: () => {
      stop.abort(new Error('the pod is deleted'))
      return running
    },
  }
}

async function mountedFiles(
  { admin, namespace }: StandInNodeOptions,
  { containers: [{ volumeMounts = [] }], volumes = [] }: Deployment['spec']['template']['spec'],
): Promise<Readonly<Record<string, string>>> {
  const files: Record<string, string> = {}
  for (const { name, mountPath } of volumeMounts) {
    const configMap = volumes.find(volume => volume.name === name)?.configMap
    if (configMap === undefined) continue
    const { data = {} } = await admin.get<StoredObject & { readonly data?: Record<string, string> }>(configMaps, {
      namespace,
      ...configMap,
    })
    for (const [file, text] of Object.entries(data)) files[`${mountPath}/${file}`] = text
  }
  return files
}

/** The status and the words of its own probe. */
async function readiness(port: number | undefined): Promise<string> {
  const http = systemNet.dial({ origin: `http://127.0.0.1:${port}` })
  try {
    const { status, body } = await http.exchange({ method: 'GET', target: '/readyz?verbose', headers: {}, body: null })
    let text = `${status} `
    if (body instanceof Uint8Array) text += Buffer.from(body).toString()
    else if (body !== null) for await (const piece of body) text += Buffer.from(piece).toString()
    return text
  } catch (error) {
    return String(error)
  } finally {
    await http.close()
  }
}

function key({ metadata }: KubeObject): { readonly namespace: string; readonly name: string } {
  return { namespace: metadata.namespace ?? '', name: metadata.name ?? '' }
}

function rolledOutStatus(observedGeneration: number, replicas: number): object {
  const condition = (type: string, reason: string): object => ({ type, reason, status: 'True', message: '' })
  return {
    observedGeneration,
    replicas,
    updatedReplicas: replicas,
    readyReplicas: replicas,
    availableReplicas: replicas,
    conditions: [condition('Available', 'MinimumReplicasAvailable'), condition('Progressing', 'NewReplicaSetAvailable')],
  }
}
