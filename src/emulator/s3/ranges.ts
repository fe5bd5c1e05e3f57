// Which bytes of an object are asked for: by a range, or as a part of the upload that brought it.
import { s3Failure } from './errors.ts'
import type { ObjectContent } from './model.ts'

export interface ByteRange {
  readonly start: number
  /** Exclusive. */
  readonly end: number
}

/** The part of the body that a `Range` header asks for; `undefined` for headers that S3 ignores. */
export function parseRange(header: string | undefined, length: number): ByteRange | undefined {
  const match = header === undefined ? null : /^bytes=(\d*)-(\d*)$/.exec(header.trim())
  if (match === null || (match[1] === '' && match[2] === '')) return undefined
  const [, first = '', last = ''] = match
  const unsatisfiable = (): Error =>
    s3Failure('InvalidRange', { fields: { RangeRequested: header ?? '', ActualObjectSize: String(length) } })
  if (first === '') {
    const suffix = Math.min(Number(last), length)
    if (suffix === 0) throw unsatisfiable()
    return { start: length - suffix, end: length }
  }
  const start = Number(first)
  if (start >= length) throw unsatisfiable()
  if (last !== '' && Number(last) < start) return undefined
  return { start, end: last === '' ? length : Math.min(Number(last) + 1, length) }
}

const partNumberMax = 10_000

export function checkPartNumber(number: number): void {
  if (Number.isInteger(number) && number >= 1 && number <= partNumberMax) return
  throw s3Failure('InvalidArgument', {
    message: `Part number must be an integer between 1 and ${partNumberMax}, inclusive`,
    fields: { ArgumentName: 'partNumber', ArgumentValue: String(number) },
  })
}

export interface AskedBytes {
  /** `undefined`: all of them, answered with 200. */
  readonly range: ByteRange | undefined
  /** Told to whoever asks for a part of an object that was uploaded in parts. */
  readonly partsCount?: number
}

export function askedBytes(
  input: { readonly Range?: string; readonly PartNumber?: number },
  { body, partSizes }: ObjectContent,
): AskedBytes {
  const { Range, PartNumber: number } = input
  if (number === undefined) return { range: parseRange(Range, body.length) }
  if (Range !== undefined)
    throw s3Failure('InvalidRequest', { message: 'Cannot specify both Range header and partNumber query parameter' })
  checkPartNumber(number)
  const sizes = partSizes ?? [body.length]
  const size = sizes[number - 1]
  if (size === undefined) {
    const fields = { PartNumberRequested: String(number), ActualPartCount: String(sizes.length) }
    throw s3Failure('InvalidPartNumber', { fields })
  }
  const start = sizes.slice(0, number - 1).reduce((sum, one) => sum + one, 0)
  const range = size === 0 ? undefined : { start, end: start + size }
  return { range, ...(partSizes !== undefined && { partsCount: partSizes.length }) }
}
