// Probes and hooks of containers.
import { fieldError } from '../../../field-error.ts'
import { isObject, type Json, type JsonObject } from '../../../json.ts'
import { type Errors, listOf, nonNegative, objectOf, oneOf, portNameErrors, portNumber, say } from '../checks.ts'

const handlers = ['exec', 'httpGet', 'tcpSocket', 'grpc', 'sleep']
const counts = ['initialDelaySeconds', 'timeoutSeconds', 'periodSeconds', 'successThreshold', 'failureThreshold']

export function checkProbes(container: JsonObject, at: string, errors: Errors): void {
  for (const kind of ['livenessProbe', 'readinessProbe', 'startupProbe']) {
    const probe = container[kind]
    if (!isObject(probe)) continue
    checkHandler(probe, `${at}.${kind}`, errors)
    for (const field of counts) nonNegative(probe[field], `${at}.${kind}.${field}`, errors)
    const { successThreshold = 1 } = probe
    if (kind !== 'readinessProbe' && typeof successThreshold === 'number' && successThreshold !== 1)
      errors.push(fieldError.invalid(`${at}.${kind}.successThreshold`, successThreshold, 'must be 1'))
  }
  for (const hook of ['preStop', 'postStart']) {
    const handler = objectOf(container.lifecycle)[hook]
    if (isObject(handler)) checkHandler(handler, `${at}.lifecycle.${hook}`, errors)
  }
}

function checkHandler(owner: JsonObject, at: string, errors: Errors): void {
  const given = handlers.filter(name => isObject(owner[name]))
  const [first, ...more] = given
  if (first === undefined) errors.push(fieldError.required(at, 'must specify a handler type'))
  else checkAction(first, objectOf(owner[first]), `${at}.${first}`, errors)
  for (const name of more) errors.push(fieldError.forbidden(`${at}.${name}`, 'may not specify more than 1 handler type'))
}

function checkAction(kind: string, action: JsonObject, at: string, errors: Errors): void {
  if (kind === 'exec' && listOf(action.command).length === 0) errors.push(fieldError.required(`${at}.command`))
  if (kind === 'httpGet') oneOf(action.scheme, `${at}.scheme`, ['HTTP', 'HTTPS'], errors)
  if (kind !== 'exec' && kind !== 'sleep') checkPort(action.port, `${at}.port`, errors)
}

function checkPort(port: Json | undefined, at: string, errors: Errors): void {
  if (typeof port === 'string') say(errors, at, port, portNameErrors(port))
  else portNumber(port ?? 0, at, errors)
}
