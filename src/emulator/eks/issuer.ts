// The identity of an emulated cluster that is not bound to an API server: its CA, its issuer documents, and tokens signed with its key.
// Real clusters sign with RSA; these sign with P-256, because a key of that kind can follow from the seed.
import { createHash, createPublicKey, sign } from 'node:crypto'
import { issueCertificate } from '#base'
import type { IssuerFetch } from '../ports.ts'
import { seededEcKey } from '../seeded-key.ts'
import type { Context } from '../service.ts'
import { type Cluster, type EksState, issuerHost, issuerOf } from './model.ts'

function keyOf(cluster: Pick<Cluster, 'issuerId'>, context: Context<EksState>, purpose: string): string {
  return seededEcKey(context.random(`${purpose}/${cluster.issuerId}`))
}

const caLifeMs = 10 * 365 * 86_400_000

/** PEM of the CA of a new cluster. */
export function newCertificateAuthority(context: Context<EksState>, cluster: Pick<Cluster, 'issuerId' | 'createdMs'>): string {
  return issueCertificate({
    subject: { commonName: 'kubernetes' },
    key: keyOf(cluster, context, 'ca'),
    usage: 'ca',
    validFrom: cluster.createdMs,
    validUntil: cluster.createdMs + caLifeMs,
    serial: Uint8Array.of(0),
  })
}

interface Jwk {
  readonly kid: string
  readonly [name: string]: unknown
}

function publicJwk(cluster: Cluster, context: Context<EksState>): Jwk {
  const key = createPublicKey(keyOf(cluster, context, 'issuer'))
  const kid = createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest('hex')
    .slice(0, 40)
  return { ...key.export({ format: 'jwk' }), use: 'sig', alg: 'ES256', kid }
}

/** `GET https://oidc.eks.<region>.amazonaws.com/id/<hex>/…` of clusters of this place. */
export function issuerDocument(context: Context<EksState>, host: string, path: string): IssuerFetch | undefined {
  const match = /^\/id\/([0-9A-F]{32})(\/.*)$/.exec(path)
  if (match === null || host !== issuerHost(context)) return undefined
  const [, id, document] = match
  const cluster = [...context.store.get().clusters.values()].find(held => held.issuerId === id)
  if (cluster === undefined) return undefined
  if (document === '/.well-known/openid-configuration') return answer(discovery(issuerOf(cluster)))
  if (document === '/keys') return answer({ keys: [publicJwk(cluster, context)] })
  return undefined
}

function discovery(issuer: string): object {
  return {
    issuer,
    jwks_uri: `${issuer}/keys`,
    authorization_endpoint: 'urn:kubernetes:programmatic_authorization',
    response_types_supported: ['id_token'],
    subject_types_supported: ['public'],
    claims_supported: ['sub', 'iss'],
    id_token_signing_alg_values_supported: ['ES256'],
  }
}

function answer(body: object): IssuerFetch {
  return { kind: 'answer', status: 200, contentType: 'application/json', body: Buffer.from(JSON.stringify(body)) }
}

export interface TokenSubject {
  readonly namespace: string
  readonly serviceAccount: string
  readonly pod?: { readonly name: string; readonly uid: string }
}

/** A service account token as the cluster's API server would sign it. */
export function signToken(
  context: Context<EksState>,
  cluster: Cluster,
  token: { readonly subject: TokenSubject; readonly audience: string; readonly lifetimeS: number; readonly notBeforeS?: number },
): string {
  const { namespace, serviceAccount, pod } = token.subject
  const issuedS = token.notBeforeS ?? Math.floor(context.now / 1_000)
  const uid = context.random(`service-account/${namespace}/${serviceAccount}`).uuid()
  const claims = {
    aud: [token.audience],
    exp: issuedS + token.lifetimeS,
    iat: issuedS,
    iss: issuerOf(cluster),
    'kubernetes.io': { namespace, ...(pod !== undefined && { pod }), serviceaccount: { name: serviceAccount, uid } },
    nbf: issuedS,
    sub: `system:serviceaccount:${namespace}:${serviceAccount}`,
  }
  const header = { alg: 'ES256', kid: publicJwk(cluster, context).kid, typ: 'JWT' }
  const input = `${part(header)}.${part(claims)}`
  const signature = sign('sha256', Buffer.from(input), { key: keyOf(cluster, context, 'issuer'), dsaEncoding: 'ieee-p1363' })
  return `${input}.${signature.toString('base64url')}`
}

function part(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}
