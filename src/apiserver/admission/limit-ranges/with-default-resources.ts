// What containers that say nothing ask for, with a note on the pod of what was given.
import { isRecord } from '#base'
import type { Draft } from '../../draft.ts'
import { type Amounts, askedBy, containersIn, type LimitItem } from './limit-items.ts'

const noteKey = 'kubernetes.io/limit-ranger'

export function withDefaultResources(pod: Draft, items: readonly LimitItem[]): Draft {
  const defaults = { requests: merged(items, 'defaultRequest'), limits: merged(items, 'default') }
  const notes: string[] = []
  const spec: Record<string, unknown> = isRecord(pod.spec) ? { ...pod.spec } : {}
  for (const [field, word] of [
    ['containers', 'container'],
    ['initContainers', 'init container'],
  ] as const) {
    if (!Array.isArray(spec[field])) continue
    spec[field] = containersIn(spec, field).map(container => given(container, defaults, word, notes))
  }
  if (notes.length === 0) return pod
  const annotations = { ...pod.metadata.annotations, [noteKey]: `LimitRanger plugin set: ${notes.join('; ')}` }
  return { ...pod, metadata: { ...pod.metadata, annotations }, spec }
}

function merged(items: readonly LimitItem[], field: 'default' | 'defaultRequest'): Amounts {
  return items.filter(({ type }) => type === 'Container').reduce((all, item) => ({ ...all, ...item[field] }), {})
}

function given(
  container: Readonly<Record<string, unknown>>,
  defaults: { readonly requests: Amounts; readonly limits: Amounts },
  word: string,
  notes: string[],
): Readonly<Record<string, unknown>> {
  const asked = askedBy(container)
  const resources: Record<string, unknown> = isRecord(container.resources) ? { ...container.resources } : {}
  for (const [field, name] of [
    ['requests', 'request'],
    ['limits', 'limit'],
  ] as const) {
    const missing = Object.keys(defaults[field]).filter(key => asked[field][key] === undefined)
    if (missing.length === 0) continue
    notes.push(`${missing.toSorted().join(', ')} ${name} for ${word} ${String(container.name)}`)
    resources[field] = { ...defaults[field], ...asked[field] }
  }
  return { ...container, resources }
}
