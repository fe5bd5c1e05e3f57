// Variables of containers, and the files that say the same as they would.
import { dnsSubdomainErrors } from '#kube'
import { fieldError } from '../../../field-error.ts'
import { isObject, type Json, type JsonObject } from '../../../json.ts'
import { type Errors, eachItem, objectOf, oneOf, say, text } from '../checks.ts'

const ofVariables = [
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.serviceAccountName',
  'status.hostIP',
  'status.hostIPs',
  'status.podIP',
  'status.podIPs',
]
const ofFiles = ['metadata.annotations', 'metadata.labels', 'metadata.name', 'metadata.namespace', 'metadata.uid']
/** Read, and given to nobody. */
const known = [...ofVariables, ...ofFiles, 'spec.host', 'spec.restartPolicy', 'spec.schedulerName', 'status.phase']
const amounts = [
  'limits.cpu',
  'limits.ephemeral-storage',
  'limits.memory',
  'requests.cpu',
  'requests.ephemeral-storage',
  'requests.memory',
]

export function checkVariables(container: JsonObject, at: string, errors: Errors): void {
  eachItem(container.env, `${at}.env`, (variable, path) => checkVariable(variable, path, errors))
  eachItem(container.envFrom, `${at}.envFrom`, (source, path) => checkSource(source, `${at}.envFrom`, path, errors))
}

function checkVariable({ name, value, valueFrom }: JsonObject, at: string, errors: Errors): void {
  if (text(name) === '') errors.push(fieldError.required(`${at}.name`))
  else if (!/^[ -<>-~]+$/.test(text(name))) {
    const why = "a valid environment variable name must consist only of printable ASCII characters other than '='"
    errors.push(fieldError.invalid(`${at}.name`, name, why))
  }
  if (!isObject(valueFrom)) return
  const from = `${at}.valueFrom`
  const given = Object.keys(valueFrom).length
  if (given === 0)
    errors.push(
      fieldError.invalid(from, '', 'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef` or `secretKeyRef`'),
    )
  else if (text(value) !== '') errors.push(fieldError.invalid(from, '', 'may not be specified when `value` is not empty'))
  else if (given > 1) errors.push(fieldError.invalid(from, '', 'may not have more than one field specified at a time'))
  const { fieldRef, resourceFieldRef } = valueFrom
  if (isObject(fieldRef)) checkFieldPath(fieldRef.fieldPath, `${from}.fieldRef.fieldPath`, ofVariables, errors)
  if (isObject(resourceFieldRef)) checkAmountName(resourceFieldRef.resource, `${from}.resourceFieldRef.resource`, errors)
  for (const kind of ['secretKeyRef', 'configMapKeyRef'])
    if (isObject(valueFrom[kind])) checkKeyOf(objectOf(valueFrom[kind]), `${from}.${kind}`, errors)
}

function checkSource({ configMapRef, secretRef }: JsonObject, list: string, at: string, errors: Errors): void {
  const given = Object.entries({ configMapRef, secretRef }).filter(([, value]) => isObject(value))
  // A real server names the list here, not its item.
  if (given.length === 0) errors.push(fieldError.invalid(list, '', 'must specify one of: `configMapRef` or `secretRef`'))
  else if (given.length > 1) errors.push(fieldError.invalid(list, '', 'may not have more than one field specified at a time'))
  for (const [kind, value] of given) if (text(objectOf(value).name) === '') errors.push(fieldError.required(`${at}.${kind}.name`))
}

function checkKeyOf({ name, key }: JsonObject, at: string, errors: Errors): void {
  say(errors, `${at}.name`, text(name), dnsSubdomainErrors(text(name)))
  if (text(key) === '') errors.push(fieldError.required(`${at}.key`))
}

/** Checks which field of the pod a file of the downward API names. */
export function checkFileField(path: Json | undefined, at: string, errors: Errors): void {
  checkFieldPath(path, at, ofFiles, errors)
}

function checkFieldPath(path: Json | undefined, at: string, allowed: readonly string[], errors: Errors): void {
  const given = text(path)
  if (given === '') errors.push(fieldError.required(at))
  else if (/^metadata\.(?:annotations|labels)\['.*'\]$/.test(given)) return
  else if (!known.includes(given))
    errors.push(fieldError.invalid(at, given, `error converting fieldPath: field label not supported: ${given}`))
  else oneOf(given, at, allowed, errors)
}

function checkAmountName(name: Json | undefined, at: string, errors: Errors): void {
  if (text(name) === '') errors.push(fieldError.required(at))
  else if (!/^(?:limits|requests)\.hugepages-/.test(text(name))) oneOf(name, at, amounts, errors)
}
