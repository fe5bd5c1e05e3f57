// The part of a kubelet that a sidecar of a hosted API server needs: its container of the rendered pod template as a process of this machine,
// with the template's program, arguments, variables and files, and files that follow their Secrets. The image is this checkout.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deployments, type StoredObject } from '#kube'
import type { KubeClient } from '#kube/client'
import {
  type ContainerProcess,
  environmentOf,
  mountVolumes,
  type Pod,
  type PodContainer,
  type ProcessCall,
  placed,
  startProcess,
} from '../../../src/cli/dev/node/index.ts'

const main = join(import.meta.dirname, '..', '..', '..', 'src', 'cli', 'main.ts')

/** The image's programs, by what the platform calls them. */
const programs: Readonly<Record<string, readonly string[]>> = {
  '/usr/bin/aws-pod-identity-webhook': [process.execPath, main, 'webhook', 'aws'],
  '/usr/bin/azure-workload-identity-webhook': [process.execPath, main, 'webhook', 'azure'],
}

export interface SidecarRunner extends AsyncDisposable {
  /** The names of the containers that the template has beside the platform's own. */
  containers(): Promise<readonly string[]>
  /** Starts the one of that name, as the template says it now. */
  start(name: string, more?: readonly string[]): Promise<void>
  /** The same again, with what its folders have: a kubelet needs no API server for that. */
  restart(): Promise<void>
  stop(): Promise<void>
  /** What a kubelet does once a minute: files become what their Secrets are. */
  sync(): Promise<void>
  readonly restarts: number
  readonly isRunning: boolean
  log(): string
}

export function sidecarRunner(hub: KubeClient, namespace: string): SidecarRunner {
  const folder = mkdtempSync(join(tmpdir(), 'vouch-hosted-'))
  let process: ContainerProcess | undefined
  let container: PodContainer | undefined
  let call: ProcessCall | undefined
  let printed = ''
  let restarts = 0
  const template = async (): Promise<Pod> => {
    const deployment = await hub.get<StoredObject & { readonly spec: { readonly template: Pick<Pod, 'spec'> } }>(deployments, {
      namespace,
      name: 'kube-apiserver',
    })
    return { ...deployment, ...deployment.spec.template, metadata: deployment.metadata }
  }
  const isOurs = ({ name }: PodContainer): boolean => name.endsWith('identity-webhook')
  const stop = async (): Promise<void> => {
    process?.stop()
    await process?.ended
    process = undefined
  }
  const launch = (as: ProcessCall): void => {
    restarts++
    const started = startProcess(as)
    process = started
    void started.ended.then(() => {
      if (process === started) process = undefined
    })
  }
  return {
    containers: async () => (await template()).spec.containers.filter(isOurs).map(({ name }) => name),
    start: async (name, more = []) => {
      await stop()
      const pod = await template()
      container = pod.spec.containers.find(candidate => candidate.name === name)
      if (container === undefined) throw new Error(`the template has no container ${name}`)
      const mounts = await mountVolumes(hub, pod, container, folder)
      const [program = '', ...args] = [...(container.command ?? []), ...(container.args ?? [])]
      const found = programs[program]
      if (found === undefined) throw new Error(`the image has no program ${program}`)
      const command = [...found, ...args.map(argument => placed(argument, folder, mounts)), ...more]
      const env = await environmentOf(hub, pod, container)
      call = { command, env, onPrinted: text => (printed += text) }
      launch(call)
    },
    restart: async () => {
      await stop()
      if (call === undefined) throw new Error('nothing was started before')
      launch(call)
    },
    stop,
    sync: async () => {
      if (container !== undefined) await mountVolumes(hub, await template(), container, folder)
    },
    get restarts() {
      return restarts
    },
    get isRunning() {
      return process !== undefined
    },
    log: () => printed.slice(-4_000),
    [Symbol.asyncDispose]: async () => {
      await stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
