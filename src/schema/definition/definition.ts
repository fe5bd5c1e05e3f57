// Validation of CustomResourceDefinitions, in the words of the server.
import { dns1035LabelErrors, dnsSubdomainErrors } from '#kube'
import { type FieldError, fieldError } from '../field-error.ts'
import { isKnownFormat } from '../formats.ts'
import { isList, isObject, type Json, type JsonObject, jsonEqual } from '../json.ts'
import { checkConversion } from './conversion.ts'
import { checkSharedParts, checkVersions } from './versions.ts'

/** Formats that nothing checks are most often typos. */
export function definitionWarnings(crd: JsonObject): string[] {
  const found = new Set<string>()
  const versions = isObject(crd.spec) && isList(crd.spec.versions) ? crd.spec.versions : []
  for (const version of versions) {
    if (isObject(version) && isObject(version.schema)) collectFormats(version.schema.openAPIV3Schema, found, 0)
  }
  return [...found].sort().map(format => `unrecognized format "${format}"`)
}

function collectFormats(schema: Json | undefined, found: Set<string>, depth: number): void {
  if (!isObject(schema) || depth > 200) return
  const { format } = schema
  if (schema.type === 'string' && typeof format === 'string' && format !== '' && !isKnownFormat(format.replaceAll('-', '')))
    found.add(format)
  for (const child of Object.values(isObject(schema.properties) ? schema.properties : {})) collectFormats(child, found, depth + 1)
  collectFormats(schema.items, found, depth + 1)
  collectFormats(schema.additionalProperties, found, depth + 1)
}

/** Errors of the definition itself; what holds for the metadata of every object is checked elsewhere. */
export function validateCrd(crd: JsonObject, old?: JsonObject): FieldError[] {
  const errors: FieldError[] = []
  const spec = isObject(crd.spec) ? crd.spec : {}
  const names = isObject(spec.names) ? spec.names : {}
  checkName(crd, spec, names, errors)
  checkGroup(spec, errors)
  if (spec.scope === undefined || spec.scope === '') errors.push(fieldError.required('spec.scope'))
  else if (spec.scope !== 'Cluster' && spec.scope !== 'Namespaced') {
    errors.push(fieldError.notSupported('spec.scope', spec.scope, ['Cluster', 'Namespaced']))
  }
  // A spec that did not change has been judged when it was written, maybe by other rules.
  const isJudged = old === undefined || !jsonEqual(spec.versions, isObject(old.spec) ? old.spec.versions : undefined)
  if (isJudged) checkVersions(spec, errors)
  checkNames(names, errors)
  if (isJudged) checkSharedParts(spec, errors)
  checkConversion(spec, errors)
  checkStoredVersions(crd, spec, errors)
  checkApproval(crd, spec, old, errors)
  checkPreserve(spec, old, errors)
  if (old !== undefined) checkImmutable(spec, old, errors)
  return errors
}

function text(value: Json | undefined): string {
  return typeof value === 'string' ? value : ''
}

function checkName({ metadata }: JsonObject, spec: JsonObject, names: JsonObject, errors: FieldError[]): void {
  for (const field of ['generateName', 'name']) {
    const name = isObject(metadata) ? text(metadata[field]) : ''
    if (name === '' || name === `${text(names.plural)}.${text(spec.group)}`) continue
    errors.push(fieldError.invalid(`metadata.${field}`, name, 'must be spec.names.plural+"."+spec.group'))
  }
}

function checkGroup(spec: JsonObject, errors: FieldError[]): void {
  const group = text(spec.group)
  if (group === '') {
    errors.push(fieldError.required('spec.group'))
    return
  }
  const problems = dnsSubdomainErrors(group)
  if (problems.length > 0) errors.push(fieldError.invalid('spec.group', group, problems.join(',')))
  else if (!group.includes('.')) errors.push(fieldError.invalid('spec.group', group, 'should be a domain with at least one dot'))
}

function checkNames(names: JsonObject, errors: FieldError[]): void {
  const { plural, singular, kind, listKind, shortNames, categories } = names
  for (const name of ['plural', 'singular', 'kind', 'listKind']) {
    if (text(names[name]) === '') errors.push(fieldError.required(`spec.names.${name}`))
  }
  const label = (value: Json | undefined, at: string): void => {
    const problems = dns1035LabelErrors(text(value))
    if (problems.length > 0) errors.push(fieldError.invalid(at, value, problems.join(',')))
  }
  if (text(plural) !== '') label(plural, 'spec.names.plural')
  if (text(singular) !== '') label(singular, 'spec.names.singular')
  // Kinds are labels but for their capitals.
  for (const [value, name] of [
    [kind, 'kind'],
    [listKind, 'listKind'],
  ] as const) {
    const problems = text(value) === '' ? [] : dns1035LabelErrors(text(value).toLowerCase())
    if (problems.length > 0)
      errors.push(
        fieldError.invalid(`spec.names.${name}`, value, `may have mixed case, but should otherwise match: ${problems.join(',')}`),
      )
  }
  if (isList(shortNames)) shortNames.forEach((name, index) => label(name, `spec.names.shortNames[${index}]`))
  if (text(kind) !== '' && kind === listKind)
    errors.push(fieldError.invalid('spec.names.listKind', listKind, 'kind and listKind may not be the same'))
  if (isList(categories)) categories.forEach((name, index) => label(name, `spec.names.categories[${index}]`))
}

