// Members and operations that AWS has added since the API model we ship was published. The emulator serves them, because today's
// clients send them, and the resource operator asks for what it needs; they are written in the model's own form and merged when the
// service is asked for.
import type { Member, Operation, ServiceModel, Shape } from './service-model.ts'

export interface ModelAdditions {
  /** Members added to structures that exist, by shape name. */
  readonly members?: Readonly<Record<string, Readonly<Record<string, Member>>>>
  readonly operations?: Readonly<Record<string, Operation>>
  readonly shapes?: Readonly<Record<string, Shape>>
  /** Values added to enumerations that exist. */
  readonly values?: Readonly<Record<string, readonly string[]>>
}

/** The model with the additions. What the model knows by itself meanwhile wins over what is written here. */
export function extendedModel(model: ServiceModel, additions: ModelAdditions): ServiceModel {
  const shapes: Record<string, Shape> = { ...additions.shapes, ...model.shapes }
  for (const [name, members] of Object.entries(additions.members ?? {})) {
    const shape = shapes[name]
    if (shape?.type === 'structure') shapes[name] = { ...shape, members: { ...members, ...shape.members } }
  }
  for (const [name, values] of Object.entries(additions.values ?? {})) {
    const shape = shapes[name]
    if (shape?.type === 'string' && shape.enum !== undefined)
      shapes[name] = { ...shape, enum: [...new Set([...shape.enum, ...values])] }
  }
  return { ...model, shapes, operations: { ...additions.operations, ...model.operations } }
}

/** Computes a value when it is first asked for: models are only parsed by those who use them. */
export function onFirstUse<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
