// APIServices: which server answers for a group and version of the API, and in which order groups and versions are preferred.
import { dns1035LabelErrors, dnsSubdomainErrors, pathSegmentErrors } from '#kube'
import { fieldError } from '../../field-error.ts'
import { isObject, type Json, type JsonObject } from '../../json.ts'
import { type Errors, objectOf, say, text } from './checks.ts'

const groupPriorityMax = 20_000
const versionPriorityMax = 1_000

export function validateApiService(object: JsonObject): Errors {
  const errors: Errors = []
  const spec = objectOf(object.spec)
  const [group, version] = [text(spec.group), text(spec.version)]
  checkName(objectOf(object.metadata), `${version}.${group}`, errors)
  if (group !== '') say(errors, 'spec.group', group, dnsSubdomainErrors(group))
  else if (version !== 'v1')
    errors.push(fieldError.required('spec.group', 'only v1 may have an empty group and it better be legacy kube'))
  say(errors, 'spec.version', version, dns1035LabelErrors(version))
  checkPriority(spec.groupPriorityMinimum, 'spec.groupPriorityMinimum', groupPriorityMax, errors)
  checkPriority(spec.versionPriority, 'spec.versionPriority', versionPriorityMax, errors)
  if (isObject(spec.service)) checkRemote(spec, spec.service, errors)
  else checkLocal(spec, errors)
  return errors
}

/** A name that no path could hold is refused as such, elsewhere. */
function checkName(metadata: JsonObject, expected: string, errors: Errors): void {
  for (const field of ['generateName', 'name']) {
    const name = text(metadata[field])
    if (name === '' || name === expected || pathSegmentErrors(name).length > 0) continue
    const why = `must be \`spec.version+"."+spec.group\`: ${JSON.stringify(expected)}`
    errors.push(fieldError.invalid(`metadata.${field}`, name, why))
  }
}

function checkPriority(priority: Json | undefined, at: string, max: number, errors: Errors): void {
  const value = Number(priority ?? 0)
  if (value <= 0 || value > max) errors.push(fieldError.invalid(at, value, `must be positive and less than ${max}`))
}

function checkRemote(spec: JsonObject, { namespace, name, port }: JsonObject, errors: Errors): void {
  for (const [field, value] of Object.entries({ namespace, name }))
    if (text(value) === '') errors.push(fieldError.required(`spec.service.${field}`))
  if (typeof port === 'number' && (port < 1 || port > 65535))
    errors.push(fieldError.invalid('spec.service.port', port, 'port is not valid: must be between 1 and 65535, inclusive'))
  if (spec.insecureSkipTLSVerify === true && text(spec.caBundle) !== '')
    errors.push(fieldError.invalid('spec.insecureSkipTLSVerify', true, 'may not be true if caBundle is present'))
}

/** What the server itself answers is reached without a certificate. */
function checkLocal({ caBundle, insecureSkipTLSVerify }: JsonObject, errors: Errors): void {
  const bytes = Buffer.from(text(caBundle), 'base64').length
  if (bytes > 0) errors.push(fieldError.invalid('spec.caBundle', `${bytes} bytes`, 'local APIServices may not have a caBundle'))
  if (insecureSkipTLSVerify === true) {
    const why = 'local APIServices may not have insecureSkipTLSVerify'
    errors.push(fieldError.invalid('spec.insecureSkipTLSVerify', true, why))
  }
}
