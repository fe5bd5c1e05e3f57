// Reads from AWS as `observe` makes them.
import type { ServiceModel } from '#aws'
import type { AwsClient } from '#aws/client'
import type { Gathering, Settled } from '#cloud'
import type { Caller } from './kinds/deviation.ts'
import type { OnCall } from './metrics.ts'
import type { Values } from './model/request.ts'
import type { Place } from './place/select-place.ts'

export interface CallerOptions {
  readonly place: Place
  readonly signal: AbortSignal
  /** Answers that never change. */
  readonly constants: Map<string, Values>
  readonly gathering: Gathering<unknown, unknown>
  readonly onCall: OnCall | undefined
  /** The client of another service in the same place. */
  clientOf(service: ServiceModel): AwsClient
}

/** Some thousand zones; what falls out is asked for again. */
const constantsMax = 10_000

export function awsCaller(client: AwsClient, options: CallerOptions): Caller {
  const { signal, place, constants, gathering, onCall } = options
  const call = async (operation: string, input: Values): Promise<Values> => {
    try {
      const output = await client.call(operation, input, { signal })
      onCall?.({ operation, verb: verbOf(operation) })
      return output
    } catch (error) {
      onCall?.({ operation, verb: verbOf(operation), error })
      throw error
    }
  }
  async function* pages(operation: string, input: Values): AsyncIterable<Values> {
    for await (const page of client.pages(operation, input, { signal })) {
      onCall?.({ operation, verb: verbOf(operation) })
      yield page
    }
  }
  return {
    call,
    of: service => awsCaller(options.clientOf(service), options),
    pages,
    once: async (operation, input) => {
      const key = JSON.stringify([place.account, place.region, operation, input])
      const known = constants.get(key)
      if (known !== undefined) return known
      const found = await call(operation, input)
      constants.set(key, found)
      const oldest = constants.keys().next().value
      if (constants.size > constantsMax && oldest !== undefined) constants.delete(oldest)
      return found
    },
    together: <Q, A>(topic: string, question: Q, answer: Answering<Q, A>) =>
      (gathering as Gathering<Q, A>).ask({
        topic: JSON.stringify([place.account, place.region, place.role, place.endpoint, topic]),
        question,
        signal,
        serve: (questions, flight) => answer(questions, awsCaller(client, { ...options, signal: flight })),
      }),
    list: async (operation, input, member) => {
      const found: unknown[] = []
      for await (const page of pages(operation, input)) {
        const items = page[member]
        if (Array.isArray(items)) found.push(...(items as readonly unknown[]))
      }
      return found
    },
  }
}

type Answering<Q, A> = (questions: readonly Q[], caller: Caller) => Promise<readonly Settled<A>[]>

function verbOf(operation: string): string {
  if (operation.startsWith('List')) return 'READ_MANY'
  return /^Get\w+Attributes$/.test(operation) ? 'GET_ATTRIBUTES' : 'READ_ONE'
}
