// Rules about metadata that hold for every kind.

import { given } from '#base'
import {
  dns1035LabelErrors,
  dnsLabelErrors,
  dnsSubdomainErrors,
  labelValueErrors,
  pathSegmentErrors,
  qualifiedNameErrors,
} from '#kube'
import { type FieldError, type Json, renderJson } from '#schema'
import type { Draft, DraftOwner } from '../draft.ts'
import type { ServedKind } from '../registry/resource.ts'

const annotationBytesMax = 262_144

export interface MetadataResult {
  readonly errors: readonly FieldError[]
  /** Told when nothing is wrong. */
  readonly warnings: readonly string[]
}

/**
 * A real server checks the metadata of an update in several places, and each says what it finds: twice what all kinds have in common,
 * then what the kind's own rules look at again.
 */
export function validateMetadata(
  draft: Draft,
  live: Readonly<Draft> | undefined,
  kind: ServedKind,
  subresource = '',
): MetadataResult {
  const warnings = finalizerWarnings(draft, live, kind)
  if (live === undefined) return { errors: wholeErrors(draft, kind, true), warnings }
  const { metadataChecks = ['change'], statusMetadataChecks = metadataChecks } = kind.resource.behaviour
  const checks = subresource === 'status' ? statusMetadataChecks : metadataChecks
  const common = [...wholeErrors(draft, undefined), ...changeErrors(draft, live, undefined)]
  const own = checks.flatMap(check => (check === 'whole' ? wholeErrors(draft, kind) : changeErrors(draft, live, kind)))
  return { errors: [...common, ...own], warnings }
}

/** What is wrong with the metadata of an object. Where the kind is given, its own rules count as well. */
function wholeErrors(draft: Draft, kind: ServedKind | undefined, isNew = false): FieldError[] {
  const errors: FieldError[] = []
  if (kind !== undefined && isNew) checkName(draft, kind, errors)
  checkGeneration(draft.metadata.generation, errors)
  checkLabels(draft.metadata.labels, errors)
  checkAnnotations(draft.metadata.annotations, errors)
  checkOwners(draft.metadata.ownerReferences ?? [], errors)
  checkFinalizers(draft.metadata.finalizers ?? [], errors)
  if (kind !== undefined) checkPlainFinalizers(draft.metadata.finalizers ?? [], kind, errors)
  return errors
}

/** What is wrong with the metadata that an update leads to, beside what was there before. */
function changeErrors(draft: Draft, live: Readonly<Draft>, kind: ServedKind | undefined): FieldError[] {
  const errors: FieldError[] = []
  checkNoNewFinalizers(draft, live, errors)
  checkImmutable(draft, live, errors)
  checkLabels(draft.metadata.labels, errors)
  checkAnnotations(draft.metadata.annotations, errors)
  checkOwners(draft.metadata.ownerReferences ?? [], errors)
  if (kind !== undefined) checkPlainFinalizers(draft.metadata.finalizers ?? [], kind, errors)
  return errors
}

/** One reference says as much as two; the sender is told. */
export function withoutRepeatedOwners(draft: Draft, warnings: string[]): void {
  const owners = draft.metadata.ownerReferences ?? []
  const known = new Set<string>()
  const isNew = (owner: DraftOwner): boolean => known.size < known.add(renderJson({ ...owner }, { sorted: true })).size
  const unique = owners.filter(isNew)
  if (unique.length === owners.length) return
  draft.metadata.ownerReferences = unique
  known.clear()
  const repeated = owners.find(owner => !isNew(owner))
  warnings.push(
    `.metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${repeated?.uid}`,
  )
}

