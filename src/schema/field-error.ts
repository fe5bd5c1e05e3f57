// What validation says about one field, with the server's own words, and the 422 Status made of several.
import { type Status, type StatusCause, StatusError } from '#kube'
import { quote } from './go-quote.ts'
import { goNumber } from './go-text.ts'
import { type Json, renderJson } from './json.ts'

export type FieldErrorType =
  | 'FieldValueRequired'
  | 'FieldValueInvalid'
  | 'FieldValueNotSupported'
  | 'FieldValueForbidden'
  | 'FieldValueDuplicate'
  | 'FieldValueTooLong'
  | 'FieldValueTooMany'
  | 'FieldValueTypeInvalid'
  | 'FieldValueNotFound'
  | 'InternalError'

export interface FieldError {
  readonly type: FieldErrorType
  /** `spec.ports[0].name`; empty for errors that belong to no field. */
  readonly field: string
  readonly value?: Json | undefined
  readonly detail: string
  /** The value is not shown. */
  readonly hidden?: true
  /** The value's keys are in the order in which they print; else they print sorted. */
  readonly ordered?: true
}

const words: Readonly<Record<FieldErrorType, string>> = {
  FieldValueRequired: 'Required value',
  FieldValueInvalid: 'Invalid value',
  FieldValueNotSupported: 'Unsupported value',
  FieldValueForbidden: 'Forbidden',
  FieldValueDuplicate: 'Duplicate value',
  FieldValueTooLong: 'Too long',
  FieldValueTooMany: 'Too many',
  FieldValueTypeInvalid: 'Invalid value',
  FieldValueNotFound: 'Not found',
  InternalError: 'Internal error',
}

const withoutValue = new Set<FieldErrorType>(['FieldValueRequired', 'FieldValueForbidden', 'FieldValueTooLong', 'InternalError'])

export const fieldError = {
  required: (field: string, detail = ''): FieldError => ({ type: 'FieldValueRequired', field, detail }),
  invalid: (field: string, value: Json | undefined, detail: string): FieldError => ({
    type: 'FieldValueInvalid',
    field,
    value: value ?? null,
    detail,
  }),
  /** The value is wrong as a whole, so that no value is told with the error. */
  unfit: (field: string, detail: string): FieldError => ({ type: 'FieldValueInvalid', field, detail, hidden: true }),
  typeInvalid: (field: string, value: Json | undefined, detail: string): FieldError => ({
    type: 'FieldValueTypeInvalid',
    field,
    value: value ?? null,
    detail,
  }),
  notSupported: (field: string, value: Json | undefined, supported: readonly string[]): FieldError => ({
    type: 'FieldValueNotSupported',
    field,
    value: value ?? null,
    detail: supported.length === 0 ? '' : `supported values: ${supported.map(quote).join(', ')}`,
  }),
  forbidden: (field: string, detail: string): FieldError => ({ type: 'FieldValueForbidden', field, detail }),
  duplicate: (field: string, value: Json | undefined): FieldError => ({
    type: 'FieldValueDuplicate',
    field,
    value: value ?? null,
    detail: '',
  }),
  notFound: (field: string, value: Json | undefined): FieldError => ({
    type: 'FieldValueNotFound',
    field,
    value: value ?? null,
    detail: '',
  }),
  tooLong: (field: string, max: number): FieldError => ({
    type: 'FieldValueTooLong',
    field,
    detail: max < 0 ? 'value is too long' : `may not be more than ${max} ${max === 1 ? 'byte' : 'bytes'}`,
  }),
  tooMany: (field: string, actual: number, max: number): FieldError => ({
    type: 'FieldValueTooMany',
    field,
    value: actual,
    detail: max < 0 ? 'has too many items' : `must have at most ${max} ${max === 1 ? 'item' : 'items'}`,
  }),
  internal: (field: string, detail: string): FieldError => ({ type: 'InternalError', field, detail }),
}

/** The text of a cause: everything but the field. */
export function renderFieldErrorBody(error: FieldError): string {
  const head = words[error.type]
  const value = withoutValue.has(error.type) || error.hidden === true ? '' : `: ${renderValue(error)}`
  return error.detail === '' ? head + value : `${head}${value}: ${error.detail}`
}

export function renderFieldError(error: FieldError): string {
  return `${error.field === '' ? '<nil>' : error.field}: ${renderFieldErrorBody(error)}`
}

export function causeOf(error: FieldError): StatusCause {
  return { reason: error.type, message: renderFieldErrorBody(error), field: error.field === '' ? '<nil>' : error.field }
}

/** So many characters of causes are told: a list of a megabyte can be wrong at each of its places, and each tell the whole list. */
const toldMax = 2_000_000

/** What stands around each in the answer. */
const causeFrame = 60

/** The first ones as far as there is room, the one with which the room ends among them. */
function toldCauses(errors: readonly FieldError[]): readonly StatusCause[] {
  const causes: StatusCause[] = []
  let told = 0
  for (const error of errors) {
    if (told > toldMax) break
    const cause = causeOf(error)
    causes.push(cause)
    told += error.field.length + (cause.message?.length ?? 0) + causeFrame
  }
  return causes
}

/** `a: b` for one cause, `[a: b, c: d]` for several; equal texts are said once, and how many errors are not told. */
function renderCauses(causes: readonly StatusCause[], untold: number): string {
  const texts = [...new Set(causes.map(({ field, message }) => `${field}: ${message}`))]
  if (untold > 0) texts.push(`and ${untold} more`)
  return texts.length === 1 ? (texts[0] as string) : `[${texts.join(', ')}]`
}

/** The 422 that a create or an update with these errors is answered with. */
export function invalidError(kind: { group: string; kind: string }, name: string, errors: readonly FieldError[]): StatusError {
  const qualified = kind.group === '' ? kind.kind : `${kind.kind}.${kind.group}`
  const causes = toldCauses(errors)
  const status: Status = {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: `${qualified} ${quote(name)} is invalid${causes.length > 0 ? `: ${renderCauses(causes, errors.length - causes.length)}` : ''}`,
    reason: 'Invalid',
    details: {
      ...(name !== '' && { name }),
      ...(kind.group !== '' && { group: kind.group }),
      ...(kind.kind !== '' && { kind: kind.kind }),
      ...(causes.length > 0 && { causes }),
    },
    code: 422,
  }
  return new StatusError(status)
}

function renderValue({ value, ordered }: FieldError): string {
  if (typeof value === 'string') return quote(value)
  if (typeof value === 'number') return goNumber(value)
  return escapeHtml(renderJson(value, { sorted: ordered !== true }))
}

const htmlEscapes: Readonly<Record<string, string>> = {
  '<': '\\u003c',
  '>': '\\u003e',
  '&': '\\u0026',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
}

/** Go's JSON is safe inside HTML, and inside JavaScript. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[<>&\u2028\u2029]/g, character => htmlEscapes[character] as string)
}
