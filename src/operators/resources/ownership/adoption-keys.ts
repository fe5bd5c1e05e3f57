// The keys by which a kind's resource is found again: what `adoption-fields` takes, and what identifies a resource without an ARN.
import type { ResourceField, ResourceService } from '#aws'
import type { DeviatingKind } from '../kinds/deviation.ts'
import { inputOf, type KindModel, kindModel, onceOfKind } from '../model/kind-model.ts'
import { nameKey } from '../model/names.ts'
import { fieldOf, isIdentifierName, isRenamedFor, ownIdentifier } from '../model/own-names.ts'
import type { Content } from '../model/request.ts'
import type { Identity } from './ownership-record.ts'

/** The keys that `adoption-fields` must have: what the kind's read needs to find a resource. */
export const adoptionKeys: (model: KindModel) => readonly string[] = onceOfKind(model => {
  const { kind, service } = model
  if (kind.settings.arnIsPrimaryKey === true) return ['arn']
  const operation = kind.operations.readOne ?? kind.operations.getAttributes ?? kind.operations.readMany
  const primary = [...kind.spec, ...kind.status].filter(({ primaryKey }) => primaryKey === true).map(({ json }) => json)
  if (operation === undefined) return primary
  const shape = inputOf(service.model, operation)
  const renamed = Object.keys(shape.members).filter(name => isRenamedFor(model, operation, name))
  const required = [...new Set([...shape.required, ...renamed])].map(member => {
    const field = fieldOf(model, operation, member) ?? ownIdentifier(model, member)
    if (field !== undefined) return field.json
    return nameKey(member).endsWith('arn') ? 'arn' : member
  })
  const listed = kind.operations.readOne === undefined && kind.operations.getAttributes === undefined
  return [...new Set([...primary, ...required, ...(listed && primary.length === 0 ? ownIn(model, operation) : [])])]
})

/** The same for a kind of a representation, by its name. */
export function adoptionKeysOf(service: ResourceService, kind: string): readonly string[] {
  const found = service.kinds[kind]
  return found === undefined ? [] : adoptionKeys(kindModel(service, found))
}

/** What a list is asked for to find this one among its neighbours, by its id before its name. */
function ownIn(model: KindModel, operation: string): readonly string[] {
  const members = Object.keys(inputOf(model.service.model, operation).members)
  const own = members.flatMap(
    name => ownIdentifier(model, name) ?? (isIdentifierName(model, name) ? (fieldOf(model, operation, name) ?? []) : []),
  )
  const [first] = [...own.filter(({ camel }) => camel.endsWith('ID')), ...own]
  return first === undefined ? [] : [first.json]
}

/** What tells a resource from all others of its kind; empty where AWS gives an id, or where a field is not known yet. */
export function identityOf({ model, deviation }: DeviatingKind, content: Content): Identity {
  if (deviation.identity !== undefined) return deviation.identity(content)
  const found: Record<string, string> = {}
  for (const { json } of identifyingFields(model)) {
    const value = content.spec[json]
    if (typeof value !== 'string' || value === '') return {}
    found[json] = value
  }
  return found
}

/** None where AWS gives an id. */
const identifyingFields: (model: KindModel) => readonly ResourceField[] = onceOfKind(model => {
  const fields = adoptionKeys(model).map(key => model.spec.named(key))
  return fields.some(field => field === undefined) ? [] : fields.filter(field => field !== undefined)
})
