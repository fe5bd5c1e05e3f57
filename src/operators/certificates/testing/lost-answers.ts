// A wire to AWS that loses answers: the call is carried out, and nobody learns of it.
import { type HttpExchange, HttpFailure } from '#base'

/** The first call of an operation at its time is carried out, and its answer lost. Calls before that do not arrive, later ones do. */
export class LostAnswer {
  isMade = false
  /** What else happens at that instant. */
  onLost: () => void = () => {}
  readonly #operation: string
  readonly #isTime: () => boolean

  constructor(operation: string, isTime: () => boolean = () => true) {
    this.#operation = operation
    this.#isTime = isTime
  }

  readonly through =
    (exchange: HttpExchange): HttpExchange =>
    async request => {
      const isMeant = String(request.headers['x-amz-target'] ?? '').endsWith(`.${this.#operation}`)
      if (this.isMade || !isMeant) return exchange(request)
      if (this.#isTime()) {
        this.isMade = true
        await exchange(request)
        this.onLost()
      }
      throw new HttpFailure('reset', 'cut')
    }
}
