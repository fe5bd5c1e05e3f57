// A second opinion on every request: for all operations of six services, over generated inputs, our bytes on the wire are those of
// the SDK's own client. Only what names the program and the moment differs.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as acm from '@aws-sdk/client-acm'
import * as eks from '@aws-sdk/client-eks'
import * as iam from '@aws-sdk/client-iam'
import * as route53 from '@aws-sdk/client-route-53'
import * as s3 from '@aws-sdk/client-s3'
import * as sts from '@aws-sdk/client-sts'
import { type HttpRequest, ManualClock, seededRandom } from '#base'
import type { Operation, ServiceModel } from '../model/service-model.ts'
import { type ShippedService, serviceModel } from '../services/service-models.ts'
import { InputGenerator } from './calls/generate-input.fixture.ts'
import { targetOf } from './calls/try-call.ts'
import { createAwsClient } from './client.ts'
import { staticCredentials } from './credentials/credentials.ts'
import type { Values } from './wire/protocols.ts'

const credentials = {
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  sessionToken: 'a+b/c=',
}

interface SdkClient {
  send(command: unknown): Promise<unknown>
}
type SdkModule = Readonly<Record<string, unknown>>

const services: readonly (readonly [ShippedService, SdkModule, string])[] = [
  ['iam', iam, 'IAMClient'],
  ['sts', sts, 'STSClient'],
  ['eks', eks, 'EKSClient'],
  ['acm', acm, 'ACMClient'],
  ['route53', route53, 'Route53Client'],
  ['s3', s3, 'S3Client'],
]

/** What one client put on the wire. */
interface Sent {
  readonly method: string
  readonly origin: string
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Names the program, the try or the moment; or follows from one of them. */
const ignored = new Set([
  'user-agent',
  'x-amz-user-agent',
  'amz-sdk-invocation-id',
  'amz-sdk-request',
  'x-amz-date',
  'authorization',
  'expect',
  'content-length',
])

/** Operations that the SDK's client and ours handle differently on purpose, each with its reason. */
const skipped: Readonly<Record<string, string>> = {
  SelectObjectContent: 'event streams are refused',
  WriteGetObjectResponse: 'another host, for Lambda functions only',
  CreateSession: 'objects of directory buckets are refused',
  PutObject: 'compared below: the SDK streams bodies',
  UploadPart: 'compared below: the SDK streams bodies',
  PutBucketOwnershipControls: 'the newer model sends CRC32 where ours asks for MD5; S3 takes both',
}

for (const [service, module, clientName] of services) {
  test(`requests of ${service} are those of the SDK's client, operation by operation`, async () => {
    const model = serviceModel(service)
    const generator = new InputGenerator(model, seededRandom('parity'))
    const [ours, theirs] = [openOurs(model), openTheirs(module, clientName)]
    let compared = 0
    for (const operation of Object.values(model.operations)) {
      if (operation.name in skipped) continue
      for (const size of ['least', 'some', 'all'] as const) {
        const input = generator.input(operation, size)
        assert.deepEqual(
          await ours(operation, input),
          await theirs(operation, input),
          `${operation.name} ${size}: ${JSON.stringify(input)}`,
        )
        compared += 1
      }
    }
    assert.ok(compared >= 20, `${compared} compared`)
  })
}

test('a body of bytes goes to S3 as the SDK sends it', async () => {
  const [ours, theirs] = [openOurs(serviceModel('s3')), openTheirs(s3, 'S3Client')]
  for (const input of [
    {
      Bucket: 'bucket',
      Key: 'a b/ü+?&=#%2F/../x',
      Body: Buffer.from('hello'),
      ContentType: 'text/plain',
      Metadata: { 'Digest-A': 'x y' },
    },
    {
      Bucket: 'dotted.bucket',
      Key: 'k',
      Body: 'text',
      Tagging: 'a=b',
      CacheControl: 'no-cache',
      Expires: new Date(1_767_225_600_000),
    },
    { Bucket: 'bucket', Key: 'k', Body: Buffer.from([0, 255]), ChecksumAlgorithm: 'SHA256' },
  ]) {
    const operation = serviceModel('s3').operations['PutObject'] as Operation
    assert.deepEqual(await ours(operation, input), await theirs(operation, input))
  }
})

type Send = (operation: Operation, input: Values) => Promise<Sent>

function openOurs(model: ServiceModel): Send {
  let sent: Sent | undefined
  const client = createAwsClient({
    model,
    region: 'eu-west-1',
    credentials: staticCredentials(credentials),
    clock: new ManualClock(),
    random: seededRandom(1),
    triesMax: 1,
    transport: {
      to: origin => async request => {
        sent = readOurs(origin, request)
        return { status: 418, headers: {}, body: null }
      },
      close: async () => {},
    },
  })
  return async ({ name }, input) => {
    sent = undefined
    await client.call(name, input).catch((error: unknown) => {
      if (sent === undefined) throw error
    })
    return sent as unknown as Sent
  }
}

function readOurs(origin: string, { method, target, headers, body }: HttpRequest): Sent {
  return { method, origin, target, headers: comparable(headers as Record<string, string>), body: textOf(body) }
}

function openTheirs(module: SdkModule, clientName: string): Send {
  let sent: Sent | undefined
  const Client = module[clientName] as new (options: object) => SdkClient
  const handle = async (request: SdkRequest): Promise<never> => {
    sent = {
      method: request.method,
      origin: `${request.protocol}//${request.hostname}`,
      target: targetOf({ ...request, body: undefined }),
      headers: comparable(request.headers),
      body: textOf(request.body),
    }
    throw new Error('seen')
  }
  const client = new Client({ region: 'eu-west-1', credentials, maxAttempts: 1, requestHandler: { handle } })
  return async ({ name }, input) => {
    sent = undefined
    const Command = module[`${name}Command`] as new (input: Values) => unknown
    await client.send(new Command(structuredClone(input))).catch((error: unknown) => {
      if (sent === undefined) throw error
    })
    return sent as unknown as Sent
  }
}

interface SdkRequest {
  readonly method: string
  readonly protocol: string
  readonly hostname: string
  readonly path: string
  readonly query: Record<string, string | string[] | null>
  readonly headers: Record<string, string>
  readonly body: unknown
}

function comparable(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers)
      .filter(([name, value]) => !ignored.has(name.toLowerCase()) && value !== undefined)
      .map(([name, value]) => [name.toLowerCase(), value] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  )
}

function textOf(body: unknown): string {
  if (body === undefined || body === null) return ''
  if (typeof body === 'string') return Buffer.from(body, 'utf8').toString('latin1')
  const { buffer, byteOffset, byteLength } = body as Uint8Array<ArrayBuffer>
  return Buffer.from(buffer, byteOffset, byteLength).toString('latin1')
}
