// Differences between a published CRD and an inferred one that are a matter of the model's version, each with its proof in the model.
import type { ServiceModel } from '#aws'
import { exported } from '../infer/api.ts'
import type { Field, FieldMap } from '../infer/field-type.ts'
import { leafOf } from '../infer/field-type.ts'
import type { InferredService } from '../infer/infer-service.ts'
import type { InferredKind } from '../infer/inferred-kind.ts'
import { namesOf } from '../infer/names.ts'
import type { Difference } from './diff.ts'

export interface JudgedDifference {
  readonly difference: Difference
  /** What in the model proves that it is a matter of versions; absent for a failure of ours. */
  readonly proof?: string
}

/** `differences` are of the published CRD against the inferred one. `published` are all paths of the service's published CRDs. */
export function judgeSkew(
  differences: readonly Difference[],
  {
    service,
    kind,
    published,
  }: { readonly service: InferredService; readonly kind: InferredKind; readonly published: ReadonlySet<string> },
): readonly JudgedDifference[] {
  return differences.map(difference => {
    const proof = proofOf(difference, { service, kind, published })
    return proof === undefined ? { difference } : { difference, proof }
  })
}

function proofOf(
  { class: name, path }: Difference,
  {
    service,
    kind,
    published,
  }: { readonly service: InferredService; readonly kind: InferredKind; readonly published: ReadonlySet<string> },
): string | undefined {
  if (name === 'missing') return absentMember(path, { service, kind })
  return name === 'extra' ? newMember(path, { service, kind, published }) : undefined
}

/** No operation of the model that could feed the kind has a member of that name, so no rule could have made the field. */
function absentMember(
  path: string,
  { service, kind }: { readonly service: InferredService; readonly kind: InferredKind },
): string | undefined {
  let reached = partOf(path)
  let parent: Field | undefined
  for (const step of stepsOf(path)) {
    reached = `${reached}.${step}`
    const field = fieldAt(service, kind, reached)
    if (field === undefined) {
      const leaf = parent === undefined ? undefined : leafOf(parent.type)
      return leaf?.kind === 'structure' ? absentFrom(service.model, leaf.shape, step) : absentFromOperations(service, kind, step)
    }
    parent = field
  }
  return undefined
}

function absentFrom(model: ServiceModel, shape: string, json: string): string | undefined {
  const found = model.shapes[shape]
  if (found === undefined || (found.type !== 'structure' && found.type !== 'union')) return undefined
  const near = Object.keys(found.members).filter(member => isNamed(member, json))
  return near.length === 0 ? `shape ${shape} has no member that is called ${json}` : undefined
}

/** At the top of spec and status: the config says what to take and from where. */
function absentFromOperations(
  { api, loaded, model }: InferredService,
  { resource, operations }: InferredKind,
  json: string,
): string | undefined {
  const entry = [...(loaded.config.resources?.get(resource)?.fields ?? [])].find(([key]) => isNamed(key, json))
  const from = entry?.[1].from
  if (from !== undefined) {
    const operation = api.operations.get(from.operation ?? '')
    return operation === undefined ? `operation ${from.operation} does not exist` : undefined
  }
  const sources = sourcesOf(loaded, resource, json)
  const create = model.operations[operations.Create ?? '']
  const payloads = [create?.input, create?.output].filter(name => name !== undefined)
  const shapes = payloads.flatMap(payload => [payload, ...structuresBelow(model, payload)])
  const holding = shapes.find(shape => sources.some(source => absentFrom(model, shape, namesOf(source).json) === undefined))
  return holding === undefined
    ? `neither input nor output of ${operations.Create} has a member that is called ${sources.join(' or ')}`
    : undefined
}

/** The name, and those that the config renames to it. A reference stands for the field beside it. */
function sourcesOf(loaded: InferredService['loaded'], resource: string, json: string): readonly string[] {
  const names = [json]
  for (const { input_fields: inputs, output_fields: outputs } of loaded.config.resources
    ?.get(resource)
    ?.renames?.operations?.values() ?? []) {
    for (const [from, to] of [...(inputs ?? []), ...(outputs ?? [])]) if (isNamed(to, json)) names.push(namesOf(from).json)
  }
  return names
}

function structuresBelow(model: ServiceModel, payload: string): readonly string[] {
  const shape = model.shapes[payload]
  if (shape?.type !== 'structure') return []
  return Object.values(shape.members)
    .map(({ target }) => target)
    .filter(target => model.shapes[target]?.type === 'structure')
}

/** Also as the reference to it, in one or in many. */
function isNamed(member: string, json: string): boolean {
  const own = namesOf(exported(member)).json.replace(/_$/, '').toLowerCase()
  const wanted = json.replace(/_$/, '').toLowerCase()
  const stem = wanted.replace(/refs?$/, '')
  return (
    own === wanted ||
    (stem !== wanted && [stem, `${stem}arn`, `${stem}id`, `${stem}name`, `${stem}s`, `${stem}arns`, `${stem}ids`].includes(own))
  )
}

/** The member comes from the model, and nothing that is published was made of this member of this structure. */
function newMember(
  path: string,
  {
    service,
    kind,
    published,
  }: { readonly service: InferredService; readonly kind: InferredKind; readonly published: ReadonlySet<string> },
): string | undefined {
  const parentPath = path.replace(/(?:\[\]|\{\})*\.[^.]*$/, '')
  // Below a field that is extra itself: the proof of that one is the proof.
  if (parentPath !== partOf(path) && !published.has(parentPath)) return newMember(parentPath, { service, kind, published })
  const origin = fieldAt(service, kind, path)?.origin
  if (origin?.member === undefined || origin.config !== undefined) return undefined
  const elsewhere = service.kinds.some(each => [...published].some(one => memberAt(service, each, one) === origin.member))
  return elsewhere ? undefined : `${origin.member} is in this model and in no published kind`
}

/** `spec` or `status`. */
function partOf(path: string): string {
  return path.replace(/\..*$/, '')
}

/** What is below that. */
function stepsOf(path: string): readonly string[] {
  return path
    .split('.')
    .slice(1)
    .map(step => step.replace(/(?:\[\]|\{\})+$/, ''))
}

/** The model's member behind a path of a CRD. */
function memberAt(service: InferredService, kind: InferredKind, path: string): string | undefined {
  return fieldAt(service, kind, path)?.origin.member
}

function fieldAt({ types }: InferredService, kind: InferredKind, path: string): Field | undefined {
  let fields: FieldMap | undefined = partOf(path) === 'spec' ? kind.spec : kind.status
  let field: Field | undefined
  for (const step of stepsOf(path)) {
    field = [...(fields?.values() ?? [])].find(({ json }) => json === step)
    if (field === undefined) return undefined
    const leaf = leafOf(field.type)
    fields = leaf.kind === 'structure' ? types.fieldsOf(leaf.shape) : undefined
  }
  return field
}
