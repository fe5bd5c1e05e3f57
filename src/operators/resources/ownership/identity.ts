// What tells a resource from all others of its kind, where no ARN does: the fields of the spec by which its kind is read, in one spelling.

import type { DeviatingKind } from '../kinds/deviation.ts'
import type { Content } from '../model/request.ts'
import { adoptionKeys } from './adoption-keys.ts'
import type { Identity } from './ownership-record.ts'

/** Empty where AWS gives an id, or where a field is not known yet. */
export function identityOf({ model, deviation }: DeviatingKind, content: Content): Identity {
  if (deviation.identity !== undefined) return deviation.identity(content)
  const found: Record<string, string> = {}
  for (const key of adoptionKeys(model)) {
    const field = model.spec.named(key)
    const value = field === undefined ? undefined : content.spec[field.json]
    if (field === undefined || typeof value !== 'string' || value === '') return {}
    found[field.json] = value
  }
  return found
}
