// Validation of built-in kinds, by `group/Kind`: what clients notice, with the server's own words.
import { validateCrd } from '../schema/definition/definition.ts'
import type { FieldError } from '../schema/field-error.ts'
import type { JsonObject } from '../schema/json.ts'
import type { ValidationContext } from '../schema/kind-schema.ts'

export type Validation = (object: JsonObject, context: ValidationContext) => readonly FieldError[]

export const validations: ReadonlyMap<string, Validation> = new Map<string, Validation>([
  ['apiextensions.k8s.io/CustomResourceDefinition', (object, { old }) => validateCrd(object, old)],
])
