// Probes and hooks of containers.
import { fieldError } from '../../../field-error.ts'
import { isObject, type Json, type JsonObject } from '../../../json.ts'
import { type Errors, eachItem, listOf, nonNegative, objectOf, oneOf, portNameErrors, portNumber, say, text } from '../checks.ts'

const handlers = ['exec', 'httpGet', 'tcpSocket', 'grpc', 'sleep']
const counts = ['initialDelaySeconds', 'timeoutSeconds', 'periodSeconds', 'successThreshold', 'failureThreshold']

/** `grace` is how long the pod has to end. */
export function checkProbes(container: JsonObject, at: string, grace: number, errors: Errors): void {
  for (const hook of ['postStart', 'preStop']) {
    const handler = objectOf(container.lifecycle)[hook]
    if (isObject(handler)) checkHandler(handler, `${at}.lifecycle.${hook}`, grace, errors)
  }
  for (const kind of ['livenessProbe', 'readinessProbe', 'startupProbe'])
    if (isObject(container[kind])) checkProbe(container[kind], `${at}.${kind}`, grace, kind, errors)
}

function checkProbe(probe: JsonObject, at: string, grace: number, kind: string, errors: Errors): void {
  checkHandler(probe, at, grace, errors)
  for (const field of counts) nonNegative(probe[field], `${at}.${field}`, errors)
  const { successThreshold = 1, terminationGracePeriodSeconds: seconds } = probe
  const [passes, ends] = [`${at}.successThreshold`, `${at}.terminationGracePeriodSeconds`]
  if (typeof seconds === 'number' && seconds <= 0) errors.push(fieldError.invalid(ends, seconds, 'must be greater than 0'))
  if (kind === 'readinessProbe') {
    if (seconds !== undefined) errors.push(fieldError.invalid(ends, seconds, 'must not be set for readinessProbes'))
  } else if (typeof successThreshold === 'number' && successThreshold !== 1)
    errors.push(fieldError.invalid(passes, successThreshold, 'must be 1'))
}

function checkHandler(owner: JsonObject, at: string, grace: number, errors: Errors): void {
  const given = handlers.filter(name => isObject(owner[name]))
  const [first, ...more] = given
  if (first === undefined) errors.push(fieldError.required(at, 'must specify a handler type'))
  else checkAction(first, objectOf(owner[first]), `${at}.${first}`, grace, errors)
  for (const name of more) errors.push(fieldError.forbidden(`${at}.${name}`, 'may not specify more than 1 handler type'))
}

function checkAction(kind: string, action: JsonObject, at: string, grace: number, errors: Errors): void {
  if (kind === 'exec' && listOf(action.command).length === 0) errors.push(fieldError.required(`${at}.command`))
  if (kind === 'sleep') checkSleep(action.seconds, at, grace, errors)
  if (kind !== 'exec' && kind !== 'sleep') checkPort(action.port, `${at}.port`, errors)
  if (kind === 'httpGet') checkRequest(action, at, errors)
}

function checkSleep(seconds: Json | undefined, at: string, grace: number, errors: Errors): void {
  const why = `must be non-negative and less than terminationGracePeriodSeconds (${grace})`
  if (typeof seconds === 'number' && (seconds < 0 || seconds > grace)) errors.push(fieldError.invalid(at, seconds, why))
}

function checkPort(port: Json | undefined, at: string, errors: Errors): void {
  if (typeof port === 'string') say(errors, at, port, portNameErrors(port))
  else portNumber(port ?? 0, at, errors)
}

const headerText =
  "a valid HTTP header must consist of alphanumeric characters or '-' (e.g. 'X-Header-Name', regex used for validation is '[-A-Za-z0-9]+')"

function checkRequest({ scheme, httpHeaders }: JsonObject, at: string, errors: Errors): void {
  oneOf(scheme, `${at}.scheme`, ['HTTP', 'HTTPS'], errors)
  // A real server names the list here, not its item.
  eachItem(httpHeaders, at, ({ name }) => {
    if (!/^[-A-Za-z0-9]+$/.test(text(name))) errors.push(fieldError.invalid(`${at}.httpHeaders`, text(name), headerText))
  })
}
