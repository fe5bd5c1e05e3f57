// Names of the emitted types: the Camel form of the shape, apart from the kinds' own names and from each other.
import { compareText } from '#base'
import type { InferredService } from '../infer/infer-service.ts'
import type { InferredKind } from '../infer/inferred-kind.ts'
import { namesOf } from '../infer/names.ts'
import { reachedShapes } from './ir.ts'

export interface TypeNames {
  /** Structures that fields use, by shape. */
  readonly structures: ReadonlyMap<string, string>
  /** All enums of the API, used or not, by shape. */
  readonly enums: ReadonlyMap<string, string>
}

export function typeNames(service: InferredService, kinds: readonly InferredKind[]): TypeNames {
  const reserved = new Set(kinds.flatMap(({ kind }) => [kind, `${kind}Spec`, `${kind}Status`, `${kind}List`]))
  const taken = new Set([
    'SecretKeyReference',
    'AWSResourceReferenceWrapper',
    'ACKResourceMetadata',
    'Condition',
    'ObjectMeta',
    'ListMeta',
  ])
  const nameAll = (shapes: readonly string[]): Map<string, string> =>
    new Map(shapes.map(shape => [shape, nameOf(shape, { reserved, taken })]))
  const enums = [...service.api.shapes]
    .filter(([, shape]) => shape.type === 'string' && (shape.enum?.length ?? 0) > 0)
    .map(([name]) => name)
  return { structures: nameAll(reachedShapes(kinds, service.types)), enums: nameAll(enums.sort(compareText)) }
}

function nameOf(
  shape: string,
  { reserved, taken }: { readonly reserved: ReadonlySet<string>; readonly taken: Set<string> },
): string {
  const { camel } = namesOf(shape)
  // Nothing that Camel drops or that begins with a digit can be a type's name.
  const clean = /^[A-Za-z_]/.test(camel) ? camel : `T${camel}`
  const base = reserved.has(clean) ? `${clean}_SDK` : clean
  let name = base
  for (let count = 2; taken.has(name); count++) name = `${base}_${count}`
  taken.add(name)
  return name
}
