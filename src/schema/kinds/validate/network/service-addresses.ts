// A service's addresses, families and ports against each other: what the allotment of addresses and validation both need to know.
import { type FieldError, fieldError } from '../../../field-error.ts'
import type { Json } from '../../../json.ts'
import { repeats } from '../checks.ts'
import { readIp } from './address-forms.ts'

export interface ServicePort {
  readonly name?: string
  readonly protocol?: string
  readonly port?: number
  readonly nodePort?: number
}

export interface ServiceSpec {
  type?: string
  clusterIP?: string
  clusterIPs?: readonly string[]
  ipFamilies?: readonly string[]
  ipFamilyPolicy?: string
  ports?: readonly ServicePort[]
  selector?: Readonly<Record<string, string>>
  externalTrafficPolicy?: string
  internalTrafficPolicy?: string
  externalIPs?: readonly string[]
  healthCheckNodePort?: number
  allocateLoadBalancerNodePorts?: boolean
  loadBalancerClass?: string
}

export function isReachable({ type, externalIPs }: { readonly type?: unknown; readonly externalIPs?: unknown }): boolean {
  return needsNodePorts({ type }) || (type === 'ClusterIP' && Array.isArray(externalIPs) && externalIPs.length > 0)
}

export function needsNodePorts({ type }: { readonly type?: unknown }): boolean {
  return type === 'NodePort' || type === 'LoadBalancer'
}

export function needsHealthCheck(spec: ServiceSpec): boolean {
  return spec.type === 'LoadBalancer' && spec.externalTrafficPolicy === 'Local'
}

export function familyOf(ip: string): string {
  return readIp(ip)?.family === 6 ? 'IPv6' : 'IPv4'
}

const families = ['IPv4', 'IPv6']

export const ipText = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'

/** The fields about addresses against each other; also part of validation, of which these are the first to be told. */
/** Of addresses that were there before nobody asks whether they can be read. */
export function addressErrors(spec: ServiceSpec, old: ServiceSpec = {}): FieldError[] {
  const errors: FieldError[] = []
  const ips = spec.clusterIPs ?? []
  const value = ips as readonly Json[]
  if (spec.clusterIP) {
    if (ips.length === 0) errors.push(fieldError.required('spec.clusterIPs'))
    else if (ips[0] !== spec.clusterIP)
      errors.push(fieldError.invalid('spec.clusterIPs', value, 'first value must match `clusterIP`'))
  } else if (ips.length > 0)
    errors.push(fieldError.invalid('spec.clusterIPs', value, 'must be empty when `clusterIP` is not specified'))
  const isRepeat = repeats()
  ;(spec.ipFamilies ?? []).forEach((family, index) => {
    const at = `spec.ipFamilies[${index}]`
    if (!families.includes(family)) errors.push(fieldError.notSupported(at, family, families))
    if (isRepeat(family)) errors.push(fieldError.duplicate(at, family))
  })
  const policies = ['PreferDualStack', 'RequireDualStack', 'SingleStack']
  if (spec.ipFamilyPolicy !== undefined && !policies.includes(spec.ipFamilyPolicy))
    errors.push(fieldError.notSupported('spec.ipFamilyPolicy', spec.ipFamilyPolicy, policies))
  return [...errors, ...listErrors(ips, spec, new Set(old.clusterIPs))]
}

function listErrors(ips: readonly string[], spec: ServiceSpec, former: ReadonlySet<string>): FieldError[] {
  const errors: FieldError[] = []
  ips.forEach((ip, index) => {
    if (index === 0 && ip === 'None') {
      if (ips.length > 1) errors.push(fieldError.invalid('spec.clusterIPs', ips, "'None' must be the first and only value"))
    } else if (readIp(ip) === undefined && !former.has(ip))
      errors.push(fieldError.invalid(`spec.clusterIPs[${index}]`, ip, ipText))
  })
  const malformed = errors.length > 0
  if (ips.length > 2) errors.push(fieldError.invalid('spec.clusterIPs', ips, 'may only hold up to 2 values'))
  if (malformed) return errors
  if (ips.length > 1 && new Set(ips.map(familyOf)).size < 2)
    errors.push(fieldError.invalid('spec.clusterIPs', ips, 'may specify no more than one IP for each IP family'))
  if (ips[0] === 'None') return errors
  ips.forEach((ip, index) => {
    const wanted = spec.ipFamilies?.[index]
    if (wanted === undefined || !families.includes(wanted) || wanted === familyOf(ip)) return
    const why = `expected an ${wanted} value as indicated by \`ipFamilies[${index}]\``
    errors.push(fieldError.invalid(`spec.clusterIPs[${index}]`, ip, why))
  })
  return errors
}
