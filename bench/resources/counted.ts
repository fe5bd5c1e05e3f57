// Calls to AWS counted where they are made, since AWS itself remembers the latest ten thousand.
import type { Transport } from '#aws/client'
import type { HttpRequest } from '#base'

export class Counted {
  reads = 0
  writes = 0
  throttled = 0
  /** When the first of them came that names the newcomer. */
  newcomerAtMs: number | undefined

  get calls(): number {
    return this.reads + this.writes
  }

  forget(): void {
    this.reads = 0
    this.writes = 0
    this.throttled = 0
    this.newcomerAtMs = undefined
  }

  /** `transport`, counting. */
  over(transport: Transport, nowMs: () => number): Transport {
    return {
      ...transport,
      to: origin => {
        const exchange = transport.to(origin)
        return async request => {
          this.#count(request, nowMs)
          const answer = await exchange(request)
          if (answer.status === 400 && answer.body instanceof Uint8Array && includes(answer.body, '<Code>Throttling'))
            this.throttled++
          return answer
        }
      },
    }
  }

  #count({ body }: HttpRequest, nowMs: () => number): void {
    if (!(body instanceof Uint8Array)) return
    if (includes(body, 'Action=Get') || includes(body, 'Action=List')) this.reads++
    else this.writes++
    if (this.newcomerAtMs === undefined && includes(body, 'RoleName=newcomer')) this.newcomerAtMs = nowMs()
  }
}

function includes(body: Uint8Array, text: string): boolean {
  return Buffer.from(body.buffer, body.byteOffset, body.byteLength).includes(text)
}
