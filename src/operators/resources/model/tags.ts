// Tags as one map, whatever form a kind keeps them in; and the tags that we add: defaults from the configuration, and the mark of the claim.
import type { Tags } from '#aws'
import { annotations, type Fields, isAnnotatedTrue, ownerTag, type Resource } from '../api.ts'
import { isRecord, own, textOf } from './convert.ts'
import { type KindModel, onceOfKind, structureFields } from './kind-model.ts'
import { sameName } from './names.ts'

export type { Tags }

interface TagForm {
  readonly path: readonly string[]
  /** Names of key and value in a list's elements; absent for a map. */
  readonly element: { readonly key: string; readonly value: string } | undefined
}

const formOf: (model: KindModel) => TagForm | undefined = onceOfKind(model => {
  const { tags: field, service, kind } = model
  const { tags: settings } = kind.settings
  if (field === undefined || settings === undefined) return undefined
  const path = jsonPath(model, settings.path)
  if (field.type.kind === 'map') return { path, element: undefined }
  if (field.type.kind !== 'list' || field.type.element.kind !== 'structure') return undefined
  const fields = structureFields(service, field.type.element.shape)
  const named = (name: string, other: string): string | undefined =>
    (fields.find(({ camel }) => sameName(camel, name)) ?? fields.find(({ camel }) => sameName(camel, other)))?.json
  const [key, value] = [named(settings.key, 'TagKey'), named(settings.value, 'TagValue')]
  return key === undefined || value === undefined ? undefined : { path, element: { key, value } }
})

/** A dotted Camel path as names in manifests. */
function jsonPath(model: KindModel, path: string): readonly string[] {
  const names: string[] = []
  let fields = model.kind.spec
  for (const step of path.split('.')) {
    const field = fields.find(({ camel }) => sameName(camel, step))
    if (field === undefined) return names
    names.push(field.json)
    fields = field.type.kind === 'structure' ? structureFields(model.service, field.type.shape) : []
  }
  return names
}

export function hasTags(model: KindModel): boolean {
  return formOf(model) !== undefined
}

/** The field of the spec under which the tags stand, by its Camel name. */
export const tagField: (model: KindModel) => string | undefined = onceOfKind(model => {
  const first = formOf(model)?.path[0]
  return model.kind.spec.find(({ json }) => json === first)?.camel
})

export function tagsIn(model: KindModel, spec: Fields): Tags {
  const form = formOf(model)
  if (form === undefined) return {}
  let value: unknown = spec
  for (const name of form.path) value = isRecord(value) ? value[name] : undefined
  if (form.element === undefined) return isRecord(value) ? (value as Tags) : {}
  const { key, value: held } = form.element
  const items = (Array.isArray(value) ? value : []).filter(isRecord)
  return Object.fromEntries(items.map(item => [textOf(item[key] ?? ''), textOf(item[held] ?? '')]))
}

/** The spec with these tags in place of its own. */
export function withTags(model: KindModel, spec: Fields, tags: Tags): Fields {
  const form = formOf(model)
  if (form === undefined) return spec
  const { element } = form
  const value =
    element === undefined ? tags : Object.entries(tags).map(([key, held]) => ({ [element.key]: key, [element.value]: held }))
  const place = (held: unknown, [name, ...rest]: readonly string[]): unknown => {
    if (name === undefined) return value
    const fields = isRecord(held) ? held : {}
    return { ...fields, [name]: place(fields[name], rest) }
  }
  const isEmpty = Object.keys(tags).length === 0 && Object.keys(tagsIn(model, spec)).length === 0
  return isEmpty ? spec : (place(spec, form.path) as Fields)
}

export function tagsFromMap(value: unknown): Tags {
  return isRecord(value) ? Object.fromEntries(Object.entries(value).map(([key, held]) => [key, textOf(held ?? '')])) : {}
}

export interface DefaultTagOptions {
  /** `key=value` with `%VARIABLES%`. */
  readonly templates: readonly string[]
  readonly version: string
}

/** The tags to add to a claim's own; the claim's win. */
export function defaultTags(model: KindModel, claim: Resource, options: DefaultTagOptions): Tags {
  const { metadata } = claim
  const variables: Readonly<Record<string, string>> = {
    CONTROLLER_SERVICE: model.service.alias,
    CONTROLLER_VERSION: options.version === '' ? 'unknown' : options.version,
    K8S_NAMESPACE: metadata.namespace ?? '',
    K8S_RESOURCE_NAME: metadata.name,
    K8S_RESOURCE_KIND: model.kind.kind,
    MANAGED_BY: metadata.labels?.['app.kubernetes.io/managed-by'] ?? '',
    KRO_VERSION: metadata.labels?.['kro.run/kro-version'] ?? '',
  }
  const made: Record<string, string> = {}
  if (!isAnnotatedTrue(claim, annotations.skipDefaultTags)) {
    for (const template of options.templates) {
      const parts = template.split('=')
      if (parts.length !== 2) continue
      const [key = '', value = ''] = parts.map(part =>
        part.trim().replaceAll(/%(\w+)%/g, (_, name: string) => own(variables, name) ?? ''),
      )
      if (key !== '' && value !== '') made[key] = value
    }
  }
  return made
}

/** The mark is ours alone to write: whatever a manifest says in its place is none of its author's business. */
export function ownMark({ metadata }: Resource, { ownershipTags }: { readonly ownershipTags: boolean }, tags: Tags): Tags {
  const { [ownerTag]: _said, ...others } = tags
  return ownershipTags ? { ...others, [ownerTag]: metadata.uid } : others
}

/** Tags that AWS itself sets and nobody may change. */
export function isReserved(key: string): boolean {
  return key.startsWith('aws:')
}

/** What is wanted, with what AWS keeps there of its own. */
export function wantedTags(wanted: Tags, latest: Tags): Tags {
  const reserved = Object.entries(latest).filter(([key]) => isReserved(key))
  return { ...Object.fromEntries(Object.entries(wanted).filter(([key]) => !isReserved(key))), ...Object.fromEntries(reserved) }
}

export interface TagChanges {
  readonly set: Tags
  readonly removed: readonly string[]
}

export function tagChanges(wanted: Tags, latest: Tags): TagChanges {
  const all = wantedTags(wanted, latest)
  return {
    set: Object.fromEntries(Object.entries(all).filter(([key, value]) => own(latest, key) !== value)),
    removed: Object.keys(latest).filter(key => own(all, key) === undefined),
  }
}

export function sameTags(wanted: Tags, latest: Tags): boolean {
  const { set, removed } = tagChanges(wanted, latest)
  return removed.length === 0 && Object.keys(set).length === 0
}
