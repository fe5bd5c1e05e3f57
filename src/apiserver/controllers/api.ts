// How the small controllers read and write: through the same door as everybody else, as users of their own.

import type { HttpExchange } from '#base'
import { isRecord } from '#base'
import { type Committed } from '../draft.ts'
import { stringifyJson } from '../text/json.ts'

/** The server's answer to a controller; anything but 2xx is a value too, because half of them are races that do not matter. */
export interface Answer {
  readonly status: number
  readonly object: Committed
}

export class ControllerApi {
  readonly #exchange: HttpExchange

  constructor(exchange: HttpExchange) {
    this.#exchange = exchange
  }

  create(path: string, object: unknown): Promise<Answer> {
    return this.#call('POST', path, object)
  }

  update(path: string, object: unknown): Promise<Answer> {
    return this.#call('PUT', path, object)
  }

  merge(path: string, patch: unknown): Promise<Answer> {
    return this.#call('PATCH', path, patch, 'application/merge-patch+json')
  }

  delete(path: string, options?: unknown): Promise<Answer> {
    return this.#call('DELETE', path, options)
  }

  async #call(method: string, target: string, body?: unknown, type = 'application/json'): Promise<Answer> {
    const response = await this.#exchange({
      method,
      target,
      headers: { 'content-type': type, accept: 'application/json', 'user-agent': 'kube-controller-manager/embedded' },
      body: body === undefined ? null : Buffer.from(stringifyJson(body)),
    })
    const text = response.body instanceof Uint8Array ? Buffer.from(response.body).toString() : '{}'
    const object: unknown = text.startsWith('{') ? JSON.parse(text) : {}
    return { status: response.status, object: (isRecord(object) ? object : {}) as Committed }
  }
}
