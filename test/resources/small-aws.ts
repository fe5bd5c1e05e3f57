// Random kinds of random APIs, and an AWS that does what their operations say: for what must hold of every kind there is. Each field of a kind
// comes in one of the ways in which services have it: made with the resource, changed with it or alone, told or not.
import type { HttpExchange, HttpResponse, Random } from '#base'
import { crdOf, resourceService } from '#crdgen'
import type { ServiceWithKinds } from '#operators/resources'
import { type C2jShape, inferSmall, type SmallModel, structure } from '../../src/crdgen/infer/model.fixture.ts'
import { absentPart, absentThing, arnOf, type Input, json, throughSmall } from './small-server.ts'

export interface SmallField {
  readonly name: string
  readonly shape: 'String' | 'Integer' | 'Boolean' | 'StringMap' | 'Box' | 'Boxes'
  readonly isMade: boolean
  readonly isTold: boolean
  readonly isUpdated: boolean
  /** Has operations of its own. */
  readonly isPart: boolean
  readonly isPartTold: boolean
  readonly isPartRemoved: boolean
  /** Its elements are entries of their own in AWS, put and deleted one by one: texts, or texts under keys. */
  readonly entries?: 'list' | 'map'
  /** Of a box: whether its key is told with the rest of it. */
  readonly isKeyTold?: boolean
}

export interface SmallKind {
  readonly fields: readonly SmallField[]
  readonly service: ServiceWithKinds
}

const shapes = ['String', 'Integer', 'Boolean', 'StringMap', 'Box', 'Boxes'] as const

/** Structures, alone and in lists, in which an answer may leave one member out. */
export const boxShapes: Readonly<Record<string, C2jShape>> = {
  Box: structure({ Key: 'String', Size: 'Integer', Tint: 'String' }),
  Boxes: { type: 'list', member: { shape: 'Box' } },
  BoxWithoutKey: structure({ Size: 'Integer', Tint: 'String' }),
  BoxesWithoutKey: { type: 'list', member: { shape: 'BoxWithoutKey' } },
}

/** The shape in which an answer has the field. */
export function shapeTold({ shape, isKeyTold }: SmallField): string {
  return isBox(shape) && isKeyTold === false ? `${shape}WithoutKey` : shape
}

export function isBox(shape: SmallField['shape']): shape is 'Box' | 'Boxes' {
  return shape === 'Box' || shape === 'Boxes'
}

/** What an answer says of a field's value. */
export function told(field: SmallField, value: unknown): unknown {
  if (!isBox(field.shape) || field.isKeyTold !== false) return value
  const without = (box: unknown): object => {
    const { Key: _, ...rest } = box as Record<string, unknown>
    return rest
  }
  return Array.isArray(value) ? value.map(without) : value === undefined ? undefined : without(value)
}

/** A box that nobody gave a tint gets AWS's own. */
export function kept(field: SmallField | undefined, value: unknown): unknown {
  if (field === undefined || !isBox(field.shape) || value === undefined) return value
  const tinted = (box: unknown): object => ({ Tint: 'grey', ...(box as object) })
  return Array.isArray(value) ? value.map(tinted) : tinted(value)
}
const names = ['Colour', 'Weight', 'Door', 'Labels', 'Height', 'Notes']

export function smallKind(random: Random): SmallKind {
  const fields = smallFields(random)
  return { fields, service: smallService(modelOf(fields), configOf(fields)) }
}

export function smallFields(random: Random): readonly SmallField[] {
  const chance = (): boolean => random.float() < 0.5
  return names.slice(0, 2 + Math.floor(random.float() * 5)).map((name): SmallField => {
    const isPart = chance()
    return {
      name,
      shape: shapes[Math.floor(random.float() * shapes.length)] ?? 'String',
      isMade: !isPart || chance(),
      isTold: chance(),
      isUpdated: !isPart && chance(),
      isPart,
      isPartTold: chance(),
      isPartRemoved: chance(),
      isKeyTold: chance(),
    }
  })
}

/** A model with its config, as the operator takes services. */
export function smallService(model: SmallModel, config = ''): ServiceWithKinds {
  const service = inferSmall(model, config)
  const madeOf = { model: '', config: '', program: '' }
  return {
    service: resourceService(service, { kinds: service.kinds, madeOf }),
    crds: service.kinds.map(kind => crdOf(service, kind)) as unknown as ServiceWithKinds['crds'],
  }
}

