// Tags are changed by operations that most services have under the same few names: the resource by its identifier, the tags as a list or
// a map, the keys to take away.
import type { ServiceModel } from '#aws'
import { inputOf, type KindModel } from '../model/kind-model.ts'
import { nameKey } from '../model/names.ts'
import { type Content, requestOf } from '../model/request.ts'
import { type Tags, tagChanges, tagsIn } from '../model/tags.ts'
import type { PlannedCall } from './deviation.ts'

/** `undefined`: the service has no such operations. */
export function tagCalls(
  model: KindModel,
  { wanted, latest }: { readonly wanted: Content; readonly latest: Content },
): readonly PlannedCall[] | undefined {
  const operations = operationsOf(model)
  if (operations === undefined) return undefined
  const { tag, untag } = operations
  const { set, removed } = tagChanges(tagsIn(model, wanted.spec), tagsIn(model, latest.spec))
  const content: Content = { ...latest, arn: latest.arn ?? wanted.arn }
  const removal = removed.length === 0 ? undefined : inputFor(model, untag, content, { keys: removed })
  const addition = Object.keys(set).length === 0 ? undefined : inputFor(model, tag, content, { tags: set })
  if (!isWhole(model, tag, addition) || !isWhole(model, untag, removal)) return undefined
  const calls: PlannedCall[] = []
  if (removal !== undefined) calls.push({ operation: untag, input: removal, verb: 'UPDATE' })
  if (addition !== undefined) calls.push({ operation: tag, input: addition, verb: 'UPDATE' })
  return calls
}

/** The pair that is for this resource alone comes before those that are for all. */
function operationsOf({ service, kind }: KindModel): { readonly tag: string; readonly untag: string } | undefined {
  const pairs = [
    { tag: `Tag${kind.resource}`, untag: `Untag${kind.resource}` },
    { tag: `AddTagsTo${kind.resource}`, untag: `RemoveTagsFrom${kind.resource}` },
    { tag: 'TagResource', untag: 'UntagResource' },
    { tag: 'AddTagsToResource', untag: 'RemoveTagsFromResource' },
    { tag: 'AddTags', untag: 'RemoveTags' },
    { tag: 'AddTags', untag: 'DeleteTags' },
    { tag: 'CreateTags', untag: 'DeleteTags' },
  ]
  return pairs.find(({ tag, untag }) => [tag, untag].every(name => Object.hasOwn(service.model.operations, name)))
}

/** Where nothing is known that an operation needs, it is as if the service did not have it. */
function isWhole({ service }: KindModel, operation: string, input: Readonly<Record<string, unknown>> | undefined): boolean {
  return input === undefined || inputOf(service.model, operation).required.every(name => input[name] !== undefined)
}

function inputFor(
  model: KindModel,
  operation: string,
  content: Content,
  { tags, keys }: { readonly tags?: Tags; readonly keys?: readonly string[] },
): Readonly<Record<string, unknown>> {
  const made: Record<string, unknown> = {}
  for (const [name, member] of Object.entries(inputOf(model.service.model, operation).members)) {
    const key = nameKey(name)
    if (/^(?:tagkeys|tagkeylist|keys)$/.test(key)) made[name] = keys
    else if (/^tags(?:list)?$|^taglist$/.test(key))
      made[name] =
        tags === undefined
          ? keysAs(model.service.model, member.target, keys ?? [])
          : tagsAs(model.service.model, member.target, tags)
  }
  // Members of the input that are neither tags nor keys of tags identify the resource.
  const identified = requestOf(model, operation, { ...content, spec: { ...content.spec } }, { method: 'Delete' })
  for (const [name, value] of Object.entries(identified)) if (made[name] === undefined) made[name] = value
  return made
}

/** In the form that the operation takes: a map, or a list of structures with the key first by name. */
function tagsAs(model: ServiceModel, target: string, tags: Tags): unknown {
  if (model.shapes[target]?.type !== 'list') return tags
  const names = elementNames(model, target)
  const key = names.find(name => /key$/i.test(name)) ?? 'Key'
  const value = names.find(name => /value$/i.test(name)) ?? 'Value'
  return Object.entries(tags).map(([name, held]) => ({ [key]: name, [value]: held }))
}

/** Some take tags away by the very structures that put them there, of which the key is enough. */
function keysAs(model: ServiceModel, target: string, keys: readonly string[]): unknown {
  const key = elementNames(model, target).find(name => /key$/i.test(name))
  return key === undefined ? keys : keys.map(each => ({ [key]: each }))
}

function elementNames({ shapes }: ServiceModel, target: string): readonly string[] {
  const shape = shapes[target]
  const element = shape?.type === 'list' ? shapes[shape.member.target] : undefined
  return element?.type === 'structure' ? Object.keys(element.members) : []
}
