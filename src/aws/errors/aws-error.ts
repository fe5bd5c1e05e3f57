import { type AwsErrorClass, classifyAwsError, isRetryableClass } from './error-class.ts'

export interface AwsErrorFields {
  readonly service: string
  readonly operation: string
  /** The service's own code, e.g. `NoSuchEntity`. */
  readonly code: string
  readonly message: string
  readonly httpStatus?: number | undefined
  readonly requestId?: string | undefined
  /** Members of the modelled error beside its message. */
  readonly detail?: Readonly<Record<string, unknown>> | undefined
  readonly fault?: 'client' | 'server' | undefined
  readonly modelled?: { readonly throttling?: boolean | undefined; readonly retryable?: boolean | undefined } | undefined
  /** How long the service asked us to wait. */
  readonly retryAfterMs?: number | undefined
  readonly tries?: number | undefined
  readonly afterAmbiguousTry?: boolean | undefined
}

/** A refusal by AWS, read from an answer. Where no answer came there is an `HttpFailure` instead. */
export class AwsError extends Error {
  readonly service: string
  readonly operation: string
  readonly code: string
  readonly httpStatus: number | undefined
  readonly requestId: string | undefined
  readonly detail: Readonly<Record<string, unknown>>
  readonly class: AwsErrorClass
  readonly retryAfterMs: number | undefined
  /** How many times the call was sent. */
  readonly tries: number
  /** An earlier try of the same call may have taken hold: "already exists" may speak of our own work. */
  readonly afterAmbiguousTry: boolean

  constructor(fields: AwsErrorFields, options?: ErrorOptions) {
    super(fields.message, options)
    this.name = 'AwsError'
    this.service = fields.service
    this.operation = fields.operation
    this.code = fields.code
    this.httpStatus = fields.httpStatus
    this.requestId = fields.requestId
    this.detail = fields.detail ?? {}
    this.retryAfterMs = fields.retryAfterMs
    this.tries = fields.tries ?? 1
    this.afterAmbiguousTry = fields.afterAmbiguousTry ?? false
    this.class = classifyAwsError({
      code: fields.code,
      httpStatus: fields.httpStatus,
      ...(fields.modelled && { modelled: fields.modelled }),
    })
  }

  get throttling(): boolean {
    return this.class === 'throttling'
  }

  get retryable(): boolean {
    return isRetryableClass(this.class)
  }

  /**
   * One stable line for a condition: service, operation and code with the service's words, without request ids, times and
   * signatures, which change with every try and would make every retry a write.
   */
  get summary(): string {
    return `${this.service} ${this.operation}: ${this.code}${this.message === '' ? '' : `: ${stableText(this.message)}`}`
  }
}

const summaryLengthMax = 1024

/** Cuts from a service's message what differs between tries. */
export function stableText(message: string): string {
  return message
    .replaceAll(/\s*\(request id [\w+/=:.-]+\)/gi, '')
    .replaceAll(/\(?(?:Service: \w+; )?Status Code: \d+; (?:Error Code: \w+; )?Request ?ID: [^\s;)]+[^)]*\)?/gi, '')
    .replaceAll(/\b(?:x-amz(?:n)?-)?(?:request[- ]?id|host[- ]?id)\b\s*[:=]?\s*[\w+/=-]{8,}/gi, '')
    .replaceAll(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, '…')
    .replaceAll(/\b\d{8}T\d{6}Z\b|\b\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z?\b/g, '…')
    .replaceAll(/Encoded authorization failure message: \S+/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, summaryLengthMax)
}
