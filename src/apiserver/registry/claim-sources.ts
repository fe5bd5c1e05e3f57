// What a new claim of storage is filled from stands in two fields: the older one by itself knows two kinds of source, the newer one any.
import { isRecord } from '#base'
import type { Draft } from '../draft.ts'

export function prepareClaim(draft: Draft): void {
  if (!isRecord(draft.spec)) return
  const { dataSource, dataSourceRef, ...spec } = draft.spec
  const newer = isRecord(dataSourceRef) && isNear(dataSourceRef) ? withGroup(dataSourceRef) : undefined
  const mayBeOlder = isRecord(dataSource) && (newer !== undefined || isOld(dataSource))
  const older = mayBeOlder ? withGroup(dataSource) : undefined
  draft.spec = {
    ...spec,
    ...given('dataSource', older ?? newer),
    ...given('dataSourceRef', newer ?? older),
  }
}

/** Of a changed claim both fields are taken as they are; who leaves one out means what the other says. */
export function prepareClaimUpdate(draft: Draft): void {
  if (!isRecord(draft.spec)) return
  const { dataSource, dataSourceRef, ...spec } = draft.spec
  const older = isRecord(dataSource) ? withGroup(dataSource) : undefined
  const newer = isRecord(dataSourceRef) ? withGroup(dataSourceRef) : undefined
  draft.spec = { ...spec, ...given('dataSource', older ?? newer), ...given('dataSourceRef', newer ?? older) }
}

/** Other claims, and snapshots. */
function isOld({ apiGroup, kind }: Readonly<Record<string, unknown>>): boolean {
  if ((apiGroup ?? '') === '') return kind === 'PersistentVolumeClaim'
  return apiGroup === 'snapshot.storage.k8s.io' && kind === 'VolumeSnapshot'
}

/** Sources in other namespaces are not switched on. */
function isNear({ namespace }: Readonly<Record<string, unknown>>): boolean {
  return (namespace ?? '') === ''
}

/** A source always says its group, which may be none. */
function withGroup(source: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return { apiGroup: null, ...source }
}

function given(field: string, value: unknown): Readonly<Record<string, unknown>> {
  return value === undefined ? {} : { [field]: value }
}
