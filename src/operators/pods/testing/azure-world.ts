// An Azure webhook beside a cluster that says what the test makes it say, under a clock that the test turns.
import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { drain, given, type Log, ManualClock, seededRandom, silentLog } from '#base'
import { applyJsonPatch } from '#kube'
import type { Metrics } from '#runtime'
import type { AzureWebhookSettings } from '../azure/provider.ts'
import { readStackFile } from '../flags/azure-environment.ts'
import { readAzureProgram } from '../flags/azure-settings.ts'
import { createAzureWebhook } from '../serve/azure-webhook.ts'
import type { PodWebhook } from '../serve/webhook.ts'
import { type FakeCluster, fakeCluster } from './fake-cluster.ts'

export const tenant = '00000000-0000-4000-8000-000000000001'

export interface AzureSetting {
  readonly flags?: Readonly<Record<string, string>>
  readonly env?: Readonly<Record<string, string>>
  /** What the file of an Azure Stack says. */
  readonly environmentFile?: object
  readonly serverVersion?: string
}

/** Throws as the program refuses to start. */
export function settingsOf({
  flags = {},
  env = { AZURE_TENANT_ID: tenant },
  environmentFile,
}: AzureSetting): AzureWebhookSettings {
  const args = Object.entries(flags).map(([name, value]) => `--${name}=${value}`)
  const named = environmentFile === undefined ? env : { AZURE_ENVIRONMENT_FILEPATH: '/stack.json', ...env }
  const { webhook, stackFile } = readAzureProgram(args, named)
  if (stackFile === undefined) return webhook
  const content = environmentFile === undefined ? undefined : Buffer.from(JSON.stringify(environmentFile))
  return { ...webhook, admission: { ...webhook.admission, authorityHost: readStackFile(stackFile, content) } }
}

export interface AzureWorld {
  readonly cluster: FakeCluster
  readonly clock: ManualClock
  readonly webhook: PodWebhook
  /** What the webhook cannot live with. */
  readonly fatal: string[]
}

export interface AzureWorldOptions extends AzureSetting {
  /** By `namespace/name`. */
  readonly accounts?: Readonly<Record<string, Readonly<Record<string, string>>>>
  readonly prepare?: (cluster: FakeCluster) => void
  readonly log?: Log
  readonly metrics?: Metrics
  readonly isPromised?: () => boolean
}

/** Runs it until the test ends. */
export async function openAzure(t: Pick<TestContext, 'after'>, options: AzureWorldOptions = {}): Promise<AzureWorld> {
  const cluster = fakeCluster()
  const clock = new ManualClock()
  cluster.version = options.serverVersion ?? cluster.version
  for (const [key, annotations] of Object.entries(options.accounts ?? {}))
    cluster.put('ServiceAccount', key, { metadata: { annotations } })
  options.prepare?.(cluster)
  const fatal: string[] = []
  const webhook = createAzureWebhook({
    client: cluster.client,
    seams: { clock, random: seededRandom(1), log: options.log ?? silentLog, files: noFiles },
    settings: settingsOf(options),
    onFatal: error => fatal.push(error.message),
    ...given({ metrics: options.metrics, isPromised: options.isPromised }),
  })
  const stop = new AbortController()
  const running = webhook.run(stop.signal)
  t.after(async () => {
    stop.abort(new Error('the test ends'))
    await drain()
    await running
    assert.equal(clock.pendingCount(), 0, 'a timer outlives the webhook')
  })
  await drain()
  await drain()
  return { cluster, clock, webhook, fatal }
}

export interface AzureReply {
  readonly http: number
  readonly apiVersion?: string
  readonly kind?: string
  readonly response?: {
    readonly uid: string
    readonly allowed: boolean
    readonly patch?: string
    readonly patchType?: string
    readonly warnings?: readonly string[]
    readonly auditAnnotations?: Readonly<Record<string, string>>
    readonly status?: { readonly message?: string; readonly code?: number; readonly details?: object }
  }
}

export interface Posted {
  readonly body: string | Uint8Array
  readonly contentType?: string
  readonly path?: string
}

export async function post({ webhook, clock }: AzureWorld, { body, contentType, path }: Posted): Promise<AzureReply> {
  const pending = webhook.exchange({
    method: 'POST',
    target: `${path ?? '/mutate-v1-pod'}?timeout=10s`,
    headers: { 'content-type': contentType ?? 'application/json' },
    body: Buffer.from(body),
  })
  // Whatever it waits for is over within this time.
  for (let step = 0; step < 12; step++) {
    await drain()
    await clock.advance(300)
  }
  const response = await pending
  const text = Buffer.from(response.body as Uint8Array).toString()
  return { http: response.status, ...(response.status === 200 ? (JSON.parse(text) as object) : {}) } as AzureReply
}

export function reviewOf(object: unknown, more: object = {}): object {
  return {
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    request: { uid: 'u', namespace: 'ns1', operation: 'CREATE', object, ...more },
  }
}

export function ask(world: AzureWorld, object: unknown, more: object = {}): Promise<AzureReply> {
  return post(world, { body: JSON.stringify(reviewOf(object, more)) })
}

export interface PodShape {
  readonly metadata?: {
    readonly name?: string
    readonly namespace?: string
    readonly annotations?: Readonly<Record<string, string>>
  }
  readonly spec: {
    readonly serviceAccountName?: string
    readonly volumes?: readonly VolumeShape[]
    readonly initContainers?: readonly ContainerShape[]
    readonly containers: readonly ContainerShape[]
    readonly ephemeralContainers?: readonly object[]
  }
}

export interface VolumeShape {
  readonly name: string
  readonly projected?: { readonly sources?: readonly { readonly serviceAccountToken?: object }[] }
}

export interface ContainerShape {
  readonly name: string
  readonly env?: readonly { readonly name: string; readonly value?: string }[]
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string; readonly readOnly?: boolean }[]
  readonly [field: string]: unknown
}

/** The pod as it would be stored. */
export function patched(object: unknown, { response }: AzureReply): PodShape {
  const pod = structuredClone(object)
  return (response?.patch === undefined ? pod : applyJsonPatch(pod, operationsOf(response.patch))) as PodShape
}

export function operationsOf(patch: string): { readonly op: string; readonly path: string; readonly value?: unknown }[] {
  return JSON.parse(Buffer.from(patch, 'base64').toString()) as { op: string; path: string }[]
}

const noFiles = new Proxy({} as never, {
  get: () => {
    throw new Error('the Azure webhook reads no file')
  },
})
