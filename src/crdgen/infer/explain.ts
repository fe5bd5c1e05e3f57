// Why a field is there and is as it is.
import { didYouMean } from '#base'
import { InferError } from '../infer-error.ts'
import { kindNamed } from './choose-kinds.ts'
import { type Field, type FieldMap, type FieldOrigin, leafOf } from './field-type.ts'
import type { InferredService } from './infer-service.ts'

export interface FieldExplanation {
  readonly path: string
  readonly field: Field
  readonly sentences: readonly string[]
}

/** `Role.spec.name`, `Role.name`, `Role.tags.key`; lists and maps are entered by themselves. */
export function explainField(service: InferredService, path: string): FieldExplanation {
  const [name = '', ...rest] = path.split('.')
  const kind = kindNamed(service, name)
  const part = rest[0] === 'spec' || rest[0] === 'status' ? rest.shift() : undefined
  const tops: readonly (readonly [string, FieldMap])[] = [
    ['spec', kind.spec],
    ['status', kind.status],
  ]
  const candidates = tops.filter(([top]) => part === undefined || part === top)
  const first = rest.shift()
  const all = candidates.flatMap(([, fields]) => [...fields.values()].map(({ json }) => json))
  if (first === undefined)
    throw new InferError('unknown-name', `name a field, such as ${path}.${all[0] ?? 'NAME'}: ${kind.kind} has ${all.join(', ')}`)
  const found = candidates.flatMap(([top, fields]) => {
    const field = named(fields, first)
    return field === undefined ? [] : [{ top, field }]
  })[0]
  if (found === undefined)
    throw new InferError(
      'unknown-name',
      `${kind.kind} has no field "${first}"${didYouMean(first, all) || `; it has ${all.join(', ')}`}`,
    )
  let field = found.field
  let full = `${kind.kind}.${found.top}.${field.json}`
  for (const step of rest) {
    const leaf = leafOf(field.type)
    const fields: FieldMap = leaf.kind === 'structure' ? service.types.fieldsOf(leaf.shape) : new Map()
    const next = named(fields, step)
    const names = [...fields.values()].map(({ json }) => json)
    if (next === undefined)
      throw new InferError(
        'unknown-name',
        `${full} has no member "${step}"${didYouMean(step, names) || `; it has ${names.join(', ') || 'none'}`}`,
      )
    field = next
    full = `${full}.${field.json}`
  }
  return { path: full, field, sentences: sentencesOf(field) }
}

function named(fields: FieldMap, step: string): Field | undefined {
  const bare = step.replace(/(?:\[\]|\{\})+$/, '').toLowerCase()
  return [...fields.values()].find(({ json, names }) => json.toLowerCase() === bare || names.camel.toLowerCase() === bare)
}

const sources: Readonly<Record<FieldOrigin['by'], (origin: FieldOrigin) => string>> = {
  input: ({ operation, member }) => `it is ${member}, of the input of ${operation}`,
  output: ({ operation, member }) => `it is ${member}, of the output of ${operation}, and in no field of the spec`,
  from: ({ operation, member }) => `the config takes it from ${operation}: ${member}`,
  custom_field: ({ member }) => `the config makes it a collection of ${member}`,
  type: () => 'the config defines it and its type',
  attribute: ({ operation }) => `it is an attribute in the map that ${operation} takes`,
  reference: ({ member }) => `another object can give the value beside it${member === undefined ? '' : ` (${member})`}`,
  member: ({ member }) => `it is ${member} in the model`,
}

function sentencesOf({ names, json, model, origin, required, immutable, config }: Field): readonly string[] {
  const sentences = [sources[origin.by](origin)]
  if (origin.renamedFrom !== undefined) sentences.push(`the config renames ${origin.renamedFrom} to ${names.original}`)
  if (json !== names.json) sentences.push(`the config's go_tag writes ${json} for ${names.json}`)
  else if (json.endsWith('_')) sentences.push(`an underscore, since ${json.slice(0, -1)} is a keyword of Go`)
  if (required)
    sentences.push(config?.is_required === true ? 'required by the config' : `required, since the model requires ${model}`)
  if (config?.references !== undefined) sentences.push('never required, since a reference can stand for it')
  if (immutable) sentences.push('immutable by the config')
  if (config?.is_secret === true) sentences.push('a reference to a Secret, by the config')
  if (origin.config !== undefined) sentences.push(`config: ${origin.config}`)
  return sentences
}
