// Ports of a pod's containers that are named twice. All containers of a pod have one network between them.
import type { JsonObject } from '../../../json.ts'
import { eachItem, text } from '../checks.ts'

interface Port {
  readonly at: string
  readonly hostPort: number
  readonly hostIp: string
}

/** Each is compared with those before it of the same number, of more than these with the first ones. */
const comparedMax = 1_000

export function portWarnings(spec: JsonObject, at: string, warn: (warning: string) => void): void {
  const seen = new Map<string, Port[]>()
  for (const list of ['initContainers', 'containers'])
    eachItem(spec[list], `${at}.${list}`, (container, path) =>
      eachItem(container.ports, `${path}.ports`, (given, each) => {
        const port: Port = { at: each, hostPort: Number(given.hostPort ?? 0), hostIp: text(given.hostIP) }
        if (port.hostPort === 0 && port.hostIp !== '') warn(`${each}: hostIP set without hostPort: ${shown(given)}`)
        const key = `${text(given.protocol)}/${Number(given.containerPort ?? 0)}`
        const others = seen.get(key) ?? []
        seen.set(key, others)
        for (const other of others) {
          const how = conflictOf(port, other)
          if (how !== undefined) warn(`${each}: ${how} port definition with ${other.at}`)
        }
        if (others.length < comparedMax) others.push(port)
      }),
    )
}

function conflictOf(port: Port, other: Port): string | undefined {
  if (port.hostPort === other.hostPort && port.hostIp === other.hostIp) return 'duplicate'
  if (port.hostPort === 0 || other.hostPort === 0) return 'overlapping'
  const isAnywhere = port.hostIp === '' || other.hostIp === ''
  return port.hostPort === other.hostPort && isAnywhere ? 'dangerously ambiguous' : undefined
}

/** As the server prints its own type. */
function shown({ name, containerPort, protocol, hostIP }: JsonObject): string {
  return `{Name:${text(name)} HostPort:0 ContainerPort:${Number(containerPort ?? 0)} Protocol:${text(protocol)} HostIP:${text(hostIP)}}`
}
