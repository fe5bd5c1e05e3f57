import { HttpFailure } from '../../seams/http.ts'

export interface Origin {
  readonly secure: boolean
  readonly host: string
  readonly port: number
  /** `host:port`, or the host alone at the default port: the value of a Host header. */
  readonly authority: string
}

export function parseOrigin(text: string): Origin {
  let url: URL
  try {
    url = new URL(text)
  } catch {
    throw new HttpFailure('unreachable', `${JSON.stringify(text)} is no address: expected https://host:port`)
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new HttpFailure('unreachable', `${JSON.stringify(text)} is neither an https:// nor an http:// address`)
  }
  const secure = url.protocol === 'https:'
  const host = url.hostname.replace(/^\[|\]$/g, '')
  return { secure, host, port: url.port === '' ? (secure ? 443 : 80) : Number(url.port), authority: url.host }
}
