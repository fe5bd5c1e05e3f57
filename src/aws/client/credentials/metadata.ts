// Credentials from an address beside the workload: the container endpoint of ECS and EKS Pod Identity, and the instance metadata
// service. Both answer plain JSON to a small GET.
import { type Clock, type Files, type HttpHeaders, isRecord, type Random, readJson } from '#base'
import { tryCall } from '../calls/try-call.ts'
import type { Transport } from '../transport/transport.ts'
import type { WireResponse } from '../wire/protocols.ts'
import { CredentialsError, type CredentialsProvider } from './credentials.ts'
import type { Environment } from './environment.ts'
import { type Grant, lifeFrom, renewing } from './renewing.ts'

export interface MetadataOptions {
  readonly env: Environment
  readonly transport: Transport
  readonly files: Pick<Files, 'read'>
  readonly clock: Clock
  readonly random: Random
}

/** The addresses are on the machine or its link: an answer that takes longer will not come. */
const timeoutMs = 2_000
const answerBytesMax = 64 * 1024

const ecsHost = '169.254.170.2'
/** Where plain HTTP is allowed: loopback, and the link-local addresses of ECS and EKS. */
const plainHosts = new Set(['localhost', '127.0.0.1', '[::1]', ecsHost, '169.254.170.23', '[fd00:ec2::23]'])

/** The container endpoint that the environment names; `undefined` when it names none. */
export function containerCredentials(options: MetadataOptions): CredentialsProvider | undefined {
  const { env } = options
  const full = env['AWS_CONTAINER_CREDENTIALS_FULL_URI']
  const relative = env['AWS_CONTAINER_CREDENTIALS_RELATIVE_URI']
  if (!full && !relative) return undefined
  const text = relative ? `http://${ecsHost}${relative}` : (full as string)
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || (url.protocol !== 'https:' && !(url.protocol === 'http:' && isPlainHost(url)))) {
    throw new CredentialsError(
      `${JSON.stringify(text.slice(0, 200))} is no container credentials address: https, or http to this machine`,
    )
  }
  return renewing(async () => {
    const token = await authorization(options)
    const response = await get(url, token === undefined ? {} : { authorization: token }, options)
    return grantOf(response, { clock: options.clock, source: 'container' })
  }, options)
}

function isPlainHost({ hostname }: URL): boolean {
  return plainHosts.has(hostname) || /^127\.\d+\.\d+\.\d+$/.test(hostname)
}

async function authorization({ env, files }: MetadataOptions): Promise<string | undefined> {
  const path = env['AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE']
  if (!path) return env['AWS_CONTAINER_AUTHORIZATION_TOKEN'] || undefined
  const bytes = await files.read(path)
  if (bytes === undefined) throw new CredentialsError(`the authorization token file ${path} is not there`, { retryable: true })
  const token = Buffer.from(bytes).toString('utf8').trim()
  // The token is sent as the value of a header, which has one line.
  if (/[\r\n]/.test(token)) throw new CredentialsError(`the authorization token file ${path} has more than one line`)
  return token
}

/** The instance's role, by version 2 of the metadata service; `undefined` when it is switched off. */
export function instanceCredentials(options: MetadataOptions): CredentialsProvider | undefined {
  const { env } = options
  if (env['AWS_EC2_METADATA_DISABLED']?.toLowerCase() === 'true') return undefined
  const base = env['AWS_EC2_METADATA_SERVICE_ENDPOINT'] || 'http://169.254.169.254'
  const path = '/latest/meta-data/iam/security-credentials/'
  return renewing(async () => {
    const session = await put(new URL('/latest/api/token', base), { 'x-aws-ec2-metadata-token-ttl-seconds': '21600' }, options)
    const headers = { 'x-aws-ec2-metadata-token': textOf(session).trim() }
    const role =
      textOf(await get(new URL(path, base), headers, options))
        .trim()
        .split('\n')[0] ?? ''
    if (!/^[\w+=,.@-]{1,64}$/.test(role)) throw new CredentialsError('the instance has no role', { retryable: true })
    return grantOf(await get(new URL(`${path}${role}`, base), headers, options), {
      clock: options.clock,
      source: `instance role ${role}`,
    })
  }, options)
}

const get = (url: URL, headers: HttpHeaders, options: MetadataOptions): Promise<WireResponse> =>
  request('GET', { url, headers }, options)
const put = (url: URL, headers: HttpHeaders, options: MetadataOptions): Promise<WireResponse> =>
  request('PUT', { url, headers }, options)

interface MetadataRequest {
  readonly url: URL
  readonly headers: HttpHeaders
}

async function request(
  method: string,
  { url, headers }: MetadataRequest,
  { transport, clock }: MetadataOptions,
): Promise<WireResponse> {
  const wire = {
    method,
    hostname: url.hostname,
    path: `${url.pathname}${url.search}`,
    query: {},
    headers: { host: url.host, accept: '*/*', ...(headers as Record<string, string>) },
  }
  const options = { exchange: transport.to(url.origin), clock, timeoutMs, responseBytesMax: answerBytesMax }
  const response = await tryCall(wire, options).catch((error: unknown) => {
    throw new CredentialsError(`no credentials from ${url.host}`, { cause: error, retryable: true })
  })
  if (response.statusCode === 200) return response
  const retryable = response.statusCode >= 500 || response.statusCode === 429
  throw new CredentialsError(`${url.host} answered with ${response.statusCode} instead of credentials`, { retryable })
}

interface GrantSource {
  readonly clock: Pick<Clock, 'now'>
  readonly source: string
}

function grantOf(response: WireResponse, { clock, source }: GrantSource): Grant {
  const given = parse(textOf(response))
  const { AccessKeyId: accessKeyId, SecretAccessKey: secretAccessKey, Token: sessionToken, Expiration } = given
  if (typeof accessKeyId !== 'string' || typeof secretAccessKey !== 'string') {
    throw new CredentialsError(`the answer of the ${source} endpoint holds no credentials`, { retryable: true })
  }
  const expiresAtMs = typeof Expiration === 'string' ? Date.parse(Expiration) : Number.NaN
  const statedNow = Date.parse(response.headers['date'] ?? '')
  const hasEnd = !Number.isNaN(expiresAtMs)
  return {
    credentials: {
      accessKeyId,
      secretAccessKey,
      ...(typeof sessionToken === 'string' && { sessionToken }),
      ...(hasEnd && { expiresAtMs }),
      source,
    },
    lifeMs: lifeFrom(hasEnd ? expiresAtMs : undefined, Number.isNaN(statedNow) ? clock.now() : statedNow),
  }
}

function parse(text: string): Readonly<Record<string, unknown>> {
  const value = readJson(text)
  return isRecord(value) ? value : {}
}

function textOf({ body }: WireResponse): string {
  return Buffer.from(body).toString('utf8')
}
