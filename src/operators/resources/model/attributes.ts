// Attributes: services that keep what a resource is set to in one map of texts. The kind shows some of them as fields of their own; a kind
// without a config shows the map.
import type { Member, ResourceField } from '#aws'
import type { Fields } from '../api.ts'
import { isRecord, own, textOf } from './convert.ts'
import { inputOf, type KindModel, onceOfKind, outputOf } from './kind-model.ts'
import { nameKey, sameName } from './names.ts'

type Texts = Readonly<Record<string, string>>

interface WithSpec {
  readonly spec: Fields
}

/** Whether a member is the map that holds the attributes. */
export function isAttributesMap({ service, kind }: KindModel, name: string, member: Member): boolean {
  return (
    nameKey(name) === 'attributes' &&
    service.model.shapes[member.target]?.type === 'map' &&
    (kind.settings.unpackAttributes !== undefined || kind.spec.some(({ attribute }) => attribute === true))
  )
}

/** What a manifest says of attributes, by their name in the API. */
export function attributesOf(model: KindModel, { spec }: WithSpec): Texts {
  const made: Record<string, string> = {}
  for (const field of model.kind.spec) {
    const value = spec[field.json]
    if (value === undefined || value === null) continue
    if (field.attribute === true) made[field.member] = textOf(value)
    else if (isWholeMap(field)) Object.assign(made, value)
  }
  return made
}

/** The map itself, as a field of a kind without a config. */
export function isWholeMap(field: ResourceField): boolean {
  return field.type.kind === 'map' && sameName(field.camel, 'Attributes')
}

/** The attributes of an answer; `undefined` where it has no place for them. */
export function attributesIn(model: KindModel, operation: string, output: Readonly<Record<string, unknown>>): Texts | undefined {
  const member = attributesMember(model, operation)
  if (member === undefined) return undefined
  const value = output[member]
  return isRecord(value) ? Object.fromEntries(Object.entries(value).map(([name, text]) => [name, textOf(text)])) : {}
}

const attributesMember: (model: KindModel, operation: string) => string | undefined = onceOfKind((model, operation) => {
  const members = Object.entries(outputOf(model.service.model, operation).members)
  return members.find(([name, member]) => isAttributesMap(model, name, member))?.[0]
})

/** An attribute as its field shows it: most are texts, a few have a type of the config's. */
export function attributeValue({ type }: ResourceField, text: string | undefined): unknown {
  if (text === undefined) return undefined
  if (type.kind === 'boolean') return text.toLowerCase() === 'true'
  if (type.kind === 'integer' || type.kind === 'number') return Number(text)
  // Nothing is set where AWS holds an empty text.
  return text === '' ? undefined : text
}

/**
 * The attributes that bring AWS to what is wanted: those that differ, and an empty text for what the manifest does not say any more. What AWS
 * chose by itself is left alone: it is filled into the manifest, or no manifest ever spoke of it.
 */
export function changedAttributes(
  model: KindModel,
  { wanted, latest, paths }: { readonly wanted: WithSpec; readonly latest: WithSpec; readonly paths: readonly string[] },
): Texts {
  const [want, have] = [attributesOf(model, wanted), attributesOf(model, latest)]
  const changed = Object.entries(want).filter(([name, value]) => {
    const field = model.kind.spec.find(each => each.attribute === true && each.member === name)
    return field === undefined ? own(have, name) !== value : paths.includes(`Spec.${field.camel}`)
  })
  const removed = model.kind.spec.filter(
    field =>
      field.attribute === true &&
      isRemovable(field) &&
      paths.includes(`Spec.${field.camel}`) &&
      own(want, field.member) === undefined,
  )
  return { ...Object.fromEntries(changed), ...Object.fromEntries(removed.map(({ member }) => [member, emptyOf(member)])) }
}

/** A document, or the name of a key: services take them away by a text that holds none. */
function isRemovable({ iamPolicy, document, lateInitialize, member }: ResourceField): boolean {
  return lateInitialize === undefined && (iamPolicy === true || document === true || /Kms\w*KeyId$|RoleArn$/i.test(member))
}

/** A filter that lets everything through is one without a condition; everywhere else an empty text says that there is nothing. */
function emptyOf(member: string): string {
  return member.endsWith('FilterPolicy') ? '{}' : ''
}

/** An operation that sets one attribute in each call: the members for its name and its value. */
export function singleAttribute(
  { service }: KindModel,
  operation: string,
): { readonly name: string; readonly value: string } | undefined {
  const names = Object.keys(inputOf(service.model, operation).members)
  const name = names.find(each => sameName(each, 'AttributeName'))
  const value = names.find(each => sameName(each, 'AttributeValue'))
  return name === undefined || value === undefined ? undefined : { name, value }
}
