// Random kinds of a random API, four at a time: each of another way of being known again, with fields as services have them. Two have a field
// whose elements are entries of their own, as a config declares them: texts under keys, each of which is read by itself, and a list of texts.
// Four others have tags in one of the ways in which services have them, and are asked for by an ARN, or several at a time.
import { type Random, seededRandom } from '#base'
import type { ServiceWithKinds } from '#operators/resources'
import { type C2jShape, type SmallModel, structure } from '../../../src/crdgen/infer/model.fixture.ts'
import { boxShapes, type SmallField, shapeTold, smallFields, smallService } from '../../resources/small-aws.ts'
import {
  type CommonTags,
  commonOperations,
  drawCommon,
  drawTagging,
  ownOperations,
  pick,
  shapeOf,
  type Tagging,
  tagShapes,
} from './tagging.ts'

/**
 * By what AWS knows one again: a name of the manifest's; an id of its own, and a mark or a list by which it is found; a key that AWS never
 * tells, so that nothing can be read of it until the manifest says it; an ARN; an id among several that one read takes.
 */
type Identity = 'named' | 'marked' | 'listed' | 'unread' | 'by-arn' | 'several'

export interface RandomKind {
  readonly kind: string
  readonly identity: Identity
  /** The member that changes take, and the read, where it does not take several. */
  readonly key: string
  readonly fields: readonly SmallField[]
  /** Two parts of which each takes the other away. */
  readonly undoing: readonly string[]
  /** Absent where the kind has none. */
  readonly tagging: Tagging | undefined
  /** The answers to the creation and to the read have a structure around what they tell. */
  readonly isWithin: boolean
  /** A read of several says nothing of what is not there, and no error. */
  readonly isSilent: boolean
}

export interface RandomKinds {
  readonly kinds: readonly RandomKind[]
  readonly common: CommonTags | undefined
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
  return withService(kinds, undefined)
}

export function taggedKinds(seed: number): RandomKinds {
  const random = seededRandom(`tagged kinds ${seed}`)
  const common = drawCommon(random)
  const identities = { Oven: 'by-arn', Pier: 'several', Quay: 'named', Raft: 'marked' } as const
  const kinds = Object.entries(identities).map(([kind, identity]): RandomKind => {
    const drawn = drawTagging(random)
    const form = drawn.isMade || drawn.changedBy === 'kind' ? drawn.form : common.form
    const isWithin = random.float() < 0.5
    const isSilent = random.float() < 0.5
    const keys =
      identity === 'by-arn'
        ? [`${kind}Arn`, 'Arn', 'ResourceArn']
        : identity === 'named'
          ? [`${kind}Name`, 'Name']
          : [`${kind}Id`]
    const key = pick(random, keys)
    return { kind, identity, key, fields: smallFields(random), undoing: [], tagging: { ...drawn, form }, isWithin, isSilent }
  })
  return withService(kinds, common)
}

function withService(kinds: readonly RandomKind[], common: CommonTags | undefined): RandomKinds {
  const models = kinds.map(modelOf)
  const model: SmallModel = {
    operations: Object.assign(
      {},
      ...models.map(({ operations }) => operations),
      common === undefined ? {} : commonOperations(common),
    ) as SmallModel['operations'],
    shapes: Object.assign({}, ...models.map(({ shapes }) => shapes)) as Record<string, C2jShape>,
  }
  return { kinds, common, service: smallService(model, configOf(kinds, common)) }
}

/** Of which nothing but the creation speaks, and the read. */
const neverChanged: Tagging = { form: 'map', isMade: true, changedBy: 'nobody', toldBy: 'read' }

function kindOf(kind: string, identity: 'named' | 'marked' | 'listed' | 'unread', random: Random): RandomKind {
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
  const fields = [...smallFields(random), ...excluding, ...entriesOf(identity)]
  const tagging = identity === 'listed' ? undefined : neverChanged
  return { kind, identity, key, fields, undoing: pair, tagging, isWithin: false, isSilent: false }
}

function entriesOf(identity: Identity): readonly SmallField[] {
  const entries = ({ named: 'map', marked: 'list' } as const)[identity as 'named' | 'marked']
  const told = { isMade: false, isTold: false, isUpdated: false, isPart: true, isPartTold: true, isPartRemoved: true }
  return entries === undefined ? [] : [{ ...told, name: 'Rules', shape: 'StringMap', entries }]
}

type Members = Readonly<Record<string, string>>

