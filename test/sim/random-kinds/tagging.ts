// How services have tags: taken by the creation or not, changed by operations of the kind or of all kinds, told by the read, by a list of their
// own, or by nobody; as a map, or as a list of keys and values under one of three pairs of names.
import type { Random } from '#base'
import { type C2jShape, type SmallModel, structure } from '../../../src/crdgen/infer/model.fixture.ts'
import type { Input } from '../../resources/small-server.ts'

export type Tags = Readonly<Record<string, string>>
type Form = 'map' | 'Key' | 'TagKey' | 'key'
type Members = Readonly<Record<string, string>>

export interface Tagging {
  readonly form: Form
  readonly isMade: boolean
  readonly changedBy: 'all' | 'kind' | 'nobody'
  readonly toldBy: 'read' | 'all' | 'kind' | 'nobody'
}

/** The operations on tags that all kinds of a service share. */
export interface CommonTags {
  readonly form: Form
  readonly verbs: readonly [tag: string, untag: string]
  /** What names the resource by its ARN. */
  readonly address: string
  readonly removes: 'TagKeys' | 'Keys' | 'Tags'
  readonly tells: string
  /** The answer has a structure around the tags. */
  readonly isWithin: boolean
}

const forms = ['map', 'Key', 'TagKey', 'key'] as const

export function drawTagging(random: Random): Tagging {
  const isMade = random.float() < 0.6
  const changedBy = pick(random, isMade ? (['all', 'all', 'kind', 'nobody'] as const) : (['all', 'kind'] as const))
  return {
    // What the creation does not take has the form of the operation that the config takes it from.
    form: pick(random, forms),
    isMade,
    changedBy,
    toldBy: pick(random, ['read', 'read', 'all', 'all', 'kind', 'nobody'] as const),
  }
}

export function drawCommon(random: Random): CommonTags {
  const form = pick(random, forms)
  return {
    form,
    verbs: pick(random, [
      ['TagResource', 'UntagResource'],
      ['AddTagsToResource', 'RemoveTagsFromResource'],
      ['AddTags', 'RemoveTags'],
    ] as const),
    address: pick(random, ['ResourceArn', 'ResourceName', 'Arn', 'Resource', 'ResourceId', 'ResourceArns'] as const),
    removes: pick(random, form === 'map' ? (['TagKeys', 'Keys'] as const) : (['TagKeys', 'Keys', 'Tags'] as const)),
    tells: pick(random, ['ListTagsForResource', 'ListTags', 'ListTagsOfResource', 'GetTags'] as const),
    isWithin: random.float() < 0.3,
  }
}

export function pick<T>(random: Random, all: readonly T[]): T {
  return all[Math.floor(random.float() * all.length)] as T
}

export const tagShapes: Readonly<Record<string, C2jShape>> = Object.assign(
  {},
  ...forms.slice(1).map(form => {
    const value = valueName(form)
    return {
      [`TagBy${form}`]: structure({ [`!${form}`]: 'String', [value]: 'String' }),
      [`TagsBy${form}`]: { type: 'list', member: { shape: `TagBy${form}` } },
      [`TagInfoBy${form}`]: structure({ Tags: `TagsBy${form}` }),
    }
  }),
  { TagInfoBymap: structure({ Tags: 'StringMap' }) },
) as Readonly<Record<string, C2jShape>>

export function shapeOf(form: Form): string {
  return form === 'map' ? 'StringMap' : `TagsBy${form}`
}

function valueName(form: Form): string {
  return form === 'key' ? 'value' : form.replace('Key', 'Value')
}

function listName({ address }: CommonTags): string {
  return address.endsWith('s') ? 'Strings' : 'String'
}

export function commonOperations(common: CommonTags): SmallModel['operations'] {
  const { verbs, address, form, removes, tells, isWithin } = common
  const id = { [`!${address}`]: listName(common) }
  const told = isWithin ? { TagInfo: `TagInfoBy${form}` } : { Tags: shapeOf(form) }
  return {
    [verbs[0]]: [{ ...id, '!Tags': shapeOf(form) }],
    [verbs[1]]: [{ ...id, [`!${removes}`]: removes === 'Tags' ? shapeOf(form) : 'Strings' }],
    [tells]: [id, told],
  }
}

export function ownOperations(kind: string, id: Members, { form, changedBy, toldBy }: Tagging): SmallModel['operations'] {
  return {
    ...(changedBy === 'kind'
      ? { [`Tag${kind}`]: [{ ...id, '!Tags': shapeOf(form) }], [`Untag${kind}`]: [{ ...id, '!TagKeys': 'Strings' }] }
      : {}),
    ...(toldBy === 'kind' ? { [`List${kind}Tags`]: [id, { Tags: shapeOf(form) }] } : {}),
  } as SmallModel['operations']
}

/** As AWS keeps them, whatever form they came in. */
export function tagsFrom(form: Form, value: unknown): Tags {
  if (form === 'map' || value === undefined) return (value ?? {}) as Tags
  return Object.fromEntries((value as Tags[]).map(tag => [tag[form] ?? '', tag[valueName(form)] ?? '']))
}

export function tagsAs(form: Form, tags: Tags): unknown {
  if (form === 'map') return tags
  return Object.entries(tags).map(([key, value]) => ({ [form]: key, [valueName(form)]: value }))
}

/** As a manifest has them. */
export function tagsInManifest(form: Form, tags: Tags): unknown {
  const lower = (name: string): string => name.charAt(0).toLowerCase() + name.slice(1)
  if (form === 'map') return tags
  return Object.entries(tags).map(([key, value]) => ({ [lower(form)]: key, [lower(valueName(form))]: value }))
}

/** How a call says which tags are to go. */
export type Removal = Pick<CommonTags, 'removes' | 'form'>

export function keysFrom({ removes, form }: Removal, input: Input): readonly string[] {
  if (removes !== 'Tags') return (input[removes] ?? []) as readonly string[]
  return ((input[removes] ?? []) as readonly Tags[]).map(tag => tag[form] ?? '')
}
