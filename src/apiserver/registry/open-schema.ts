// A schema that accepts everything: for kinds whose schema is not known.
import type { KindSchema } from '../schema/kind-schema.ts'
import { untyped } from '../schema/shape.ts'

export const openSchema: KindSchema = {
  shape: untyped,
  decode: object => ({ object, unknown: [] }),
  prune: object => object,
  applyDefaults: object => object,
  validate: () => ({ errors: [], warnings: [] }),
}
