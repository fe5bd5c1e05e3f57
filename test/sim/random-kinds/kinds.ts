// Random kinds of a random API, four at a time: each of another way of being known again, with fields as services have them. Two have a field
// whose elements are entries of their own, as a config declares them: texts under keys, each of which is read by itself, and a list of texts.
import { type Random, seededRandom } from '#base'
import type { ServiceWithKinds } from '#operators/resources'
import { type C2jShape, type SmallModel, structure } from '../../../src/crdgen/infer/model.fixture.ts'
import { boxShapes, type SmallField, shapeTold, smallFields, smallService } from '../../resources/small-aws.ts'

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
  return { kind, identity, key, fields: [...smallFields(random), ...excluding, ...entriesOf(identity)], undoing: pair }
}

function entriesOf(identity: Identity): readonly SmallField[] {
  const entries = ({ named: 'map', marked: 'list' } as const)[identity as 'named' | 'marked']
  const told = { isMade: false, isTold: false, isUpdated: false, isPart: true, isPartTold: true, isPartRemoved: true }
  return entries === undefined ? [] : [{ ...told, name: 'Rules', shape: 'StringMap', entries }]
}

type Members = Readonly<Record<string, string>>

function modelOf({ kind, identity, key, fields: all }: RandomKind): SmallModel {
  const fields = all.filter(({ entries }) => entries === undefined)
  const members = (chosen: (field: SmallField) => boolean): Members =>
    Object.fromEntries(fields.filter(chosen).map(({ name, shape }) => [name, shape]))
  const inAnswer = fields.filter(({ isTold }) => isTold).map(field => [field.name, shapeTold(field)] as const)
  const id: Members = { [`!${key}`]: 'String' }
  const tags: Members = identity === 'listed' ? {} : { Tags: 'StringMap' }
  const named: Members = identity === 'named' ? id : { '!Label': 'String' }
  const told: Members = { [key]: 'String', Label: 'String', ...tags, ...Object.fromEntries(inAnswer) }
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
          .map(field => [`Get${kind}${field.name}`, [id, { [field.name]: shapeTold(field) }] as const]),
      ),
      ...Object.fromEntries(
        parts.filter(({ isPartRemoved }) => isPartRemoved).map(({ name }) => [`Delete${kind}${name}`, [id] as const]),
      ),
      ...Object.assign({}, ...all.map(({ entries }) => (entries === undefined ? {} : entryOperations(kind, id, entries)))),
    },
    shapes: {
      ...boxShapes,
      [`${kind}s`]: { type: 'list', member: { shape: kind } },
      [kind]: structure({ [key]: 'String', Label: 'String' }),
      RuleNames: { type: 'list', member: { shape: 'String' } },
    },
  }
}

function entryOperations(kind: string, id: Members, entries: 'list' | 'map'): SmallModel['operations'] {
  const rule: Members = { ...id, '!RuleName': 'String' }
  const texts: Members = entries === 'map' ? { '!RuleText': 'String' } : {}
  return {
    [`List${kind}Rules`]: [id, { RuleNames: 'RuleNames' }],
    [`Put${kind}Rule`]: [{ ...rule, ...texts }],
    [`Delete${kind}Rule`]: [rule],
    ...(entries === 'map' ? { [`Get${kind}Rule`]: [rule, { RuleName: 'String', RuleText: 'String' }] as const } : {}),
  }
}

function configOf(kinds: readonly RandomKind[]): string {
  const resources = kinds.flatMap(({ kind, fields }) => {
    const own = fields.flatMap(field => configOfField(kind, field))
    const entries = fields.flatMap(field => (field.entries === undefined ? [] : declaredEntries(kind, field.entries)))
    const lines = [...(own.length === 0 ? [] : ['    fields:\n', ...own]), ...entries]
    return lines.length === 0 ? [] : [`  ${kind}:\n${lines.join('')}`]
  })
  return resources.length === 0 ? '' : `resources:\n${resources.join('')}`
}

function configOfField(kind: string, { name, isPart, isMade, entries }: SmallField): readonly string[] {
  if (entries !== undefined) return [`      ${name}: {custom_field: {${entries}_of: String}}\n`]
  return isPart && !isMade ? [`      ${name}: {from: {operation: Put${kind}${name}, path: ${name}}}\n`] : []
}

function declaredEntries(kind: string, entries: 'list' | 'map'): readonly string[] {
  const get = entries === 'map' ? `get: Get${kind}Rule, ` : ''
  const calls = `list: List${kind}Rules, ${get}put: Put${kind}Rule, delete: Delete${kind}Rule`
  return ['    sub_resources:\n', `    - {field: Rules, ${calls}, key: RuleName}\n`]
}
