// Route 53 writes ids with a prefix that says what they are of, and takes them with and without.

export function bareId(id: unknown): string {
  return typeof id === 'string' ? id.replace(/^\/?(?:hostedzone|change|delegationset|healthcheck)\//, '') : ''
}

export function zoneArn(partition: string, id: unknown): string {
  return `arn:${partition}:route53:::hostedzone/${bareId(id)}`
}

/** Names compared as DNS does: letters in any case, with or without the last dot, escapes as the characters they stand for. */
export function dnsName(value: unknown): string {
  if (typeof value !== 'string') return ''
  const plain = value.replaceAll(/\\(\d{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)))
  return plain.toLowerCase().replace(/\.$/, '')
}
