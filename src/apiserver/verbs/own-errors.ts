// Rules for an object that no schema says.

import type { FieldError } from '#schema'
import type { Draft } from '../draft.ts'
import type { ResourceCall } from '../http/call.ts'
import { scaleErrors } from '../registry/scale-rules.ts'

export function ownErrors({ kind, info }: ResourceCall, draft: Draft, live: Readonly<Draft> | undefined): readonly FieldError[] {
  const errors = kind.resource.behaviour.validate?.(draft, live) ?? []
  if (kind.scale === undefined || kind.resource.custom === undefined) return errors
  return [...errors, ...scaleErrors(draft, kind.scale, info.subresource)]
}
