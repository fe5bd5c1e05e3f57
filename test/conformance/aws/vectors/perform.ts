// Performs the steps of a scenario through the JavaScript SDK, against whatever answers, and writes the replies down in a form in
// which two endpoints can be compared: dates, ids and names of servers become placeholders.
import * as acm from '@aws-sdk/client-acm'
import * as eks from '@aws-sdk/client-eks'
import * as iam from '@aws-sdk/client-iam'
import * as route53 from '@aws-sdk/client-route-53'
import * as s3 from '@aws-sdk/client-s3'
import * as sts from '@aws-sdk/client-sts'
import type { SdkRequestHandler } from '#emulator'

export type VectorService = 'acm' | 'eks' | 'iam' | 'route53' | 's3' | 'sts'

export interface Step {
  readonly service: VectorService
  readonly operation: string
  /** `{"$ref": "name.Path.0"}` stands for a part of an earlier reply. */
  readonly input: unknown
  readonly save?: string
}

export interface Reply {
  readonly status: number
  /** The SDK's name of the error; absent on success. */
  readonly error?: string
  readonly message?: string
  readonly output?: unknown
}

/** Sends a request that is none of the SDK's own. */
export interface Endpoint {
  readonly url?: string
  readonly requestHandler?: SdkRequestHandler
}

const modules: Readonly<Record<VectorService, object>> = { acm, eks, iam, route53, s3, sts }
const clientNames: Readonly<Record<VectorService, string>> = {
  acm: 'ACMClient',
  eks: 'EKSClient',
  iam: 'IAMClient',
  route53: 'Route53Client',
  s3: 'S3Client',
  sts: 'STSClient',
}

interface Client {
  send(command: object): Promise<object>
  destroy(): void
}

export type Performer = (step: Step) => Promise<Reply>

/** A fresh memory of saved replies, and one client per service. */
export function performer(endpoint: Endpoint): { readonly perform: Performer; close(): void } {
  const saved: Record<string, unknown> = {}
  const clients = new Map<VectorService, Client>()
  const clientOf = (service: VectorService): Client => {
    const known = clients.get(service)
    if (known !== undefined) return known
    const make = (modules[service] as Record<string, new (config: object) => Client>)[clientNames[service]]
    if (make === undefined) throw new Error(`no client for ${service}`)
    const client = new make({
      region: 'us-east-1',
      credentials: { accessKeyId: 'AKIAIOSFODNN7EXAMPLE', secretAccessKey: 'secret' },
      maxAttempts: 1,
      forcePathStyle: true,
      ...(endpoint.url !== undefined && { endpoint: endpoint.url }),
      ...(endpoint.requestHandler !== undefined && { requestHandler: endpoint.requestHandler }),
    })
    clients.set(service, client)
    return client
  }
  return {
    async perform({ service, operation, input, save }) {
      const command = (modules[service] as Record<string, new (input: unknown) => object>)[`${operation}Command`]
      if (command === undefined) throw new Error(`the SDK knows no ${service} ${operation}`)
      try {
        const output = await clientOf(service).send(new command(resolved(input, saved)))
        const plain = await readBodies(output)
        if (save !== undefined) saved[save] = plain
        const { $metadata, ...rest } = plain as { $metadata?: { httpStatusCode?: number } }
        return { status: $metadata?.httpStatusCode ?? 0, output: normalised(rest) }
      } catch (error) {
        const { name, message, $metadata } = error as { name: string; message: string; $metadata?: { httpStatusCode?: number } }
        if ($metadata === undefined) throw error
        return { status: $metadata.httpStatusCode ?? 0, error: name, message: placeholders(message) }
      }
    },
    close() {
      for (const client of clients.values()) client.destroy()
    },
  }
}

async function readBodies(output: object): Promise<unknown> {
  const entries = Object.entries(output).map(async ([key, value]) => {
    const stream = value as { transformToString?: () => Promise<string> }
    return [key, typeof stream?.transformToString === 'function' ? await stream.transformToString() : value]
  })
  return Object.fromEntries(await Promise.all(entries))
}

function resolved(input: unknown, saved: Readonly<Record<string, unknown>>): unknown {
  if (Array.isArray(input)) return input.map(item => resolved(item, saved))
  if (input === null || typeof input !== 'object' || input instanceof Date) return input
  const { $ref, $bytes } = input as { readonly $ref?: string; readonly $bytes?: string }
  if ($bytes !== undefined) return new TextEncoder().encode($bytes)
  if ($ref === undefined) return Object.fromEntries(Object.entries(input).map(([key, value]) => [key, resolved(value, saved)]))
  let value: unknown = saved
  for (const part of $ref.split('.')) value = (value as Record<string, unknown> | undefined)?.[part]
  if (value === undefined) throw new Error(`nothing was saved as ${$ref}`)
  return value
}

function normalised(value: unknown): unknown {
  if (value instanceof Date) return '<date>'
  if (value instanceof Uint8Array) return `<${value.length} bytes>`
  if (typeof value === 'string') return placeholders(value)
  if (Array.isArray(value)) return value.map(normalised)
  if (value === null || typeof value !== 'object') return value
  const entries = Object.entries(value).filter(([, member]) => member !== undefined)
  return Object.fromEntries(
    entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, member]) => [key, drawn.has(key) ? `<${key}>` : normalised(member)]),
  )
}

const forms: readonly (readonly [form: RegExp, placeholder: string])[] = [
  [/-----BEGIN [A-Z ]+-----[\s\S]+-----END [A-Z ]+-----\n?/g, '<pem>'],
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<uuid>'],
  [/\b(AROA|AIDA|AGPA|ANPA|AIPA|AKIA|ASIA)(?!IOSFODNN7EXAMPLE)[A-Z0-9]{13,}/g, '<$1>'],
  [/\b(hostedzone\/|ID: )[A-Z0-9]{14,}/g, '$1<zone>'],
  [/\bchange\/[A-Z0-9]{8,}/g, 'change/<change>'],
  [/^.*ns-\d+\.awsdns-\d+\.[a-z.]* .*hostmaster.*$/g, '<soa>'],
  [/ns-\d+\.awsdns-\d+\.[a-z]+(?:\.uk)?\.?/g, '<ns>'],
]

/** Members that hold an id or a secret drawn by the endpoint, whatever it looks like. */
const drawn = new Set([
  'AccessKeyId',
  'AssumedRoleId',
  'ContinuationToken',
  'GroupId',
  'InstanceProfileId',
  'NextContinuationToken',
  'PolicyId',
  'RoleId',
  'SecretAccessKey',
  'SessionToken',
  'UploadId',
  'UserId',
])

export function placeholders(text: string): string {
  // Policy documents are percent-encoded in IAM's answers, and read by everybody after decoding.
  if (text.startsWith('%7B')) return decodeURIComponent(text)
  return forms.reduce((changed, [form, placeholder]) => changed.replace(form, placeholder), text)
}
