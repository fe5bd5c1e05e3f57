// A call's parameters for the record: by the model, with whatever is secret left out.
import type { ServiceModel, StructureShape } from '#aws'
import { membersOf, shapeOf } from '../wire/shapes.ts'

const textLengthMax = 2_000
const itemsMax = 100

/** Names that hold a secret although the models do not say so. */
const secretName = /token$|secret|password|privatekey|^tokencode$/i
/** Page and idempotency tokens are no secrets, and worth seeing. */
const plainToken = /^(?:next|continuation|client(?:request)?|idempotency)token$|^nextcontinuationtoken$/i

export function recordedParameters(
  model: ServiceModel,
  structure: StructureShape,
  input: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const shown: Record<string, unknown> = {}
  for (const [name, member] of membersOf(structure)) {
    const value = input[name]
    if (value === undefined) continue
    const secret = secretName.test(name) && !plainToken.test(name)
    shown[name] = secret ? '***' : recorded(model, member.target, value)
  }
  return shown
}

function recorded(model: ServiceModel, target: string, value: unknown): unknown {
  const shape = shapeOf(model, target)
  if (shape.sensitive) return '***'
  switch (shape.type) {
    case 'structure':
    case 'union':
      return recordedParameters(model, shape, value as Record<string, unknown>)
    case 'list':
      return (value as readonly unknown[]).slice(0, itemsMax).map(item => recorded(model, shape.member.target, item))
    case 'map':
      return Object.fromEntries(
        Object.entries(value as Record<string, unknown>)
          .slice(0, itemsMax)
          .map(([key, item]) => [key, recorded(model, shape.value.target, item)]),
      )
    case 'blob':
      return `${(value as Uint8Array).length} bytes`
    case 'string':
      return (value as string).length > textLengthMax ? `${(value as string).slice(0, textLengthMax)}…` : value
    default:
      return value
  }
}
