// Documents within fields: JSON or YAML as a text, compared by meaning. Whoever writes a manifest writes them, so that reading one costs no
// more than so much: what is larger, deeper or, by its aliases, stands for more is refused by name and compared by nobody.
import { JSON_SCHEMA, load, YAMLException } from 'js-yaml'
import type { ResourceField } from '#aws'
import type { Fields } from '../api.ts'
import { isRecord } from '../model/convert.ts'
import { fieldsIn, type KindModel, leadsTo, onceOfKind } from '../model/kind-model.ts'

export type ParsedDocument =
  | { readonly kind: 'parsed'; readonly value: unknown }
  /** Neither JSON nor YAML: equal to nothing but itself, and AWS's to refuse. */
  | { readonly kind: 'text' }
  | { readonly kind: 'refused'; readonly problem: string }

/** The largest that an API of AWS takes is a megabyte. */
const lengthMax = 1_048_576
/** YAML takes ten times as long as JSON. */
const yamlLengthMax = 32_768
const valuesMax = 20_000
const depthMax = 100

export function parseDocument(text: string): ParsedDocument {
  if (text.length > lengthMax) return refused(`is longer than ${lengthMax} characters`)
  try {
    return bounded(JSON.parse(text))
  } catch {
    // Perhaps it is YAML.
  }
  if (text.length > yamlLengthMax)
    return refused(`is no JSON, and longer than the ${yamlLengthMax} characters that are read as YAML`)
  try {
    return bounded(load(text, { schema: JSON_SCHEMA, maxDepth: depthMax }))
  } catch (error) {
    if (error instanceof YAMLException) return { kind: 'text' }
    throw error
  }
}

export function sameDocuments(wanted: unknown, latest: unknown): boolean {
  if (wanted === latest) return true
  const [left, right] = [parseDocument(String(wanted)), parseDocument(String(latest))]
  return left.kind === 'parsed' && right.kind === 'parsed' && meaningOf(left.value) === meaningOf(right.value)
}

/** Why a document of the spec cannot be looked after, with the path of its field. */
export function documentProblem(
  model: KindModel,
  values: Fields,
  { shape, path }: { readonly shape: string | undefined; readonly path: string } = theSpec,
): string | undefined {
  for (const { json, camel, type } of documentsIn(model, shape)) {
    const value = values[json]
    const at = `${path}.${camel}`
    if (type.kind === 'structure') {
      const problem = isRecord(value) ? documentProblem(model, value, { shape: type.shape, path: at }) : undefined
      if (problem !== undefined) return problem
    } else if (typeof value === 'string') {
      const parsed = parseDocument(value)
      if (parsed.kind === 'refused') return `${at}: the document ${parsed.problem}`
    }
  }
  return undefined
}

const theSpec = { shape: undefined, path: 'Spec' } as const

/** The fields of a structure, or of the spec, that are documents or structures which lead to some. */
const documentsIn: (model: KindModel, shape: string | undefined) => readonly ResourceField[] = onceOfKind((model, shape) =>
  fieldsIn(model, shape).filter(field =>
    field.type.kind === 'structure' ? leadsTo(model, field, isDocument) : isDocument(field),
  ),
)

function isDocument({ document, iamPolicy, compare }: ResourceField): boolean {
  return document === true || iamPolicy === true || compare?.normalise === 'json'
}

function bounded(value: unknown): ParsedDocument {
  let left = valuesMax
  const problemAt = (one: unknown, depth: number): string | undefined => {
    if (depth > depthMax) return `is nested deeper than ${depthMax} levels`
    if (--left < 0) return `stands for more than ${valuesMax} values`
    if (typeof one !== 'object' || one === null) return undefined
    for (const each of Object.values(one)) {
      const problem = problemAt(each, depth + 1)
      if (problem !== undefined) return problem
    }
    return undefined
  }
  const problem = problemAt(value, 0)
  return problem === undefined ? { kind: 'parsed', value } : refused(problem)
}

function refused(problem: string): ParsedDocument {
  return { kind: 'refused', problem }
}

/** A text that is equal for documents of equal meaning: keys in order, nil, empty objects and empty lists left out of objects. */
function meaningOf(value: unknown): string {
  return JSON.stringify(ordered(value)) ?? ''
}

function ordered(value: unknown): unknown {
  if (value === null) return undefined
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map(ordered)
  if (!isRecord(value)) return value
  const kept = Object.keys(value)
    .sort()
    .map(name => [name, ordered(value[name])] as const)
    .filter(([, each]) => each !== undefined)
  return kept.length === 0 ? undefined : kept
}
