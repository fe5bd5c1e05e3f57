// Named formats: `format.dns1123Label().validate(text)` gives nothing, or what is wrong.
import { dns1035LabelErrors, dnsLabelErrors, dnsSubdomainErrors, labelValueErrors, qualifiedNameErrors } from '#kube'
import { hasFormat } from '../../formats.ts'
import { CelList, CelOpaque, CelOptional, type CelValue } from '../values.ts'
import type { LibraryFunction } from './function.ts'

const formatName = 'kubernetes.NamedFormat'

type Check = (text: string) => readonly string[]

/** A prefix may end in a hyphen or dot, since something will follow. */
function asPrefix(check: Check): Check {
  return text => check(text.endsWith('-') || text.endsWith('.') ? `${text.slice(0, -1)}a` : text)
}

function byFormat(format: string, name: string): Check {
  return text => (hasFormat(format, text) ? [] : [`invalid ${name}`])
}

const checks: ReadonlyMap<string, Check> = new Map<string, Check>([
  ['dns1123Label', dnsLabelErrors],
  ['dns1123Subdomain', dnsSubdomainErrors],
  ['dns1035Label', dns1035LabelErrors],
  ['qualifiedName', qualifiedNameErrors],
  ['dns1123LabelPrefix', asPrefix(dnsLabelErrors)],
  ['dns1123SubdomainPrefix', asPrefix(dnsSubdomainErrors)],
  ['dns1035LabelPrefix', asPrefix(dns1035LabelErrors)],
  ['labelValue', labelValueErrors],
  ['uri', byFormat('uri', 'URI')],
  ['uuid', text => (hasFormat('uuid', text) ? [] : ['does not match the UUID format'])],
  ['byte', text => (/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text) ? [] : ['invalid base64'])],
  ['date', byFormat('date', 'date')],
  ['datetime', byFormat('datetime', 'datetime')],
])

export const formatNames: readonly string[] = [...checks.keys()]

export const formats: Readonly<Record<string, LibraryFunction>> = {
  ...Object.fromEntries([...checks].map(([name, check]) => [`format.${name}`, () => formatValue(name, check)])),
  'format.named': ([name]) => (typeof name === 'string' ? namedFormat(name) : undefined),
  validate: ([format, text]) =>
    format instanceof CelOpaque && format.type === formatName && typeof text === 'string' ? validate(format, text) : undefined,
}

function formatValue(name: string, check: Check): CelOpaque {
  return new CelOpaque(formatName, { name, check }, other => (other.content as { name: string }).name === name)
}

function namedFormat(name: string): CelOptional {
  const check = checks.get(name)
  return new CelOptional(check === undefined ? undefined : formatValue(name, check))
}

function validate(format: CelOpaque, text: string): CelValue {
  const errors = (format.content as { check: Check }).check(text)
  return new CelOptional(errors.length === 0 ? undefined : new CelList([...errors]))
}
