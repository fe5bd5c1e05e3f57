// Which fields of a spec differ from what AWS has. By meaning: the order of texts in a list says nothing, a policy may be written in many
// ways, nil and empty are the same. What no read tells cannot be compared.
import { type ModelType, type Normaliser, type ResourceField, samePolicyText } from '#aws'
import type { Fields } from '../api.ts'
import { dnsName } from '../kinds/route53/ids.ts'
import { isRecord, isReferenceField, own } from '../model/convert.ts'
import { type KindModel, onceOfKind, structureFields } from '../model/kind-model.ts'
import { sameName } from '../model/names.ts'
import { sameTags, tagField, tagsIn } from '../model/tags.ts'
import { isUntoldWithin } from '../model/untold.ts'
import { sameDocuments } from './documents.ts'
import { type BothSides, elementsOf, keyedElements, type PathThatDiffers, sameInAnotherOrder } from './elements.ts'

export interface CompareOptions {
  /** Camel names of top-level fields that a deviation compares itself, or that are not of interest. */
  readonly except?: (field: ResourceField) => boolean
  /** Instead of the rules of the config: for the comparison before a deletion. */
  readonly only?: (field: ResourceField) => boolean
}

/** Dotted Camel paths, each beginning with `Spec.`, sorted. Elements of a list stand in them by their index, those of a map by their key. */
export function compareSpecs(model: KindModel, wanted: Fields, latest: Fields, options: CompareOptions = {}): readonly string[] {
  const paths: string[] = []
  const tagName = tagField(model)
  const isWithinField = model.kind.settings.tags?.path.includes('.') === true
  for (const field of options.only === undefined ? fieldsToCompare(model) : comparable(model).filter(options.only)) {
    if (options.except?.(field) === true) continue
    if (field.camel === tagName && !isWithinField) {
      if (!sameTags(tagsIn(model, wanted), tagsIn(model, latest))) paths.push(`Spec.${field.camel}`)
      continue
    }
    const sides = { wanted: wanted[field.json], latest: latest[field.json] }
    const found = compareField(model, field, { ...sides, path: `Spec.${field.camel}`, kept: field.camel })
    paths.push(...found.map(({ path }) => path))
  }
  const tags = tagName === undefined ? undefined : model.spec.named(tagName)
  if (tags !== undefined && options.except?.(tags) !== true && isWithinField) {
    const path = `Spec.${model.kind.settings.tags.path}`
    const others = paths.filter(each => !isAtOrBelow(each, path) && !isAtOrBelow(path, each))
    const differ = !sameTags(tagsIn(model, wanted), tagsIn(model, latest))
    return [...others, ...(differ ? [path] : [])].sort()
  }
  return paths.sort()
}

/** What no read tells as a value cannot be compared. */
const comparable: (model: KindModel) => readonly ResourceField[] = onceOfKind(({ kind }) =>
  kind.spec.filter(field => !isReferenceField(field) && field.type.kind !== 'secret'),
)

/** By the rules of the config, from which the tags are not taken. */
const fieldsToCompare: (model: KindModel) => readonly ResourceField[] = onceOfKind(model => {
  const ignored = [...ignoredPaths(model)].map(path => path.replace(/^Spec\./, ''))
  const isIgnored = ({ camel, compare }: ResourceField): boolean =>
    compare?.ignored === true || ignored.some(path => sameName(path, camel))
  return comparable(model).filter(field => field.camel === tagField(model) || !isIgnored(field))
})

const ignoredPaths: (model: KindModel) => ReadonlySet<string> = onceOfKind(
  ({ kind }) => new Set((kind.settings.compareIgnore ?? []).map(path => `Spec.${path.replace(/^Spec\./, '')}`)),
)

interface Sides extends BothSides {
  readonly path: string
  /** The path without `Spec.`, indexes and keys: by which a kind says what is told of it. */
  readonly kept: string
}

