// What tells a resource from all others of its kind, where no ARN does: the fields of the spec by which its kind is read, in one spelling.

import type { ResourceField } from '#aws'
import type { DeviatingKind } from '../kinds/deviation.ts'
import { type KindModel, onceOfKind } from '../model/kind-model.ts'
import type { Content } from '../model/request.ts'
import { adoptionKeys } from './adoption-keys.ts'
import type { Identity } from './ownership-record.ts'

/** Empty where AWS gives an id, or where a field is not known yet. */
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
