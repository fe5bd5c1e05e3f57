// A custom kind's schema, ready for use: everything the server asks of a kind, from the `openAPIV3Schema` of one version.
import { decodeAs } from '../builtin/decode.ts'
import { type StructType, typeNamed } from '../builtin/types.ts'
import { type FieldError, type FieldErrorType, fieldError } from '../field-error.ts'
import { isObject, type Json, type JsonObject } from '../json.ts'
import type { DecodedObject, KindSchema, SchemaResult, ValidationContext } from '../kind-schema.ts'
import { readSchema, type SchemaNode } from '../node/node.ts'
import { rootShape } from '../node/node-shape.ts'
import { checkRules } from '../rules/check-rules.ts'
import { defaultValue } from './default.ts'
import { checkEmbedded, coerceEmbedded } from './embedded.ts'
import { pruneObject } from './prune.ts'
import { checkUniqueLists } from './unique-lists.ts'
import { validateValue } from './validate.ts'

export interface CompiledSchema extends KindSchema {
  readonly root: SchemaNode
}

export interface CompileOptions {
  /** The old `preserveUnknownFields: true`: nothing is pruned. */
  readonly preserveUnknownFields?: boolean
}

/** Never fails: what is wrong with a schema is said when its definition is validated. */
export function compileSchema(openApiV3Schema: Json | undefined, options: CompileOptions = {}): CompiledSchema {
  const root = readSchema(openApiV3Schema)
  const shape = rootShape(root)
  const prune = (object: JsonObject): JsonObject =>
    options.preserveUnknownFields === true ? object : pruneObject(root, object, '', undefined, true)
  return {
    root,
    shape,
    prune,
    decode: object => decodeCustom(root, object, options),
    applyDefaults: object => defaultValue(root, object) as JsonObject,
    fillDefaults: object => withTypedEmbedded(root, withTypedMetadata(defaultValue(root, object, true) as JsonObject)),
    validate: (object, context) => validateCustom(root, object, context ?? {}),
  }
}

function objectMeta(): StructType {
  return typeNamed('io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta') as StructType
}

function decodeCustom(root: SchemaNode, object: JsonObject, options: CompileOptions): DecodedObject {
  const metadata = decodeMetadata(object)
  if (metadata.malformed !== undefined) return { object, unknown: [], malformed: metadata.malformed }
  const unknown: string[] = []
  const kept = options.preserveUnknownFields === true ? object : pruneObject(root, object, '', unknown, true)
  const withMetadata = isObject(object.metadata) ? { ...kept, metadata: metadata.object } : kept
  unknown.sort().push(...metadata.unknown.map(path => `metadata.${path}`))
  const embedded = root.has.embedded ? coerceEmbedded(root, withMetadata, '', unknown) : { value: withMetadata }
  if ('malformed' in embedded) return { object, unknown: [], malformed: embedded.malformed }
  return { object: embedded.value as JsonObject, unknown }
}

/** Metadata is of one type for all kinds, in which what is empty is as good as absent. */
function withTypedMetadata(object: JsonObject): JsonObject {
  const decoded = decodeMetadata(object)
  if (decoded.malformed !== undefined || !isObject(object.metadata)) return object
  return { ...object, metadata: decoded.object }
}

function withTypedEmbedded(root: SchemaNode, object: JsonObject): JsonObject {
  const coerced = coerceEmbedded(root, object, '', [])
  return 'value' in coerced && isObject(coerced.value) ? coerced.value : object
}

function decodeMetadata(object: JsonObject): DecodedObject {
  if (!isObject(object.metadata)) return { object: {}, unknown: [] }
  return decodeAs(objectMeta(), object.metadata)
}

function validateCustom(root: SchemaNode, object: JsonObject, context: ValidationContext): SchemaResult {
  const errors: FieldError[] = []
  const { old, metadataErrors = [], scaleErrors = [] } = context
  validateValue(root, object, '', errors, old)
  if (context.subresource === 'status') errors.splice(0, errors.length, ...errors.map(asWithinStatus))
  errors.push(...scaleErrors)
  if (root.has.embedded) checkEmbedded(root, object, '', errors)
  checkLists(root, object, errors, old)
  if (!root.has.rules) return { errors, warnings: [] }
  const isBlocked = [...metadataErrors, ...errors].some(error => blocking.has(error.type))
  if (isBlocked) return { errors: [...errors, unchecked], warnings: [] }
  const rules = checkRules(root, object, old)
  return { errors: [...errors, ...rules.errors], warnings: rules.warnings }
}

/** A status is looked at as if it stood alone. */
function asWithinStatus(error: FieldError): FieldError {
  const within = /^status\.?(.*)$/s.exec(error.field)?.[1]
  const words = `${error.field} in body`
  if (within === undefined || !error.detail.startsWith(words)) return error
  return { ...error, detail: `${within} in body${error.detail.slice(words.length)}` }
}

/** Rules rely on values being what the schema says; after these errors they are not. */
const blocking = new Set<FieldErrorType>([
  'FieldValueRequired',
  'FieldValueNotSupported',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
])

const unchecked = fieldError.invalid(
  '',
  null,
  'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
)

function checkLists(root: SchemaNode, object: JsonObject, errors: FieldError[], old: JsonObject | undefined): void {
  if (!root.has.uniqueLists) return
  const found: FieldError[] = []
  checkUniqueLists(root, object, '', found)
  if (found.length === 0) return
  if (old !== undefined) {
    const before: FieldError[] = []
    checkUniqueLists(root, old, '', before)
    if (before.length > 0) return
  }
  errors.push(...found)
}