function compareField(model: KindModel, field: ResourceField, sides: Sides): readonly PathThatDiffers[] {
  const { path, kept } = sides
  if (ignoredPaths(model).has(path) || isUntoldWithin(model, kept)) return []
  const [wanted, latest] = [sides.wanted ?? undefined, sides.latest ?? undefined]
  if (wanted === undefined && latest === undefined) return []
  // Where a manifest says nothing and AWS says that there is nothing, both say the same.
  if (wanted === undefined && isNothing(latest)) return []
  if (field.compare?.nilEqualsZero === true && wanted === undefined && latest === '') return []
  if (field.type.kind === 'structure') return compareStructure(model, field.type.shape, { wanted, latest, path, kept })
  if (sameValue(model, field, wanted, latest)) return []
  return compareElements(model, field, { wanted, latest, path, kept }) ?? [{ path, isSpoken: wanted !== undefined }]
}

function compareStructure(model: KindModel, shape: string, { wanted, latest, path, kept }: Sides): readonly PathThatDiffers[] {
  if (!isRecord(wanted) || !isRecord(latest))
    return isEmpty(wanted) && isEmpty(latest) ? [] : [{ path, isSpoken: !isEmpty(wanted) }]
  return structureFields(model.service, shape).flatMap(field => {
    if (isReferenceField(field) || field.compare?.ignored === true) return []
    const sides = { wanted: wanted[field.json], latest: latest[field.json] }
    return compareField(model, field, { ...sides, path: `${path}.${field.camel}`, kept: `${kept}.${field.camel}` })
  })
}

/** Structures in a list or a map, one by one; `undefined` where more differs than what the manifest does not speak of. */
function compareElements(model: KindModel, field: ResourceField, sides: Sides): readonly PathThatDiffers[] | undefined {
  const { path, kept } = sides
  const differences = (pair: BothSides, at: string): readonly PathThatDiffers[] =>
    compareStructure(model, shape, { ...pair, path: `${path}.${at}`, kept })
  const inner = field.type.kind === 'list' ? field.type.element : field.type.kind === 'map' ? field.type.value : undefined
  if (inner?.kind !== 'structure') return undefined
  const { shape } = inner
  const pairs = field.type.kind === 'list' ? elementsOf(sides) : keyedElements(sides)
  const found = pairs?.flatMap(({ at, ...pair }) => differences(pair, at))
  if (found?.every(({ isSpoken }) => !isSpoken) === true) return found
  const isUnordered = field.compare?.normalise === 'unordered'
  return isUnordered && sameInAnotherOrder(sides, pair => differences(pair, '0')) ? [] : undefined
}

/** Whether a list of structures, at a path without an index, holds in AWS what the manifest says, in another order. */
export function differsInOrderOnly(model: KindModel, { wanted, latest }: BothSides, path: string): boolean {
  let fields: readonly ResourceField[] = model.kind.spec
  let pair: BothSides = { wanted, latest }
  let field: ResourceField | undefined
  for (const camel of path.split('.').slice(1)) {
    field = fields.find(each => each.camel === camel)
    if (field === undefined || !isRecord(pair.wanted) || !isRecord(pair.latest)) return false
    pair = { wanted: pair.wanted[field.json], latest: pair.latest[field.json] }
    fields = field.type.kind === 'structure' ? structureFields(model.service, field.type.shape) : []
  }
  if (field?.type.kind !== 'list' || field.type.element.kind !== 'structure') return false
  const { shape } = field.type.element
  const kept = path.split('.').slice(1).join('.')
  const differences = (each: BothSides): readonly PathThatDiffers[] => compareStructure(model, shape, { ...each, path, kept })
  const isInOrder = elementsOf(pair)?.every(each => differences(each).every(({ isSpoken }) => !isSpoken)) === true
  return !isInOrder && sameInAnotherOrder(pair, differences)
}

function sameValue(model: KindModel, field: ResourceField, wanted: unknown, latest: unknown): boolean {
  // A service of attributes tells all that there are; the manifest speaks of some.
  if (field.type.kind === 'map' && model.kind.operations.getAttributes !== undefined && sameName(field.camel, 'Attributes'))
    return Object.entries(isRecord(wanted) ? wanted : {}).every(
      ([name, value]) => isRecord(latest) && own(latest, name) === value,
    )
  if (field.compare?.normalise !== undefined && sameNormalised(field.compare.normalise, wanted, latest)) return true
  if (field.iamPolicy === true) return samePolicies(wanted, latest)
  if (field.document === true) return sameDocuments(wanted, latest)
  return sameOfType(field.type, wanted, latest)
}

