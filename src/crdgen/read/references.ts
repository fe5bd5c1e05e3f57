// Pass 1 of the normalisation: everything that is referred to must exist, or the load fails and names the shape.
import type { Member, ServiceModel, Shape } from '#aws'
import { ModelError } from './model-error.ts'

/** Throws `ModelError` at the first reference to a shape that the model does not have. */
export function checkReferences(model: ServiceModel, file: string): void {
  const check = (target: string, from: string): void => {
    if (Object.hasOwn(model.shapes, target)) return
    throw new ModelError('unresolved', `${file}: ${from} refers to shape "${target}", which does not exist`)
  }
  for (const operation of Object.values(model.operations)) {
    for (const part of ['input', 'output'] as const) {
      const target = operation[part]
      if (target === undefined) continue
      check(target, `${part} of operation "${operation.name}"`)
      if (!isStructure(model.shapes[target])) {
        throw new ModelError('malformed', `${file}: ${part} of operation "${operation.name}", "${target}", is no structure`)
      }
    }
    for (const target of operation.errors) check(target, `operation "${operation.name}", errors,`)
  }
  for (const [name, shape] of Object.entries(model.shapes)) {
    for (const [member, { target }] of membersOf(shape)) check(target, `shape "${name}", member "${member}",`)
  }
}

/** Members of a structure, the element of a list, key and value of a map. */
export function membersOf(shape: Shape): readonly (readonly [string, Member])[] {
  switch (shape.type) {
    case 'structure':
    case 'union':
      return Object.entries(shape.members)
    case 'list':
      return [['member', shape.member]]
    case 'map':
      return [
        ['key', shape.key],
        ['value', shape.value],
      ]
    default:
      return []
  }
}

function isStructure(shape: Shape | undefined): boolean {
  return shape?.type === 'structure' || shape?.type === 'union'
}
