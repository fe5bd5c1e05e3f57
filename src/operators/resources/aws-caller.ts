// Reads from AWS as `observe` makes them.
import type { AwsClient } from '#aws/client'
import type { Caller } from './kinds/deviation.ts'
import type { Values } from './model/request.ts'
import type { Place } from './place/select-place.ts'

export interface CallerOptions {
  readonly place: Place
  readonly signal: AbortSignal
  /** Answers that never change. */
  readonly constants: Map<string, Values>
}

/** Some thousand zones; what falls out is asked for again. */
const constantsMax = 10_000

export function awsCaller(client: AwsClient, { signal, place, constants }: CallerOptions): Caller {
  return {
    once: async (operation, input) => {
      const key = JSON.stringify([place.account, place.region, operation, input])
      const known = constants.get(key)
      if (known !== undefined) return known
      const found = await client.call(operation, input, { signal })
      constants.set(key, found)
      const oldest = constants.keys().next().value
      if (constants.size > constantsMax && oldest !== undefined) constants.delete(oldest)
      return found
    },
    call: (operation, input) => client.call(operation, input, { signal }),
    pages: (operation, input) => client.pages(operation, input, { signal }),
    list: async (operation, input, member) => {
      const found: unknown[] = []
      for await (const page of client.pages(operation, input, { signal })) found.push(...listIn(page, member))
      return found
    },
  }
}

function listIn(page: Values, member: string): readonly unknown[] {
  const value = page[member]
  return Array.isArray(value) ? value : []
}