function sameOfType(type: ModelType, wanted: unknown, latest: unknown): boolean {
  switch (type.kind) {
    case 'list': {
      const [a, b] = [listOf(wanted), listOf(latest)]
      if (a.length !== b.length) return false
      if (type.element.kind === 'string') return sameTexts(a, b)
      return a.every((item, index) => sameDeep(item, b[index]))
    }
    case 'map':
      return sameDeep(wanted ?? {}, latest ?? {})
    case 'timestamp':
      return sameInstant(wanted, latest)
    default:
      return wanted === latest
  }
}

export function samePolicies(wanted: unknown, latest: unknown): boolean {
  if (typeof wanted !== 'string' || typeof latest !== 'string') return wanted === latest
  return (['trust', 'identity', 'resource'] as const).some(use => samePolicyText(wanted, latest, use))
}

/** `json` reads YAML, too. */
function sameNormalised(how: Normaliser, wanted: unknown, latest: unknown): boolean {
  const ways: Readonly<Record<Normaliser, (text: string) => string>> = {
    'dns-name': dnsName,
    // ARNs of log groups and some others end with `:*`, which stands for everything in them.
    arn: text => text.replace(/:\*$/, ''),
    'case-insensitive': text => text.toLowerCase(),
    json: text => text,
    unordered: text => text,
  }
  if (how === 'json') return sameDocuments(wanted, latest)
  const normal = (value: unknown): unknown => (typeof value === 'string' ? ways[how](value) : value)
  if (!Array.isArray(wanted) || !Array.isArray(latest)) return normal(wanted) === normal(latest)
  const set = (texts: readonly unknown[]): readonly string[] => texts.map(each => JSON.stringify(inOrder(normal(each)))).sort()
  return sameDeep(set(wanted), set(latest))
}

/** With keys in order, so that equal values have equal texts. */
export function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder)
  if (!isRecord(value)) return value
  const names = Object.keys(value).filter(name => !isEmpty(value[name]))
  return Object.fromEntries(names.sort().map(name => [name, inOrder(value[name])]))
}

function sameTexts(a: readonly unknown[], b: readonly unknown[]): boolean {
  const [left, right] = [[...a].map(String).sort(), [...b].map(String).sort()]
  return left.every((text, index) => text === right[index])
}

function sameInstant(wanted: unknown, latest: unknown): boolean {
  return wanted === latest || Date.parse(String(wanted)) === Date.parse(String(latest))
}

/** Equal values; nil, empty objects and empty lists are the same wherever they stand. */
export function sameDeep(a: unknown, b: unknown): boolean {
  if (a === b || (isEmpty(a) && isEmpty(b))) return true
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((item, index) => sameDeep(item, b[index]))
  if (!isRecord(a) || !isRecord(b)) return false
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].every(name => sameDeep(own(a, name), own(b, name)))
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null) return true
  if (Array.isArray(value)) return value.length === 0
  return isRecord(value) && Object.values(value).every(isEmpty)
}

/** A switch that is off, no count, and a structure of nothing else. */
function isNothing(value: unknown): boolean {
  if (value === false || value === 0) return true
  return isRecord(value) && Object.values(value).every(isNothing)
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** By whole parts: `Spec.AB` is not below `Spec.A`. */
export function isAtOrBelow(path: string, above: string): boolean {
  return path === above || path.startsWith(`${above}.`)
}

/** Whether a value holds all that is wanted of it: of an object the members, of a list an element for each, in any order. */
export function contains(held: unknown, wanted: unknown): boolean {
  if (Array.isArray(wanted)) return wanted.every(item => listOf(held).some(each => contains(each, item)))
  if (isRecord(wanted))
    return Object.entries(wanted).every(
      ([name, value]) => value === undefined || value === null || contains(isRecord(held) ? held[name] : undefined, value),
    )
  return held === wanted
}
