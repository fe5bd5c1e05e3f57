// Reads from AWS as `observe` makes them.
import type { AwsClient } from '#aws/client'
import type { Caller } from './kinds/deviation.ts'
import type { Values } from './model/request.ts'
import type { Place } from './place/select-place.ts'

export function awsCaller(client: AwsClient, { signal }: { readonly place: Place; readonly signal: AbortSignal }): Caller {
  return {
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
