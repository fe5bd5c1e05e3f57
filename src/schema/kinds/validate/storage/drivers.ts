// Drivers of volumes: what they can do, and what they know of a node.
import { dnsSubdomainErrors, qualifiedNameErrors } from '#kube'
import { fieldError } from '../../../field-error.ts'
import { isObject, type Json, type JsonObject } from '../../../json.ts'
import type { ValidationContext } from '../../../kind-schema.ts'
import { type Errors, eachItem, immutable, listOf, nonNegative, objectOf, oneOf, say, text } from '../checks.ts'

const driverBytesMax = 63

export function checkDriverName(name: string, at: string, errors: Errors): void {
  if (name === '') errors.push(fieldError.required(at))
  if (Buffer.byteLength(name) > driverBytesMax) errors.push(fieldError.tooLong(at, driverBytesMax))
  say(errors, at, name, dnsSubdomainErrors(name.toLowerCase()))
}

const secondsMin = 600
const secondsMax = 2 ** 32

export function validateDriver(object: JsonObject, { old }: ValidationContext): Errors {
  const errors: Errors = []
  const { attachRequired, fsGroupPolicy, tokenRequests, volumeLifecycleModes } = objectOf(object.spec)
  oneOf(fsGroupPolicy, 'spec.fsGroupPolicy', ['File', 'None', 'ReadWriteOnceWithFSType'], errors)
  checkTokens(tokenRequests, 'spec.tokenRequests', errors)
  for (const mode of listOf(volumeLifecycleModes)) oneOf(mode, 'spec.volumeLifecycleModes', ['Persistent', 'Ephemeral'], errors)
  if (old === undefined) return errors
  const before = objectOf(old.spec)
  immutable(attachRequired, before.attachRequired, 'spec.attachedRequired', errors)
  immutable(volumeLifecycleModes, before.volumeLifecycleModes, 'spec.volumeLifecycleModes', errors)
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

/** A real server looks at changed ones twice, and says everything twice. A driver may come and go, but not become another. */
export function validateNodeDrivers(object: JsonObject, { old }: ValidationContext): Errors {
  const errors: Errors = []
  const { drivers } = objectOf(object.spec)
  checkNodeDrivers(drivers, errors)
  if (old === undefined) return errors
  checkNodeDrivers(drivers, errors)
  const named = Map.groupBy(listOf(drivers).map(objectOf), driver => driver.name)
  eachItem(objectOf(old.spec).drivers, '', before => {
    for (const driver of named.get(before.name) ?? []) checkKept(driver, before, errors)
  })
  return errors
}

function checkKept(driver: JsonObject, before: JsonObject, errors: Errors): void {
  const changes: Errors = []
  immutable(driver, before, 'spec.drivers', changes)
  for (const error of changes) errors.push({ ...error, value: shownDriver(driver), ordered: true })
}

function shownDriver({ name, nodeID, topologyKeys, allocatable }: JsonObject): JsonObject {
  return {
    Name: text(name),
    NodeID: text(nodeID),
    TopologyKeys: topologyKeys ?? null,
    Allocatable: isObject(allocatable) ? { Count: allocatable.count ?? null } : null,
  }
}

function checkNodeDrivers(drivers: Json | undefined, errors: Errors): void {
  const names = new Set<string>()
  eachItem(drivers, 'spec.drivers', (driver, at) => {
    const name = text(driver.name)
    checkDriverName(name, `${at}.name`, errors)
    checkNodeId(text(driver.nodeID), `${at}.nodeID`, errors)
    nonNegative(objectOf(driver.allocatable).count, `${at}.allocatable.count`, errors)
    if (names.has(name)) errors.push(fieldError.duplicate(`${at}.name`, name))
    names.add(name)
    checkTopologyKeys(driver.topologyKeys, at, errors)
  })
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
