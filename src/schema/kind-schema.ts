// What the server asks of a kind's schema, the same for built-in and custom kinds. All of it is synchronous and pure; results share
// untouched parts with their input.
import type { FieldError } from './field-error.ts'
import type { Json, JsonObject } from './json.ts'
import type { MergeShape } from './shape.ts'

export interface KindSchema {
  /** For apply, managedFields and strategic patches. */
  readonly shape: MergeShape
  /**
   * Takes a request body to what would be stored before defaulting: unknown fields gone (and reported as `spec.a[0].b`), values that
   * the kind's types cannot hold reported in `malformed` (400, the text after "cannot be handled as a <Kind>: ").
   */
  decode(object: JsonObject, options?: DecodeOptions): DecodedObject
  /** Removes unknown fields without reporting: for reads of older objects and for answers of webhooks. */
  prune(object: JsonObject): JsonObject
  /** Of a built-in kind: numbers that are too large for their fields, as where Go converts values instead of decoding them. */
  wrapIntegers?(object: JsonObject): JsonObject
  applyDefaults(object: JsonObject): JsonObject
  /** Defaults alone, with nulls left for validation to judge: what an applied object gets. Default `applyDefaults`. */
  fillDefaults?(object: JsonObject): JsonObject
  /** As refusals quote an object: the fields in the order of the kind's types, and of the alphabet where a merge went in. */
  render?(object: Json, touched?: unknown): string
  /** As the object comes back from storage, where that makes a difference. */
  atRest?(object: JsonObject): JsonObject
  /** Errors become a 422, warnings `Warning` headers. `old` is there on updates. */
  validate(object: JsonObject, context?: ValidationContext): SchemaResult
}

export interface DecodeOptions {
  /** Numbers of the object may be `NumberText`, of which none is left afterwards; built-in kinds alone read numbers by their text. */
  readonly hasNumberTexts?: boolean | undefined
}

export interface DecodedObject {
  readonly object: JsonObject
  readonly unknown: readonly string[]
  readonly malformed?: string
  /** Where a value is of another type: of which kind the right one is. */
  readonly wanted?: string
}

export interface ValidationContext {
  readonly old?: JsonObject | undefined
  /** The subresource written to, e.g. `status`. */
  readonly subresource?: string | undefined
  /** What is wrong with the object's metadata: rules that an author wrote wait until it is right. */
  readonly metadataErrors?: readonly FieldError[]
  /** What is wrong with the numbers of its scale, told among what the schema says. */
  readonly scaleErrors?: readonly FieldError[]
}

export interface SchemaResult {
  readonly errors: readonly FieldError[]
  readonly warnings: readonly string[]
}
