// SDK clients and raw requests against an emulator, in process: what the cases of the AWS catalogue are written with.
import { ACMClient } from '@aws-sdk/client-acm'
import { EKSClient } from '@aws-sdk/client-eks'
import { IAMClient } from '@aws-sdk/client-iam'
import { Route53Client } from '@aws-sdk/client-route-53'
import { S3Client } from '@aws-sdk/client-s3'
import { STSClient } from '@aws-sdk/client-sts'
import { type HttpExchange, type Log, ManualClock, silentLog } from '#base'
import { type Aws, type AwsOptions, createAws, type EmulatorCredentials, sdkRequestHandler } from '#emulator'

export interface Clients {
  readonly aws: Aws
  readonly clock: ManualClock
  readonly acm: ACMClient
  readonly eks: EKSClient
  readonly iam: IAMClient
  readonly route53: Route53Client
  readonly s3: S3Client
  readonly sts: STSClient
  /** Clients of somebody else, or in another region. */
  as(who: {
    readonly credentials?: EmulatorCredentials
    readonly account?: string
    readonly region?: string
  }): Omit<Clients, 'aws' | 'clock' | 'as' | 'raw'>
  raw(request: RawCall): Promise<{ status: number; headers: Readonly<Record<string, string>>; text: string }>
}

export interface RawCall {
  readonly method: string
  readonly target: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** Names the service in an Authorization header of no particular signature; without it the request is unsigned. */
  readonly as?: string
}

export const accountA = '123456789012'
export const accountB = '210987654321'

/** Virtual time that begins where the SDK's own clock stands: requests are signed with the machine's time. */
export function clients(
  options: AwsOptions & { readonly maxAttempts?: number; readonly clock?: ManualClock } = {},
  over?: { readonly aws: Aws; readonly clock: ManualClock },
): Clients {
  const clock = over?.clock ?? options.clock ?? new ManualClock(Date.now())
  const aws = over?.aws ?? createAws({ seed: 'catalogue', clock, signatures: 'verify', log: loudLog, ...options })
  const handle = wellFormed(aws.handle)
  const made = (credentials: EmulatorCredentials, region: string): ReturnType<Clients['as']> => {
    const common = {
      region,
      credentials: identityOf(credentials),
      requestHandler: sdkRequestHandler(handle),
      maxAttempts: options.maxAttempts ?? 1,
    }
    return {
      acm: signedByClock(clock, new ACMClient(common)),
      eks: signedByClock(clock, new EKSClient(common)),
      iam: signedByClock(clock, new IAMClient(common)),
      route53: signedByClock(clock, new Route53Client(common)),
      s3: signedByClock(clock, new S3Client({ ...common, forcePathStyle: true })),
      sts: signedByClock(clock, new STSClient(common)),
    }
  }
  return {
    aws,
    clock,
    ...made(aws.adminCredentials(), 'us-east-1'),
    as: ({ credentials, account, region }) =>
      made(credentials ?? aws.adminCredentials(account ?? accountA), region ?? 'us-east-1'),
    raw: async ({ method, target, headers = {}, body, as }) => {
      const bytes = body === undefined ? null : new TextEncoder().encode(body)
      const response = await handle({
        method,
        target,
        headers: {
          host: '127.0.0.1',
          ...(as !== undefined && { authorization: unchecked(as), 'x-amz-date': '20260101T000000Z' }),
          ...headers,
        },
        body: bytes,
      })
      const text = response.body instanceof Uint8Array ? Buffer.from(response.body).toString('utf8') : ''
      return { status: response.status, headers: response.headers as Readonly<Record<string, string>>, text }
    },
  }
}

/** Whatever is asked: a header written in two ways would be sent twice, which HTTP/2 refuses. */
function wellFormed(exchange: HttpExchange): HttpExchange {
  return async request => {
    const response = await exchange(request)
    const odd = Object.keys(response.headers).filter(name => name !== name.toLowerCase())
    if (odd.length > 0) throw new Error(`header names of an answer are in lower case, and these are not: ${odd.join(', ')}`)
    return response
  }
}

/** A bug of the emulator is answered as the service's 500; here it is also told, or nobody would know where it was. */
const loudLog: Log = {
  ...silentLog,
  error: (message, fields) => console.error(message, fields),
}

/** Requests are signed at the virtual time, whatever the answers' dates make the SDK believe. */
function signedByClock<T extends { readonly config: object }>(clock: ManualClock, client: T): T {
  Object.defineProperty(client.config, 'systemClockOffset', { get: () => clock.now() - Date.now(), set: () => {} })
  return client
}

/** Good enough where signatures are not verified. */
function unchecked(service: string): string {
  const scope = `AKIAIOSFODNN7EXAMPLE/20260101/us-east-1/${service}/aws4_request`
  return `AWS4-HMAC-SHA256 Credential=${scope}, SignedHeaders=host, Signature=0`
}

function identityOf(credentials: EmulatorCredentials): { accessKeyId: string; secretAccessKey: string; sessionToken?: string } {
  const { accessKeyId, secretAccessKey, sessionToken } = credentials
  return { accessKeyId, secretAccessKey, ...(sessionToken !== undefined && { sessionToken }) }
}

/** Name, HTTP status and message of the refusal; an assertion of its own when there is none. */
export async function refusal(promise: Promise<unknown>): Promise<{ code: string; status: number | undefined; message: string }> {
  try {
    await promise
  } catch (error) {
    const { name, message, $metadata } = error as { name: string; message: string; $metadata?: { httpStatusCode?: number } }
    return { code: name, status: $metadata?.httpStatusCode, message }
  }
  throw new Error('the call was expected to be refused, and was not')
}
