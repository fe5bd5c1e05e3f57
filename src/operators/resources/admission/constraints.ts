// What the API's model says of values that the CRD does not: lengths, ranges, patterns, closed lists (4.6.7). AWS would refuse them later.
import type { Member, ResourceField, ResourceService, ServiceModel, Shape, StructureShape } from '#aws'
import type { Fields } from '../api.ts'
import { isRecord } from '../model/convert.ts'
import { inputOf, type KindModel, structureFields, structureNamed } from '../model/kind-model.ts'
import { sameName } from '../model/names.ts'
import { bindingOf, fieldOf } from '../model/own-names.ts'

/** As many as people read; an API server drops what is past 4096 characters. */
const problemsMax = 12
/** Longer texts are documents: no pattern of theirs says more than which characters they have. */
const patternedLengthMax = 1_024
/** A repetition within a repetition can take time without end on a text that was made for it. */
const nestedRepetition = /[+*}]\)[+*{]/

/** One sentence for each value that the model does not allow, by its path in the manifest. */
export function constraintProblems(model: KindModel, spec: Fields): readonly string[] {
  const found: string[] = []
  const operation = model.kind.operations.create
  const { members } = createMembers(model, operation)
  for (const [name, member] of Object.entries(members)) {
    const field = fieldOf(model, operation, name)
    if (field === undefined || model.spec.named(field.camel) !== field) continue
    check(model.service, { value: spec[field.json], field, member, path: `spec.${field.json}` }, found)
  }
  return found.slice(0, problemsMax)
}

function createMembers(model: KindModel, operation: string): StructureShape {
  const input = inputOf(model.service.model, operation)
  const wrapper = bindingOf(model, operation).inputWrapper
  const member = Object.entries(input.members).find(([name]) => wrapper !== undefined && sameName(name, wrapper))?.[1]
  return member === undefined ? input : structureNamed(model.service.model, member.target)
}

interface Checked {
  readonly value: unknown
  readonly field: Pick<ResourceField, 'type'>
  readonly member: Member
  readonly path: string
}

function check(service: ResourceService, { value, field: { type }, member, path }: Checked, found: string[]): void {
  const shape: Shape | undefined = service.model.shapes[member.target]
  if (shape === undefined || found.length > problemsMax) return
  if (typeof value === 'string' && shape.type === 'string') found.push(...textProblems(value, shape, path))
  else if (typeof value === 'number') found.push(...rangeProblems(value, shape, path, ''))
  else if (Array.isArray(value) && shape.type === 'list' && type.kind === 'list') {
    found.push(...rangeProblems(value.length, shape, path, ' elements'))
    value.forEach((each, index) =>
      check(service, { value: each, field: { type: type.element }, member: shape.member, path: `${path}[${index}]` }, found),
    )
  } else if (isRecord(value) && shape.type === 'map' && type.kind === 'map') {
    for (const [key, each] of Object.entries(value))
      check(service, { value: each, field: { type: type.value }, member: shape.value, path: `${path}.${key}` }, found)
  } else if (isRecord(value) && type.kind === 'structure') checkStructure(service, { value, type, shape, path }, found)
}

function checkStructure(
  service: ResourceService,
  one: { readonly value: Fields; readonly type: { readonly shape: string }; readonly shape: Shape; readonly path: string },
  found: string[],
): void {
  const { value, type, shape, path } = one
  if (shape.type !== 'structure' && shape.type !== 'union') return
  for (const field of structureFields(service, type.shape)) {
    const member = field.wire === undefined ? undefined : memberOf(shape.members, field.wire)
    if (member !== undefined) check(service, { value: value[field.json], field, member, path: `${path}.${field.json}` }, found)
  }
}

function memberOf(members: StructureShape['members'], name: string): Member | undefined {
  return Object.hasOwn(members, name) ? members[name] : undefined
}

type TextShape = Extract<ServiceModel['shapes'][string], { readonly type: 'string' }>

function textProblems(value: string, shape: TextShape, path: string): readonly string[] {
  if (shape.enum !== undefined && !shape.enum.includes(value))
    return [`${path}: ${JSON.stringify(value.slice(0, 60))} is none of ${shape.enum.slice(0, 12).join(', ')}`]
  const lengths = rangeProblems(Array.from(value).length, shape, path, ' characters')
  if (lengths.length > 0 || fits(value, shape.pattern)) return lengths
  return [`${path}: ${JSON.stringify(value.slice(0, 60))} does not match ${shape.pattern ?? ''}`]
}

function rangeProblems(count: number, shape: Shape, path: string, unit: string): readonly string[] {
  const { min, max } = shape as { readonly min?: number; readonly max?: number }
  if (min !== undefined && count < min) return [`${path}: ${count}${unit} are fewer than ${min}`]
  return max !== undefined && count > max ? [`${path}: ${count}${unit} are more than ${max}`] : []
}

/** Patterns are of another dialect: one that cannot be read here, or could be slow, says nothing. */
function fits(value: string, pattern: string | undefined): boolean {
  if (pattern === undefined || value.length > patternedLengthMax || nestedRepetition.test(pattern)) return true
  try {
    return new RegExp(pattern, 'u').test(value)
  } catch {
    return true
  }
}
