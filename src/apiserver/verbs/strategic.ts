// Strategic merge patches and protobuf bodies as the verbs meet them: results or refusals.

import { type JsonObject, strategicMergePatch } from '#schema'
import { asDraft, asJson, type Draft } from '../draft.ts'
import { decodeProtobuf } from '../protobuf/decode.ts'
import { badRequest, refusal } from '../refusals.ts'
import type { ServedKind } from '../registry/resource.ts'

export function strategicMerge(live: Readonly<Draft>, patch: Record<string, unknown>, kind: ServedKind): Draft {
  const result = strategicMergePatch(asJson(live), patch as JsonObject, kind.schema.shape)
  switch (result.kind) {
    case 'patched':
      return asDraft(result.object)
    case 'malformed':
      throw badRequest(result.message)
    default:
      throw refusal(500, '', result.message)
  }
}

export function readProtobuf(bytes: Uint8Array): Record<string, unknown> {
  const result = decodeProtobuf(bytes)
  if (result.kind === 'refused') throw badRequest(result.message)
  return { ...result.object }
}
