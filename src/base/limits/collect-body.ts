// The bytes of a body at once, as long as they are no more than somebody means to hold.
import type { HttpBody } from '../seams/http.ts'

export class BodyTooLarge extends Error {}

export async function collectBody(body: HttpBody, bytesMax: number): Promise<Uint8Array> {
  if (body === null) return new Uint8Array(0)
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body instanceof Uint8Array ? [body] : body) {
    length += chunk.length
    if (length > bytesMax) throw new BodyTooLarge(`the body is larger than ${bytesMax} bytes`)
    chunks.push(chunk)
  }
  const [only] = chunks
  return chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks, length)
}
