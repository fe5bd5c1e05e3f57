// The metrics for those who may read them: the token of each request is reviewed by the hub, and so is the right to `get /metrics`.
import { type Clock, given, type HttpExchange, type HttpRequest, type HttpResponse } from '#base'
import { subjectAccessReviews, tokenReviews } from '#kube'
import type { KubeClient } from '#kube/client'

/** A scraper comes every half minute with the same token: that it may holds for a minute, and that it may not only until somebody helps. */
const heldMs = { may: 60_000, mayNot: 10_000 }
const heldMax = 64
const reviewMsMax = 5_000

interface User {
  readonly username?: string
  readonly uid?: string
  readonly groups?: readonly string[]
  readonly extra?: Readonly<Record<string, readonly string[]>>
}

export function guardedMetrics(client: KubeClient, clock: Pick<Clock, 'monotonicMs'>, handler: HttpExchange): HttpExchange {
  const held = new Map<string, { readonly status: 200 | 401 | 403; readonly untilMs: number }>()
  return async request => {
    const [path = ''] = request.target.split('?')
    const token = bearerOf(request)
    if (token === undefined) return text(401, 'a bearer token is needed')
    const key = `${path} ${token}`
    const known = held.get(key)
    let status = known !== undefined && known.untilMs > clock.monotonicMs() ? known.status : undefined
    if (status === undefined) {
      try {
        status = await judge(client, token, path, request)
      } catch {
        return text(503, 'the API server could not be asked; try again')
      }
      held.delete(key)
      if (held.size >= heldMax) held.delete(held.keys().next().value as string)
      held.set(key, { status, untilMs: clock.monotonicMs() + (status === 200 ? heldMs.may : heldMs.mayNot) })
    }
    if (status === 401) return text(401, 'the token is not accepted')
    if (status === 403) return text(403, `the user of the token may not get ${path}`)
    return handler(request)
  }
}

async function judge(client: KubeClient, token: string, path: string, { signal }: HttpRequest): Promise<200 | 401 | 403> {
  const options = { timeoutMs: reviewMsMax, ...given({ signal }) }
  const review = (await client.create(
    tokenReviews,
    { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', metadata: {}, spec: { token } } as never,
    options,
  )) as { readonly status?: { readonly authenticated?: boolean; readonly user?: User } }
  if (review.status?.authenticated !== true) return 401
  const { username = '', uid, groups = [], extra } = review.status.user ?? {}
  const spec = {
    user: username,
    groups,
    ...given({ uid, extra }),
    nonResourceAttributes: { path, verb: 'get' },
  }
  const access = (await client.create(
    subjectAccessReviews,
    { apiVersion: 'authorization.k8s.io/v1', kind: 'SubjectAccessReview', metadata: {}, spec } as never,
    options,
  )) as { readonly status?: { readonly allowed?: boolean } }
  return access.status?.allowed === true ? 200 : 403
}

function bearerOf({ headers }: HttpRequest): string | undefined {
  const { authorization } = headers
  const match = typeof authorization === 'string' ? /^Bearer (\S+)$/i.exec(authorization) : null
  return match?.[1]
}

function text(status: number, body: string): HttpResponse {
  const headers = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' }
  return { status, headers, body: Buffer.from(`${body}\n`) }
}
