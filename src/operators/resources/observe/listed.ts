// What AWS has of a kind, by the kind's own list operation: the identifiers by which each is read.

import { structuresOf } from '../kinds/calls.ts'
import type { Caller, DeviatingKind } from '../kinds/deviation.ts'
import { candidatesOf } from '../model/answer.ts'
import { inputOf, type KindModel, outputOf } from '../model/kind-model.ts'
import { propertyNamed } from '../model/names.ts'
import { fieldOf, ownIdentifier } from '../model/own-names.ts'
import type { Content, Values } from '../model/request.ts'
import { adoptionKeys } from '../ownership/adoption-keys.ts'

export interface Listed {
  /** Identifiers, and nothing else. */
  readonly content: Content
  /** What it is called: names and ids as the list tells them. */
  readonly names: readonly string[]
  /** All that the list tells. */
  readonly element: Values
}

/** A kind whose resources cannot be listed, or not without being told where. */
export class ListingError extends Error {
  override readonly name = 'ListingError'
  /** Inputs that the list needs. */
  readonly missing: readonly string[]
  constructor(message: string, missing: readonly string[] = []) {
    super(message)
    this.missing = missing
  }
}

/** The operation that lists what there is of the kind. */
export function listOperation({ model, deviation }: DeviatingKind): string | undefined {
  return deviation.exported?.operation ?? model.kind.operations.readMany
}

/** `given`: inputs that the list needs, such as `clusterName`. */
export async function* listed(
  kind: DeviatingKind,
  given: Readonly<Record<string, string>>,
  caller: Caller,
): AsyncGenerator<Listed> {
  const { model, deviation } = kind
  const { exported } = deviation
  const operation = listOperation(kind)
  if (operation === undefined) throw new ListingError(`${model.id} has no operation that lists it`)
  const inputs = Object.entries(given).map(([name, value]) => {
    const member = propertyNamed(inputOf(model.service.model, operation).members, name)
    if (member === undefined) throw new ListingError(`${operation} takes no ${name}`)
    return [member.name, value] as const
  })
  const input: Values = { ...exported?.input, ...Object.fromEntries(inputs) }
  const missing = inputOf(model.service.model, operation).required.filter(name => input[name] === undefined)
  if (missing.length > 0) throw new ListingError(`${operation} needs ${missing.join(', ')}`, missing)
  for await (const page of caller.pages(operation, input)) {
    for (const element of elementsOf(model, operation, page)) {
      const content = identified(model, { ...Object.fromEntries(inputs), ...element })
      if (exported?.skips?.(element) !== true && content !== undefined)
        yield { content, names: namesOf(model, element, content), element }
    }
  }
}

/** What a list names: structures as they are; a list of texts as structures with the one name that identifies. */
export function elementsOf(model: KindModel, operation: string, page: Values): readonly Values[] {
  const { values } = candidatesOf(model, operation, page)
  if (values.length > 0) return values
  const wrapped = Object.values(page).flatMap(value => structuresOf(value))
  if (wrapped.length > 0) return wrapped
  for (const name of Object.keys(outputOf(model.service.model, operation).members)) {
    const value = page[name]
    if (Array.isArray(value) && value.every(each => typeof each === 'string'))
      return value.map(each => ({ [each.startsWith('arn:') ? 'Arn' : 'Name']: each }))
  }
  return []
}

/** The identifiers that the kind's read takes, out of what a list tells of a resource. */
function identified(model: KindModel, element: Values): Content | undefined {
  const { kind, service } = model
  const spec: Record<string, unknown> = {}
  const status: Record<string, unknown> = {}
  const arn = propertyNamed(element, 'Arn')?.value ?? propertyNamed(element, `${kind.resource}Arn`)?.value
  const operation = kind.operations.readOne ?? kind.operations.getAttributes
  const required = operation === undefined ? [] : inputOf(service.model, operation).required
  const keys = operation === undefined ? adoptionKeys(model).filter(key => key !== 'arn') : required
  for (const member of keys) {
    const field =
      operation === undefined
        ? (model.spec.named(member) ?? model.status.named(member))
        : (fieldOf(model, operation, member) ?? ownIdentifier(model, member))
    const names = [member, field?.camel ?? '', 'Name', 'Id', `${kind.resource}Name`, `${kind.resource}Id`]
    const value = names.map(name => propertyNamed(element, name)?.value).find(each => typeof each === 'string')
    if (value === undefined || field === undefined) continue
    if (model.spec.named(field.camel) === field) spec[field.json] = value
    else status[field.json] = value
  }
  if (Object.keys(spec).length + Object.keys(status).length === 0 && typeof arn !== 'string') return undefined
  return { spec, status, ...(typeof arn === 'string' ? { arn } : {}) }
}

/** By what people would call it. */
function namesOf({ kind }: KindModel, element: Values, { spec, status, arn }: Content): readonly string[] {
  const told = ['Name', `${kind.resource}Name`, 'Id', `${kind.resource}Id`].map(name => propertyNamed(element, name)?.value)
  const all = [...told, ...Object.values(spec), ...Object.values(status), arn?.split(/[/:]/).at(-1)]
  return [...new Set(all.filter(each => typeof each === 'string'))]
}
