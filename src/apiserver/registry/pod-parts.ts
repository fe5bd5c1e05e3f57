// The parts of a pod that have a subresource of their own. A write of one takes that part of the request, and nothing else.
import { isRecord } from '#base'
import type { Draft } from '../draft.ts'

export function isPodPart(subresource: string): boolean {
  return subresource === 'ephemeralcontainers' || subresource === 'resize'
}

/** Puts back what the subresource does not write. */
export function keepOnlyPart(draft: Draft, live: Readonly<Draft>, subresource: string): void {
  if (!isPodPart(subresource)) return
  const wanted = isRecord(draft.spec) ? draft.spec : {}
  // Where it does not have the same number of containers, all is left as it was sent, for the rules to refuse.
  if (subresource === 'resize' && lists.some(list => sizeOf(wanted, list) !== sizeOf(live.spec, list))) return
  draft.spec = subresource === 'resize' ? resized(live.spec, wanted) : withLaterContainers(live.spec, wanted)
  const { managedFields, resourceVersion, uid, deletionGracePeriodSeconds } = draft.metadata
  draft.metadata = { ...live.metadata }
  if (managedFields !== undefined) draft.metadata.managedFields = managedFields
  if (resourceVersion !== undefined) draft.metadata.resourceVersion = resourceVersion
  // These are left for the rules to refuse.
  if (uid !== undefined) draft.metadata.uid = uid
  if (deletionGracePeriodSeconds !== undefined) draft.metadata.deletionGracePeriodSeconds = deletionGracePeriodSeconds
}

const lists = ['containers', 'initContainers'] as const

function sizeOf(spec: unknown, list: string): number {
  return recordsOf(isRecord(spec) ? spec[list] : undefined).length
}

function withLaterContainers(live: unknown, wanted: Record<string, unknown>): Record<string, unknown> {
  const { ephemeralContainers: _before, ...spec } = isRecord(live) ? live : {}
  const { ephemeralContainers } = wanted
  return ephemeralContainers === undefined ? spec : { ...spec, ephemeralContainers }
}

function resized(live: unknown, wanted: Record<string, unknown>): Record<string, unknown> {
  const spec = isRecord(live) ? live : {}
  const changed: Record<string, unknown> = { ...spec }
  for (const list of lists)
    if (spec[list] !== undefined || wanted[list] !== undefined) changed[list] = resizedList(spec[list], wanted[list])
  return changed
}

/** Where names do not fit, the list is left as it was sent, for the rules to refuse. */
function resizedList(live: unknown, wanted: unknown): unknown {
  const [before, now] = [recordsOf(live), recordsOf(wanted)]
  const isSame = before.length === now.length && before.every((container, index) => container.name === now[index]?.name)
  if (!isSame) return wanted
  return before.map((container, index) => {
    const { resources: _resources, resizePolicy: _policy, ...rest } = container
    const { resources, resizePolicy } = now[index] ?? {}
    return { ...rest, ...(resources !== undefined && { resources }), ...(resizePolicy !== undefined && { resizePolicy }) }
  })
}

function recordsOf(list: unknown): readonly Record<string, unknown>[] {
  return Array.isArray(list) ? list.filter(isRecord) : []
}
