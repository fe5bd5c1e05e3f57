// What a protobuf body turns into.
import type { JsonObject } from '#schema'

export type ProtobufResult =
  | { readonly kind: 'decoded'; readonly object: JsonObject }
  /** The text is fit for a 400 Status. */
  | { readonly kind: 'refused'; readonly message: string }
