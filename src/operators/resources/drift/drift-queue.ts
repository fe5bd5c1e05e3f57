// Drift as it happens: a queue into which EventBridge puts what CloudTrail records. Each message names resources; their objects are looked at
// at once, behind what people changed in their manifests. Nothing depends on it: what no message tells is found by the next resync.
import { AwsError, serviceModel } from '#aws'
import type { AwsClient, AwsClients } from '#aws/client'
import { BoundedQueue } from '#base'
import { type Companion, type CompanionContext, pause } from '#runtime'
import { isRecord } from '../model/convert.ts'
import type { KindModel } from '../model/kind-model.ts'
import { claimsConcerned } from './concerned.ts'
import type { DriftMetrics } from './metrics.ts'
import { parseNotice } from './notice.ts'
import type { OwnCalls } from './own-calls.ts'
import type { QueueAddress } from './queue-address.ts'
import { Waiting } from './waiting.ts'

export interface DriftQueueOptions {
  readonly address: QueueAddress
  /** Where the process is at home: the queue's region, when its URL does not tell. */
  readonly region: string
  readonly aws: AwsClients
  readonly kinds: readonly FollowedKind[]
  readonly ownCalls: OwnCalls
  readonly metrics: DriftMetrics
}

export interface FollowedKind {
  readonly model: KindModel
  readonly controller: string
  /** Told of each object that an event speaks of, before it is looked at. */
  onConcerned(uid: string): void
}

/** As much as SQS gives at once, and as long as it lets one wait. */
const batchMax = 10
const waitSeconds = 20
/** Longer than any pass may take (three minutes), so that what is looked at is not handed to anybody else. */
const hiddenSeconds = 300
/** Objects that wait for their look: when there are so many, the queue is the better place for the rest. */
const waitingMax = 1_000
/** A queue that answers at once although it is empty must not be asked all the time. */
const idleMs = 1_000
const retryMsMin = 2_000
const retryMsMax = 300_000
/** Receipts on their way back; what does not fit is handed out again and looked at once more. */
const receiptsMax = 10_000

interface Received {
  readonly receipt: string
  readonly body: string
}

interface Term extends CompanionContext {
  readonly client: AwsClient
  readonly waiting: Waiting
  readonly receipts: BoundedQueue<string>
  readonly signal: AbortSignal
}

export function driftQueue(options: DriftQueueOptions): Companion {
  const { address, aws } = options
  let term: Term | undefined
  return {
    name: `drift-queue ${address.url}`,
    run: async (context, signal) => {
      const model = serviceModel('sqs')
      const client = aws.for({ model, region: address.region ?? options.region, endpoint: address.endpoint })
      const receipts = new BoundedQueue<string>(receiptsMax)
      const waiting = new Waiting({ onDone: receipt => void receipts.offer(receipt), forgetAfterMs: hiddenSeconds * 1_000 })
      term = { ...context, client, waiting, receipts, signal }
      const onAbort = (): void => receipts.close()
      signal.addEventListener('abort', onAbort, { once: true })
      try {
        await Promise.all([receiveAll(options, term), returnAll(options, term)])
      } finally {
        signal.removeEventListener('abort', onAbort)
        term = undefined
      }
    },
    onPass: ({ controller, key, tookMs }) => {
      term?.waiting.onPass(controller, { namespace: key.namespace, name: key.name }, term.clock.monotonicMs() - tookMs)
    },
  }
}

async function receiveAll(options: DriftQueueOptions, term: Term): Promise<void> {
  const { signal, clock, waiting } = term
  let failures = 0
  while (!signal.aborted) {
    const beganMs = clock.monotonicMs()
    waiting.forgetOld(beganMs)
    if (waiting.size >= waitingMax) {
      await pause(clock, idleMs, signal)
      continue
    }
    const messages = await receive(options, term, failures)
    failures = messages === undefined ? failures + 1 : 0
    for (const message of messages ?? []) take(options, term, message)
    if (messages === undefined) await pause(clock, Math.min(retryMsMax, retryMsMin * 2 ** (failures - 1)), signal)
    else if (messages.length === 0 && clock.monotonicMs() - beganMs < idleMs) await pause(clock, idleMs, signal)
  }
}

