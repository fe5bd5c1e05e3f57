// Looking shapes up in a service's model, with what a protocol needs to know of them.
import type { Member, Operation, ServiceModel, Shape, StructureShape } from '#aws'
import { invariant } from '#base'

const emptyStructure: StructureShape = { type: 'structure', members: {}, required: [] }

export function shapeOf(model: ServiceModel, name: string): Shape {
  const shape = model.shapes[name]
  invariant(shape !== undefined, 'the model names a shape that it lacks', { model: model.id, shape: name })
  return shape
}

export function structureOf(model: ServiceModel, name: string | undefined): StructureShape {
  if (name === undefined) return emptyStructure
  const shape = shapeOf(model, name)
  invariant(shape.type === 'structure' || shape.type === 'union', 'a structure is expected', { model: model.id, shape: name })
  return shape
}

export function inputOf(model: ServiceModel, operation: Operation): StructureShape {
  return structureOf(model, operation.input)
}

export function outputOf(model: ServiceModel, operation: Operation): StructureShape {
  return structureOf(model, operation.output)
}

/** Members in the model's order, as pairs; kept per structure because requests walk them again and again. */
export function membersOf(structure: StructureShape): readonly (readonly [string, Member])[] {
  let members = memberCache.get(structure)
  if (members === undefined) {
    members = Object.entries(structure.members)
    memberCache.set(structure, members)
  }
  return members
}

// A cache keyed by immutable model values, not state: what it answers never depends on who asked before.
const memberCache = new WeakMap<StructureShape, readonly (readonly [string, Member])[]>()
