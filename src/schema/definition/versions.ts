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
import { checkVocabulary, hasForeignWords } from './vocabulary.ts'

/** What versions say themselves. */
export function checkVersions(spec: JsonObject, errors: FieldError[]): void {
  const versions = versionsOf(spec)
  versions.forEach((version, index) => {
    if (schemaOf(version) === undefined) errors.push(fieldError.required(`spec.versions[${index}].schema.openAPIV3Schema`))
  })
  if (spec.preserveUnknownFields === true && versions.some(version => hasDefaults(schemaOf(version)))) {
    const why = 'must be false in order to use defaults in the schema'
    errors.push(fieldError.invalid('spec.preserveUnknownFields', true, why))
  }
  const own = ownParts(versions)
  versions.forEach((version, index) => checkVersion(version, `spec.versions[${index}]`, own, errors))
  checkSet(spec, versions, own, errors)
  const name = versions[0]?.name
  const problems = typeof name === 'string' && name !== '' ? dns1035LabelErrors(name) : []
  if (problems.length > 0) errors.push(fieldError.invalid('spec.version', name, problems.join(',')))
}

/** What all of them share. */
export function checkSharedParts(spec: JsonObject, errors: FieldError[]): void {
  const versions = versionsOf(spec)
  const [first] = versions
  if (first === undefined) return
  const own = ownParts(versions)
  const schema = own.has('schema') ? undefined : schemaOf(first)
  if (schema !== undefined) checkSchema(schema, 'spec.validation.openAPIV3Schema', versions.some(hasStatus), errors)
  if (!own.has('subresources')) checkSubresources(first.subresources, 'spec.subresources', errors)
  if (!own.has('additionalPrinterColumns')) checkColumns(first.additionalPrinterColumns, 'spec.additionalPrinterColumns', errors)
  if (own.has('selectableFields') || !isList(first.selectableFields)) return
  const at = 'spec.selectableFields'
  if (schema !== undefined) checkSelectableFields(first.selectableFields, schema, at, errors)
  else if (first.selectableFields.length > 0)
    errors.push(fieldError.invalid(at, '', 'may only be set when validations.schema is included'))
}

function versionsOf({ versions }: JsonObject): readonly JsonObject[] {
  return isList(versions) ? versions.filter(isObject) : []
}

const parts = ['schema', 'subresources', 'additionalPrinterColumns', 'selectableFields']

/** Which parts differ from version to version. */
function ownParts(versions: readonly JsonObject[]): ReadonlySet<string> {
  const [first] = versions
  return new Set(parts.filter(part => !versions.every(version => jsonEqual(version[part], first?.[part]))))
}

function hasDefaults(schema: Json | undefined): boolean {
  if (isList(schema)) return schema.some(hasDefaults)
  if (!isObject(schema)) return false
  if (schema.default !== undefined && schema.default !== null) return true
  const { properties, additionalProperties, items } = schema
  return [...Object.values(isObject(properties) ? properties : {}), additionalProperties, items].some(hasDefaults)
}

function checkSet(spec: JsonObject, versions: readonly JsonObject[], own: ReadonlySet<string>, errors: FieldError[]): void {
  const names = versions.map(version => version.name ?? '')
  const shown = isList(spec.versions) ? internalVersions(versions, own) : null
  const say = (text: string): void => void errors.push({ ...fieldError.invalid('spec.versions', shown, text), ordered: true })
  if (new Set(names).size < names.length) say('must contain unique version names')
  if (versions.filter(version => version.storage === true).length !== 1)
    say('must have exactly one version marked as storage version')
}

function checkVersion(version: JsonObject, at: string, own: ReadonlySet<string>, errors: FieldError[]): void {
  const problems = dns1035LabelErrors(typeof version.name === 'string' ? version.name : '')
  if (problems.length > 0) errors.push(fieldError.invalid(`${at}.name`, version.name ?? '', problems.join(',')))
  checkDeprecation(version, `${at}.deprecationWarning`, errors)
  const schema = own.has('schema') ? schemaOf(version) : undefined
  if (schema !== undefined) checkSchema(schema, `${at}.schema.openAPIV3Schema`, hasStatus(version), errors)
  if (own.has('subresources')) checkSubresources(version.subresources, `${at}.subresources`, errors)
  if (own.has('additionalPrinterColumns'))
    checkColumns(version.additionalPrinterColumns, `${at}.additionalPrinterColumns`, errors)
  if (!own.has('selectableFields') || !isList(version.selectableFields)) return
  if (schema !== undefined) checkSelectableFields(version.selectableFields, schema, `${at}.selectableFields`, errors)
  else if (version.selectableFields.length > 0) {
    const why = 'may only be set when `version.schema.openAPIV3Schema` is not included'
    errors.push(fieldError.invalid(`${at}.selectableFields`, '', why))
  }
}

const warningBytesMax = 256

function checkDeprecation({ deprecated, deprecationWarning: warning }: JsonObject, at: string, errors: FieldError[]): void {
  if (typeof warning !== 'string') return
  const say = (text: string): void => void errors.push(fieldError.invalid(at, warning, text))
  if (deprecated !== true) {
    say('can only be set for deprecated versions')
    return
  }
  if (Buffer.byteLength(warning) > warningBytesMax) say(`must be <= ${warningBytesMax} characters long`)
  if (warning === '') say('must not be an empty string')
  const index = warning.search(/\p{Cc}|\p{Cf}/u)
  if (index >= 0) say(`must only contain printable UTF-8 characters; non-printable character found at index ${index}`)
}

function schemaOf(version: JsonObject): JsonObject | undefined {
  return isObject(version.schema) && isObject(version.schema.openAPIV3Schema) ? version.schema.openAPIV3Schema : undefined
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
  if (withStatus) checkRootWithStatus(schema, at, errors)
  if (schema.nullable === true) errors.push(fieldError.forbidden(`${at}.nullable`, 'nullable cannot be true at the root'))
  const before = errors.length
  const isForeign = hasForeignWords(schema)
  if (!isForeign) checkStructure(schema, at, errors)
  const root = readSchema(schema)
  // Defaults are only looked at in schemas that can be read.
  if (errors.length === before && !isForeign) checkDefaults(root, at, errors)
  checkVocabulary(schema, at, errors)
  checkDefinitionRules(root, at, errors, errors.length === before)
}

function checkRootWithStatus(schema: JsonObject, at: string, errors: FieldError[]): void {
  const { type = '' } = schema
  const unset = (value: Json | undefined): boolean => value === undefined || value === null || value === false || value === ''
  if (type !== '' && type !== 'object') {
    const text = 'only "object" is allowed as the type at the root of the schema if the status subresource is enabled'
    errors.push(fieldError.invalid(`${at}.type`, type, text))
  } else if (Object.keys(schema).some(key => !allowedKeys.has(key) && !unset(schema[key]))) {
    const text = `only [${allowedWithStatus}] fields are allowed at the root of the schema if the status subresource is enabled`
    errors.push({ ...fieldError.invalid(at, internalSchema(schema), text), ordered: true })
  }
}

function checkSubresources(value: Json | undefined, at: string, errors: FieldError[]): void {
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

function checkColumns(value: Json | undefined, at: string, errors: FieldError[]): void {
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