function modelOf(one: RandomKind): SmallModel {
  const { kind, identity, key, fields: all, tagging } = one
  const fields = all.filter(({ entries }) => entries === undefined)
  const members = (chosen: (field: SmallField) => boolean): Members =>
    Object.fromEntries(fields.filter(chosen).map(({ name, shape }) => [name, shape]))
  const inAnswer = fields.filter(({ isTold }) => isTold).map(field => [field.name, shapeTold(field)] as const)
  const id: Members = { [`!${key}`]: 'String' }
  const tags: Members = tagging === undefined ? {} : { Tags: shapeOf(tagging.form) }
  const named: Members = identity === 'named' ? id : { '!Label': 'String' }
  const ids: Members = { [key]: 'String', [arnName(one)]: 'String' }
  const told: Members = { ...ids, Label: 'String', ...(tagging?.toldBy === 'read' ? tags : {}), ...Object.fromEntries(inAnswer) }
  const answered: Members = identity === 'unread' ? { [`${kind}Arn`]: 'String' } : ids
  const chosen: Members = identity === 'unread' ? { [key]: 'String' } : {}
  const update = members(({ isUpdated }) => isUpdated)
  const isFound = ['listed', 'marked', 'by-arn'].includes(identity)
  const around = (output: Members, shape: string): Members => (one.isWithin ? { [kind]: shape } : output)
  return {
    operations: {
      [`Create${kind}`]: [
        { ...named, ...chosen, ...(tagging?.isMade === true ? tags : {}), ...members(({ isMade }) => isMade) },
        around(answered, `${kind}Made`),
      ],
      ...(identity === 'several'
        ? { [`Describe${kind}s`]: [{ [`${key}s`]: 'Strings' }, { [`${kind}s`]: `${kind}sTold` }] as const }
        : { [`Get${kind}`]: [id, around(told, `${kind}Told`)] as const }),
      [`Delete${kind}`]: [id],
      ...(isFound ? { [`List${kind}s`]: [{}, { [`${kind}s`]: `${kind}s` }] as const } : {}),
      ...(Object.keys(update).length === 0 ? {} : { [`Update${kind}`]: [{ ...id, ...update }] as const }),
      ...partOperations(kind, id, fields),
      ...(tagging === undefined ? {} : ownOperations(kind, id, tagging)),
      ...Object.assign({}, ...all.map(({ entries }) => (entries === undefined ? {} : entryOperations(kind, id, entries)))),
    },
    shapes: {
      ...boxShapes,
      ...tagShapes,
      [`${kind}s`]: { type: 'list', member: { shape: kind } },
      [kind]: structure({ [key]: 'String', Label: 'String' }),
      [`${kind}Made`]: structure(answered),
      [`${kind}Told`]: structure(told),
      [`${kind}sTold`]: { type: 'list', member: { shape: `${kind}Told` } },
      RuleNames: { type: 'list', member: { shape: 'String' } },
    },
  }
}

/** Under which the answers tell the ARN. */
export function arnName({ kind, identity, key }: RandomKind): string {
  return identity === 'by-arn' ? key : `${kind}Arn`
}

function partOperations(kind: string, id: Members, fields: readonly SmallField[]): SmallModel['operations'] {
  const parts = fields.filter(({ isPart }) => isPart)
  return {
    ...Object.fromEntries(parts.map(({ name, shape }) => [`Put${kind}${name}`, [{ ...id, [`!${name}`]: shape }] as const])),
    ...Object.fromEntries(
      parts
        .filter(({ isPartTold }) => isPartTold)
        .map(field => [`Get${kind}${field.name}`, [id, { [field.name]: shapeTold(field) }] as const]),
    ),
    ...Object.fromEntries(
      parts.filter(({ isPartRemoved }) => isPartRemoved).map(({ name }) => [`Delete${kind}${name}`, [id] as const]),
    ),
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

function configOf(kinds: readonly RandomKind[], common: CommonTags | undefined): string {
  const resources = kinds.flatMap(({ kind, fields, tagging }) => {
    const own = [...fields.flatMap(field => configOfField(kind, field)), ...tagsConfigured(kind, tagging, common)]
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

/** Tags that the creation does not take are a field all the same. */
function tagsConfigured(kind: string, tagging: Tagging | undefined, common: CommonTags | undefined): readonly string[] {
  if (tagging === undefined || tagging.isMade) return []
  const operation = tagging.changedBy === 'kind' ? `Tag${kind}` : common?.verbs[0]
  return [`      Tags: {from: {operation: ${operation}, path: Tags}}\n`]
}

function declaredEntries(kind: string, entries: 'list' | 'map'): readonly string[] {
  const get = entries === 'map' ? `get: Get${kind}Rule, ` : ''
  const calls = `list: List${kind}Rules, ${get}put: Put${kind}Rule, delete: Delete${kind}Rule`
  return ['    sub_resources:\n', `    - {field: Rules, ${calls}, key: RuleName}\n`]
}
