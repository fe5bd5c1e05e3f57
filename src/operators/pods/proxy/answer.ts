// What the proxy in a pod answers in place of the instance metadata service (§3.9): tokens that it fetches with the pod's own federated token,
// its own readiness, and for everything else what the real metadata service says.
import { type Clock, type Files, type HttpExchange, type HttpRequest, type HttpResponse } from '#base'
import { isObject, type PatchValue } from '../patch.ts'
import { answerText } from '../serve/answer-text.ts'

/** As the webhook sets them in the container. */
export interface ProxyIdentity {
  readonly clientId: string
  readonly tenantId: string
  readonly authorityHost: string
  readonly tokenFile: string
}

export interface ProxyOptions {
  readonly identity: ProxyIdentity
  readonly files: Pick<Files, 'read'>
  readonly clock: Pick<Clock, 'now'>
  /** To Entra, and to the metadata service of the machine. */
  readonly authority: HttpExchange
  readonly metadata: HttpExchange
}

const tokenPath = '/identity/oauth2/token'

export function metadataAnswers(options: ProxyOptions): HttpExchange {
  return request => {
    const { pathname, searchParams } = new URL(request.target, 'http://metadata')
    if (pathname === '/readyz') return Promise.resolve(answer(200, 'ok', 'text/plain'))
    if (!isTokenPath(pathname)) return options.metadata(withoutHost(request))
    if (request.headers['metadata'] !== 'true') return Promise.resolve(refusal('Required metadata header not specified'))
    const resource = searchParams.get('resource') ?? ''
    if (resource === '') return Promise.resolve(refusal("Required query variable 'resource' is missing"))
    return fetchToken(options, { resource, clientId: searchParams.get('client_id') ?? '' })
  }
}

/** The first part in any case, as callers write it. */
function isTokenPath(pathname: string): boolean {
  const [, first = '', ...rest] = pathname.split('/')
  return first.toLowerCase() === 'metadata' && `/${rest.join('/')}` === tokenPath
}

interface Wanted {
  readonly resource: string
  /** Empty: the pod's. */
  readonly clientId: string
}

async function fetchToken({ identity, files, clock, authority }: ProxyOptions, wanted: Wanted): Promise<HttpResponse> {
  const { tokenFile, tenantId } = identity
  const token = await files.read(tokenFile)
  if (token === undefined)
    return failure(`there is no federated token at ${tokenFile}: did the webhook give this container its identity?`)
  const form = new URLSearchParams({
    client_id: wanted.clientId || identity.clientId,
    grant_type: 'client_credentials',
    scope: wanted.resource.endsWith('/.default') ? wanted.resource : `${wanted.resource}/.default`,
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: new TextDecoder().decode(token).trim(),
  })
  const response = await authority({
    method: 'POST',
    target: `/${tenantId}/oauth2/v2.0/token`,
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
    body: Buffer.from(form.toString()),
  })
  const text = await answerText(response.body)
  // What Entra refuses is told in its words: they name what does not match.
  if (response.status !== 200) return answer(response.status, text)
  const issued = readToken(text)
  return issued === undefined ? failure('the answer of Entra is no token') : tokenAnswer(issued, wanted.resource, clock)
}

interface Issued {
  readonly accessToken: string
  readonly expiresIn: number
}

function readToken(text: string): Issued | undefined {
  let value: PatchValue
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  if (!isObject(value)) return undefined
  const { access_token: accessToken, expires_in: expiresIn } = value
  return typeof accessToken === 'string' && typeof expiresIn === 'number' ? { accessToken, expiresIn } : undefined
}

/** In the form of the metadata service, where numbers are texts. */
function tokenAnswer({ accessToken, expiresIn }: Issued, resource: string, clock: Pick<Clock, 'now'>): HttpResponse {
  const now = Math.floor(clock.now() / 1_000)
  return answer(
    200,
    JSON.stringify({
      access_token: accessToken,
      refresh_token: '',
      expires_in: String(expiresIn),
      expires_on: String(now + expiresIn),
      not_before: String(now),
      resource,
      token_type: 'Bearer',
    }),
  )
}

/** The connection is to another host than the caller's. */
function withoutHost({ headers, ...rest }: HttpRequest): HttpRequest {
  return { ...rest, headers: { ...headers, host: undefined, connection: undefined } }
}

function refusal(why: string): HttpResponse {
  return answer(400, JSON.stringify({ error: 'invalid_request', error_description: why }))
}

function failure(why: string): HttpResponse {
  return answer(500, JSON.stringify({ error: 'server_error', error_description: why }))
}

function answer(status: number, text: string, type = 'application/json'): HttpResponse {
  return { status, headers: { 'content-type': type }, body: Buffer.from(text) }
}
