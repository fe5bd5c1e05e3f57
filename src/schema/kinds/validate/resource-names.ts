// Names of what can be asked for and used up: in containers, in quotas and in limits.
import { qualifiedNameErrors } from '#kube'
import { fieldError } from '../../field-error.ts'
import { type Errors, say } from './checks.ts'

const amounts = ['cpu', 'memory', 'ephemeral-storage']

/** What a quota counts in whole numbers. */
export const countedNames: readonly string[] = [
  'pods',
  'resourcequotas',
  'services',
  'replicationcontrollers',
  'secrets',
  'persistentvolumeclaims',
  'configmaps',
  'services.nodeports',
  'services.loadbalancers',
]

const quotaNames = new Set([
  ...countedNames,
  ...['', 'requests.', 'limits.'].flatMap(prefix => amounts.map(amount => `${prefix}${amount}`)),
  'requests.storage',
])

export function checkQuotaName(name: string, at: string, errors: Errors): void {
  checkResourceName(name, at, errors)
  const isKnown = name.includes('/') || isQuotaName(name) || /^(?:requests\.)?hugepages-/.test(name)
  if (!isKnown) errors.push(fieldError.invalid(at, name, 'must be a standard resource for quota'))
}

export function checkContainerResource(name: string, at: string, errors: Errors): void {
  checkResourceName(name, at, errors)
  if (name.includes('/')) checkExtension(name, at, errors)
  else if (!amounts.includes(name) && !name.startsWith('hugepages-'))
    errors.push(fieldError.invalid(at, name, 'must be a standard resource for containers'))
}

/** Who extends a node gives its resources names of a domain, with room for what a quota puts before them. */
function checkExtension(name: string, at: string, errors: Errors): void {
  if (name.includes('kubernetes.io/')) return
  if (name.startsWith('requests.') || qualifiedNameErrors(`requests.${name}`).length > 0)
    errors.push(fieldError.invalid(at, name, "doesn't follow extended resource name standard"))
}

/** Whether it is one that every quota knows; what has a domain or is counted by its kind is none of those. */
export function isQuotaName(name: string): boolean {
  return quotaNames.has(name)
}

/** What there is no part of: pods and their like, and the devices of others. */
export function isWholeResource(name: string): boolean {
  const isDevice = name.includes('/') && !name.includes('kubernetes.io/') && !name.startsWith('requests.')
  return countedNames.includes(name) || (isDevice && qualifiedNameErrors(name).length === 0)
}

/** Whatever it is a resource of, it has a domain or is one of those that everybody knows. */
export function checkResourceName(name: string, at: string, errors: Errors): void {
  const problems = qualifiedNameErrors(name)
  say(errors, at, name, problems)
  const isKnown = name.includes('/') || name === 'storage' || isQuotaName(name) || /^(?:requests\.)?hugepages-/.test(name)
  if (problems.length === 0 && !isKnown)
    errors.push(fieldError.invalid(at, name, 'must be a standard resource type or fully qualified'))
}
