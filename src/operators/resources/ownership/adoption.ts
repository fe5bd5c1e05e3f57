// What a claim's annotations say about a resource that is there already: take it over, or only look at it.

import { type ResourceField, tryParseArn } from '#aws'
import { given } from '#base'
import { annotations, isAnnotatedTrue, type Resource } from '../api.ts'
import type { KindModel } from '../model/kind-model.ts'
import { nameKey } from '../model/names.ts'
import type { Settings } from '../options.ts'
import type { Adoption } from '../seen/seen.ts'
import { adoptionKeys } from './adoption-keys.ts'
import { lookupOf } from './lookup.ts'
import { type OwnershipRecord, recordOf } from './ownership-record.ts'

export function adoptionOf(model: KindModel, claim: Resource, { gates }: Pick<Settings, 'gates'>): Adoption {
  const { annotations: notes = {}, finalizers = [] } = claim.metadata
  if (gates.ReadOnlyResources && isAnnotatedTrue(claim, annotations.readOnly)) return readOnlyOf(model, claim)
  if (notes[annotations.lookup] !== undefined)
    return { kind: 'wrong', message: `${annotations.lookup} is for objects with ${annotations.readOnly}` }
  const policy = notes[annotations.adoptionPolicy]
  const isMarkedAdopted = isAnnotatedTrue(claim, annotations.adopted)
  const isManaged = finalizers.includes(model.finalizer) && isOnRecord(recordOf(claim), isMarkedAdopted)
  const isAskedFor = gates.ResourceAdoption && policy !== undefined
  // Anybody can write that it was adopted. Without our record of it, an object that asks for an adoption is at its beginning.
  if (isMarkedAdopted && (isManaged || !isAskedFor)) {
    // Until the status says what was adopted, the annotation does.
    const text = notes[annotations.adoptionFields]
    const said = text === undefined ? undefined : readFields(model, 'adopt', text)
    return { kind: 'adopted', policy, identifiers: said?.kind === 'adopt' ? said.identifiers : { spec: {}, status: {} } }
  }
  if (!isAskedFor || isManaged) return { kind: 'none' }
  if (policy !== 'adopt' && policy !== 'adopt-or-create')
    return { kind: 'wrong', message: `unrecognized adoption policy: ${policy}; known are adopt, adopt-or-create` }
  if (model.kind.settings.notAdoptable === true) return { kind: 'wrong', message: 'resource not adoptable' }
  const text = notes[annotations.adoptionFields]
  if (text === undefined) {
    if (policy === 'adopt-or-create') return { kind: policy, identifiers: { spec: {}, status: {} } }
    return { kind: 'wrong', message: `${annotations.adoptionFields} is missing; it takes ${adoptionKeys(model).join(', ')}` }
  }
  return readFields(model, policy, text)
}

/** Our record comes first and the annotation with the finalizer after it: with both, the adoption is done. */
function isOnRecord(record: OwnershipRecord, isMarkedAdopted: boolean): boolean {
  return record.kind === 'adopted' ? isMarkedAdopted : record.kind === 'made' || record.kind === 'intended'
}

function readOnlyOf(model: KindModel, claim: Resource): Adoption {
  const lookup = lookupOf(model, claim)
  if (typeof lookup === 'string') return { kind: 'wrong', message: lookup }
  if (lookup !== undefined) return { kind: 'read-only', lookup }
  // An id that AWS chose has no place in a spec.
  const text = claim.metadata.annotations?.[annotations.adoptionFields]
  const said = text === undefined ? undefined : readFields(model, 'adopt', text)
  if (said?.kind === 'wrong') return said
  return { kind: 'read-only', ...(said?.kind === 'adopt' ? { identifiers: said.identifiers } : {}) }
}

function readFields(model: KindModel, policy: 'adopt' | 'adopt-or-create', text: string): Adoption {
  const fields = parseFields(text)
  if (fields === undefined) return { kind: 'wrong', message: `${annotations.adoptionFields} is no JSON object of texts` }
  const spec: Record<string, string | number> = {}
  const status: Record<string, string | number> = {}
  for (const [key, value] of Object.entries(fields)) {
    if (nameKey(key) === 'arn') continue
    const isInSpec = model.spec.named(key)
    const isInStatus = isInSpec ?? model.status.named(key)
    if (isInSpec !== undefined) spec[isInSpec.json] = typed(isInSpec, value)
    else if (isInStatus !== undefined) status[isInStatus.json] = typed(isInStatus, value)
  }
  const arn = fields['arn']
  if (arn !== undefined) fillFromArn(model, arn, { spec, status })
  const missing = arn === undefined ? adoptionKeys(model).find(key => key !== 'arn' && fields[key] === undefined) : undefined
  const needsArn = arn === undefined && adoptionKeys(model).includes('arn')
  if (needsArn) return { kind: 'wrong', message: 'required field missing: arn' }
  if (missing !== undefined) return { kind: 'wrong', message: `required field missing: ${missing}` }
  return { kind: policy, identifiers: { spec, status, ...given({ arn }) } }
}

/** The annotation holds texts; a version, such as a layer's, is a number. */
function typed({ type }: ResourceField, value: string): string | number {
  return type.kind === 'integer' && /^\d{1,15}$/.test(value) ? Number(value) : value
}

/** What an ARN says of the identifiers that the kind's read takes: they stand at its end, in their order. */
function fillFromArn(
  model: KindModel,
  arn: string,
  { spec, status }: { readonly spec: Record<string, string | number>; readonly status: Record<string, string | number> },
): void {
  const resource = tryParseArn(arn)?.resource
  if (resource === undefined) return
  const parts = resource.split(/[/:]/)
  const keys = adoptionKeys(model).filter(key => key !== 'arn' && spec[key] === undefined && status[key] === undefined)
  const values = parts.length > 1 ? parts.slice(1) : parts
  if (values.length < keys.length) return
  keys.forEach((key, index) => {
    const value = nameKey(key).endsWith('arn') ? arn : values.at(index - keys.length)
    const inSpec = model.spec.named(key)
    const inStatus = inSpec === undefined ? model.status.named(key) : undefined
    if (value !== undefined && inSpec !== undefined) spec[inSpec.json] = value
    if (value !== undefined && inStatus !== undefined) status[inStatus.json] = value
  })
}

function parseFields(text: string): Readonly<Record<string, string>> | undefined {
  try {
    const parsed: unknown = JSON.parse(text)
    if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return undefined
    return Object.values(parsed).every(value => typeof value === 'string') ? (parsed as Record<string, string>) : undefined
  } catch {
    return undefined
  }
}
