// The two containers that give a pod tokens by way of the instance metadata endpoint (§3.9): one redirects what the pod sends there, the
// other answers it.
import { given } from '#base'
import { isObject, type PatchObject, readList } from '../patch.ts'
import { type Annotations, type AzureRefusal, proxyPortOf } from './annotations.ts'
import { type AzureWebhookOptions, proxyInitName, proxyName, proxyPortDefault } from './api.ts'

/** What is put where; a list that gets nothing is absent. */
export interface AddedContainers {
  /** The API server would refuse the pod with these containers. Told last: what upstream refuses has its say first. */
  readonly misfit?: AzureRefusal
  /** Before the others of the list. */
  readonly sidecar: { readonly list: 'initContainers' | 'containers'; readonly container: PatchObject } | undefined
  /** After the other init containers. */
  readonly init: PatchObject | undefined
}

export const noneAdded: AddedContainers = { sidecar: undefined, init: undefined }

export interface ProxyWish {
  readonly annotations: Annotations
  readonly options: AzureWebhookOptions
  /** The API server knows init containers that go on running: 1.32 and newer. */
  readonly hasNativeSidecars: boolean
}

export function proxyContainers(
  spec: PatchObject,
  { annotations, options, hasNativeSidecars }: ProxyWish,
): AddedContainers | AzureRefusal {
  if (spec['hostNetwork'] === true)
    return { refused: 'host_network', message: 'hostNetwork is set to true, cannot inject proxy sidecar' }
  const port = proxyPortOf(annotations)
  if (typeof port !== 'number') return port
  // A name in either list: the API server takes each only once in a pod (F-28).
  const names = new Set(['initContainers', 'containers'].flatMap(list => readList(spec, '', list).items.map(({ name }) => name)))
  const [addsSidecar, addsInit] = [!names.has(proxyName), !names.has(proxyInitName)]
  const misfit = addsSidecar || addsInit ? misfitOf(spec, addsSidecar ? port : proxyPortDefault) : undefined
  return {
    ...given({ misfit }),
    sidecar: addsSidecar
      ? {
          list: hasNativeSidecars ? 'initContainers' : 'containers',
          container: { ...sidecarContainer(port, options), ...(hasNativeSidecars ? { restartPolicy: 'Always' } : {}) },
        }
      : undefined,
    init: addsInit ? initContainer(port, options) : undefined,
  }
}

/** What upstream lets through and the API server does not take (F-18, F-29). */
function misfitOf(spec: PatchObject, port: number): AzureRefusal | undefined {
  if (port < 1 || port > 65_535)
    return { refused: 'bad_port', message: `proxy sidecar port ${port} not valid. Expected value to be between 1 and 65535` }
  if (isObject(spec['os']) && spec['os']['name'] === 'windows')
    return { refused: 'windows', message: 'spec.os.name is windows, cannot inject proxy sidecar' }
  return undefined
}

function sidecarContainer(port: number, { proxyImage, logLevel }: AzureWebhookOptions): PatchObject {
  const [portFlag, logFlag] = [`--proxy-port=${port}`, `--log-level=${logLevel}`]
  return {
    name: proxyName,
    image: proxyImage,
    imagePullPolicy: 'IfNotPresent',
    args: [portFlag, logFlag],
    ports: [{ containerPort: port }],
    lifecycle: { postStart: { exec: { command: ['/proxy', portFlag, '--probe', logFlag] } } },
    securityContext: {
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] },
      privileged: false,
      readOnlyRootFilesystem: true,
      runAsNonRoot: true,
    },
  }
}

/** It changes the pod's routes, and so needs what no other container gets. */
function initContainer(port: number, { proxyInitImage }: AzureWebhookOptions): PatchObject {
  return {
    name: proxyInitName,
    image: proxyInitImage,
    imagePullPolicy: 'IfNotPresent',
    env: [{ name: 'PROXY_PORT', value: String(port) }],
    securityContext: {
      capabilities: { add: ['NET_ADMIN'], drop: ['ALL'] },
      privileged: true,
      runAsNonRoot: false,
      runAsUser: 0,
    },
  }
}
