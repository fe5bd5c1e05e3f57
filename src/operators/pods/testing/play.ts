// The webhook under random reviews: an answer always, well-formed; and for a sound review, additions only, none the second time, whatever the
// order of its fields.
import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { drain, ManualClock, memoryFiles, seededRandom, silentLog } from '#base'
import { applyJsonPatch } from '#kube'
import { defaultAwsOptions } from '../aws/api.ts'
import { assertAdditions, assertContains, assertMounts, reversed } from '../aws/reviews.fixture.ts'
import type { AddOperation, PatchValue } from '../patch.ts'
import { createPodWebhook, type PodWebhook } from '../serve/webhook.ts'
import { fakeCluster } from './fake-cluster.ts'
import { brokenReviews, type Review, reviews } from './reviews.ts'

export interface FuzzedWebhook extends AsyncDisposable {
  readonly webhook: PodWebhook
  /** Moves time until the answer is there. */
  ask(body: Uint8Array, contentType?: string): Promise<Answer>
}

interface Answer {
  readonly status: number
  readonly text: string
}

const role = 'arn:aws:iam::111122223333:role/r'
const prefix = 'eks.amazonaws.com'
const accounts: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  plain: {},
  role: { 'role-arn': role },
  odd: { 'role-arn': 'no arn', audience: '', 'token-expiration': '-9', 'sts-regional-endpoints': 'perhaps' },
  // A life of its own: jitter would make two answers differ.
  all: { 'role-arn': role, audience: 'a', 'token-expiration': '7200', 'sts-regional-endpoints': 'true' },
  listed: { 'token-expiration': '7200' },
  mapped: {},
}

export async function openFuzzedWebhook(): Promise<FuzzedWebhook> {
  const cluster = fakeCluster()
  const clock = new ManualClock()
  for (const [name, fields] of Object.entries(accounts)) {
    const annotations = Object.fromEntries(Object.entries(fields).map(([key, value]) => [`${prefix}/${key}`, value]))
    cluster.put('ServiceAccount', `ns1/${name}`, { metadata: { annotations } })
  }
  const config = JSON.stringify({ '*/mapped': { RoleARN: role, TokenExpiration: 900 } })
  cluster.put('ConfigMap', 'eks/pod-identity-webhook', { data: { config } })
  const credentials = JSON.stringify({ identities: [{ namespace: 'ns1', serviceAccount: 'listed' }] })
  const webhook = createPodWebhook({
    client: cluster.client,
    seams: { clock, random: seededRandom(1), log: silentLog, files: memoryFiles({ '/cc': credentials }, () => clock.now()) },
    settings: {
      watchConfigMap: true,
      credentialsFile: '/cc',
      admissionWarnings: true,
      admission: { ...defaultAwsOptions, defaultRegion: 'eu-west-1' },
    },
  })
  return playing(webhook, clock)
}

/** At work, and asked until the fuzzing ends. */
export async function playing(webhook: PodWebhook, clock: ManualClock): Promise<FuzzedWebhook> {
  const stop = new AbortController()
  const running = webhook.run(stop.signal)
  await clock.advance(1_000)
  await webhook.whenReady()
  return {
    webhook,
    ask: askerOf(webhook, clock),
    [Symbol.asyncDispose]: async () => {
      stop.abort(new Error('the fuzzing ends'))
      await drain()
      await running
    },
  }
}

/** Asks, and moves time until the answer is there. */
export function askerOf(webhook: PodWebhook, clock: ManualClock): FuzzedWebhook['ask'] {
  return async (body, contentType = 'application/json') => {
    const pending = webhook.exchange({
      method: 'POST',
      target: '/mutate?timeout=10s',
      headers: { 'content-type': contentType },
      body,
    })
    let isOver = false
    const settled = pending.finally(() => {
      isOver = true
    })
    for (let steps = 0; !isOver && steps < 300; steps++) await clock.advance(50)
    assert.ok(isOver, 'no answer within fifteen seconds')
    const { status, body: answered } = await settled
    return { status, text: Buffer.from(answered as Uint8Array).toString() }
  }
}

