// `Status`, the body of every refusal of an API server, as a value and as an error.

export interface StatusCause {
  readonly reason?: string
  readonly message?: string
  readonly field?: string
}

export interface StatusDetails {
  readonly name?: string
  readonly group?: string
  readonly kind?: string
  readonly uid?: string
  readonly causes?: readonly StatusCause[]
  readonly retryAfterSeconds?: number
}

export interface Status {
  readonly kind: 'Status'
  readonly apiVersion: 'v1'
  readonly metadata: Readonly<Record<string, unknown>>
  readonly status: 'Success' | 'Failure'
  readonly message?: string
  readonly reason?: string
  readonly details?: StatusDetails
  readonly code?: number
}

/** A refusal that has a Status. Thrown by servers on their way to a response, and by clients that received one. */
export class StatusError extends Error {
  readonly status: Status
  constructor(status: Status, options?: ErrorOptions) {
    super(status.message ?? status.reason ?? `HTTP ${status.code}`, options)
    this.name = 'StatusError'
    this.status = status
  }

  get code(): number {
    return this.status.code ?? 500
  }

  /** `NotFound`, `Conflict`, `AlreadyExists`, …; empty where the server gave none. */
  get reason(): string {
    return this.status.reason ?? ''
  }
}
