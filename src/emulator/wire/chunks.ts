// The aws-chunked framing: `hex[;chunk-signature=…]\r\n…\r\n`, an empty chunk at the end, then trailers.

export interface Chunk {
  readonly data: Uint8Array
  readonly signature: string | undefined
}

export interface Chunked {
  readonly body: Uint8Array
  /** All chunks, with the empty one at the end whose signature counts too. */
  readonly chunks: readonly Chunk[]
  readonly trailers: Readonly<Record<string, string>>
  /** What a trailer signature is made over: the trailer lines, each ended by a newline, without the signature's own. */
  readonly trailerText: string
}

export class MalformedChunks extends Error {}

const lineLengthMax = 8_192

export function readChunks(source: Uint8Array): Chunked {
  const bytes = Buffer.from(source.buffer, source.byteOffset, source.byteLength)
  const chunks: Chunk[] = []
  let at = 0
  for (;;) {
    const line = lineAt(bytes, at)
    const header = /^([0-9a-fA-F]{1,8})(?:;chunk-signature=([0-9a-f]{64}))?$/.exec(line.text)
    if (header === null) throw new MalformedChunks('a chunk header is expected')
    const length = Number.parseInt(header[1] ?? '', 16)
    const end = line.next + length
    if (end > bytes.length) throw new MalformedChunks('a chunk is cut short')
    chunks.push({ data: bytes.subarray(line.next, end), signature: header[2] })
    at = length === 0 ? line.next : end + 2
    if (length === 0) break
    if (bytes.toString('latin1', end, end + 2) !== '\r\n') throw new MalformedChunks('a chunk does not end where its header says')
  }
  return { body: Buffer.concat(chunks.map(chunk => chunk.data)), chunks, ...readTrailers(bytes, at) }
}

function readTrailers(
  bytes: Buffer,
  start: number,
): { readonly trailers: Readonly<Record<string, string>>; readonly trailerText: string } {
  const trailers: Record<string, string> = {}
  let trailerText = ''
  for (let at = start; at < bytes.length; ) {
    const line = lineAt(bytes, at)
    at = line.next
    const colon = line.text.indexOf(':')
    if (line.text === '') continue
    if (colon === -1) throw new MalformedChunks('a trailer is expected')
    const name = line.text.slice(0, colon).trim().toLowerCase()
    const value = line.text.slice(colon + 1).trim()
    trailers[name] = value
    if (name !== 'x-amz-trailer-signature') trailerText += `${name}:${value}\n`
  }
  return { trailers, trailerText }
}

/** SDKs end trailer lines with a bare newline in some cases, so both endings are taken. */
function lineAt(bytes: Buffer, at: number): { readonly text: string; readonly next: number } {
  const newline = bytes.indexOf(10, at)
  const end = newline === -1 ? bytes.length : newline
  if (end - at > lineLengthMax) throw new MalformedChunks('a line is too long')
  if (newline === -1 && at >= bytes.length) throw new MalformedChunks('the last chunk is missing')
  const text = bytes.toString('latin1', at, end)
  return { text: text.endsWith('\r') ? text.slice(0, -1) : text, next: newline === -1 ? bytes.length : newline + 1 }
}
