// Random kinds of a random API, four at a time: each of another way of being known again, with fields as services have them.
import { type Random, seededRandom } from '#base'
import type { ServiceWithKinds } from '#operators/resources'
import { type C2jShape, type SmallModel, structure } from '../../../src/crdgen/infer/model.fixture.ts'
import { type SmallField, smallFields, smallService } from '../../resources/small-aws.ts'

/**
 * By what AWS knows one again: a name of the manifest's; an id of its own, and a mark or a list by which it is found; a key that AWS never
 * tells, so that nothing can be read of it until the manifest says it.
 */
type Identity = 'named' | 'marked' | 'listed' | 'unread'

export interface RandomKind {
  readonly kind: string
  readonly identity: Identity
  /** The member that reads and changes take. */
  readonly key: string
  readonly fields: readonly SmallField[]
  /** Two parts of which each takes the other away. */
  readonly undoing: readonly string[]
}

export interface RandomKinds {
  readonly kinds: readonly RandomKind[]
  readonly service: ServiceWithKinds
}

const undoing = ['Push', 'Pull']

export function randomKinds(seed: number): RandomKinds {
  const random = seededRandom(`kinds ${seed}`)
  const kinds = [
    kindOf('Kite', 'named', random),
    kindOf('Lamp', 'marked', random),
    kindOf('Mast', 'listed', random),
    kindOf('Nest', 'unread', random),
  ]
  const models = kinds.map(modelOf)
  const model: SmallModel = {
    operations: Object.assign({}, ...models.map(({ operations }) => operations)) as SmallModel['operations'],
    shapes: Object.assign({}, ...models.map(({ shapes }) => shapes)) as Record<string, C2jShape>,
  }
  return { kinds, service: smallService(model, configOf(kinds)) }
}

function kindOf(kind: string, identity: Identity, random: Random): RandomKind {
  const key = { named: `${kind}Name`, marked: `${kind}Id`, listed: `${kind}Id`, unread: `${kind}Key` }[identity]
  const pair = identity === 'named' ? undoing : []
  const excluding = pair.map(
    (name): SmallField => ({
      name,
      shape: 'Integer',
      isMade: false,
      isTold: false,
      isUpdated: false,
      isPart: true,
      isPartTold: true,
      isPartRemoved: true,
    }),
  )
  return { kind, identity, key, fields: [...smallFields(random), ...excluding], undoing: pair }
}

type Members = Readonly<Record<string, string>>

function modelOf({ kind, identity, key, fields }: RandomKind): SmallModel {
  const members = (chosen: (field: SmallField) => boolean): Members =>
    Object.fromEntries(fields.filter(chosen).map(({ name, shape }) => [name, shape]))
  const id: Members = { [`!${key}`]: 'String' }
  const tags: Members = identity === 'listed' ? {} : { Tags: 'StringMap' }
  const named: Members = identity === 'named' ? id : { '!Label': 'String' }
  const told: Members = { [key]: 'String', Label: 'String', ...tags, ...members(({ isTold }) => isTold) }
  const answered: Members = identity === 'unread' ? { [`${kind}Arn`]: 'String' } : { [key]: 'String', [`${kind}Arn`]: 'String' }
  const chosen: Members = identity === 'unread' ? { [key]: 'String' } : {}
  const update = members(({ isUpdated }) => isUpdated)
  const parts = fields.filter(({ isPart }) => isPart)
  const isFound = identity === 'listed' || identity === 'marked'
  return {
    operations: {
      [`Create${kind}`]: [{ ...named, ...chosen, ...tags, ...members(({ isMade }) => isMade) }, answered],
      [`Get${kind}`]: [id, { ...told, [`${kind}Arn`]: 'String' }],
      [`Delete${kind}`]: [id],
      ...(isFound ? { [`List${kind}s`]: [{}, { [`${kind}s`]: `${kind}s` }] as const } : {}),
      ...(Object.keys(update).length === 0 ? {} : { [`Update${kind}`]: [{ ...id, ...update }] as const }),
      ...Object.fromEntries(parts.map(({ name, shape }) => [`Put${kind}${name}`, [{ ...id, [`!${name}`]: shape }] as const])),
      ...Object.fromEntries(
        parts
          .filter(({ isPartTold }) => isPartTold)
          .map(({ name, shape }) => [`Get${kind}${name}`, [id, { [name]: shape }] as const]),
      ),
      ...Object.fromEntries(
        parts.filter(({ isPartRemoved }) => isPartRemoved).map(({ name }) => [`Delete${kind}${name}`, [id] as const]),
      ),
    },
    shapes: {
      [`${kind}s`]: { type: 'list', member: { shape: kind } },
      [kind]: structure({ [key]: 'String', Label: 'String' }),
    },
  }
}

function configOf(kinds: readonly RandomKind[]): string {
  const resources = kinds.flatMap(({ kind, fields }) => {
    const froms = fields.filter(({ isPart, isMade }) => isPart && !isMade)
    const lines = froms.map(({ name }) => `      ${name}: {from: {operation: Put${kind}${name}, path: ${name}}}\n`)
    return lines.length === 0 ? [] : [`  ${kind}:\n    fields:\n${lines.join('')}`]
  })
  return resources.length === 0 ? '' : `resources:\n${resources.join('')}`
}
