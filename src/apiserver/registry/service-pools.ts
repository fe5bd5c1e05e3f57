// The numbers that services share: cluster addresses and node ports. What is taken is read off the services themselves, so nothing can
// leak and nothing has to be given back.
import type { Random } from '#base'
import { type ServiceSpec, usualIp } from '#schema'
import type { StorePort } from '../store/store.ts'

/** Takes the value, or says why it cannot be had. */
export type Reserve<T> = (value: T) => string | undefined

const taken = 'provided IP is already allocated'
/** 10.96.0.0/12, without its first and last address. */
const addressCount = 2 ** 20
const triesMax = 1_000

/** What is free is read off the services that are there; which of it is taken is chance. */
export interface ServicePorts extends StorePort {
  readonly random: Random
}

export class AddressRequest {
  readonly #ports: ServicePorts
  readonly #dryRun: boolean

  constructor(ports: ServicePorts, dryRun: boolean) {
    this.#ports = ports
    this.#dryRun = dryRun
  }

  /** Random and free. A dry run gets the address of the network itself, which no service ever has. */
  next(): string {
    if (this.#dryRun) return addressAt(0)
    const used = this.#used()
    for (let tries = 0; tries < triesMax; tries++) {
      const address = addressAt(this.#ports.random.integer(addressCount - 2) + 1)
      if (!used.has(address)) return address
    }
    throw new Error('no free cluster address after a thousand tries')
  }

  reserve(given: string): string | undefined {
    const address = usualIp(given)
    const index = indexOf(address)
    const isInside = index !== undefined && index > 0 && index < addressCount - 1
    if (!isInside && this.#dryRun)
      return `the provided IP (${address}) is not in the valid range. The range of valid IPs is ${addressAt(0)}/12`
    if (!isInside) return 'the provided network does not match the current range'
    return !this.#dryRun && this.#used().has(address) ? taken : undefined
  }

  #used(): Set<string> {
    const used = new Set<string>()
    eachService(this.#ports, spec => {
      for (const address of spec.clusterIPs ?? []) used.add(usualIp(address))
    })
    return used
  }
}

function addressAt(index: number): string {
  return `10.${96 + (index >> 16)}.${(index >> 8) & 255}.${index & 255}`
}

function indexOf(address: string): number | undefined {
  const parts = address.split('.').map(Number)
  const [first, second, third, fourth] = parts
  if (parts.length !== 4 || first !== 10) return undefined
  return (((second as number) - 96) << 16) + ((third as number) << 8) + (fourth as number)
}

const portFirst = 30_000
const portCount = 2_768
/** A dry run shows numbers after those that the service gives itself, or after this one: out of the range, so that nobody takes them for real. */
const dryRunBase = 32_768

export class PortRequest {
  readonly #ports: ServicePorts
  readonly #dryRun: boolean
  readonly #mine = new Set<number>()
  /** What the service already has is not free, but goes back when the update is done. */
  readonly #old: ServiceSpec | undefined
  /** The highest of mine. */
  #last: number | undefined
  #used: Set<number> | undefined

  constructor(ports: ServicePorts, dryRun: boolean, old?: ServiceSpec) {
    this.#ports = ports
    this.#dryRun = dryRun
    this.#old = old
  }

  next(): number {
    if (this.#dryRun) return this.#take((this.#last ?? dryRunBase) + 1)
    const used = this.#usedPorts()
    for (let tries = 0; tries < triesMax; tries++) {
      const port = portFirst + this.#ports.random.integer(portCount)
      if (!used.has(port) && !this.#mine.has(port)) return this.#take(port)
    }
    throw new Error('no free node port after a thousand tries')
  }

  readonly reserve = (port: number): string | undefined => {
    if (!this.#dryRun && (port < portFirst || port >= portFirst + portCount))
      return `provided port is not in the valid range. The range of valid ports is ${portFirst}-${portFirst + portCount - 1}`
    if (this.#usedPorts().has(port) || this.#mine.has(port)) return 'provided port is already allocated'
    this.#take(port)
    return undefined
  }

  #take(port: number): number {
    this.#mine.add(port)
    this.#last = Math.max(port, this.#last ?? port)
    return port
  }

  #usedPorts(): Set<number> {
    if (this.#used !== undefined) return this.#used
    const used = new Set<number>()
    eachService(this.#ports, spec => note(spec, used))
    if (this.#old !== undefined) note(this.#old, used)
    this.#used = used
    return used
  }
}

function note(spec: ServiceSpec, used: Set<number>): void {
  for (const port of spec.ports ?? []) if (port.nodePort) used.add(port.nodePort)
  if (spec.healthCheckNodePort) used.add(spec.healthCheckNodePort)
}

/** Services of the external-name kind hold nothing, whatever their ports say. */
function eachService({ store }: ServicePorts, visit: (spec: ServiceSpec) => void): void {
  store.table('services').rows.visit('', version => {
    const spec = (version.object.spec ?? {}) as ServiceSpec
    if (spec.type !== 'ExternalName') visit(spec)
    return true
  })
}
