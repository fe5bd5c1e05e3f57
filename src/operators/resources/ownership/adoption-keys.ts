// The keys by which a kind's resource is found again: what `adoption-fields` takes, and what identifies a resource without an ARN.
import type { ResourceService } from '#aws'
import { inputOf, type KindModel, kindModel } from '../model/kind-model.ts'
import { nameKey } from '../model/names.ts'
import { fieldOf } from '../model/request.ts'

/** The same for a kind of a representation, by its name. */
export function adoptionKeysOf(service: ResourceService, kind: string): readonly string[] {
  const found = service.kinds[kind]
  return found === undefined ? [] : adoptionKeys(kindModel(service, found))
}

/** The keys that `adoption-fields` must have: what the kind's read needs to find a resource. */
export function adoptionKeys(model: KindModel): readonly string[] {
  const { kind, service } = model
  if (kind.settings.arnIsPrimaryKey === true) return ['arn']
  const operation = kind.operations.readOne ?? kind.operations.getAttributes ?? kind.operations.readMany
  const primary = [...kind.spec, ...kind.status].filter(({ primaryKey }) => primaryKey === true).map(({ json }) => json)
  if (operation === undefined) return primary
  const required = inputOf(service.model, operation).required.map(member => {
    const field = fieldOf(model, operation, member)
    if (field !== undefined) return field.json
    return nameKey(member).endsWith('arn') ? 'arn' : member
  })
  return [...new Set([...primary, ...required])]
}
