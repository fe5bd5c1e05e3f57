// Network policies.
import { fieldError } from '../../../field-error.ts'
import { type IpNetwork, maskedNetwork, networkContains, parseNetwork, renderIp, sameIp } from '../../../ip.ts'
import { isObject, type Json, type JsonObject } from '../../../json.ts'
import type { ValidationContext } from '../../../kind-schema.ts'
import { type Errors, eachItem, listOf, objectOf, oneOf, portNameErrors, portNumber, say, text } from '../checks.ts'
import { checkSelector } from '../selectors.ts'
import { networkText } from './address-forms.ts'

/** Which list of a rule names its peers. */
const directions = { ingress: 'from', egress: 'to' } as const
const subsetText = 'must be a strict subset of `cidr`'

/** A real server looks at a changed one twice, and says everything twice. */
export function validateNetworkPolicy(object: JsonObject, { old }: ValidationContext = {}): Errors {
  const errors = specErrors(object)
  return old === undefined ? errors : [...errors, ...errors]
}

function specErrors(object: JsonObject): Errors {
  const errors: Errors = []
  const spec = objectOf(object.spec)
  checkSelector(spec.podSelector, 'spec.podSelector', errors)
  eachRule(spec, (rule, at, peers) => {
    eachItem(rule.ports, `${at}.ports`, (port, each) => checkPort(port, each, errors))
    eachItem(rule[peers], `${at}.${peers}`, (peer, each) => checkPeer(peer, each, errors))
  })
  const types = listOf(spec.policyTypes)
  if (types.length > 2) errors.push(fieldError.invalid('spec.policyTypes', types, 'may not specify more than two policyTypes'))
  else types.forEach((type, index) => oneOf(type, `spec.policyTypes[${index}]`, ['Ingress', 'Egress'], errors))
  return errors
}

/** Networks whose address has more bits than their mask lets through. */
export function networkPolicyWarnings(object: JsonObject): readonly string[] {
  const warnings: string[] = []
  const look = (value: Json | undefined, at: string): void => {
    const network = parseNetwork(text(value))
    if (network === undefined) return
    const { address } = maskedNetwork(network)
    if (sameIp(address, network.address)) return
    const [wide, narrow] = [
      `${renderIp(address)}/${network.prefixLength}`,
      `${renderIp(network.address)}/${address.bytes.length * 8}`,
    ]
    const hint = `(should be "${wide}" or "${narrow}"?)`
    warnings.push(`${at}: CIDR value "${text(value)}" is ambiguous in this context ${hint}`)
  }
  eachRule(objectOf(object.spec), (rule, at, peers) =>
    eachItem(rule[peers], `${at}.${peers}`, ({ ipBlock }, each) => {
      const { cidr, except } = objectOf(ipBlock)
      look(cidr, `${each}.ipBlock.cidr`)
      listOf(except).forEach((one, index) => look(one, `${each}.ipBlock.except[${index}]`))
    }),
  )
  return warnings
}

function eachRule(spec: JsonObject, visit: (rule: JsonObject, at: string, peers: 'from' | 'to') => void): void {
  for (const direction of ['ingress', 'egress'] as const)
    eachItem(spec[direction], `spec.${direction}`, (rule, at) => visit(rule, at, directions[direction]))
}

function checkPort({ protocol, port, endPort }: JsonObject, at: string, errors: Errors): void {
  oneOf(protocol, `${at}.protocol`, ['TCP', 'UDP', 'SCTP'], errors)
  if (typeof port === 'number') portNumber(port, `${at}.port`, errors)
  checkEnd(endPort, port, at, errors)
  if (typeof port === 'string') say(errors, `${at}.port`, port, portNameErrors(port))
}

function checkEnd(endPort: Json | undefined, port: Json | undefined, at: string, errors: Errors): void {
  if (typeof endPort !== 'number') return
  const end = `${at}.endPort`
  if (port === undefined) errors.push(fieldError.invalid(end, endPort, 'may not be specified when `port` is not specified'))
  else if (typeof port !== 'number')
    errors.push(fieldError.invalid(end, endPort, 'may not be specified when `port` is non-numeric'))
  else {
    // A real server shows the port here.
    if (endPort < port) errors.push(fieldError.invalid(end, port, 'must be greater than or equal to `port`'))
    portNumber(endPort, end, errors)
  }
}

function checkPeer({ podSelector, namespaceSelector, ipBlock }: JsonObject, at: string, errors: Errors): void {
  checkSelector(podSelector, `${at}.podSelector`, errors)
  checkSelector(namespaceSelector, `${at}.namespaceSelector`, errors)
  if (isObject(ipBlock)) checkBlock(ipBlock, `${at}.ipBlock`, errors)
  const given = [podSelector, namespaceSelector, ipBlock].filter(isObject).length
  if (given === 0) errors.push(fieldError.required(at, 'must specify a peer'))
  else if (given > 1 && isObject(ipBlock)) errors.push(fieldError.forbidden(at, 'may not specify both ipBlock and another peer'))
}

function checkBlock({ cidr, except }: JsonObject, at: string, errors: Errors): void {
  const whole = parseNetwork(text(cidr))
  if (text(cidr) === '') errors.push(fieldError.required(`${at}.cidr`))
  else if (whole === undefined) errors.push(fieldError.invalid(`${at}.cidr`, cidr, networkText))
  if (whole === undefined) return
  listOf(except).forEach((one, index) => checkException(one, whole, `${at}.except[${index}]`, errors))
}

function checkException(value: Json, whole: IpNetwork, at: string, errors: Errors): void {
  const part = parseNetwork(text(value))
  if (part === undefined) errors.push(fieldError.invalid(at, value, networkText))
  else if (!networkContains(whole, part.address) || part.prefixLength <= whole.prefixLength)
    errors.push(fieldError.invalid(at, value, subsetText))
}