function checkName(draft: Draft, kind: ServedKind, errors: FieldError[]): void {
  const { name, generateName, namespace } = draft.metadata
  if (generateName !== undefined && generateName !== '') {
    for (const detail of nameErrors(asWholeName(generateName, kind), kind)) {
      errors.push({ type: 'FieldValueInvalid', field: 'metadata.generateName', value: generateName, detail })
    }
  }
  if (name === undefined || name === '') {
    errors.push({ type: 'FieldValueRequired', field: 'metadata.name', detail: 'name or generateName is required' })
  } else {
    for (const detail of nameErrors(name, kind))
      errors.push({ type: 'FieldValueInvalid', field: 'metadata.name', value: name, detail })
  }
  if (kind.resource.namespaced && namespace !== undefined) {
    for (const detail of dnsLabelErrors(namespace)) {
      errors.push({ type: 'FieldValueInvalid', field: 'metadata.namespace', value: namespace, detail })
    }
  }
}

/** A name that begins like that: what stands in a path may go on, and the last dash of others, with what is before it, is no end. */
function asWholeName(generateName: string, { resource }: ServedKind): string {
  if (resource.behaviour.nameRule === 'path-segment') return `${generateName}a`
  return /.-$/s.test(generateName) ? `${generateName.slice(0, -2)}a` : generateName
}

function checkGeneration(generation: number | undefined, errors: FieldError[]): void {
  if (generation === undefined || generation >= 0) return
  const detail = 'must be greater than or equal to 0'
  errors.push({ type: 'FieldValueInvalid', field: 'metadata.generation', value: generation, detail })
}

function nameErrors(name: string, kind: ServedKind): readonly string[] {
  switch (kind.resource.behaviour.nameRule) {
    case 'label':
      return dnsLabelErrors(name)
    case 'label-1035':
      return dns1035LabelErrors(name)
    case 'path-segment':
      return pathSegmentErrors(name)
    default:
      return dnsSubdomainErrors(name)
  }
}

export function checkLabels(labels: Record<string, string> | undefined, errors: FieldError[]): void {
  if (labels === undefined) return
  for (const [key, value] of Object.entries(labels)) {
    for (const detail of qualifiedNameErrors(key))
      errors.push({ type: 'FieldValueInvalid', field: 'metadata.labels', value: key, detail })
    for (const detail of labelValueErrors(value))
      errors.push({ type: 'FieldValueInvalid', field: 'metadata.labels', value, detail })
  }
}

export function checkAnnotations(annotations: Record<string, string> | undefined, errors: FieldError[]): void {
  if (annotations === undefined) return
  let bytes = 0
  for (const [key, value] of Object.entries(annotations)) {
    for (const detail of qualifiedNameErrors(key.toLowerCase())) {
      errors.push({ type: 'FieldValueInvalid', field: 'metadata.annotations', value: key, detail })
    }
    bytes += key.length + Buffer.byteLength(value)
  }
  if (bytes > annotationBytesMax) {
    errors.push({
      type: 'FieldValueTooLong',
      field: 'metadata.annotations',
      detail: `may not be more than ${annotationBytesMax} bytes`,
    })
  }
}

function checkOwners(owners: readonly DraftOwner[], errors: FieldError[]): void {
  let controller: string | undefined
  owners.forEach(owner => {
    const at = 'metadata.ownerReferences'
    const { apiVersion = '', kind = '', name = '', uid = '' } = owner as Partial<typeof owner>
    if (apiVersion === '' || !/^(?:[^/]*\/)?[^/]+$/.test(apiVersion)) {
      errors.push({
        type: 'FieldValueInvalid',
        field: `${at}.apiVersion`,
        value: apiVersion,
        detail: 'version must not be empty',
      })
    }
    if (kind === '') errors.push({ type: 'FieldValueInvalid', field: `${at}.kind`, value: kind, detail: 'must not be empty' })
    if (name === '') errors.push({ type: 'FieldValueInvalid', field: `${at}.name`, value: name, detail: 'must not be empty' })
    if (uid === '') errors.push({ type: 'FieldValueInvalid', field: `${at}.uid`, value: uid, detail: 'must not be empty' })
    if (apiVersion === 'v1' && kind === 'Event') {
      errors.push({
        type: 'FieldValueInvalid',
        field: at,
        value: { ...owner },
        detail: '/v1, Kind=Event is disallowed from being an owner',
      })
    }
    if (owner.controller !== true) return
    if (controller !== undefined) {
      errors.push({
        type: 'FieldValueInvalid',
        field: 'metadata.ownerReferences',
        value: owners.map(ownerAsPrinted),
        ordered: true,
        detail: `Only one reference can have Controller set to true. Found "true" in references for ${controller} and ${kind}/${name}`,
      })
    }
    controller = `${kind}/${name}`
  })
}

