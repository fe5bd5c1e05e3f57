// Fields of the spec that no read tells, and what is within a field of which its read tells the rest: whether AWS has what the manifest says
// can only be known by what was sent.

import type { ResourcePart } from '#aws'
import { compareText } from '#base'
import type { Field } from '../infer/field-type.ts'
import type { InferredService } from '../infer/infer-service.ts'
import type { InferredKind } from '../infer/inferred-kind.ts'
import { addressesOf, isOption } from './addresses.ts'
import { isToldBy } from './find-reads.ts'
import { isSubResource } from './sub-resources.ts'
import { untoldWithin } from './untold-within.ts'

/** Camel names, dotted where the field itself is told. Secrets are no part of it: they are remembered by a hash of their own. */
export function untoldFields(service: InferredService, kind: InferredKind, parts: readonly ResourcePart[]): readonly string[] {
  const byPart = new Set(parts.flatMap(({ read }) => Object.keys(read?.paths ?? {})))
  const addresses = addressesOf(service, kind)
  const tags = kind.config.tags?.path?.split('.')[0] ?? 'Tags'
  const mayBeUntold = (field: Field): boolean =>
    field.referenceFor === undefined &&
    field.type.kind !== 'secret' &&
    !isSubResource(kind, field.names.camel) &&
    field.names.camel !== tags
  const isUntold = (field: Field): boolean =>
    !byPart.has(field.names.camel) &&
    !addresses.isAddress(field.model) &&
    !isOption(field.model) &&
    !isToldBy(service, kind, field)
  return [...kind.spec.values()]
    .filter(mayBeUntold)
    .flatMap(field => (isUntold(field) ? [field.names.camel] : untoldWithin(service, kind, { field, parts })))
    .sort(compareText)
}
