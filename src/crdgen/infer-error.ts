/** What is wrong with what `infer` was given, for `switch (error.code)`. */
export type InferErrorCode =
  /** The config is not YAML, or a bomb of aliases. */
  | 'not-yaml'
  /** A key that the config format does not have. */
  | 'unknown-key'
  /** A value of the wrong type. */
  | 'wrong-type'
  /** The config names an operation, shape, field or path that the model does not have. */
  | 'unknown-name'
  /** Keys that contradict each other. */
  | 'contradiction'
  /** A structure that contains itself. */
  | 'cycle'
  /** A structure without members. */
  | 'empty-structure'
  /** A document or a stream of events, which no schema can state. */
  | 'unsupported'
  /** Two members that would be one field. */
  | 'name-collision'
  /** Nothing to write: no kind, or none of those asked for. */
  | 'no-kind'

/** A refused config, or a model that no kind can be made of. The message says where and what to write instead. */
export class InferError extends Error {
  readonly code: InferErrorCode
  constructor(code: InferErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'InferError'
    this.code = code
  }
}