/** `undefined`: the queue could not be asked. Said once, until it can be again. */
async function receive(
  { address, metrics }: DriftQueueOptions,
  { client, log, signal }: Term,
  failures: number,
): Promise<readonly Received[] | undefined> {
  const input = {
    QueueUrl: address.url,
    MaxNumberOfMessages: batchMax,
    WaitTimeSeconds: waitSeconds,
    VisibilityTimeout: hiddenSeconds,
  }
  try {
    const { Messages } = await client.call('ReceiveMessage', input, { signal })
    metrics.reachable(address.url, true)
    if (failures > 0) log.info('the drift queue answers again', { queue: address.url })
    return (Array.isArray(Messages) ? Messages : []).filter(isRecord).map(({ ReceiptHandle, Body }) => ({
      receipt: typeof ReceiptHandle === 'string' ? ReceiptHandle : '',
      body: typeof Body === 'string' ? Body : '',
    }))
  } catch (error) {
    if (signal.aborted) return []
    metrics.reachable(address.url, false)
    if (failures === 0)
      log.warn('the drift queue cannot be read; drift is found by resync until it can', {
        queue: address.url,
        why: error instanceof Error ? error.message : String(error),
        next: nextStep(error),
      })
    return undefined
  }
}

function nextStep(error: unknown): string {
  if (!(error instanceof AwsError)) return 'it is tried again'
  if (error.class === 'denied') return 'allow sqs:ReceiveMessage and sqs:DeleteMessage on the queue; it is tried again'
  return error.class === 'not-found' ? 'make the queue, or name another by --drift-queue; it is tried again' : 'it is tried again'
}

/** A message that nobody needs goes at once: it would come again and again. */
function take({ kinds, ownCalls, metrics }: DriftQueueOptions, term: Term, { receipt, body }: Received): void {
  const { world, log, waiting, receipts, clock, add } = term
  const notice = parseNotice(body)
  const drop = (result: Parameters<DriftMetrics['message']>[0]): void => {
    metrics.message(result)
    receipts.offer(receipt)
  }
  if (notice === undefined) {
    log.warn('a message of the drift queue is no event, and is dropped', { length: body.length })
    return drop('unreadable')
  }
  if (notice.isHarmless) return drop('harmless')
  if (notice.requestId !== undefined && ownCalls.has(notice.requestId)) return drop('own')
  const found = kinds.flatMap(({ model, controller, onConcerned }) =>
    claimsConcerned(model, notice, world).map(({ uid, ...key }) => {
      onConcerned(uid)
      return { controller, key }
    }),
  )
  if (found.length === 0) return drop('unrelated')
  metrics.message('looked')
  waiting.add(receipt, found, clock.monotonicMs())
  // The lane `retry` is behind new and changed objects, and before those that are only due again.
  for (const { controller, key } of found) add(controller, key, 'retry')
}

/** Says of messages that they are done with, as many at once as there are. What is not said is told again, and looked at again. */
async function returnAll({ address }: DriftQueueOptions, { client, receipts, log, signal }: Term): Promise<void> {
  for (;;) {
    const first = await receipts.take()
    if (first === undefined) return
    const batch = [first]
    while (batch.length < batchMax && receipts.size > 0) batch.push((await receipts.take()) as string)
    const Entries = batch.map((ReceiptHandle, index) => ({ Id: String(index), ReceiptHandle }))
    try {
      await client.call('DeleteMessageBatch', { QueueUrl: address.url, Entries }, { signal })
    } catch (error) {
      if (!signal.aborted) log.debug('messages of the drift queue could not be deleted', { why: String(error) })
    }
  }
}
