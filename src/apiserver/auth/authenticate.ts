// Who asks: a client certificate of our CA, a bearer token that we know or signed, or nobody. What is shown must be good: credentials
// that are not accepted are a 401, never a fall-back to anonymous.
import { type HttpRequest, parseCertificate } from '#base'
import { header } from '../http/call.ts'
import { unauthorized } from '../refusals.ts'
import type { UserInfo } from '../users.ts'
import { anonymous, withAuthenticated } from '../users.ts'

export interface TokenAuthenticator {
  /** The user behind a token; undefined when the token is not good (any more). */
  authenticate(token: string): UserInfo | undefined
}

/** Parsed once per connection: the bytes of the certificate stay the same object. */
const certificateUsers = new WeakMap<Uint8Array, UserInfo>()

export function authenticate(request: HttpRequest, tokens: TokenAuthenticator): UserInfo {
  const certificate = request.peer?.certificate
  if (certificate !== undefined) return certificateUser(certificate)
  const authorization = header(request, 'authorization')
  if (authorization === undefined || authorization === '') return anonymous
  const match = /^Bearer +(\S+)$/i.exec(authorization)
  // Other schemes are not ours to judge: as on a real server they authenticate nobody.
  if (match === null) return /^bearer/i.test(authorization) ? refuse() : anonymous
  const user = tokens.authenticate(match[1] ?? '')
  return user === undefined ? refuse() : withAuthenticated(user)
}

function refuse(): never {
  throw unauthorized()
}

function certificateUser(der: Uint8Array): UserInfo {
  let user = certificateUsers.get(der)
  if (user === undefined) {
    const { subject } = parseCertificate(der)
    user = withAuthenticated({ username: subject.commonName, groups: subject.organizations })
    certificateUsers.set(der, user)
  }
  return user
}
