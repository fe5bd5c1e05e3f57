// A queue as SQS speaks, in front of the emulator, which has none: long polls, receipts, and messages that come again until they are deleted.
import { buffer } from 'node:stream/consumers'
import type { Clock, HttpExchange, HttpRequest, HttpResponse } from '#base'

interface Message {
  readonly body: string
  hiddenUntilMs: number
  received: number
}

export interface MessageQueue {
  readonly url: string
  /** Gets between the operator and AWS. */
  readonly through: (exchange: HttpExchange) => HttpExchange
  send(body: unknown): void
  /** Answers every call with this error, until it is taken away. */
  refuse(code: string | undefined, status?: number): void
  readonly size: number
  readonly receives: number
  /** How often messages were handed out. */
  readonly handedOut: number
}

export function messageQueue(clockOf: () => Clock): MessageQueue {
  const messages = new Map<string, Message>()
  const wakes = new Set<() => void>()
  const seen = { next: 0, receives: 0, handedOut: 0 }
  let refusal: { readonly code: string; readonly status: number } | undefined
  const receive = async (input: Input, signal: AbortSignal | undefined): Promise<object> => {
    seen.receives += 1
    const clock = clockOf()
    const untilMs = clock.monotonicMs() + (input.WaitTimeSeconds ?? 0) * 1_000
    for (;;) {
      const nowMs = clock.monotonicMs()
      const found = [...messages].filter(([, { hiddenUntilMs }]) => hiddenUntilMs <= nowMs).slice(0, input.MaxNumberOfMessages)
      if (found.length > 0 || nowMs >= untilMs || signal?.aborted === true) {
        seen.handedOut += found.length
        return { Messages: found.map(([id, message]) => handOut(id, message, nowMs + (input.VisibilityTimeout ?? 30) * 1_000)) }
      }
      const earliestMs = Math.min(untilMs, ...[...messages.values()].map(({ hiddenUntilMs }) => hiddenUntilMs))
      await nextMove(clock, earliestMs - nowMs, wakes, signal)
    }
  }
  const remove = ({ Entries = [] }: Input): object => {
    for (const { ReceiptHandle } of Entries) {
      const [id = '', received] = ReceiptHandle.split('#')
      if (String(messages.get(id)?.received) === received) messages.delete(id)
    }
    return { Successful: Entries.map(({ Id }) => ({ Id })), Failed: [] }
  }
  return {
    url: 'https://sqs.eu-west-1.amazonaws.com/111122223333/drift',
    through: exchange => async request => {
      const target = String(request.headers['x-amz-target'] ?? '')
      if (!target.startsWith('AmazonSQS.')) return exchange(request)
      if (refusal !== undefined) return json(refusal.status, { __type: `com.amazonaws.sqs#${refusal.code}`, message: 'no' })
      const input = await inputOf(request)
      return json(200, target.endsWith('ReceiveMessage') ? await receive(input, request.signal) : remove(input))
    },
    send: body => {
      messages.set(`m${seen.next++}`, {
        body: typeof body === 'string' ? body : JSON.stringify(body),
        hiddenUntilMs: 0,
        received: 0,
      })
      for (const wake of wakes) wake()
    },
    refuse: (code, status = 400) => {
      refusal = code === undefined ? undefined : { code, status }
      for (const wake of wakes) wake()
    },
    get size() {
      return messages.size
    },
    get receives() {
      return seen.receives
    },
    get handedOut() {
      return seen.handedOut
    },
  }
}

interface Input {
  readonly MaxNumberOfMessages?: number
  readonly WaitTimeSeconds?: number
  readonly VisibilityTimeout?: number
  readonly Entries?: readonly { readonly Id: string; readonly ReceiptHandle: string }[]
}

function handOut(id: string, message: Message, hiddenUntilMs: number): object {
  message.hiddenUntilMs = hiddenUntilMs
  message.received += 1
  return { MessageId: id, ReceiptHandle: `${id}#${message.received}`, Body: message.body }
}

async function nextMove(clock: Clock, ms: number, wakes: Set<() => void>, signal: AbortSignal | undefined): Promise<void> {
  await new Promise<void>(resolve => {
    const done = (): void => {
      timer.cancel()
      wakes.delete(done)
      signal?.removeEventListener('abort', done)
      resolve()
    }
    const timer = clock.timer(ms, done)
    wakes.add(done)
    signal?.addEventListener('abort', done, { once: true })
  })
}

async function inputOf({ body }: HttpRequest): Promise<Input> {
  const bytes = body === null || body instanceof Uint8Array ? (body ?? new Uint8Array()) : await buffer(body)
  return JSON.parse(new TextDecoder().decode(bytes)) as Input
}

function json(status: number, value: object): HttpResponse {
  const headers = { 'content-type': 'application/x-amz-json-1.0', 'x-amzn-requestid': 'q-1' }
  return { status, headers, body: new TextEncoder().encode(JSON.stringify(value)) }
}
