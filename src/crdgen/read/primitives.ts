import type { Shape } from '#aws'

/** Shapes that models refer to without defining them. */
export const primitives: Readonly<Record<string, Shape>> = {
  BigDecimal: { type: 'bigDecimal' },
  BigInteger: { type: 'bigInteger' },
  Blob: { type: 'blob' },
  Boolean: { type: 'boolean' },
  Byte: { type: 'byte' },
  Document: { type: 'document' },
  Double: { type: 'double' },
  Float: { type: 'float' },
  Integer: { type: 'integer' },
  Long: { type: 'long' },
  PrimitiveBoolean: { type: 'boolean' },
  PrimitiveByte: { type: 'byte' },
  PrimitiveDouble: { type: 'double' },
  PrimitiveFloat: { type: 'float' },
  PrimitiveInteger: { type: 'integer' },
  PrimitiveLong: { type: 'long' },
  PrimitiveShort: { type: 'short' },
  Short: { type: 'short' },
  String: { type: 'string' },
  Timestamp: { type: 'timestamp' },
  Unit: { type: 'structure', members: {}, required: [] },
}
