// Random kinds of random APIs, and an AWS that does what their operations say: for what must hold of every kind there is. Each field of a kind
// comes in one of the ways in which services have it: made with the resource, changed with it or alone, told or not.
import type { HttpExchange, HttpResponse, Random } from '#base'
import { crdOf, resourceService } from '#crdgen'
import type { ServiceWithKinds } from '#operators/resources'
import { inferSmall, type SmallModel, structure } from '../../src/crdgen/infer/model.fixture.ts'
import { absentPart, absentThing, arnOf, type Input, json, throughSmall } from './small-server.ts'

export interface SmallField {
  readonly name: string
  readonly shape: 'String' | 'Integer' | 'Boolean' | 'StringMap'
  readonly isMade: boolean
  readonly isTold: boolean
  readonly isUpdated: boolean
  /** Has operations of its own. */
  readonly isPart: boolean
  readonly isPartTold: boolean
  readonly isPartRemoved: boolean
  /** Its elements are entries of their own in AWS, put and deleted one by one: texts, or texts under keys. */
  readonly entries?: 'list' | 'map'
}

export interface SmallKind {
  readonly fields: readonly SmallField[]
  readonly service: ServiceWithKinds
}

const shapes = ['String', 'Integer', 'Boolean', 'StringMap'] as const
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
        parts.flatMap(({ name, shape, isPartTold }) =>
          isPartTold ? [[`GetThing${name}`, [{ '!ThingName': 'String' }, { [name]: shape }]]] : [],
        ),
      ),
      ...Object.fromEntries(
        parts.flatMap(({ name, isPartRemoved }) => (isPartRemoved ? [[`DeleteThing${name}`, [{ '!ThingName': 'String' }]]] : [])),
      ),
    } as SmallModel['operations'],
    shapes: { Thing: structure({ ThingName: 'String', ThingArn: 'String', ...members(({ isTold }) => isTold) }) },
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
  const shown = (thing: Record<string, unknown>): object =>
    Object.fromEntries(
      Object.entries(thing).filter(
        ([name]) => name.startsWith('Thing') || fields.some(each => each.name === name && each.isTold),
      ),
    )
  const answer = (operation: string, input: Input): HttpResponse => {
    calls.push(operation)
    const name = String(input['ThingName'])
    const thing = things.get(name)
    if (operation === 'CreateThing') {
      if (thing !== undefined) return json(409, { __type: 'ThingAlreadyExistsException', message: 'that name is taken' })
      things.set(name, { ...input, ThingArn: arnOf(name) })
      return json(200, { Thing: shown(things.get(name) ?? {}) })
    }
    if (thing === undefined) return absentThing
    const part = fields.find(field => operation.endsWith(`Thing${field.name}`))
    if (operation === 'GetThing') return json(200, { Thing: shown(thing) })
    if (operation === 'DeleteThing') things.delete(name)
    else if (part !== undefined && operation.startsWith('Get'))
      return thing[part.name] === undefined ? absentPart : json(200, { [part.name]: thing[part.name] })
    else if (part !== undefined && operation.startsWith('Delete')) delete thing[part.name]
    else Object.assign(thing, input)
    return json(200, {})
  }
  return { things, calls, through: throughSmall(answer) }
}
