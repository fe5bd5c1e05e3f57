// The versions of a definition: their schemas, subresources, columns and selectable fields. What all versions share, the server keeps at
// the top of the definition, and its messages point there.
import { dns1035LabelErrors } from '#kube'
import { type FieldError, fieldError } from '../field-error.ts'
import { isList, isObject, type Json, type JsonObject, jsonEqual } from '../json.ts'
import { readSchema } from '../node/node.ts'
import { checkDefaults } from './defaults.ts'
import { internalSchema, internalVersions } from './internal-form.ts'
import { checkDefinitionRules } from './rules.ts'
import { checkSelectableFields } from './selectable-fields.ts'
import { checkStructure } from './structural.ts'

export function checkVersions(spec: JsonObject, errors: FieldError[]): void {
  const versions = isList(spec.versions) ? spec.versions.filter(isObject) : []
  versions.forEach((version, index) => checkVersion(version, `spec.versions[${index}]`, errors))
  const names = versions.map(version => version.name)
  const shown = isList(spec.versions) ? internalVersions(spec.versions) : null
  const say = (text: string): void => void errors.push({ ...fieldError.invalid('spec.versions', shown, text), ordered: true })
  if (new Set(names).size < names.length) say('must contain unique version names')
  if (versions.filter(version => version.storage === true).length !== 1) {
    say('must have exactly one version marked as storage version')
  }
  const [first] = versions
  const problems = typeof first?.name === 'string' ? dns1035LabelErrors(first.name) : []
  if (problems.length > 0) errors.push(fieldError.invalid('spec.version', first?.name, problems.join(',')))
  checkSchemas(versions, errors)
  checkShared(versions, 'subresources', 'spec', checkSubresources, errors)
  checkShared(versions, 'additionalPrinterColumns', 'spec', checkColumns, errors)
  checkFieldsOf(versions, errors)
}

function checkVersion(version: JsonObject, at: string, errors: FieldError[]): void {
  const { name, deprecated, deprecationWarning } = version
  const problems = dns1035LabelErrors(typeof name === 'string' ? name : '')
  if (problems.length > 0) errors.push(fieldError.invalid(`${at}.name`, name ?? '', problems.join(',')))
  if (typeof deprecationWarning !== 'string') return
  const say = (text: string): void => void errors.push(fieldError.invalid(`${at}.deprecationWarning`, deprecationWarning, text))
  if (deprecated !== true) say('can only be set for deprecated versions')
  if (deprecationWarning.length > 256) say('must be <= 256 characters long')
  if (deprecationWarning === '') say('must not be an empty string')
  const index = deprecationWarning.search(/\p{Cc}|\p{Cf}/u)
  if (index >= 0) say(`must only contain printable UTF-8 characters; non-printable character found at index ${index}`)
}

/** Calls back once for what all versions share, else for each version. */
function checkShared(
  versions: readonly JsonObject[],
  member: string,
  shared: string,
  check: (value: Json, at: string, errors: FieldError[]) => void,
  errors: FieldError[],
): void {
  const values = versions.map(version => version[member])
  const [first] = values
  if (values.every(value => jsonEqual(value, first))) {
    if (first !== undefined) check(first, `${shared}.${member}`, errors)
    return
  }
  values.forEach((value, index) => {
    if (value !== undefined) check(value, `spec.versions[${index}].${member}`, errors)
  })
}

function schemaOf(version: JsonObject): JsonObject | undefined {
  return isObject(version.schema) && isObject(version.schema.openAPIV3Schema) ? version.schema.openAPIV3Schema : undefined
}

function checkSchemas(versions: readonly JsonObject[], errors: FieldError[]): void {
  const schemas = versions.map(schemaOf)
  const [first] = schemas
  const isShared = first !== undefined && schemas.every(schema => jsonEqual(schema, first))
  versions.forEach((version, index) => {
    const schema = schemas[index]
    const own = `spec.versions[${index}].schema.openAPIV3Schema`
    if (schema === undefined) errors.push(fieldError.required(own, ''))
    else if (!isShared) checkSchema(schema, own, hasStatus(version), errors)
  })
  if (isShared) checkSchema(first, 'spec.validation.openAPIV3Schema', versions.some(hasStatus), errors)
}

function hasStatus(version: JsonObject): boolean {
  return isObject(version.subresources) && isObject(version.subresources.status)
}

const allowedWithStatus =
  'Description Type Format Title Maximum ExclusiveMaximum Minimum ExclusiveMinimum MaxLength MinLength Pattern MaxItems MinItems UniqueItems MultipleOf Required Items Properties ExternalDocs Example XPreserveUnknownFields XValidations'