export interface Fuzz {
  readonly runs: number
  readonly seed: number
}

/** Throws with the least review that does not hold. */
export async function fuzzSound({ ask }: FuzzedWebhook, { runs, seed }: Fuzz): Promise<void> {
  await fc.assert(
    fc.asyncProperty(reviews, async review => {
      const operations = await operationsFor(ask, review)
      const { object } = review.request
      assertAdditions(operations)
      const after = applyJsonPatch(structuredClone(object), operations) as PatchValue
      assertContains(after, object, [])
      assertMounts(after)
      const again = await operationsFor(ask, {
        ...review,
        request: { ...review.request, object: after as Review['request']['object'] },
      })
      assert.deepEqual(again, [], 'applied to its own result it adds something')
      assert.deepEqual(
        await operationsFor(ask, reversed(review as unknown as PatchValue) as unknown as Review),
        operations,
        'another order',
      )
    }),
    { numRuns: runs, seed },
  )
}

/** The same of broken ones: an answer, well-formed, and one that can be applied to what was sent. */
export async function fuzzBroken({ ask }: FuzzedWebhook, { runs, seed }: Fuzz): Promise<void> {
  const types = fc.constantFrom(
    'application/json',
    'application/json',
    'application/json',
    'text/plain',
    '',
    'application/json;x',
  )
  await fc.assert(
    fc.asyncProperty(brokenReviews, types, async (bytes, type) => {
      const { status, text } = await ask(bytes, type)
      if (status !== 200) return assert.ok(status === 415 && !type.startsWith('application/json'), `${status} ${text}`)
      const { patch } = wellFormed(text)
      if (patch === undefined) return
      const { request } = JSON.parse(Buffer.from(bytes).toString()) as { request: { object: PatchValue } }
      applyJsonPatch(request.object, patch)
    }),
    { numRuns: runs, seed },
  )
}

async function operationsFor(ask: FuzzedWebhook['ask'], review: Review): Promise<readonly AddOperation[]> {
  const { status, text } = await ask(Buffer.from(JSON.stringify(review)))
  assert.equal(status, 200)
  const { answer, patch = [] } = wellFormed(text)
  assert.deepEqual([answer.apiVersion, answer.kind, answer.response.uid], [review.apiVersion, review.kind, review.request.uid])
  assert.equal(answer.response.allowed, true)
  return patch as readonly AddOperation[]
}

interface ReviewAnswer {
  readonly apiVersion: string
  readonly kind: string
  readonly response: {
    readonly uid: string
    readonly allowed: boolean
    readonly patch?: string
    readonly patchType?: string
    readonly status?: { readonly message: string }
    readonly warnings?: readonly string[]
  }
}

/** What every answer of admission must be (§5.1). */
export function wellFormed(text: string): { readonly answer: ReviewAnswer; readonly patch: readonly unknown[] | undefined } {
  const answer = JSON.parse(text) as ReviewAnswer
  const { response, apiVersion, kind } = answer
  assert.deepEqual(
    [typeof apiVersion, typeof kind, typeof response.uid, typeof response.allowed],
    ['string', 'string', 'string', 'boolean'],
  )
  assert.equal(response.patchType, response.patch === undefined ? undefined : 'JSONPatch')
  if (!response.allowed) assert.ok(response.patch === undefined && (response.status?.message.length ?? 0) <= 256, text)
  assert.ok((response.warnings ?? []).length <= 5)
  const patch =
    response.patch === undefined ? undefined : (JSON.parse(Buffer.from(response.patch, 'base64').toString()) as unknown[])
  assert.ok(patch === undefined || patch.length > 0, 'a patch of nothing')
  return { answer, patch }
}
