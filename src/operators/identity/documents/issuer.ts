// Where an issuer is (§3.10, 3.11): its URL, and the same without the scheme, which is what IAM and trust policies name.
import { partitionOf } from '#aws'

export type Location = { readonly ok: true; readonly hostPath: string } | { readonly ok: false; readonly message: string }

/** Host of a self-hosted issuer. The DNS suffix is that of the region's partition (14.1 L5). */
export function selfHostedHostPath(bucket: string, region: string): string {
  return `${bucket}.s3.${region}.${partitionOf(region).dnsSuffix}`
}

export function issuerUrl(hostPath: string): string {
  return hostPath === '' ? '' : `https://${hostPath}`
}

/** Host and path of an issuer URL that somebody else gave; refuses whatever could be written in two ways. */
export function normalizeIssuerUrl(text: string): Location {
  const match = /^https:\/\/([^/?#]+)([^?#]*)$/.exec(text)
  if (match === null || hasBlank(text)) return refuse('must be an https URL without query and fragment')
  const [, host = '', path = ''] = match
  if (host.includes('@')) return refuse('must not name a user')
  const found = checkHostPath(`${host}${path}`)
  return found === undefined ? { ok: true, hostPath: `${host}${path}` } : refuse(found)
}

/** Whether the ARN of an existing provider names this very issuer; the message says why not. */
export function checkExternalProvider(arn: string, hostPath: string): string | undefined {
  const named = /^arn:aws[a-z0-9-]*:iam::[0-9]{12}:oidc-provider\/(.+)$/s.exec(arn)?.[1]
  if (named === undefined) return 'spec.eksIRSA.oidcProvider.arn is no ARN of an IAM OIDC provider'
  const trouble = checkHostPath(named)
  if (trouble !== undefined) return `spec.eksIRSA.oidcProvider.arn: the issuer in it ${trouble}`
  if (named !== hostPath) {
    return `spec.eksIRSA.oidcProvider.arn is the provider of ${named}, not of spec.eksIRSA.issuerURL, ${hostPath}`
  }
  return undefined
}

function refuse(why: string): Location {
  return { ok: false, message: `spec.eksIRSA.issuerURL ${why}` }
}

function hasBlank(text: string): boolean {
  return /[\s\p{Cc}]/u.test(text)
}

function checkHostPath(text: string): string | undefined {
  if (text === '') return 'must not be empty'
  if (text.includes('://')) return 'must not hold a scheme'
  if (hasBlank(text)) return 'must not hold blanks'
  if (/[?#]/.test(text)) return 'must not hold a query or fragment'
  if (text.endsWith('/')) return 'must not end in a slash'
  return isCanonical(text) ? undefined : 'must be written in its canonical form'
}

/** Read and written again it is the same: one issuer has one name. */
function isCanonical(hostPath: string): boolean {
  let url: URL
  try {
    url = new URL(`https://${hostPath}`)
  } catch {
    return false
  }
  const [host = ''] = hostPath.split('/')
  const path = hostPath.slice(host.length)
  // A default port is dropped by the parser, and a path that is absent is given as a slash.
  return (url.host === host || `${url.host}:443` === host) && (url.pathname === path || (path === '' && url.pathname === '/'))
}
