// Which objects a list, watch or deletecollection means: the scope of its path and its two selectors.
import { isRecord } from '#base'
import { type FieldRequirement, type LabelSelector, parseFieldSelector, parseLabelSelector, SelectorError } from '#kube'
import type { Committed } from '../draft.ts'
import type { ResourceCall } from '../http/call.ts'
import { badRequest } from '../refusals.ts'
import type { ServedKind } from '../registry/resource.ts'

export interface ObjectSelection {
  /** Keys begin with this; empty for everything. */
  readonly keyPrefix: string
  /** True when nothing but the key decides. */
  readonly everything: boolean
  matches(object: Committed): boolean
}

export function readSelection(call: ResourceCall): ObjectSelection {
  const { kind, info } = call
  const labels = readLabels(call.query.get('labelSelector'))
  const fields = readFields(call.query.get('fieldSelector'), kind)
  const single = info.name === '' ? undefined : info.name
  const keyPrefix = kind.resource.namespaced && info.namespace !== '' ? `${info.namespace}/` : ''
  if (labels === undefined && fields.length === 0 && single === undefined)
    return { keyPrefix, everything: true, matches: () => true }
  return {
    keyPrefix,
    everything: false,
    matches: object =>
      (single === undefined || object.metadata.name === single) &&
      (labels === undefined || labels.matches(object.metadata.labels)) &&
      fields.every(requirement => meets(object, requirement)),
  }
}

function readLabels(text: string | undefined): LabelSelector | undefined {
  if (text === undefined || text === '') return undefined
  try {
    return parseLabelSelector(text)
  } catch (error) {
    if (error instanceof SelectorError) throw badRequest(error.message)
    throw error
  }
}

function readFields(text: string | undefined, kind: ServedKind): readonly FieldRequirement[] {
  if (text === undefined || text === '') return []
  let requirements: readonly FieldRequirement[]
  try {
    requirements = parseFieldSelector(text)
  } catch (error) {
    if (error instanceof SelectorError) throw badRequest(error.message)
    throw error
  }
  // Of no field nothing can be asked: `=` alone means everything, wherever it stands.
  const asked = requirements.filter(({ field, value }) => field !== '' || value !== '')
  for (const { field } of asked) {
    if (!isSelectable(field, kind)) throw badRequest(unknownField(field, kind))
  }
  return asked
}

function isSelectable(field: string, kind: ServedKind): boolean {
  if (field === 'metadata.name') return true
  if (field === 'metadata.namespace') return kind.resource.namespaced
  return kind.selectableFields.includes(field)
}

function unknownField(field: string, kind: ServedKind): string {
  if (kind.resource.custom !== undefined || kind.selectableFields.length > 0) return `field label not supported: ${field}`
  return `${JSON.stringify(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`
}

function meets(object: Committed, { field, equal, value }: FieldRequirement): boolean {
  return (fieldText(object, field) === value) === equal
}

/** A field's value as selectors compare it: text, empty when missing. */
export function fieldText(object: Committed, field: string): string {
  if (field === 'name') return object.metadata.name ?? ''
  if (field === 'source') return sourceOf(object)
  let value: unknown = object
  for (const part of field.split('.')) {
    if (typeof value !== 'object' || value === null) return ''
    value = (value as Record<string, unknown>)[part]
  }
  if (value === undefined || value === null) return defaultTexts[field] ?? ''
  return typeof value === 'string' ? value : String(value as number | boolean)
}

/** Of an event: who saw it, under the old name or the new one. */
function sourceOf({ source, reportingComponent }: Committed): string {
  const component = isRecord(source) ? source.component : undefined
  const name = component === undefined || component === '' ? reportingComponent : component
  return typeof name === 'string' ? name : ''
}

/** Fields whose absence means something. */
const defaultTexts: Readonly<Record<string, string | undefined>> = {
  'spec.unschedulable': 'false',
  'spec.hostNetwork': 'false',
  'status.replicas': '0',
}
