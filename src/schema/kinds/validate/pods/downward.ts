// What a container may know of its pod: fields, and amounts of containers; as variables and as files.
import { qualifiedNameErrors } from '#kube'
import { fieldError } from '../../../field-error.ts'
import type { JsonObject } from '../../../json.ts'
import { parseQuantity, renderQuantity } from '../../../quantity.ts'
import { type Errors, oneOf, say, text } from '../checks.ts'

type Form = 'variable' | 'file'

const allowed: Readonly<Record<Form, readonly string[]>> = {
  variable: [
    'metadata.name',
    'metadata.namespace',
    'metadata.uid',
    'spec.nodeName',
    'spec.serviceAccountName',
    'status.hostIP',
    'status.hostIPs',
    'status.podIP',
    'status.podIPs',
  ],
  file: ['metadata.annotations', 'metadata.labels', 'metadata.name', 'metadata.namespace', 'metadata.uid'],
}
/** Read, and given to nobody. */
const known = [...allowed.variable, ...allowed.file, 'spec.restartPolicy', 'spec.schedulerName', 'status.phase']
const subscripted = ['metadata.annotations', 'metadata.labels']

export function checkField({ apiVersion, fieldPath }: JsonObject, at: string, form: Form, errors: Errors): void {
  const path = text(fieldPath)
  if (path === '') {
    errors.push(fieldError.required(`${at}.fieldPath`))
    return
  }
  const [owner, key] = splitSubscript(path)
  const name = owner === 'spec.host' && key === undefined ? 'spec.nodeName' : owner
  const why = unreadable(text(apiVersion), name, key === undefined ? '' : path)
  if (why !== undefined) errors.push(fieldError.invalid(`${at}.fieldPath`, path, `error converting fieldPath: ${why}`))
  else if (key !== undefined) checkSubscript(key, name, at, errors)
  else oneOf(name, `${at}.fieldPath`, allowed[form], errors)
}

/** `metadata.labels['a']` names one of many. */
function splitSubscript(path: string): readonly [owner: string, key?: string] {
  const [start, end] = [path.indexOf("['"), path.length - "']".length]
  const key = start + "['".length
  return start > 0 && key <= end && path.endsWith("']") ? [path.slice(0, start), path.slice(key, end)] : [path]
}

function unreadable(version: string, name: string, withSubscript: string): string | undefined {
  if (version !== 'v1' && version !== '') return `unsupported pod version: ${version}`
  if (withSubscript !== '')
    return subscripted.includes(name) ? undefined : `field label does not support subscript: ${withSubscript}`
  return known.includes(name) ? undefined : `field label not supported: ${name}`
}

/** Annotations are looked up whatever the case of their names. */
function checkSubscript(key: string, owner: string, at: string, errors: Errors): void {
  const name = owner === 'metadata.annotations' ? key.toLowerCase() : key
  say(errors, at, name, qualifiedNameErrors(name))
}

const amounts = [
  'limits.cpu',
  'limits.ephemeral-storage',
  'limits.memory',
  'requests.cpu',
  'requests.ephemeral-storage',
  'requests.memory',
]

/** A file says whose amount it shows; a variable may show that of its own container. */
export function checkFileAmount(reference: JsonObject, at: string, errors: Errors): void {
  if (text(reference.containerName) === '') errors.push(fieldError.required(`${at}.containerName`))
  else checkAmount(reference, at, errors)
}

export function checkAmount({ resource, divisor }: JsonObject, at: string, errors: Errors): void {
  const name = text(resource)
  const isPages = /^(?:limits|requests)\.hugepages-/.test(name)
  if (name === '') errors.push(fieldError.required(`${at}.resource`))
  else if (!isPages) oneOf(name, `${at}.resource`, amounts, errors)
  const amount = parseQuantity(text(divisor))
  if (amount === undefined || amount.numerator === 0n) return
  checkDivisor(name, renderQuantity(amount, amount.text.endsWith('i') ? 'binary' : 'decimal'), `${at}.divisor`, errors)
}

const bytes = ['1', '1k', '1M', '1G', '1T', '1P', '1E', '1Ki', '1Mi', '1Gi', '1Ti', '1Pi', '1Ei']
const families: readonly (readonly [names: RegExp, called: string, divisors: readonly string[]])[] = [
  [/\.cpu$/, 'cpu', ['1m', '1']],
  [/\.memory$/, 'memory', bytes],
  [/\.hugepages-/, 'hugepages', bytes],
  [/\.ephemeral-storage$/, 'local ephemeral storage', bytes],
]

function checkDivisor(name: string, divisor: string, at: string, errors: Errors): void {
  const [, called, divisors] = families.find(([names]) => names.test(name)) ?? []
  if (divisors === undefined || divisors.includes(divisor)) return
  const told = called === 'cpu' ? divisors.join(' and ') : divisors.join(', ')
  errors.push(fieldError.invalid(at, name, `only divisor's values ${told} are supported with the ${called} resource`))
}
