// A schema that accepts everything: for kinds whose schema is not known.
import { type KindSchema, untyped } from '#schema'

export const openSchema: KindSchema = {
  shape: untyped,
  decode: object => ({ object, unknown: [] }),
  prune: object => object,
  applyDefaults: object => object,
  validate: () => ({ errors: [], warnings: [] }),
}
