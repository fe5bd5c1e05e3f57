// One pod, one ServiceAccount, one answer: pure, and applied to its own output it changes nothing. The order in which it looks decides which
// message wins where several things are wrong (§3.4).
import { isObject, type PatchObject, type PodOperation } from '../patch.ts'
import { textOf } from '../review.ts'
import {
  type Annotations,
  type AzureRefusal,
  clientIdOf,
  expirationOf,
  skippedContainers,
  tenantIdOf,
  wantsProxy,
  wantsTokenEndpoint,
} from './annotations.ts'
import type { AzureWebhookOptions } from './api.ts'
import { injectAzure } from './inject.ts'
import type { AzureWarn } from './mount.ts'
import { noneAdded, proxyContainers } from './proxy-containers.ts'

export interface AzureAdmission {
  /** `request.object` of the review. */
  readonly pod: PatchObject
  /** Of the request; it counts, whatever the pod says (§3.4). */
  readonly namespace: string
  /** The annotations of its ServiceAccount. */
  readonly account: Annotations
  readonly options: AzureWebhookOptions
  /** Asked only where the pod wants the proxy. */
  readonly hasNativeSidecars: boolean
  readonly warn: AzureWarn
}

export function admitAzurePod({
  pod,
  namespace,
  account,
  options,
  hasNativeSidecars,
  warn,
}: AzureAdmission): readonly PodOperation[] | AzureRefusal {
  const annotations = podAnnotations(pod)
  const spec = isObject(pod['spec']) ? pod['spec'] : {}
  const added = wantsProxy(annotations, options) ? proxyContainers(spec, { annotations, options, hasNativeSidecars }) : noneAdded
  if ('refused' in added) return added
  const expirationSeconds = expirationOf(annotations, account)
  if (typeof expirationSeconds !== 'bigint') return expirationSeconds
  if (added.misfit !== undefined) return added.misfit
  const injection = {
    clientId: clientIdOf(account),
    tenantId: tenantIdOf(account, options),
    tokenEndpoint: wantsTokenEndpoint(annotations, options) ? options.tokenEndpoint : undefined,
    expirationSeconds,
    skipped: skippedContainers(annotations),
    added,
  }
  return [...namespaceOperations(pod, namespace), ...injectAzure(pod, injection, options, warn)]
}

/** A pod that names another namespace than the request: no API server sends one. */
function namespaceOperations({ metadata }: PatchObject, namespace: string): readonly PodOperation[] {
  const named = isObject(metadata) ? textOf(metadata['namespace']) : ''
  return named === '' || named === namespace ? [] : [{ op: 'add', path: '/metadata/namespace', value: namespace }]
}

/** Of a pod whose types were looked at. What is null is there and empty, as the upstream decodes it. */
export function podAnnotations(pod: PatchObject): Annotations {
  const metadata = isObject(pod['metadata']) ? pod['metadata'] : {}
  const map = metadata['annotations']
  if (!isObject(map)) return none
  if (isAllText(map)) return map
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, textOf(value)]))
}

function isAllText(map: PatchObject): map is Annotations {
  for (const key in map) if (typeof map[key] !== 'string') return false
  return true
}

const none: Annotations = {}
