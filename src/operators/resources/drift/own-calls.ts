// The requests that we made ourselves: what AWS tells of them later is no news.
import type { AwsClient, CallOptions } from '#aws/client'
import type { Values } from '../model/request.ts'

/** Some hours of a busy process; what falls out costs a look. */
const requestsMax = 20_000

export class OwnCalls {
  readonly #ids = new Set<string>()
  readonly #areAskedFor: boolean

  /** Nobody asks where no events are followed, and nothing is kept. */
  constructor(areAskedFor: boolean) {
    this.#areAskedFor = areAskedFor
  }

  note(requestId: string | undefined): void {
    if (requestId === undefined || !this.#areAskedFor) return
    this.#ids.add(requestId)
    const oldest = this.#ids.values().next().value
    if (this.#ids.size > requestsMax && oldest !== undefined) this.#ids.delete(oldest)
  }

  has(requestId: string): boolean {
    return this.#ids.has(requestId)
  }
}

/** Makes the call, and remembers its number. One whose answer was lost has none, and its echo is looked into: that is as well. */
export async function sendOwn(
  client: AwsClient,
  { operation, input }: { readonly operation: string; readonly input: Values },
  { ownCalls, ...options }: CallOptions & { readonly ownCalls: OwnCalls },
): Promise<Values> {
  const { output, requestId } = await client.send(operation, input, options)
  ownCalls.note(requestId)
  return output
}
