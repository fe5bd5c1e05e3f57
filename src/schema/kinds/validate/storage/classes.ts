// Classes of storage and of its attributes, and what is left of them.
import { dnsSubdomainErrors, qualifiedNameErrors } from '#kube'
import { fieldError } from '../../../field-error.ts'
import type { Json, JsonObject } from '../../../json.ts'
import type { ValidationContext } from '../../../kind-schema.ts'
import { type Errors, eachItem, immutable, listOf, objectOf, oneOf, say, text } from '../checks.ts'
import { oldNodeLabel } from '../pods/node-selectors.ts'

export function validateStorageClass(object: JsonObject, { old }: ValidationContext): Errors {
  const errors: Errors = []
  checkProvisioner(text(object.provisioner), errors)
  checkParameters(objectOf(object.parameters), errors)
  if (object.reclaimPolicy !== '') oneOf(object.reclaimPolicy, 'reclaimPolicy', ['Delete', 'Retain'], errors)
  oneOf(object.volumeBindingMode, 'volumeBindingMode', ['Immediate', 'WaitForFirstConsumer'], errors)
  checkTopologies(object.allowedTopologies, 'allowedTopologies', errors)
  if (old === undefined) return errors
  fixed(object, old, ['parameters', 'provisioner', 'reclaimPolicy'], errors)
  immutable(object.volumeBindingMode, old.volumeBindingMode, 'volumeBindingMode', errors)
  return errors
}

function checkProvisioner(name: string, errors: Errors): void {
  if (name === '') errors.push(fieldError.required('provisioner'))
  else say(errors, 'provisioner', name.toLowerCase(), qualifiedNameErrors(name.toLowerCase()))
}

const parametersMax = 512
const parameterBytesMax = 256 * 1024

function checkParameters(parameters: JsonObject, errors: Errors): void {
  const entries = Object.entries(parameters)
  if (entries.length > parametersMax) {
    errors.push(fieldError.tooLong('parameters', parametersMax))
    return
  }
  if ('' in parameters) errors.push(fieldError.invalid('parameters', '', 'field can not be empty.'))
  const bytes = entries.reduce((sum, [name, value]) => sum + Buffer.byteLength(name) + Buffer.byteLength(text(value)), 0)
  if (bytes > parameterBytesMax) errors.push(fieldError.tooLong('parameters', parameterBytesMax))
}

/** Of more terms than this the first ones are compared: what is told of equal ones grows with the square. */
const comparedTerms = 100

/**
 * Where volumes may be: terms that differ from each other. A real server compares each with as many empty ones as there are terms and with
 * those before it, and tells every match.
 */
function checkTopologies(terms: Json | undefined, at: string, errors: Errors): void {
  const known = listOf(terms)
    .slice(0, comparedTerms)
    .map(() => '')
  eachItem(terms, at, ({ matchLabelExpressions }, path, index) => {
    const labels = `${path}.matchLabelExpressions`
    const shown = checkTopology(matchLabelExpressions, labels, errors)
    if (index >= comparedTerms) return
    for (const other of known) if (other === shown) errors.push(fieldError.duplicate(labels, ''))
    known.push(shown)
  })
}

/** The term as it compares with others: neither the order of its labels nor that of their values counts. */
function checkTopology(expressions: Json | undefined, at: string, errors: Errors): string {
  const keys = new Set<string>()
  const shown: string[] = []
  eachItem(expressions, at, ({ key, values }, path) => {
    checkTopologyValues(values, `${path}.values`, errors)
    say(errors, `${path}.key`, text(key), qualifiedNameErrors(text(key)))
    if (keys.has(text(key))) errors.push(fieldError.duplicate(`${path}.key`, text(key)))
    keys.add(text(key))
    shown.push(JSON.stringify([text(key), ...listOf(values).map(text).sort()]))
  })
  return shown.sort().join()
}

function checkTopologyValues(values: Json | undefined, at: string, errors: Errors): void {
  const known = new Set<string>()
  if (listOf(values).length === 0) errors.push(fieldError.required(at))
  listOf(values).forEach((value, index) => {
    if (known.has(text(value))) errors.push(fieldError.duplicate(`${at}[${index}]`, value))
    known.add(text(value))
  })
}

export function storageClassWarnings({ allowedTopologies }: JsonObject): readonly string[] {
  const warnings: string[] = []
  eachItem(allowedTopologies, 'allowedTopologies', ({ matchLabelExpressions }, at) => {
    eachItem(matchLabelExpressions, `${at}.matchLabelExpressions`, ({ key }, path) => {
      const old = oldNodeLabel(key)
      if (old !== undefined) warnings.push(`${path}.key: ${old}`)
    })
  })
  return warnings
}

/** Fields whose change is refused in an older form of words. */
function fixed(object: JsonObject, old: JsonObject, fields: readonly string[], errors: Errors): void {
  for (const field of fields)
    if (isChanged(object[field], old[field])) errors.push(fieldError.forbidden(field, `updates to ${field} are forbidden.`))
}

function isChanged(value: Json | undefined, old: Json | undefined): boolean {
  const changes: Errors = []
  immutable(value, old, '', changes)
  return changes.length > 0
}

export function validateStorageCapacity(object: JsonObject, { old }: ValidationContext): Errors {
  const errors: Errors = []
  const name = text(object.storageClassName)
  if (old === undefined) say(errors, 'storageClassName', name, dnsSubdomainErrors(name))
  else immutable(object.storageClassName, old.storageClassName, 'storageClassName', errors)
  return errors
}

export function validateAttributesClass({ driverName }: JsonObject): Errors {
  return text(driverName) === '' ? [fieldError.required('driverName')] : []
}
