// Injection into a pod: variables, volume, mounts and, where asked for, the proxy, as operations in the order of §6.3.

import { appendAll, isObject, type PatchObject, type PodOperation, prepend, type RawList, readList } from '../patch.ts'
import { textOf } from '../review.ts'
import { type AzureWebhookOptions, caPath, layoutPaths, type TokenEndpoint } from './api.ts'
import { applyAdditions } from './apply-additions.ts'
import { type AzureIdentity, type AzureVariable, environmentOperations, identityVariables } from './environment.ts'
import { tokenVolume } from './layout.ts'
import { type AzureWarn, type MountWish, mountOperations, mountWish } from './mount.ts'
import type { AddedContainers } from './proxy-containers.ts'

export interface AzureInjection extends AzureIdentity {
  readonly expirationSeconds: bigint
  readonly skipped: ReadonlySet<string>
  readonly added: AddedContainers
}

interface Work {
  readonly skipped: ReadonlySet<string>
  readonly mount: MountWish
  readonly variables: readonly AzureVariable[]
  readonly warn: AzureWarn
}

/** None when all is there already. */
export function injectAzure(
  pod: PatchObject,
  injection: AzureInjection,
  options: AzureWebhookOptions,
  warn: AzureWarn,
): readonly PodOperation[] {
  if (!isObject(pod['spec']))
    // No API server takes such a pod; whoever else asks sees what would be in it.
    return [{ op: 'add', path: '/spec', value: {} }, ...injectAzure({ ...pod, spec: {} }, injection, options, warn)]
  const spec = pod['spec']
  const [init, regular] = [readList(spec, '/spec', 'initContainers'), readList(spec, '/spec', 'containers')]
  const touched = [...init.items, ...regular.items].filter(({ name }) => !injection.skipped.has(textOf(name)))
  const audience = injection.tokenEndpoint?.audience ?? options.audience
  const volume = tokenVolume(pod, touched, { layout: options.layout, audience, sources: sourcesOf(injection, audience, options) })
  const work: Work = {
    skipped: injection.skipped,
    mount: mountWish(options.layout, volume.name, warn),
    variables: identityVariables(injection, options),
    warn,
  }
  const { sidecar, init: added } = injection.added
  return [
    ...volume.operations,
    ...listOperations(init, { front: sidecar?.list === 'initContainers' ? sidecar.container : undefined, back: added }, work),
    ...listOperations(regular, { front: sidecar?.list === 'containers' ? sidecar.container : undefined }, work),
  ]
}

interface Additions {
  readonly front?: PatchObject | undefined
  readonly back?: PatchObject | undefined
}

function listOperations(list: RawList, { front, back }: Additions, work: Work): readonly PodOperation[] {
  const [first, last] = [ours(front, work), ours(back, work)]
  if (list.isMissing) return appendAll(list, [...first, ...last])
  return [
    ...first.map(container => prepend(list, container)),
    // What is null in a list is no container, and nothing can be added to it.
    ...list.items.flatMap((container, index) =>
      Object.keys(container).length > 0 ? containerOperations(container, `${list.path}/${index + first.length}`, work) : [],
    ),
    ...appendAll(list, last),
  ]
}

function containerOperations(container: PatchObject, path: string, work: Work): readonly PodOperation[] {
  if (work.skipped.has(textOf(container['name']))) return []
  return [...environmentOperations(container, path, work.variables, work.warn), ...mountOperations(container, path, work.mount)]
}

/** A container of ours comes whole: with its identity, unless the pod skips it by name. */
function ours(container: PatchObject | undefined, work: Work): readonly PatchObject[] {
  return container === undefined ? [] : [applyAdditions(container, containerOperations(container, '', work))]
}

function sourcesOf(
  { expirationSeconds, tokenEndpoint }: AzureInjection,
  audience: string,
  { layout }: AzureWebhookOptions,
): readonly PatchObject[] {
  const { tokenPath } = layoutPaths[layout]
  const token = { audience, expirationSeconds: Number(expirationSeconds), path: tokenPath }
  return [{ serviceAccountToken: token }, ...(tokenEndpoint === undefined ? [] : caSources(tokenEndpoint))]
}

function caSources({ ca }: TokenEndpoint): readonly PatchObject[] {
  switch (ca.kind) {
    case 'config-map':
      return [{ configMap: { name: ca.name, items: [{ key: 'ca.crt', path: caPath }], optional: false } }]
    case 'trust-bundle': {
      const selector = ca.labelSelector === undefined ? {} : { labelSelector: ca.labelSelector }
      return [{ clusterTrustBundle: { signerName: ca.signerName, ...selector, path: caPath, optional: false } }]
    }
    default:
      return []
  }
}
