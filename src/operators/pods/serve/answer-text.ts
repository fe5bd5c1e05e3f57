// What a small service answers, as text.
import type { HttpBody } from '#base'

const bytesMax = 65_536

/** Throws for what is longer than any answer that is waited for. */
export async function answerText(body: HttpBody): Promise<string> {
  if (body === null || body instanceof Uint8Array) return new TextDecoder().decode(body ?? new Uint8Array())
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body) {
    length += chunk.length
    if (length > bytesMax) throw new Error('the answer is too long')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}
