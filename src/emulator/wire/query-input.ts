// The query protocol's requests (§3.2): `Tags.member.1.Key=…` by the model into plain values.
import type { Member, ServiceModel, StructureShape } from '#aws'
import { type FormNode, formTree } from './form.ts'
import { parseScalar } from './scalars.ts'
import { membersOf, shapeOf } from './shapes.ts'

type Values = Record<string, unknown>

export function decodeQueryInput(model: ServiceModel, structure: StructureShape, form: ReadonlyMap<string, string>): Values {
  return decodeStructure(model, structure, formTree(form), '')
}

function decodeStructure(model: ServiceModel, structure: StructureShape, node: FormNode, path: string): Values {
  const values: Values = {}
  for (const [name, member] of membersOf(structure)) {
    const child = node.children.get(member.locationName ?? name)
    if (child !== undefined) values[name] = decodeValue(model, member, child, path === '' ? name : `${path}.${name}`)
  }
  return values
}

function decodeValue(model: ServiceModel, member: Member, node: FormNode, path: string): unknown {
  const shape = shapeOf(model, member.target)
  switch (shape.type) {
    case 'structure':
    case 'union':
      return decodeStructure(model, shape, node, path)
    case 'list': {
      const items = member.flattened ? node : node.children.get(shape.member.locationName ?? 'member')
      return numbered(items).map((item, index) => decodeValue(model, shape.member, item, `${path}.${index + 1}.member`))
    }
    case 'map': {
      const entries = member.flattened ? node : node.children.get('entry')
      return Object.fromEntries(
        numbered(entries).map(entry => {
          const key = entry.children.get(shape.key.locationName ?? 'key')?.value ?? ''
          const value = entry.children.get(shape.value.locationName ?? 'value')
          return [key, value === undefined ? undefined : decodeValue(model, shape.value, value, `${path}.${key}`)]
        }),
      )
    }
    default:
      return parseScalar(shape, node.value ?? '', path)
  }
}

/** Children with whole numbers as names, in their order; gaps are ignored. A bare `Name=` has none and is the empty list. */
function numbered(node: FormNode | undefined): readonly FormNode[] {
  if (node === undefined) return []
  return [...node.children]
    .filter(([name]) => /^\d{1,6}$/.test(name))
    .sort(([a], [b]) => Number(a) - Number(b))
    .map(([, child]) => child)
}
