// A DaemonSet counts the versions of its template in an annotation, as it did before generations were there; nobody else can set it later.
import { memberAt } from '#base'
import { type Draft, equalJson } from '../draft.ts'
import type { Behaviour } from './resource.ts'

const annotation = 'deprecated.daemonset.template.generation'

export const daemonTemplates: Pick<Behaviour, 'prepareCreate' | 'prepareUpdate'> = {
  prepareCreate: draft => count(draft, Math.max(1, countOf(draft))),
  prepareUpdate: (draft, live, subresource) => {
    const isChanged = subresource === '' && !equalJson(templateOf(draft), templateOf(live))
    count(draft, countOf(live) + (isChanged ? 1 : 0))
  },
}

function count(draft: Draft, value: number): void {
  draft.metadata.annotations = { ...draft.metadata.annotations, [annotation]: String(value) }
}

function countOf({ metadata }: Readonly<Draft>): number {
  const value = Number(metadata.annotations?.[annotation] ?? 0)
  return Number.isSafeInteger(value) ? value : 0
}

function templateOf({ spec }: Readonly<Draft>): unknown {
  return memberAt(spec, 'template')
}
