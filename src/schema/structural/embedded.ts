// Objects inside objects (`x-kubernetes-embedded-resource`): they must say what they are, and what they say must be well formed.
import { dns1035LabelErrors, labelValueErrors, pathSegmentErrors, qualifiedNameErrors } from '#kube'
import { decodeAs } from '../builtin/decode.ts'
import { type StructType, typeNamed } from '../builtin/types.ts'
import { type FieldError, fieldError, renderFieldError } from '../field-error.ts'
import { isList, isObject, type Json, type JsonObject } from '../json.ts'
import type { SchemaNode } from '../node/node.ts'

export function checkEmbedded(node: SchemaNode, value: Json, at: string, errors: FieldError[]): void {
  if (!node.has.embedded) return
  if (isList(value)) {
    if (node.items !== undefined)
      for (let i = 0; i < value.length; i++) checkEmbedded(node.items, value[i] as Json, `${at}[${i}]`, errors)
    return
  }
  if (!isObject(value)) return
  if (node.embedded) checkResource(value, at, errors)
  for (const key of Object.keys(value)) {
    const declared = node.properties?.[key]
    const child = declared ?? node.additional
    if (child === undefined) continue
    checkEmbedded(child, value[key] as Json, declared === undefined ? `${at}[${key}]` : at === '' ? key : `${at}.${key}`, errors)
  }
}

function checkResource(value: JsonObject, at: string, errors: FieldError[]): void {
  const { apiVersion, kind, metadata } = value
  if (typeof apiVersion !== 'string') errors.push(fieldError.required(`${at}.apiVersion`))
  else if (apiVersion === '') errors.push(fieldError.invalid(`${at}.apiVersion`, '', 'must not be empty'))
  else if (apiVersion.split('/').length > 2) {
    errors.push(fieldError.invalid(`${at}.apiVersion`, apiVersion, `unexpected GroupVersion string: ${apiVersion}`))
  }
  if (typeof kind !== 'string') errors.push(fieldError.required(`${at}.kind`))
  else checkKind(kind, `${at}.kind`, errors)
  if (isObject(metadata)) checkMetadata(metadata, `${at}.metadata`, errors)
}

function checkKind(kind: string, at: string, errors: FieldError[]): void {
  if (kind === '') errors.push(fieldError.invalid(at, '', 'must not be empty'))
  else
    for (const detail of dns1035LabelErrors(kind.toLowerCase()))
      errors.push(fieldError.invalid(at, kind, `may have mixed case, but should otherwise match: ${detail}`))
}

function checkMetadata(metadata: JsonObject, at: string, errors: FieldError[]): void {
  const { name, labels, ownerReferences } = metadata
  if (isList(ownerReferences)) checkOwners(ownerReferences, `${at}.ownerReferences`, errors)
  if (typeof name === 'string' && name !== '') {
    for (const detail of pathSegmentErrors(name)) errors.push(fieldError.invalid(`${at}.name`, name, detail))
  }
  if (!isObject(labels)) return
  for (const [key, value] of Object.entries(labels)) {
    for (const detail of qualifiedNameErrors(key)) errors.push(fieldError.invalid(`${at}.labels`, key, detail))
    if (typeof value !== 'string') continue
    for (const detail of labelValueErrors(value)) errors.push(fieldError.invalid(`${at}.labels`, value, detail))
  }
}

function checkOwners(owners: readonly Json[], at: string, errors: FieldError[]): void {
  for (const owner of owners) {
    if (!isObject(owner)) continue
    if (owner.apiVersion === undefined || owner.apiVersion === '')
      errors.push(fieldError.invalid(`${at}.apiVersion`, '', 'version must not be empty'))
    for (const key of ['kind', 'name', 'uid']) {
      if (owner[key] === undefined || owner[key] === '') errors.push(fieldError.invalid(`${at}.${key}`, '', 'must not be empty'))
    }
  }
}

type Coerced = { readonly value: Json } | { readonly malformed: string }

/** Embedded metadata holds what metadata holds and nothing else; what no metadata can hold is refused. */
export function coerceEmbedded(node: SchemaNode, value: Json, at: string, unknown: string[]): Coerced {
  if (!node.has.embedded) return { value }
  if (isList(value)) return node.items === undefined ? { value } : coerceList(node.items, value, at, unknown)
  if (!isObject(value)) return { value }
  let out: Record<string, Json> | undefined
  for (const key of Object.keys(value)) {
    const path = at === '' ? key : `${at}.${key}`
    const child = node.properties?.[key] ?? node.additional
    const item = value[key] as Json
    const isMetadata = node.embedded && key === 'metadata'
    if (node.embedded && (key === 'apiVersion' || key === 'kind') && typeof item !== 'string')
      return refuseAs(path, item, 'must be a string')
    if (!isMetadata && child === undefined) continue
    const coerced = isMetadata ? coerceMetadata(item, path, unknown) : coerceEmbedded(child as SchemaNode, item, path, unknown)
    if ('malformed' in coerced) return coerced
    if (coerced.value === item) continue
    out ??= { ...value }
    out[key] = coerced.value
  }
  return { value: out ?? value }
}

function coerceList(items: SchemaNode, list: readonly Json[], at: string, unknown: string[]): Coerced {
  const out: Json[] = []
  for (const [index, item] of list.entries()) {
    const coerced = coerceEmbedded(items, item, `${at}[${index}]`, unknown)
    if ('malformed' in coerced) return coerced
    out.push(coerced.value)
  }
  return { value: out }
}

function refuseAs(at: string, value: Json, text: string): Coerced {
  return { malformed: renderFieldError(fieldError.invalid(at, value, text)) }
}

function coerceMetadata(value: Json, at: string, unknown: string[]): Coerced {
  const refuse = (text: string): Coerced => refuseAs(at, value, text)
  if (value === null) return { value: {} }
  if (!isObject(value))
    return refuse(`json: cannot unmarshal ${isList(value) ? 'array' : typeof value} into Go value of type v1.ObjectMeta`)
  const decoded = decodeAs(typeNamed('io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta') as StructType, value)
  if (decoded.malformed !== undefined) return refuse(decoded.malformed)
  unknown.push(...decoded.unknown.map(path => `${at}.${path}`))
  return { value: decoded.object }
}
