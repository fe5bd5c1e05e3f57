// Rules for names, labels and annotations, in the words of the API machinery. Each returns what is wrong; an empty list means nothing.

const subdomainPattern = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/
const wildcardPattern = /^\*\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/
const labelPattern = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/
const label1035Pattern = /^[a-z]([-a-z0-9]*[a-z0-9])?$/
const qualifiedPattern = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/
const labelValuePattern = /^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/

const subdomainLengthMax = 253
const labelLengthMax = 63

const subdomainText =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
const wildcardText =
  "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character (e.g. '*.example.com', regex used for validation is '\\*\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
const labelText =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')"
const label1035Text =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')"
const qualifiedText =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"
const labelValueText =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"

/** A DNS-1123 subdomain: the rule for most object names. */
export function dnsSubdomainErrors(name: string): readonly string[] {
  return check(name, subdomainLengthMax, subdomainPattern, subdomainText)
}

/** One label of a host may be anything: `*.example.com`. */
export function wildcardSubdomainErrors(name: string): readonly string[] {
  return check(name, subdomainLengthMax, wildcardPattern, wildcardText)
}

/** A DNS-1123 label: namespaces, and each part of a host name. */
export function dnsLabelErrors(name: string): readonly string[] {
  const errors = check(name, labelLengthMax, labelPattern, labelText)
  // A name with dots would be a right subdomain, so that its only fault is the dots.
  return errors.at(-1) === labelText && dnsSubdomainErrors(name).length === 0
    ? [...errors.slice(0, -1), 'must not contain dots']
    : errors
}

/** A DNS-1035 label: services. */
export function dns1035LabelErrors(name: string): readonly string[] {
  return check(name, labelLengthMax, label1035Pattern, label1035Text)
}

/** A name that may stand in a path: RBAC objects. */
export function pathSegmentErrors(name: string): readonly string[] {
  if (name === '.' || name === '..') return [`may not be '${name}'`]
  const errors: string[] = []
  for (const illegal of ['/', '%']) if (name.includes(illegal)) errors.push(`may not contain '${illegal}'`)
  return errors
}

/** A label or annotation key, or a finalizer: a name with an optional DNS prefix. */
export function qualifiedNameErrors(text: string): readonly string[] {
  const parts = text.split('/')
  if (parts.length > 2) {
    return [`a qualified name ${qualifiedText} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`]
  }
  const errors: string[] = []
  const name = parts.at(-1) as string
  if (parts.length === 2) {
    const prefix = parts[0] as string
    if (prefix === '') errors.push('prefix part must be non-empty')
    else errors.push(...dnsSubdomainErrors(prefix).map(error => `prefix part ${error}`))
  }
  if (name === '') errors.push('name part must be non-empty')
  else if (name.length > labelLengthMax) errors.push(`name part ${tooLong(labelLengthMax)}`)
  if (!qualifiedPattern.test(name)) errors.push(`name part ${qualifiedText}`)
  return errors
}

export function labelValueErrors(value: string): readonly string[] {
  return check(value, labelLengthMax, labelValuePattern, labelValueText)
}

function check(text: string, lengthMax: number, pattern: RegExp, message: string): readonly string[] {
  const long = text.length > lengthMax
  // A text past the limit is not matched as a whole: hostile input shall not buy time.
  const fits = pattern.test(long ? text.slice(0, 10 * lengthMax) : text)
  if (!long && fits) return none
  return [...(long ? [tooLong(lengthMax)] : []), ...(fits ? [] : [message])]
}

const none: readonly string[] = []

function tooLong(max: number): string {
  return `must be no more than ${max} characters`
}
