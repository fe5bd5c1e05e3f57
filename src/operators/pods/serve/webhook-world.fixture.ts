// A webhook beside a cluster that says what the test makes it say, under a clock that the test turns.
import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { drain, type Log, ManualClock, type MemoryFiles, memoryFiles, seededRandom, silentLog } from '#base'
import type { AwsWebhookSettings } from '../flags/settings.ts'
import { type FakeCluster, fakeCluster } from '../testing/fake-cluster.ts'
import { createPodWebhook, type PodWebhook, type PodWebhookOptions } from './webhook.ts'

export interface WebhookWorld {
  readonly cluster: FakeCluster
  readonly clock: ManualClock
  readonly files: MemoryFiles
  readonly webhook: PodWebhook
}

export interface WebhookWorldOptions extends Partial<Omit<PodWebhookOptions, 'settings'>> {
  /** Before the webhook starts. */
  readonly prepare?: (cluster: FakeCluster) => void
  readonly log?: Log
}

/** Runs it until the test ends. */
export async function openWebhook(
  t: TestContext,
  settings: Partial<AwsWebhookSettings> = {},
  { prepare, log = silentLog, ...more }: WebhookWorldOptions = {},
): Promise<WebhookWorld> {
  const cluster = fakeCluster()
  const clock = new ManualClock()
  const files = memoryFiles({}, () => clock.now())
  prepare?.(cluster)
  const seams = { clock, random: seededRandom(1), log, files }
  const webhook = createPodWebhook({ client: cluster.client, seams, settings, ...more })
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
  return { cluster, clock, files, webhook }
}

export interface ReviewResponse {
  readonly uid: string
  readonly allowed: boolean
  readonly patch?: string
  readonly patchType?: string
  readonly warnings?: readonly string[]
  readonly auditAnnotations?: Readonly<Record<string, string>>
  readonly status?: {
    readonly message: string
    readonly code?: number
    readonly details?: { readonly retryAfterSeconds?: number }
  }
}

export interface ReviewReply {
  readonly apiVersion: string
  readonly kind: string
  readonly response: ReviewResponse
}

/** One review of namespace ns1, answered with 200. */
export async function askReview(
  { exchange }: Pick<PodWebhook, 'exchange'>,
  request: { readonly object: object },
  { version = 'v1', timeout = '10s' }: { version?: string; timeout?: string } = {},
): Promise<ReviewReply> {
  const review = {
    apiVersion: `admission.k8s.io/${version}`,
    kind: 'AdmissionReview',
    request: { uid: 'u', namespace: 'ns1', ...request },
  }
  const response = await exchange({
    method: 'POST',
    target: `/mutate?timeout=${timeout}`,
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify(review)),
  })
  assert.equal(response.status, 200)
  return JSON.parse(Buffer.from(response.body as Uint8Array).toString()) as ReviewReply
}

/** The operations of an answer; undefined when there are none. */
export function patchOf({ patch }: ReviewResponse): unknown[] | undefined {
  return patch === undefined ? undefined : (JSON.parse(Buffer.from(patch, 'base64').toString()) as unknown[])
}
