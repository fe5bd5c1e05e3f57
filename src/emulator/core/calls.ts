// The memory of what was called (§15.5): bounded, without secrets, each call with its explanation.
import type { AwsCall, AwsCallFilter, Explanation } from '../aws.ts'

export interface CallRecord {
  readonly call: AwsCall
  readonly explanation: Explanation
}

/** Enough for any test and for an afternoon at a demo; about 1 kB each. */
const recordsMax = 10_000

export class CallLog {
  readonly #records: CallRecord[] = []
  #oldest = 0
  readonly #byRequest = new Map<string, CallRecord>()
  readonly #unimplemented = new Map<string, number>()

  add(record: CallRecord): void {
    if (this.#records.length < recordsMax) this.#records.push(record)
    else {
      const dropped = this.#records[this.#oldest] as CallRecord
      this.#byRequest.delete(dropped.call.requestId)
      this.#records[this.#oldest] = record
      this.#oldest = (this.#oldest + 1) % recordsMax
    }
    this.#byRequest.set(record.call.requestId, record)
  }

  noteUnimplemented(pair: string): void {
    this.#unimplemented.set(pair, (this.#unimplemented.get(pair) ?? 0) + 1)
  }

  /** `service:operation` and how often it was asked for. */
  unimplemented(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#unimplemented)
  }

  all(filter: AwsCallFilter = {}): readonly AwsCall[] {
    const inOrder = [...this.#records.slice(this.#oldest), ...this.#records.slice(0, this.#oldest)]
    return inOrder.map(record => record.call).filter(call => matches(call, filter))
  }

  count(filter?: AwsCallFilter): number {
    return this.all(filter).length
  }

  last(filter?: AwsCallFilter): AwsCall | undefined {
    return this.all(filter).at(-1)
  }

  explanation(requestId: string): Explanation | undefined {
    return this.record(requestId)?.explanation
  }

  record(requestId: string): CallRecord | undefined {
    return this.#byRequest.get(requestId)
  }

  lastRefused(): CallRecord | undefined {
    const refusals = this.all().filter(call => call.result !== 'ok')
    // Controllers ask for what is not there all the time; who wonders why he was refused does not mean that.
    const refused = refusals.findLast(({ result }) => !/^NoSuch|NotFound/.test(result)) ?? refusals.at(-1)
    return refused === undefined ? undefined : this.record(refused.requestId)
  }

  clear(): void {
    this.#records.length = 0
    this.#oldest = 0
    this.#byRequest.clear()
    this.#unimplemented.clear()
  }
}

function matches(call: AwsCall, filter: AwsCallFilter): boolean {
  return (
    (filter.service === undefined || filter.service === call.service) &&
    (filter.operation === undefined || filter.operation === call.operation) &&
    (filter.caller === undefined || filter.caller === call.caller) &&
    (filter.result === undefined || filter.result === call.result)
  )
}
