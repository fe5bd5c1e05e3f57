// Fields as the published Go types show them: name, type, tag.
import { compareText } from '#base'
import type { FieldMap, FieldType } from '../infer/field-type.ts'
import { namesOf } from '../infer/names.ts'

export interface TypeViewRow {
  readonly name: string
  readonly type: string
  readonly tag: string
}

export function typeView(fields: FieldMap): readonly TypeViewRow[] {
  return [...fields.values()]
    .sort((a, b) => compareText(a.names.camel, b.names.camel))
    .map(({ names, json, type, required }) => ({
      name: names.camel,
      type: goType(type),
      tag: `json:"${json}${required ? '' : ',omitempty'}"`,
    }))
}

export function goType(type: FieldType): string {
  switch (type.kind) {
    case 'string':
      return '*string'
    case 'boolean':
      return '*bool'
    case 'integer':
      return '*int64'
    case 'number':
      return '*float64'
    case 'timestamp':
      return '*metav1.Time'
    case 'blob':
      return '[]byte'
    case 'list':
      return `[]${goType(type.element)}`
    case 'map':
      return `map[string]${goType(type.value)}`
    case 'structure':
      return `*${namesOf(type.shape).camel}`
    case 'secret':
      return '*ackv1alpha1.SecretKeyReference'
    case 'reference':
      return '*ackv1alpha1.AWSResourceReferenceWrapper'
    default:
      return type.what
  }
}
