// Faults that change an answer on its way out (§15.2).
import type { Operation } from '#aws'
import type { HttpResponse, Random } from '#base'
import type { AwsFaultEffect } from '../aws.ts'
import { aborted } from './incoming.ts'

export function disturbedReply(response: HttpResponse, effect: AwsFaultEffect): HttpResponse {
  const body = response.body instanceof Uint8Array ? response.body : new Uint8Array(0)
  switch (effect.kind) {
    case 'timeout-after':
      throw aborted()
    case 'truncate-body':
      return withBody(response, body.subarray(0, Math.floor(body.length / 2)))
    case 'wrong-content-type':
      return { ...response, headers: { ...response.headers, 'content-type': 'text/plain' } }
    case 'html-502':
      return {
        status: 502,
        headers: { 'content-type': 'text/html' },
        body: Buffer.from('<html><body><h1>502 Bad Gateway</h1></body></html>'),
      }
    case 'corrupt-object': {
      const corrupt = Uint8Array.from(body)
      const middle = Math.floor(corrupt.length / 2)
      if (corrupt.length > 0) corrupt[middle] = (corrupt[middle] as number) ^ 0xff
      return withBody(response, corrupt)
    }
    default:
      return response
  }
}

/** A list that misses one of its items, as a list that lags may. */
export function withoutOneItem(operation: Operation, output: object, random: Random): object {
  const entry = Object.entries(output).find(
    ([name, value]) => Array.isArray(value) && (operation.paginated?.items ?? name) === name,
  )
  if (entry === undefined || (entry[1] as unknown[]).length === 0) return output
  const items = [...(entry[1] as unknown[])]
  items.splice(random.integer(items.length), 1)
  return { ...output, [entry[0]]: items }
}

function withBody(response: HttpResponse, body: Uint8Array): HttpResponse {
  return { ...response, headers: { ...response.headers, 'content-length': String(body.length) }, body }
}
