// An answer read: the output, or the error that it stands for.
import { HttpFailure } from '#base'
import { AwsError } from '../../errors/aws-error.ts'
import type { Operation, ServiceModel, StructureShape } from '../../model/service-model.ts'
import type { Deviations } from '../services/deviation.ts'
import type { Values, WireError, WireProtocol, WireResponse } from '../wire/protocols.ts'
import { shapeOf } from '../wire/tuples.ts'
import { brokenChecksum } from './checksums.ts'

export interface AnswerContext {
  readonly model: ServiceModel
  readonly operation: Operation
  readonly protocol: WireProtocol
  readonly deviations: Deviations
  readonly tries: number
  readonly afterAmbiguousTry: boolean
}

/** The output. Throws `AwsError` for a refusal and `HttpFailure` for what cannot be read or trusted. */
export async function readAnswer(response: WireResponse, context: AnswerContext): Promise<Values> {
  const { model, operation, deviations } = context
  const hidden = response.statusCode < 300 ? deviations.hiddenFailure?.(operation, response) : undefined
  const read = await decoded(hidden === undefined ? response : { ...response, statusCode: hidden }, context)
  if ('error' in read) throw errorOf(read.error, response, context)
  // The answer to a write names the checksum of what was written, not of itself.
  const broken = returnsContent(model, operation) ? brokenChecksum(response.headers, response.body) : undefined
  if (broken !== undefined) throw new HttpFailure('malformed', `the ${broken} checksum of the answer does not fit its body`)
  return read.output
}

/** A body that cannot be read says nothing about the effect of the call. */
async function decoded(
  response: WireResponse,
  { operation, protocol }: AnswerContext,
): Promise<{ readonly output: Values } | { readonly error: WireError }> {
  try {
    return await protocol.decode(protocol.tuples.operation(operation), response)
  } catch (error) {
    throw new HttpFailure('malformed', `the answer to ${operation.name} cannot be read`, { cause: error })
  }
}

function errorOf(wire: WireError, response: WireResponse, context: AnswerContext): AwsError {
  const { model, operation, tries, afterAmbiguousTry } = context
  const modelled = modelledError(model, operation, wire.code)
  return new AwsError({
    service: model.id,
    operation: operation.name,
    ...wire,
    fault: modelled?.fault,
    modelled: modelled && { throttling: modelled.throttling, retryable: modelled.retryable },
    retryAfterMs: retryAfterMs(response),
    tries,
    afterAmbiguousTry,
  })
}

/** What the model says of an error: by its shape's name, or by its query code. */
function modelledError(model: ServiceModel, { errors }: Operation, code: string): StructureShape['error'] {
  for (const name of errors) {
    const shape = shapeOf(model, name)
    if (shape.type === 'structure' && (name === code || shape.error?.code === code)) return shape.error
  }
  return undefined
}

function retryAfterMs({ headers }: WireResponse): number | undefined {
  const milliseconds = Number(headers['x-amz-retry-after'] ?? Number.NaN)
  if (Number.isFinite(milliseconds)) return Math.max(0, milliseconds)
  const seconds = Number(headers['retry-after'] ?? Number.NaN)
  return Number.isFinite(seconds) ? Math.max(0, seconds * 1_000) : undefined
}

/** Whether the body of the answer is the content itself, as with S3's GetObject. */
function returnsContent(model: ServiceModel, { output, http }: Operation): boolean {
  if (output === undefined || http.method === 'HEAD') return false
  const shape = shapeOf(model, output) as StructureShape
  const content = shape.payload === undefined ? undefined : shape.members[shape.payload]
  return content !== undefined && shapeOf(model, content.target).type === 'blob'
}