type Members = Readonly<Record<string, string>>

function modelOf(fields: readonly SmallField[]): SmallModel {
  const members = (chosen: (field: SmallField) => boolean): Members =>
    Object.fromEntries(fields.filter(chosen).map(({ name, shape }) => [name, shape]))
  const answered = fields.filter(({ isTold }) => isTold).map(field => [field.name, shapeTold(field)] as const)
  const update = members(({ isUpdated }) => isUpdated)
  const parts = fields.filter(({ isPart }) => isPart)
  return {
    operations: {
      CreateThing: [{ '!ThingName': 'String', ...members(({ isMade }) => isMade) }, { Thing: 'Thing' }],
      GetThing: [{ '!ThingName': 'String' }, { Thing: 'Thing' }],
      DeleteThing: [{ '!ThingName': 'String' }],
      ...(Object.keys(update).length === 0 ? {} : { UpdateThing: [{ '!ThingName': 'String', ...update }] }),
      ...Object.fromEntries(
        parts.map(({ name, shape }) => [`PutThing${name}`, [{ '!ThingName': 'String', [`!${name}`]: shape }]]),
      ),
      ...Object.fromEntries(
        parts.flatMap(field =>
          field.isPartTold ? [[`GetThing${field.name}`, [{ '!ThingName': 'String' }, { [field.name]: shapeTold(field) }]]] : [],
        ),
      ),
      ...Object.fromEntries(
        parts.flatMap(({ name, isPartRemoved }) => (isPartRemoved ? [[`DeleteThing${name}`, [{ '!ThingName': 'String' }]]] : [])),
      ),
    } as SmallModel['operations'],
    shapes: { ...boxShapes, Thing: structure({ ThingName: 'String', ThingArn: 'String', ...Object.fromEntries(answered) }) },
  }
}

function configOf(fields: readonly SmallField[]): string {
  const froms = fields.filter(({ isPart, isMade }) => isPart && !isMade)
  if (froms.length === 0) return ''
  const lines = froms.map(({ name }) => `      ${name}: {from: {operation: PutThing${name}, path: ${name}}}\n`)
  return `resources:\n  Thing:\n    fields:\n${lines.join('')}`
}

export interface SmallAws {
  readonly things: Map<string, Record<string, unknown>>
  /** Operations in the order of their calls. */
  readonly calls: string[]
  readonly through: (exchange: HttpExchange) => HttpExchange
}

export function smallAws(fields: readonly SmallField[]): SmallAws {
  const things = new Map<string, Record<string, unknown>>()
  const calls: string[] = []
  const named = (name: string): SmallField | undefined => fields.find(each => each.name === name)
  const shown = (thing: Record<string, unknown>): object =>
    Object.fromEntries(
      Object.entries(thing).flatMap(([name, value]) => {
        const field = named(name)
        return name.startsWith('Thing') ? [[name, value]] : field?.isTold === true ? [[name, told(field, value)]] : []
      }),
    )
  const held = (input: Input): Input =>
    Object.fromEntries(Object.entries(input).map(([name, value]) => [name, kept(named(name), value)]))
  const answer = (operation: string, input: Input): HttpResponse => {
    calls.push(operation)
    const name = String(input['ThingName'])
    const thing = things.get(name)
    if (operation === 'CreateThing') {
      if (thing !== undefined) return json(409, { __type: 'ThingAlreadyExistsException', message: 'that name is taken' })
      things.set(name, { ...held(input), ThingArn: arnOf(name) })
      return json(200, { Thing: shown(things.get(name) ?? {}) })
    }
    if (thing === undefined) return absentThing
    const part = fields.find(field => operation.endsWith(`Thing${field.name}`))
    if (operation === 'GetThing') return json(200, { Thing: shown(thing) })
    if (operation === 'DeleteThing') things.delete(name)
    else if (part !== undefined && operation.startsWith('Get'))
      return thing[part.name] === undefined ? absentPart : json(200, { [part.name]: told(part, thing[part.name]) })
    else if (part !== undefined && operation.startsWith('Delete')) delete thing[part.name]
    else Object.assign(thing, held(input))
    return json(200, {})
  }
  return { things, calls, through: throughSmall(answer) }
}
