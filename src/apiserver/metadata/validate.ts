// Rules about metadata that hold for every kind.

import {
  dns1035LabelErrors,
  dnsLabelErrors,
  dnsSubdomainErrors,
  labelValueErrors,
  pathSegmentErrors,
  qualifiedNameErrors,
} from '#kube'
import { type Draft, type DraftOwner, equalJson } from '../draft.ts'
import type { ServedKind } from '../registry/resource.ts'
import type { FieldError } from '../schema/field-error.ts'
import type { Json } from '../schema/json.ts'

const annotationBytesMax = 262_144

export function validateMetadata(
  draft: Draft,
  live: Readonly<Draft> | undefined,
  kind: ServedKind,
  warnings: string[],
): FieldError[] {
  const errors: FieldError[] = []
  if (live === undefined) checkName(draft, kind, errors)
  checkLabels(draft.metadata.labels, errors)
  checkAnnotations(draft.metadata.annotations, errors)
  checkOwners(draft, errors, warnings)
  checkFinalizers(draft, live, kind, errors, warnings)
  if (live !== undefined) checkImmutable(draft, live, errors)
  return errors
}

function checkName(draft: Draft, kind: ServedKind, errors: FieldError[]): void {
  const { name, generateName, namespace } = draft.metadata
  if (generateName !== undefined && generateName !== '') {
    for (const detail of nameErrors(generateName.replace(/[-.]+$/, '') + (/[-.]$/.test(generateName) ? 'a' : ''), kind)) {
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

function checkOwners(draft: Draft, errors: FieldError[], warnings: string[]): void {
  const owners = draft.metadata.ownerReferences
  if (owners === undefined || owners.length === 0) return
  const unique = owners.filter((owner, index) => owners.findIndex(other => equalJson(other, owner)) === index)
  if (unique.length < owners.length) {
    draft.metadata.ownerReferences = unique
    warnings.push(
      `.metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${owners.find((owner, index) => owners.findIndex(other => equalJson(other, owner)) !== index)?.uid}`,
    )
  }
  let controller: string | undefined
  unique.forEach(owner => {
    const at = 'metadata.ownerReferences'
    const { apiVersion = '', kind = '', name = '', uid = '' } = owner as Partial<typeof owner>
    if (apiVersion.split('/').pop() === '') {
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
        value: unique.map(ownerAsPrinted),
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
    ...(controller === undefined ? {} : { controller }),
    ...(blockOwnerDeletion === undefined ? {} : { blockOwnerDeletion }),
  }
}

const plainFinalizers = new Set(['orphan', 'foregroundDeletion', 'kubernetes'])

function checkFinalizers(
  draft: Draft,
  live: Readonly<Draft> | undefined,
  kind: ServedKind,
  errors: FieldError[],
  warnings: string[],
): void {
  const finalizers = draft.metadata.finalizers ?? []
  for (const [index, finalizer] of finalizers.entries()) {
    for (const detail of qualifiedNameErrors(finalizer)) {
      errors.push({ type: 'FieldValueInvalid', field: 'metadata.finalizers', value: finalizer, detail })
    }
    if (!finalizer.includes('/') && !plainFinalizers.has(finalizer)) {
      if (kind.resource.custom === undefined) {
        errors.push({
          type: 'FieldValueInvalid',
          field: `metadata.finalizers[${index}]`,
          value: finalizer,
          detail: 'name is neither a standard finalizer name nor is it fully qualified',
        })
      } else if (!(live?.metadata.finalizers ?? []).includes(finalizer)) {
        warnings.push(
          `metadata.finalizers: "${finalizer}": prefer a domain-qualified finalizer name ${finalizer.includes('.') ? 'including a path (/) ' : ''}to avoid accidental conflicts with other finalizer writers`,
        )
      }
    }
  }
  if (finalizers.includes('orphan') && finalizers.includes('foregroundDeletion')) {
    errors.push({
      type: 'FieldValueInvalid',
      field: 'metadata.finalizers',
      value: finalizers,
      detail: 'finalizer orphan and foregroundDeletion cannot be both set',
    })
  }
  if (live?.metadata.deletionTimestamp === undefined) return
  const before = new Set(live.metadata.finalizers)
  const added = finalizers.filter(finalizer => !before.has(finalizer))
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
