// Values by a service's model, for round trips: at the bounds, empty, in Unicode, as bytes, as times.
import * as fc from 'fast-check'
import type { Member, ServiceModel, Shape, StructureShape } from '#aws'

export interface Wishes {
  /** Members left out, with the reason beside the list. */
  readonly leftOut: RegExp
  /** Members with a value of their own: names that become part of a host. */
  readonly fixed: Readonly<Record<string, string>>
}

type Values = Readonly<Record<string, unknown>>

const depthMax = 5

export function structureValues(model: ServiceModel, structure: StructureShape, wishes: Wishes, depth = 0): fc.Arbitrary<Values> {
  const members = Object.entries(structure.members).filter(
    ([name, member]) => !wishes.leftOut.test(name) && !(member.flattened && depth >= depthMax - 1),
  )
  const isUnion = structure.type === 'union'
  const required = members
    .filter(([name, member]) => structure.required.includes(name) || member.location === 'uri')
    .map(([name]) => name)
  const shapes = Object.fromEntries(members.map(([name, member]) => [name, memberValue(model, name, member, wishes, depth)]))
  const { payload } = structure
  // A body of no bytes is no body.
  if (payload !== undefined && shapes[payload] !== undefined) shapes[payload] = shapes[payload].filter(value => value !== '')
  if (isUnion) return fc.oneof(...Object.entries(shapes).map(([name, value]) => value.map(held => ({ [name]: held }))))
  const record = fc.record(shapes, { requiredKeys: required, noNullPrototype: true })
  // A form has no way to say "a structure, with nothing in it".
  return model.protocol === 'query' && depth > 0 && members.length > 0
    ? record.filter(values => Object.keys(values).length > 0)
    : record
}

function memberValue(model: ServiceModel, name: string, member: Member, wishes: Wishes, depth: number): fc.Arbitrary<unknown> {
  if (wishes.fixed[name] !== undefined && depth === 0) return fc.constant(wishes.fixed[name])
  const shape = model.shapes[member.target] as Shape
  switch (shape.type) {
    case 'structure':
    case 'union':
      return depth >= depthMax ? fc.constant({}) : structureValues(model, shape, wishes, depth + 1)
    case 'list': {
      // Flattened lists and lists in headers and queries have no form for "empty".
      const minLength = member.flattened || member.location !== undefined ? 1 : 0
      return depth >= depthMax
        ? fc.constant([])
        : fc.array(
            memberValue(model, '', { ...shape.member, ...(member.location && { location: member.location }) }, wishes, depth + 1),
            { minLength, maxLength: 3 },
          )
    }
    case 'map': {
      const key =
        member.location === 'headers'
          ? fc.stringMatching(/^[a-z][a-z0-9-]{0,8}$/)
          : memberValue(model, '', shape.key, wishes, depth + 1)
      const value = memberValue(
        model,
        '',
        { ...shape.value, ...(member.location && { location: member.location }) },
        wishes,
        depth + 1,
      )
      const minKeys = member.flattened || member.location !== undefined ? 1 : 0
      return fc.dictionary(key as fc.Arbitrary<string>, value, { minKeys, maxKeys: 3, noNullPrototype: true })
    }
    case 'string':
      return text(member, shape.enum)
    case 'boolean':
      return fc.boolean()
    case 'blob':
      return fc.uint8Array({ maxLength: 40 })
    case 'timestamp':
      // Whole seconds: what all protocols can say.
      return fc.integer({ min: 0, max: 4_102_444_800 }).map(seconds => new Date(seconds * 1_000))
    case 'long':
      return fc.constantFrom(0, 1, -1, 2 ** 31, Number.MAX_SAFE_INTEGER)
    case 'float':
    case 'double':
      return fc.constantFrom(0, 1.5, -2.25, 1e21)
    case 'document':
      return fc.constant({ a: [1, 'x', null] })
    default:
      return fc.constantFrom(0, 1, 100, 2_147_483_647)
  }
}

const pieces = [
  'a',
  'Z9',
  ' ',
  'é',
  '日本',
  '😀',
  '&',
  '<',
  '>',
  '"',
  "'",
  '+',
  '%',
  '=',
  '/',
  '\\',
  '\t',
  '\n',
  '${x}',
  ']]>',
  '\u0085',
]

function text(member: Member, values: readonly string[] | undefined): fc.Arbitrary<string> {
  if (values !== undefined && values.length > 0) return fc.constantFrom(...values)
  switch (member.location) {
    case 'uri':
      return fc.stringMatching(/^[A-Za-z0-9é&+ ~'()%]{1,12}$/).filter(value => value.trim() === value)
    case 'header':
    case 'headers':
      return fc.stringMatching(/^[A-Za-z0-9_.:=/-]{1,12}$/)
    default:
      // The SDK's XML reader takes text of nothing but blanks and line ends for indentation.
      return fc
        .array(fc.constantFrom(...pieces), { maxLength: 8 })
        .map(parts => parts.join(''))
        .filter(value => value.trim() !== '' || !value.includes('\n'))
  }
}
