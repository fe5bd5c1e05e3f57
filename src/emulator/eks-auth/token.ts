// Service account tokens as EKS Auth reads them: signed by the cluster, for its audience, not expired, bound to a pod (§7.3).
import { createPublicKey, type JsonWebKey, verify } from 'node:crypto'
import { ServiceError } from '../error.ts'
import type { IssuersPort } from '../ports.ts'

export interface PodToken {
  readonly namespace: string
  readonly serviceAccount: string
  readonly pod: { readonly name: string; readonly uid: string }
}

const audience = 'pods.eks.amazonaws.com'

/** What node:crypto calls the algorithms; a token's own word for it is only taken from this list, and must fit the key. */
const algorithms: Readonly<Record<string, { readonly hash: string; readonly keyType: string }>> = {
  RS256: { hash: 'sha256', keyType: 'rsa' },
  RS384: { hash: 'sha384', keyType: 'rsa' },
  RS512: { hash: 'sha512', keyType: 'rsa' },
  ES256: { hash: 'sha256', keyType: 'ec' },
  ES384: { hash: 'sha384', keyType: 'ec' },
  ES512: { hash: 'sha512', keyType: 'ec' },
}

type Fields = Readonly<Record<string, unknown>>

export async function readPodToken(
  text: string,
  expected: { readonly issuer: string; readonly issuers: IssuersPort; readonly now: () => number },
): Promise<PodToken> {
  const [head = '', body = '', signature = ''] = text.split('.')
  const header = decoded(head)
  const claims = decoded(body)
  if (header === undefined || claims === undefined || signature === '') throw invalid('The token is not a valid JWT')
  if (claims['iss'] !== expected.issuer) throw invalid('The token was not issued by this cluster')
  const key = await keyFor(header, expected)
  const algorithm = algorithms[String(header['alg'])]
  const good =
    algorithm !== undefined &&
    key.asymmetricKeyType === algorithm.keyType &&
    verify(
      algorithm.hash,
      Buffer.from(`${head}.${body}`),
      { key, dsaEncoding: 'ieee-p1363' },
      Buffer.from(signature, 'base64url'),
    )
  if (!good) throw invalid('The signature of the token is not valid')
  const audiences = [claims['aud']].flat()
  if (!audiences.includes(audience)) throw invalid(`The token's audience must be ${audience}`)
  const nowS = Math.floor(expected.now() / 1_000)
  const { exp, nbf } = claims
  if (typeof exp !== 'number') throw invalid('The token has no expiry')
  if (exp <= nowS) throw new ServiceError('ExpiredTokenException', 400, 'The token is expired')
  if (typeof nbf === 'number' && nbf > nowS + skewS) throw invalid('The token is not valid yet')
  return subjectOf(claims)
}

const skewS = 300

function subjectOf(claims: Fields): PodToken {
  const kubernetes = fields(claims['kubernetes.io'])
  const pod = fields(kubernetes['pod'])
  const serviceAccount = fields(kubernetes['serviceaccount'])['name']
  const { namespace } = kubernetes
  if (typeof namespace !== 'string' || typeof serviceAccount !== 'string') throw invalid('The token names no service account')
  if (claims['sub'] !== `system:serviceaccount:${namespace}:${serviceAccount}`)
    throw invalid('The subject of the token does not fit')
  if (typeof pod['name'] !== 'string' || typeof pod['uid'] !== 'string') throw invalid('The token is not bound to a pod')
  return { namespace, serviceAccount, pod: { name: pod['name'], uid: pod['uid'] } }
}

async function keyFor(
  header: Fields,
  expected: { readonly issuer: string; readonly issuers: IssuersPort },
): Promise<ReturnType<typeof createPublicKey>> {
  const discovery = await json(expected.issuers, `${expected.issuer}/.well-known/openid-configuration`)
  const jwksUri = discovery['jwks_uri']
  if (typeof jwksUri !== 'string') throw invalid('The cluster has no key set')
  const { keys } = await json(expected.issuers, jwksUri)
  const found = Array.isArray(keys)
    ? keys.map(fields).find(key => typeof key['kid'] === 'string' && key['kid'] === header['kid'])
    : undefined
  if (found === undefined) throw invalid('The key of the token is not one of the cluster')
  try {
    return createPublicKey({ key: found as JsonWebKey, format: 'jwk' })
  } catch {
    throw invalid('The key of the token cannot be read')
  }
}

async function json(issuers: IssuersPort, url: string): Promise<Fields> {
  const answer = await issuers.fetch(url)
  if (answer.kind === 'unreachable' || answer.status !== 200) throw invalid(`The cluster's issuer does not answer at ${url}`)
  try {
    return fields(JSON.parse(Buffer.from(answer.body).toString('utf8')))
  } catch {
    throw invalid(`The cluster's issuer does not answer with JSON at ${url}`)
  }
}

function decoded(part: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'))
    return value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Fields) : undefined
  } catch {
    return undefined
  }
}

function fields(value: unknown): Fields {
  return value !== null && typeof value === 'object' ? (value as Fields) : {}
}

function invalid(message: string): ServiceError {
  return new ServiceError('InvalidTokenException', 400, message)
}
