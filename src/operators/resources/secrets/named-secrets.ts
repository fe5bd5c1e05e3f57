// Which Secrets a manifest names, and in which of its fields. Nothing is read here.

import type { ResourceField } from '#aws'
import type { ObjectKey } from '#kube'
import type { Fields, Resource } from '../api.ts'
import { isRecord } from '../model/convert.ts'
import { type KindModel, leadsTo, onceOfKind, structureFields } from '../model/kind-model.ts'
import type { Settings } from '../options.ts'

/** Some secret fields are written to, not read from. */
export const writtenTo: readonly string[] = ['ExportTo']

/** Whether a field, or one within it, is the value of a Secret. */
export const mayHoldSecret: (model: KindModel, field: ResourceField) => boolean = onceOfKind((model, field) =>
  leadsTo(model, field, ({ type }) => (type.kind === 'list' ? type.element : type).kind === 'secret'),
)

/** Whether a manifest of the kind can name Secrets, to read from or to write to: most kinds have no place for one. */
export const mayNameSecrets: (model: KindModel) => boolean = onceOfKind(model =>
  model.kind.spec.some(field => mayHoldSecret(model, field)),
)

/** All Secrets that a claim names. */
export function secretsNamed(model: KindModel, claim: Resource): readonly ObjectKey[] {
  const found: ObjectKey[] = []
  const own = claim.metadata.namespace ?? ''
  const visit = (fields: readonly ResourceField[], values: Fields): void => {
    for (const { json, type } of fields) {
      const value = values[json]
      const inner = type.kind === 'list' ? type.element : type
      for (const each of (Array.isArray(value) ? value : [value]).filter(isRecord)) {
        if (inner.kind === 'structure') visit(structureFields(model.service, inner.shape), each)
        if (inner.kind !== 'secret') continue
        const { name, namespace } = each
        if (typeof name !== 'string' || name === '') continue
        found.push({ namespace: typeof namespace === 'string' && namespace !== '' ? namespace : own, name })
      }
    }
  }
  visit(model.kind.spec, claim.spec ?? {})
  return found
}

/** Whether a change of the claim's Secrets is told to us. */
export function hearsOfSecrets(model: KindModel, claim: Resource, settings: Settings): boolean {
  const { watchSecrets, watchNamespaces, secrets: access } = settings
  if (!watchSecrets) return false
  // Secrets that a list names are watched in every namespace, and no others are used.
  if (!access.all) return true
  return watchNamespaces === undefined || secretsNamed(model, claim).every(({ namespace }) => watchNamespaces.includes(namespace))
}

/** Camel paths of the fields of a spec that are secrets, or hold some. */
export function secretPaths(model: KindModel, spec: Fields): readonly string[] {
  return model.kind.spec
    .filter(field => mayHoldSecret(model, field) && spec[field.json] !== undefined && !writtenTo.includes(field.camel))
    .map(({ camel }) => `Spec.${camel}`)
}
