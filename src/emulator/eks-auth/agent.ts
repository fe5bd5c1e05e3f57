// The pod-side endpoint of EKS Pod Identity (§7.4): what the agent on a node answers at `http://169.254.170.23/v1/credentials`.
// SDKs take plain http only from that address and from loopback, so a test gives its process `http://127.0.0.1:<port>/v1/credentials`.
import type { HttpExchange, HttpResponse } from '#base'
import type { Aws } from '../aws.ts'
import { ServiceError } from '../error.ts'
import type { PodCredentials } from './credentials.ts'

/** The agent of one cluster's nodes. Listen with it on loopback, or hand it to a simulated pod. */
export function podIdentityAgent(
  aws: Pick<Aws, 'control'>,
  cluster: { readonly name: string; readonly account?: string; readonly region?: string },
): HttpExchange {
  const { name, ...place } = cluster
  return async request => {
    if (request.method !== 'GET') return text(405, 'method not allowed')
    if (request.target.split('?')[0] !== '/v1/credentials') return text(404, 'not found')
    const header = request.headers['authorization']
    const token = typeof header === 'string' ? header.trim() : ''
    if (token === '') return text(400, 'the Authorization header must hold the token of the pod')
    try {
      const { issued } = (await aws.control('eks-auth', 'credentials', { cluster: name, token }, place)) as PodCredentials
      return json({
        AccessKeyId: issued.accessKeyId,
        SecretAccessKey: issued.secretAccessKey,
        Token: issued.sessionToken,
        AccountId: issued.session.account,
        Expiration: new Date(issued.expiresAtMs).toISOString(),
      })
    } catch (error) {
      if (error instanceof ServiceError) return text(statusOf(error.code), `${error.code}: ${error.message}`)
      throw error
    }
  }
}

function statusOf(code: string): number {
  if (code === 'AccessDeniedException') return 403
  if (code === 'ResourceNotFoundException') return 404
  return code === 'InvalidTokenException' || code === 'ExpiredTokenException' ? 400 : 500
}

function text(status: number, message: string): HttpResponse {
  return { status, headers: { 'content-type': 'text/plain' }, body: new TextEncoder().encode(`${message}\n`) }
}

function json(value: object): HttpResponse {
  return { status: 200, headers: { 'content-type': 'application/json' }, body: new TextEncoder().encode(JSON.stringify(value)) }
}
