// What is wrong with an object beside its metadata: what its schema says, and what no schema can.

import type { FieldError, SchemaResult } from '#schema'
import { asJson, type Draft } from '../draft.ts'
import type { ResourceCall } from '../http/call.ts'
import { scaleErrors } from '../registry/scale-rules.ts'

export function validateBody(
  { kind, info }: ResourceCall,
  draft: Draft,
  live: Readonly<Draft> | undefined,
  metadataErrors: readonly FieldError[],
): SchemaResult {
  const { behaviour, custom } = kind.resource
  const { errors, warnings } = kind.schema.validate(asJson(draft), {
    old: live === undefined ? undefined : asJson(live),
    subresource: info.subresource || undefined,
    metadataErrors,
    scaleErrors: kind.scale === undefined || custom === undefined ? [] : scaleErrors(draft, kind.scale, info.subresource),
  })
  return { errors: [...errors, ...(behaviour.validate?.(draft, live) ?? [])], warnings }
}
