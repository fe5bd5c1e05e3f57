// What is wrong with one field, and the words in which the API server says so.

export type FieldErrorType =
  | 'Required'
  | 'Invalid'
  | 'NotSupported'
  | 'Forbidden'
  | 'Duplicate'
  | 'TooLong'
  | 'TooMany'
  | 'TypeInvalid'
  | 'NotFound'
  | 'InternalError'

export interface FieldError {
  readonly type: FieldErrorType
  /** Dotted, with `[0]` for list items and `[key]` for map keys; empty for the object as a whole. */
  readonly field: string
  /** What was found; printed where the type prints values. */
  readonly value?: unknown
  readonly detail?: string
}

const titles: Record<FieldErrorType, string> = {
  Required: 'Required value',
  Invalid: 'Invalid value',
  NotSupported: 'Unsupported value',
  Forbidden: 'Forbidden',
  Duplicate: 'Duplicate value',
  TooLong: 'Too long',
  TooMany: 'Too many',
  TypeInvalid: 'Invalid value',
  NotFound: 'Not found',
  InternalError: 'Internal error',
}

/** `Invalid value: 11: must be …`: a cause's message. */
export function renderFieldErrorBody(error: FieldError): string {
  const title = titles[error.type]
  const detail = error.detail === undefined || error.detail === '' ? '' : `: ${error.detail}`
  switch (error.type) {
    case 'Required':
    case 'Forbidden':
    case 'TooLong':
    case 'InternalError':
      return title + detail
    default:
      return `${title}: ${renderValue(error.value)}${detail}`
  }
}

/** `spec.size: Invalid value: 11: must be …`. */
export function renderFieldError(error: FieldError): string {
  const body = renderFieldErrorBody(error)
  return error.field === '' ? body : `${error.field}: ${body}`
}

/** The `reason` of a cause: `FieldValueInvalid`, …; internal errors keep their own name. */
export function causeReason(type: FieldErrorType): string {
  return type === 'InternalError' ? 'InternalError' : `FieldValue${type}`
}

/** As Go prints it: strings quoted, an absent value as null, the rest plainly. */
export function renderValue(value: unknown): string {
  if (value === undefined || value === null) return 'null'
  if (typeof value === 'string') return JSON.stringify(value)
  if (typeof value === 'object')
    return JSON.stringify(value, (_, item: unknown) => (typeof item === 'bigint' ? Number(item) : item))
  return typeof value === 'symbol' || typeof value === 'function' ? typeof value : String(value as number | bigint | boolean)
}

/** `supported values: "a", "b"`, the detail of NotSupported. */
export function supportedValues(values: readonly string[]): string {
  return `supported values: ${values.map(value => JSON.stringify(value)).join(', ')}`
}