/** The first storage version is stored by the server itself; what follows must be named here until nothing of it is left. */
function checkStoredVersions(crd: JsonObject, spec: JsonObject, errors: FieldError[]): void {
  const stored = isObject(crd.status) ? crd.status.storedVersions : undefined
  const at = 'status.storedVersions'
  const versions = isList(spec.versions) ? spec.versions.filter(isObject) : []
  if (!isList(stored) || stored.length === 0) {
    errors.push(fieldError.invalid(at, null, 'must have at least one stored version'))
    return
  }
  const names = new Set(versions.map(version => version.name))
  stored.forEach((version, index) => {
    if (!names.has(version)) {
      errors.push(
        fieldError.invalid(
          `${at}[${index}]`,
          version,
          'missing from spec.versions; v1 was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in v1 and removes v1 from status.storedVersions'.replaceAll(
            /\bv1\b/g,
            text(version),
          ),
        ),
      )
    }
  })
  const marked = versions.filter(version => version.storage === true).map(version => version.name)
  const storage = marked.at(-1)
  if (storage !== undefined && (marked.length > 1 || !stored.includes(storage)))
    errors.push(fieldError.invalid(at, stored, `must have the storage version ${text(storage)}`))
}

const approval = 'api-approved.kubernetes.io'

function checkApproval(crd: JsonObject, spec: JsonObject, old: JsonObject | undefined, errors: FieldError[]): void {
  const group = text(spec.group)
  const isProtected = /(^|\.)(k8s|kubernetes)\.io$/.test(group)
  if (!isProtected) return
  const value = approvalOf(crd)
  // What was let in once may stay as it is.
  if (old !== undefined && approvalOf(old) === value) return
  const at = `metadata.annotations[${approval}]`
  const link = 'see https://github.com/kubernetes/enhancements/pull/1111'
  const head = `protected groups must have approval annotation "${approval}"`
  if (value === undefined || value === '') errors.push(fieldError.required(at, `${head}, ${link}`))
  else if (!value.startsWith('unapproved') && !/^[a-zA-Z][a-zA-Z0-9+.-]*:\/\/[^/]+/.test(value)) {
    errors.push(fieldError.invalid(at, value, `${head} with either a URL or a reason starting with "unapproved", ${link}`))
  }
}

function approvalOf(crd: JsonObject): string | undefined {
  const annotations = isObject(crd.metadata) && isObject(crd.metadata.annotations) ? crd.metadata.annotations : {}
  return typeof annotations[approval] === 'string' ? annotations[approval] : undefined
}

function checkPreserve(spec: JsonObject, old: JsonObject | undefined, errors: FieldError[]): void {
  if (spec.preserveUnknownFields !== true) return
  if (old !== undefined && isObject(old.spec) && old.spec.preserveUnknownFields === true) return
  const text = 'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead'
  errors.push(fieldError.invalid('spec.preserveUnknownFields', true, text))
}

function checkImmutable(spec: JsonObject, old: JsonObject, errors: FieldError[]): void {
  const oldSpec = isObject(old.spec) ? old.spec : {}
  const names = isObject(spec.names) ? spec.names : {}
  const oldNames = isObject(oldSpec.names) ? oldSpec.names : {}
  const fixed = (value: Json | undefined, before: Json | undefined, at: string): void => {
    if (!jsonEqual(value, before)) errors.push(fieldError.invalid(at, value, 'field is immutable'))
  }
  if (isEstablished(old)) {
    fixed(spec.scope, oldSpec.scope, 'spec.scope')
    fixed(names.kind, oldNames.kind, 'spec.names.kind')
  }
  fixed(spec.group, oldSpec.group, 'spec.group')
  fixed(names.plural, oldNames.plural, 'spec.names.plural')
}

function isEstablished(crd: JsonObject): boolean {
  const conditions = isObject(crd.status) ? crd.status.conditions : undefined
  return (
    isList(conditions) &&
    conditions.some(condition => isObject(condition) && condition.type === 'Established' && condition.status === 'True')
  )
}