const allowedKeys = new Set(
  'description type format title maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern maxItems minItems uniqueItems multipleOf required items properties externalDocs example x-kubernetes-preserve-unknown-fields x-kubernetes-validations'.split(
    ' ',
  ),
)

function checkSchema(schema: JsonObject, at: string, withStatus: boolean, errors: FieldError[]): void {
  const unset = (value: Json | undefined): boolean => value === undefined || value === null || value === false || value === ''
  if (withStatus && Object.keys(schema).some(key => !allowedKeys.has(key) && !unset(schema[key]))) {
    const text = `only [${allowedWithStatus}] fields are allowed at the root of the schema if the status subresource is enabled`
    errors.push({ ...fieldError.invalid(at, internalSchema(schema), text), ordered: true })
    return
  }
  const before = errors.length
  checkStructure(schema, at, errors)
  // Defaults and rules are only looked at in schemas that can be read.
  if (errors.length > before) return
  const root = readSchema(schema)
  checkDefaults(root, at, errors)
  checkDefinitionRules(root, at, errors)
}

function checkSubresources(value: Json, at: string, errors: FieldError[]): void {
  const scale = isObject(value) ? value.scale : undefined
  if (!isObject(scale)) return
  checkReplicasPath(scale.specReplicasPath, `${at}.scale.specReplicasPath`, '.spec', errors)
  checkReplicasPath(scale.statusReplicasPath, `${at}.scale.statusReplicasPath`, '.status', errors)
  const selector = scale.labelSelectorPath
  if (typeof selector !== 'string' || selector === '') return
  const path = `${at}.scale.labelSelectorPath`
  if (!isSimplePath(selector)) errors.push(fieldError.invalid(path, selector, 'must be a simple json path starting with .'))
  else if (!selector.startsWith('.spec.') && !selector.startsWith('.status.')) {
    errors.push(fieldError.invalid(path, selector, 'should be a json path under either .spec or .status'))
  }
}

function checkReplicasPath(value: Json | undefined, at: string, under: string, errors: FieldError[]): void {
  if (typeof value !== 'string' || value === '') errors.push(fieldError.required(at))
  else if (!isSimplePath(value)) errors.push(fieldError.invalid(at, value, 'must be a simple json path starting with .'))
  else if (!value.startsWith(`${under}.`)) errors.push(fieldError.invalid(at, value, `should be a json path under ${under}`))
}

function isSimplePath(path: string): boolean {
  return path.startsWith('.')
}

const columnTypes = ['boolean', 'date', 'integer', 'number', 'string']
const columnFormats = ['byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password']

function checkColumns(value: Json, at: string, errors: FieldError[]): void {
  if (!isList(value)) return
  value.forEach((column, index) => {
    if (isObject(column)) checkColumn(column, `${at}[${index}]`, errors)
  })
}

function checkColumn(column: JsonObject, at: string, errors: FieldError[]): void {
  const { name, type, format, jsonPath } = column
  const missing = (value: Json | undefined): boolean => value === undefined || value === ''
  if (missing(name)) errors.push(fieldError.required(`${at}.name`))
  const expected = `must be one of ${columnTypes.join(',')}`
  if (missing(type)) errors.push(fieldError.required(`${at}.type`, expected))
  else if (!columnTypes.includes(type as string)) errors.push(fieldError.invalid(`${at}.type`, type, expected))
  if (!missing(format) && !columnFormats.includes(format as string)) {
    errors.push(fieldError.invalid(`${at}.format`, format, `must be one of ${columnFormats.join(',')}`))
  }
  if (missing(jsonPath)) errors.push(fieldError.required(`${at}.JSONPath`))
  else if (!isSimplePath(jsonPath as string))
    errors.push(fieldError.invalid(`${at}.JSONPath`, jsonPath, 'must be a simple json path starting with .'))
}

function checkFieldsOf(versions: readonly JsonObject[], errors: FieldError[]): void {
  const values = versions.map(version => version.selectableFields)
  const [first] = values
  const isShared = values.every(value => jsonEqual(value, first))
  versions.forEach((version, index) => {
    if (isShared && index > 0) return
    const fields = version.selectableFields
    const at = isShared ? 'spec.selectableFields' : `spec.versions[${index}].selectableFields`
    if (isList(fields)) checkSelectableFields(fields, schemaOf(version) ?? {}, at, errors)
  })
}
