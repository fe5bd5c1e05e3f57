// What stands between the bytes on the wire and an operation's body (§3.8): aws-chunked framing, digests and checksums.
import { createHash } from 'node:crypto'
import { hmac, scopeText, sha256Hex } from '../auth/canonical.ts'
import type { CheckedSignature, Claim } from '../auth/signature.ts'
import { sameText } from '../auth/signature.ts'
import { ServiceError } from '../error.ts'
import type { RawRequest } from '../service.ts'
import { checksumOf, isChecksumAlgorithm } from '../wire/checksums.ts'
import { type Chunk, MalformedChunks, readChunks } from '../wire/chunks.ts'
import { refusal } from '../wire/family.ts'

export interface ProvenBody {
  readonly body: Uint8Array
  /** Trailers of a chunked body, added to the request's headers; `aws-chunked` is gone from the encoding. */
  readonly headers: Readonly<Record<string, string>>
}

/** S3 only: other services' bodies are covered by the signature alone. */
export function provenBody(request: RawRequest, claim: Claim | undefined, checked: CheckedSignature | undefined): ProvenBody {
  const digest = request.headers['x-amz-content-sha256'] ?? ''
  const chunked = digest.startsWith('STREAMING-') || /\baws-chunked\b/.test(request.headers['content-encoding'] ?? '')
  const proven = chunked ? unchunked(request, digest, claim, checked) : { body: request.body, headers: request.headers }
  if (/^[0-9a-f]{64}$/.test(digest) && sha256Hex(proven.body) !== digest) {
    throw new ServiceError(
      'XAmzContentSHA256Mismatch',
      400,
      "The provided 'x-amz-content-sha256' header does not match what was computed.",
      {
        ClientComputedContentSHA256: digest,
        S3ComputedContentSHA256: sha256Hex(proven.body),
      },
    )
  }
  checkMd5(proven)
  checkChecksums(proven)
  return proven
}

function unchunked(
  request: RawRequest,
  digest: string,
  claim: Claim | undefined,
  checked: CheckedSignature | undefined,
): ProvenBody {
  let read: ReturnType<typeof readChunks>
  try {
    read = readChunks(request.body)
  } catch (error) {
    if (error instanceof MalformedChunks)
      throw new ServiceError('IncompleteBody', 400, `The request body is not well-formed aws-chunked: ${error.message}`)
    throw error
  }
  const length = request.headers['x-amz-decoded-content-length']
  if (length !== undefined && Number(length) !== read.body.length) {
    throw new ServiceError(
      'IncompleteBody',
      400,
      'You did not provide the number of bytes specified by the x-amz-decoded-content-length HTTP header.',
    )
  }
  if (digest.startsWith('STREAMING-AWS4-HMAC-SHA256-PAYLOAD') && claim !== undefined && checked !== undefined)
    checkChunkSignatures(read, claim, checked)
  const { 'content-encoding': encoding = '', ...rest } = request.headers
  const kept = encoding
    .split(',')
    .map(name => name.trim())
    .filter(name => name !== '' && name !== 'aws-chunked')
    .join(',')
  return { body: read.body, headers: { ...rest, ...(kept === '' ? {} : { 'content-encoding': kept }), ...read.trailers } }
}

const emptyHash = sha256Hex('')

function checkChunkSignatures(
  read: { readonly chunks: readonly Chunk[]; readonly trailerText: string; readonly trailers: Readonly<Record<string, string>> },
  claim: Claim,
  checked: CheckedSignature,
): void {
  let previous = checked.seedSignature
  const scope = scopeText(claim.scope)
  for (const chunk of read.chunks) {
    const text = ['AWS4-HMAC-SHA256-PAYLOAD', claim.timestamp, scope, previous, emptyHash, sha256Hex(chunk.data)].join('\n')
    const expected = hmac(checked.key, text).toString('hex')
    if (!sameText(expected, chunk.signature ?? '')) throw refusal('s3', 'wrong signature')
    previous = expected
  }
  const given = read.trailers['x-amz-trailer-signature']
  if (given === undefined) return
  const text = ['AWS4-HMAC-SHA256-TRAILER', claim.timestamp, scope, previous, sha256Hex(read.trailerText)].join('\n')
  if (!sameText(hmac(checked.key, text).toString('hex'), given)) throw refusal('s3', 'wrong signature')
}

function checkMd5({ body, headers }: ProvenBody): void {
  const given = headers['content-md5']
  if (given === undefined) return
  if (!/^[A-Za-z0-9+/]{22}==$/.test(given))
    throw new ServiceError('InvalidDigest', 400, 'The Content-MD5 you specified is not valid.', { 'Content-MD5': given })
  const actual = createHash('md5').update(body).digest('base64')
  if (actual !== given)
    throw new ServiceError('BadDigest', 400, 'The Content-MD5 you specified did not match what we received.', {
      ExpectedDigest: given,
      CalculatedDigest: actual,
    })
}

function checkChecksums({ body, headers }: ProvenBody): void {
  for (const [name, given] of Object.entries(headers)) {
    const algorithm = name.startsWith('x-amz-checksum-') ? name.slice('x-amz-checksum-'.length) : ''
    if (!isChecksumAlgorithm(algorithm)) continue
    if (checksumOf(algorithm, body) !== given) {
      throw new ServiceError(
        'BadDigest',
        400,
        `The ${algorithm.toUpperCase()} you specified did not match the calculated checksum.`,
      )
    }
  }
}
