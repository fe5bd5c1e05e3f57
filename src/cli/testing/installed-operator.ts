// Operators as their manifests install them, on a server that is reached over a socket: the objects of the manifests are applied, and each
// replica is a run of `vouch operator` in this process with the arguments of the Deployment, the token of its account, and nothing else.
import { type Clock, type Environment, isRecord, memoryFiles, silentLog, systemSeams } from '#base'
import { endpointSlices, type KubeObject } from '#kube'
import type { KubeClient } from '#kube/client'
import { applyManifests } from '../dev/quickstart.ts'
import { readOperatorFlags } from '../operator/flags.ts'
import { runOperator } from '../operator/run.ts'
import { hubDefaults, renderHub } from '../render/hub.ts'

export interface Installing {
  /** May do everything. */
  readonly admin: KubeClient
  /** A kubeconfig with this token. */
  kubeconfig(token: string): string
  /** Flags of `vouch operator`, as `vouch render` takes them. */
  readonly args: readonly string[]
  readonly env: Environment
  /** The machine's own by default. */
  readonly clock?: Clock
  /** An address of this machine at which the API server finds the webhooks; loopback is refused in EndpointSlices. */
  readonly ownAddress: string
}

export interface InstalledOperator {
  /** One more replica; it ends with the signal. */
  start(signal: AbortSignal): Promise<{ readonly ended: Promise<void> }>
}

export async function installOperator(installing: Installing): Promise<InstalledOperator> {
  const { admin, args } = installing
  const objects = await renderHub({ ...hubDefaults, certificate: 'own', args })
  const isDefinition = ({ kind }: KubeObject): boolean => kind === 'CustomResourceDefinition' || kind === 'Namespace'
  await applyManifests(admin, objects.filter(isDefinition))
  await applyManifests(
    admin,
    objects.filter(object => !isDefinition(object)),
  )
  const given = argumentsOf(objects.find(({ kind }) => kind === 'Deployment'))
  let replicas = 0
  return { start: signal => startReplica(installing, given, replicas++, signal) }
}

async function startReplica(
  { admin, env, ownAddress, kubeconfig, clock }: Installing,
  given: readonly string[],
  replica: number,
  signal: AbortSignal,
): Promise<{ readonly ended: Promise<void> }> {
  const { name, namespace } = hubDefaults
  const { token } = await admin.requestToken({ namespace, name }, { audiences: [] })
  const files = memoryFiles({ '/kubeconfig': kubeconfig(token).replace('"context":{', `"context":{"namespace":"${namespace}",`) })
  // Ports of this machine may be taken, and nothing here gives pods addresses of their own.
  const places = ['--webhook-bind-address=:0', '--health-probe-bind-address=0', '--metrics-bind-address=0']
  const settings = readOperatorFlags([...given, ...places, '--kubeconfig=/kubeconfig'], env)
  const seams = { ...systemSeams(env, { log: silentLog }), files, ...(clock === undefined ? {} : { clock }) }
  let ended: Promise<void> = Promise.resolve()
  const port = await new Promise<number>((resolve, reject) => {
    const onListening = ({ webhook = 0 }: { readonly webhook: number | undefined }): void => resolve(webhook)
    ended = runOperator({ settings, seams, version: 'test', onListening }, signal)
    ended.catch(reject)
  })
  const slice = {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { namespace, name: `${name}-webhook-${replica}`, labels: { 'kubernetes.io/service-name': `${name}-webhook` } },
    addressType: 'IPv4',
    ports: [{ name: 'webhook', port, protocol: 'TCP' }],
    endpoints: [{ addresses: [ownAddress], conditions: { ready: true } }],
  }
  await admin.create(endpointSlices, slice)
  // As whoever keeps endpoints does it: nobody is sent to a pod that goes.
  const key = { namespace, name: slice.metadata.name }
  const leave = (): void => void admin.delete(endpointSlices, key).catch(() => {})
  signal.addEventListener('abort', leave, { once: true })
  return { ended }
}

/** Of `vouch operator` in the Deployment, without the command's own name. */
function argumentsOf(deployment: KubeObject | undefined): readonly string[] {
  const template = recordAt(recordAt(recordAt(deployment, 'spec'), 'template'), 'spec')
  const containers = template['containers']
  const [container] = Array.isArray(containers) ? containers : []
  const args = recordAt({ container }, 'container')['args']
  return Array.isArray(args) ? args.slice(1).map(String) : []
}

function recordAt(value: unknown, name: string): Readonly<Record<string, unknown>> {
  const found = isRecord(value) ? value[name] : undefined
  return isRecord(found) ? found : {}
}
