// The hosted operator of the story on the hub, and the sidecar that it rendered: its program in this process, with the arguments and variables
// of its container, where the guest's API server finds it at 127.0.0.1.

import { parseFlags, silentLog } from '#base'
import { deployments, type KubeObject, type StoredObject } from '#kube'
import { controlPlaneKind, createHostedOperator, guestCondition, readHostedFlags, sidecarCondition } from '#operators/hosted'
import { hostedOperator } from '#operators/hosted/operator'
import { azureSettings, createAzureWebhook, readAzureProgram } from '#operators/pods'
import { createManager, Metrics } from '#runtime'
import type { Screen } from '../screen.ts'
import { until } from '../until.ts'
import type { DevWorld } from '../world.ts'
import { type Guest, planeNamespace } from './guest.ts'

const sidecarName = 'azure-workload-identity-webhook'

/** Runs until the signal aborts. */
export async function runHostedOperator({ hub, seams }: DevWorld, guest: Guest, signal: AbortSignal): Promise<void> {
  const flags = hostedOperator.flags.flatMap(group => group.flags)
  const settings = readHostedFlags(parseFlags(flags, [], new Map()), { workers: 2, env: {} })
  const operator = createHostedOperator({ settings, seams, clientOf: () => guest.kube })
  const manager = createManager({
    client: hub.kube,
    seams: { ...seams, log: silentLog },
    controllers: operator.controllers,
    identity: 'vouch-dev-hosted',
    name: 'hosted',
  })
  operator.attach?.(manager)
  await manager.run(signal)
  await operator.close?.()
}

/** Waits until the control plane's own conditions say that both halves are ready: the sidecar, and what the guest needs. */
export async function untilInPlace({ hub }: DevWorld, signal: AbortSignal): Promise<void> {
  const key = { namespace: planeNamespace, name: 'blue' }
  const said = async (): Promise<readonly string[]> => {
    const { status } = await hub.kube.get<WithStatus>(controlPlaneKind.type, key)
    return (status?.conditions ?? []).map(({ type, status: holds, message }) => `${type}=${holds}: ${message}`)
  }
  const why = async (): Promise<string> => (await said()).join('; ')
  await until({ what: 'both halves of the control plane', signal, why }, async () => {
    const lines = await said()
    return [sidecarCondition, guestCondition].every(type => lines.some(line => line.startsWith(`${type}=True`)))
  })
}

interface WithStatus extends StoredObject {
  readonly status?: {
    readonly conditions?: readonly { readonly type: string; readonly status: string; readonly message: string }[]
  }
}

interface ApiServerDeployment extends KubeObject {
  readonly spec: { readonly template: { readonly spec: { readonly containers: readonly SidecarLike[] } } }
}

interface SidecarLike {
  readonly name: string
  readonly command?: readonly string[]
  readonly env?: readonly { readonly name: string; readonly value?: string }[]
}

/** Resolves when it answers; it goes on until the signal aborts, and ends with `running`. */
export async function startSidecar(
  { hub, seams }: DevWorld,
  guest: Guest,
  { screen, signal, running }: { readonly screen: Screen; readonly signal: AbortSignal; readonly running: Promise<unknown>[] },
): Promise<void> {
  const deployment = await hub.kube.get<ApiServerDeployment & StoredObject>(deployments, {
    namespace: planeNamespace,
    name: 'kube-apiserver',
  })
  const container = deployment.spec.template.spec.containers.find(({ name }) => name === sidecarName)
  if (container === undefined) throw new Error(`the Deployment has no container ${sidecarName}`)
  const env = Object.fromEntries((container.env ?? []).map(({ name, value = '' }) => [name, value]))
  const program = readAzureProgram((container.command ?? []).slice(1), env)
  const quiet = { ...seams, log: silentLog }
  const webhook = createAzureWebhook({
    client: guest.kube,
    seams: quiet,
    metrics: new Metrics(),
    settings: await azureSettings(program, seams.files),
  })
  running.push(webhook.run(signal))
  await webhook.whenReady(signal)
  guest.server.serve({ host: '127.0.0.1' }, webhook.exchange)
  screen.line('done', `${sidecarName} runs beside kube-apiserver, as its container says`, { cluster: 'hub' })
}
