// Ports of containers.
import { fieldError } from '../../../field-error.ts'
import type { Json, JsonObject } from '../../../json.ts'
import { type Errors, eachItem, oneOf, portNameErrors, portNumber, say, text } from '../checks.ts'

export function checkPorts(ports: Json | undefined, at: string, errors: Errors): void {
  const names = new Set<string>()
  eachItem(ports, at, (port, path) => {
    if (text(port.name) !== '') checkPortName(text(port.name), `${path}.name`, names, errors)
    if (port.containerPort === undefined || port.containerPort === 0) errors.push(fieldError.required(`${path}.containerPort`))
    else portNumber(port.containerPort, `${path}.containerPort`, errors)
    if (port.hostPort !== 0) portNumber(port.hostPort, `${path}.hostPort`, errors)
    if (text(port.protocol) === '') errors.push(fieldError.required(`${path}.protocol`))
    else oneOf(port.protocol, `${path}.protocol`, ['SCTP', 'TCP', 'UDP'], errors)
  })
}

function checkPortName(name: string, at: string, names: Set<string>, errors: Errors): void {
  const problems = portNameErrors(name)
  say(errors, at, name, problems)
  if (problems.length > 0) return
  if (names.has(name)) errors.push(fieldError.duplicate(at, name))
  names.add(name)
}

/** One program for each port of the host. */
export function checkHostPorts(containers: Json | undefined, at: string, errors: Errors): void {
  const taken = new Set<string>()
  eachHostPort(containers, at, ({ protocol, hostIP, hostPort }, path) => {
    const place = `${text(protocol)}/${text(hostIP)}/${Number(hostPort)}`
    if (taken.has(place)) errors.push(fieldError.duplicate(`${path}.hostPort`, place))
    taken.add(place)
  })
}

/** On the host's network a container's port is the host's. */
export function checkNetworkPorts(containers: Json | undefined, at: string, errors: Errors): void {
  eachHostPort(containers, at, ({ hostPort, containerPort }, path) => {
    const why = 'must match `containerPort` when `hostNetwork` is true'
    if (hostPort !== containerPort) errors.push(fieldError.invalid(`${path}.hostPort`, hostPort, why))
  })
}

function eachHostPort(containers: Json | undefined, at: string, visit: (port: JsonObject, at: string) => void): void {
  eachItem(containers, at, (container, path) =>
    eachItem(container.ports, `${path}.ports`, (port, each) => {
      if (typeof port.hostPort === 'number' && port.hostPort !== 0) visit(port, each)
    }),
  )
}
