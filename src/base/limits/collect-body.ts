// The bytes of a body at once, as long as they are no more than somebody means to hold.
import type { HttpBody } from '../seams/http.ts'
import { GatheredBytes } from './gathered.ts'

export class BodyTooLarge extends Error {}

export async function collectBody(body: HttpBody, bytesMax: number): Promise<Uint8Array> {
  if (body === null) return new Uint8Array(0)
  const gathered = new GatheredBytes(bytesMax)
  for await (const chunk of body instanceof Uint8Array ? [body] : body) {
    gathered.add(chunk)
    if (gathered.length > bytesMax) throw new BodyTooLarge(`the body is larger than ${bytesMax} bytes`)
  }
  return gathered.joined()
}
