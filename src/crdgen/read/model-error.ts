/** What is wrong with a model, for `switch (error.code)`. */
export type ModelErrorCode =
  /** Not JSON, or cut short. */
  | 'not-json'
  /** JSON, but neither a Smithy AST nor a C2J model. */
  | 'unknown-format'
  /** Right format, wrong content: a field missing or of the wrong type. */
  | 'malformed'
  /** A reference to a shape that does not exist. */
  | 'unresolved'
  /** A protocol that nothing of ours speaks. */
  | 'unsupported-protocol'

/** A refused API model. The message names the file and, where it is known, the shape. */
export class ModelError extends Error {
  readonly code: ModelErrorCode
  constructor(code: ModelErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'ModelError'
    this.code = code
  }
}