/** The fields in the order in which the Go type has them. */
function ownerAsPrinted({ apiVersion, kind, name, uid, controller, blockOwnerDeletion }: DraftOwner): Record<string, Json> {
  return {
    apiVersion,
    kind,
    name,
    uid,
    ...given({ controller, blockOwnerDeletion }),
  }
}

const plainFinalizers = new Set(['orphan', 'foregroundDeletion', 'kubernetes'])

function checkFinalizers(finalizers: readonly string[], errors: FieldError[]): void {
  for (const finalizer of finalizers) {
    for (const detail of qualifiedNameErrors(finalizer))
      errors.push({ type: 'FieldValueInvalid', field: 'metadata.finalizers', value: finalizer, detail })
  }
  if (finalizers.includes('orphan') && finalizers.includes('foregroundDeletion')) {
    const detail = 'finalizer orphan and foregroundDeletion cannot be both set'
    errors.push({ type: 'FieldValueInvalid', field: 'metadata.finalizers', value: finalizers, detail })
  }
}

function isUnqualified(finalizer: string): boolean {
  return !finalizer.includes('/') && !plainFinalizers.has(finalizer)
}

/** Most built-in kinds take unqualified names for their own finalizers only. */
function checkPlainFinalizers(finalizers: readonly string[], { resource }: ServedKind, errors: FieldError[]): void {
  if (resource.custom !== undefined || resource.behaviour.anyFinalizers === true) return
  for (const [index, finalizer] of finalizers.entries()) {
    if (!isUnqualified(finalizer)) continue
    const detail = 'name is neither a standard finalizer name nor is it fully qualified'
    errors.push({ type: 'FieldValueInvalid', field: `metadata.finalizers[${index}]`, value: finalizer, detail })
  }
}

/** Custom resources may have them, with a word of advice. */
function finalizerWarnings(draft: Draft, live: Readonly<Draft> | undefined, kind: ServedKind): string[] {
  if (kind.resource.custom === undefined) return []
  const known = live?.metadata.finalizers ?? []
  const fresh = (draft.metadata.finalizers ?? []).filter(finalizer => isUnqualified(finalizer) && !known.includes(finalizer))
  return fresh.map(finalizer => {
    const path = finalizer.includes('.') ? 'including a path (/) ' : ''
    return `metadata.finalizers: "${finalizer}": prefer a domain-qualified finalizer name ${path}to avoid accidental conflicts with other finalizer writers`
  })
}

function checkNoNewFinalizers(draft: Draft, live: Readonly<Draft>, errors: FieldError[]): void {
  if (live.metadata.deletionTimestamp === undefined) return
  const before = new Set(live.metadata.finalizers)
  const added = [...new Set((draft.metadata.finalizers ?? []).filter(finalizer => !before.has(finalizer)))].sort()
  if (added.length === 0) return
  const list = added.map(name => JSON.stringify(name)).join(', ')
  errors.push({
    type: 'FieldValueForbidden',
    field: 'metadata.finalizers',
    detail: `no new finalizers can be added if the object is being deleted, found new finalizers []string{${list}}`,
  })
}

function checkImmutable(draft: Draft, live: Readonly<Draft>, errors: FieldError[]): void {
  for (const field of [
    'name',
    'namespace',
    'uid',
    'creationTimestamp',
    'deletionTimestamp',
    'deletionGracePeriodSeconds',
  ] as const) {
    const value = draft.metadata[field]
    if (value !== live.metadata[field] && (value !== undefined || live.metadata[field] !== undefined)) {
      errors.push({ type: 'FieldValueInvalid', field: `metadata.${field}`, value, detail: 'field is immutable' })
    }
  }
}
