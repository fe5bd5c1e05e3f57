// One container of a pod, started once: its root, its variables, its process.
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { environmentOf } from './environment.ts'
import { renderKubeconfig } from './kubeconfig.ts'
import type { Image, NodeOptions } from './options.ts'
import type { Pod, PodContainer } from './pod.ts'
import { type ContainerProcess, startProcess } from './process.ts'
import { installProgram, mountVolumes, placed } from './root.ts'
import { NotMounted } from './volumes.ts'

export interface StartedContainer {
  readonly process: ContainerProcess
  /** What was started, word by word: for whoever compares it with the spec. */
  readonly arguments: readonly string[]
  readonly environment: Readonly<Record<string, string>>
}

const accountFolder = '/var/run/secrets/kubernetes.io/serviceaccount'

export async function startContainer(
  node: NodeOptions,
  pod: Pod,
  container: PodContainer,
  onPrinted: (text: string) => void,
): Promise<StartedContainer> {
  const image = node.images[container.image]
  if (image === undefined) throw new NoImage(`Back-off pulling image ${JSON.stringify(container.image)}`)
  const root = join(node.folder, 'pods', pod.metadata.uid, container.name)
  await rm(root, { recursive: true, force: true })
  const mounts = await mountVolumes(node.kube, pod, container, root)
  const environment = { ...clusterVariables(node), ...(await environmentOf(node.kube, pod, container)) }
  const given = container.args ?? []
  const start = { node, image, root, mounts, given, environment }
  const { command, env } = node.ownRoots ? await inOwnRoot(start) : await inFolder(start)
  return { process: startProcess({ command, env, onPrinted }), arguments: given, environment }
}

/** An image that this node does not have, in the words of a kubelet. */
export class NoImage extends NotMounted {}

/** What a kubelet gives to every container, so that it finds the API server. */
function clusterVariables({ apiServer }: NodeOptions): Readonly<Record<string, string>> {
  const { hostname, port } = new URL(apiServer)
  return { KUBERNETES_SERVICE_HOST: hostname, KUBERNETES_SERVICE_PORT: port }
}

interface Start {
  readonly node: NodeOptions
  readonly image: Image
  readonly root: string
  readonly mounts: readonly string[]
  readonly given: readonly string[]
  readonly environment: Readonly<Record<string, string>>
}

interface Started {
  readonly command: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

/** Starts the program in a root of its own, with exactly the command, paths and environment that the spec says. */
async function inOwnRoot({ node, image, root, given, environment }: Start): Promise<Started> {
  const program = await installProgram(image.program, join(node.folder, 'images'), root)
  return {
    command: ['unshare', '--map-root-user', `--root=${root}`, program, ...(image.first ?? []), ...given],
    env: environment,
  }
}

/** The program looks for its token at a fixed path, which is not there: a kubeconfig says where it is. */
async function inFolder({ node, image, root, mounts, given, environment }: Start): Promise<Started> {
  const place = (value: string): string => placed(value, root, mounts)
  const kubeconfig = join(root, 'kubeconfig')
  const account = join(root, accountFolder)
  const text = renderKubeconfig(node.apiServer, join(account, 'ca.crt'), join(account, 'token'))
  await writeFile(kubeconfig, text, { mode: 0o600 })
  const env = Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, place(value)]))
  return {
    command: [image.program, ...(image.first ?? []), ...given.map(place), ...(image.kubeconfigArguments?.(kubeconfig) ?? [])],
    env,
  }
}
