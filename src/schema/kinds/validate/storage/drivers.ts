// Drivers of volumes: what they can do, and what they know of a node.
import { dnsSubdomainErrors, qualifiedNameErrors } from '#kube'
import { fieldError } from '../../../field-error.ts'
import type { Json, JsonObject } from '../../../json.ts'
import { type Errors, eachItem, listOf, nonNegative, objectOf, oneOf, say, text } from '../checks.ts'

const driverBytesMax = 63

export function checkDriverName(name: string, at: string, errors: Errors): void {
  if (name === '') errors.push(fieldError.required(at))
  if (Buffer.byteLength(name) > driverBytesMax) errors.push(fieldError.tooLong(at, driverBytesMax))
  say(errors, at, name, dnsSubdomainErrors(name.toLowerCase()))
}

const secondsMin = 600
const secondsMax = 2 ** 32

export function validateDriver(object: JsonObject): Errors {
  const errors: Errors = []
  const { fsGroupPolicy, tokenRequests, volumeLifecycleModes } = objectOf(object.spec)
  oneOf(fsGroupPolicy, 'spec.fsGroupPolicy', ['File', 'None', 'ReadWriteOnceWithFSType'], errors)
  checkTokens(tokenRequests, 'spec.tokenRequests', errors)
  for (const mode of listOf(volumeLifecycleModes)) oneOf(mode, 'spec.volumeLifecycleModes', ['Persistent', 'Ephemeral'], errors)
  return errors
}

function checkTokens(tokens: Json | undefined, at: string, errors: Errors): void {
  const audiences = new Set<string>()
  eachItem(tokens, at, ({ audience, expirationSeconds: seconds }, path) => {
    if (audiences.has(text(audience))) {
      errors.push(fieldError.duplicate(`${path}.audience`, text(audience)))
      return
    }
    audiences.add(text(audience))
    const why = typeof seconds === 'number' ? durationProblem(seconds) : undefined
    if (why !== undefined) errors.push(fieldError.invalid(`${path}.expirationSeconds`, seconds, why))
  })
}

function durationProblem(seconds: number): string | undefined {
  if (seconds < secondsMin) return 'may not specify a duration less than 10 minutes'
  return seconds > secondsMax ? 'may not specify a duration larger than 2^32 seconds' : undefined
}

const nodeIdBytesMax = 256

export function validateNodeDrivers(object: JsonObject): Errors {
  const errors: Errors = []
  const names = new Set<string>()
  eachItem(objectOf(object.spec).drivers, 'spec.drivers', (driver, at) => {
    const name = text(driver.name)
    checkDriverName(name, `${at}.name`, errors)
    checkNodeId(text(driver.nodeID), `${at}.nodeID`, errors)
    nonNegative(objectOf(driver.allocatable).count, `${at}.allocatable.count`, errors)
    if (names.has(name)) errors.push(fieldError.duplicate(`${at}.name`, name))
    names.add(name)
    checkTopologyKeys(driver.topologyKeys, at, errors)
  })
  return errors
}

function checkNodeId(id: string, at: string, errors: Errors): void {
  if (id === '') errors.push(fieldError.required(at))
  if (Buffer.byteLength(id) > nodeIdBytesMax) errors.push(fieldError.invalid(at, id, 'must be 256 characters or less'))
}

/** A real server names the driver here, not its keys. */
function checkTopologyKeys(keys: Json | undefined, at: string, errors: Errors): void {
  const known = new Set<string>()
  for (const key of listOf(keys).map(text)) {
    if (key === '') errors.push(fieldError.required(at))
    if (known.has(key)) errors.push(fieldError.duplicate(at, key))
    say(errors, at, key, qualifiedNameErrors(key))
    known.add(key)
  }
}
