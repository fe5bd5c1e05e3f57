// Questions of several claims that one call answers. Who asks first goes at once; who asks meanwhile waits, and goes together with all that
// wait by then. So a lone question costs no time, and many cost few calls; and no answer is older than its question.

export type Settled<A> = { readonly ok: true; readonly value: A } | { readonly ok: false; readonly error: unknown }

/** Answers all questions, in their order. The signal ends when nobody waits any more. */
export type Serve<Q, A> = (questions: readonly Q[], signal: AbortSignal) => Promise<readonly Settled<A>[]>

export interface Asking<Q, A> {
  /** Questions with the same topic go together. */
  readonly topic: string
  readonly question: Q
  readonly signal: AbortSignal
  readonly serve: Serve<Q, A>
}

interface Ticket<Q, A> {
  readonly question: Q
  readonly signal: AbortSignal
  /** Ends the wait: with an answer, or with the turn to go. */
  readonly settle: (turn: Settled<A> | 'go') => void
}

export class Gathering<Q, A> {
  /** Those who wait, by topic; a topic without an entry has nobody under way. */
  readonly #waiting = new Map<string, Ticket<Q, A>[]>()
  readonly #max: number

  /** `max`: questions that one call answers at most. */
  constructor(max: number) {
    this.#max = max
  }

  async ask({ topic, question, signal, serve }: Asking<Q, A>): Promise<A> {
    signal.throwIfAborted()
    const waiting = this.#waiting.get(topic)
    if (waiting === undefined) this.#waiting.set(topic, [])
    else {
      const turn = await wait(waiting, question, signal)
      if (turn !== 'go') return valueOf(turn)
    }
    return this.#go({ topic, question, signal, serve })
  }

  async #go({ topic, question, signal, serve }: Asking<Q, A>): Promise<A> {
    const others = (this.#waiting.get(topic) ?? []).splice(0, this.#max - 1)
    const flight = new AbortController()
    const release = whenAllAborted([signal, ...others.map(other => other.signal)], flight)
    try {
      const [own, ...rest] = await settled(serve, [question, ...others.map(other => other.question)], flight.signal)
      others.forEach((other, index) => other.settle(rest[index] ?? unanswered))
      return valueOf(own ?? unanswered)
    } finally {
      release()
      this.#handOver(topic)
    }
  }

  #handOver(topic: string): void {
    const next = this.#waiting.get(topic)?.shift()
    if (next === undefined) this.#waiting.delete(topic)
    else next.settle('go')
  }
}

const unanswered: Settled<never> = { ok: false, error: new Error('a gathered call left a question without an answer') }

function wait<Q, A>(waiting: Ticket<Q, A>[], question: Q, signal: AbortSignal): Promise<Settled<A> | 'go'> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => {
      const place = waiting.indexOf(ticket)
      // A question whose call is under way stays there, since the call may take hold.
      if (place >= 0) waiting.splice(place, 1)
      reject(signal.reason as Error)
    }
    const ticket: Ticket<Q, A> = {
      question,
      signal,
      settle: turn => {
        signal.removeEventListener('abort', onAbort)
        resolve(turn)
      },
    }
    waiting.push(ticket)
    signal.addEventListener('abort', onAbort, { once: true })
  })
}

/** What fails as a whole has failed for each. */
async function settled<Q, A>(serve: Serve<Q, A>, questions: readonly Q[], signal: AbortSignal): Promise<readonly Settled<A>[]> {
  try {
    return await serve(questions, signal)
  } catch (error) {
    return questions.map(() => ({ ok: false, error }))
  }
}

function valueOf<A>(one: Settled<A>): A {
  if (one.ok) return one.value
  throw one.error
}

function whenAllAborted(signals: readonly AbortSignal[], flight: AbortController): () => void {
  const check = (): void => {
    if (signals.every(signal => signal.aborted)) flight.abort(signals[0]?.reason)
  }
  for (const signal of signals) signal.addEventListener('abort', check)
  check()
  return () => {
    for (const signal of signals) signal.removeEventListener('abort', check)
  }
}
