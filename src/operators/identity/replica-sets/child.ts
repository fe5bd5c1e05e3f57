// The Role that a ReplicaSet makes in the namespace of a cluster: its shape, whose it is, and how it differs from what is wanted. It lies
// in another namespace, where owner references do not reach: two labels and an annotation are the mark.
import { escapePointer, memberAt } from '#base'
import type { KubeObject, ManagedFieldsEntry } from '#kube'
import { isEqualJson } from '#runtime'
import {
  type ServiceAccountRoleReplicaSet as ReplicaSet,
  type ReplicaSetTemplate,
  roleKind,
  type ServiceAccountRole,
} from '../api/kinds.ts'
import { annotations, labels, operatorName } from '../api/labels.ts'

type Words = Readonly<Record<string, string>>

export interface ChildMark {
  readonly labels: Words
  readonly annotations: Words
}

/** What the owner annotation says. */
export function setNameOf({ metadata }: Pick<ReplicaSet, 'metadata'>): string {
  return `${metadata.namespace ?? ''}/${metadata.name}`
}

export function markOf(set: ReplicaSet): ChildMark {
  return {
    labels: { [labels.managedBy]: operatorName, [labels.replicaSetUid]: set.metadata.uid },
    annotations: { [annotations.replicaSetOwnerRef]: setNameOf(set) },
  }
}

/** All three marks and our name: a Role that has but some of them is somebody else's, as is one of an earlier set of this name. */
export function ownChildTest(set: ReplicaSet): (role: ServiceAccountRole) => boolean {
  const mark = markOf(set)
  return ({ metadata }) =>
    metadata.name === set.metadata.name && covers(metadata.labels, mark.labels) && covers(metadata.annotations, mark.annotations)
}

export interface ChildWanted {
  readonly labels: Words
  readonly annotations: Words
  readonly spec: ReplicaSetTemplate['spec']
}

export function wantedChild(set: ReplicaSet, { metadata = {}, spec }: ReplicaSetTemplate): ChildWanted {
  const mark = markOf(set)
  return {
    labels: { ...metadata.labels, ...mark.labels },
    annotations: { ...metadata.annotations, ...mark.annotations },
    spec,
  }
}

export function buildChild(set: ReplicaSet, cluster: string, wanted: ChildWanted): KubeObject {
  const { labels: ownLabels, annotations: ownAnnotations, spec } = wanted
  return roleKind.make({ namespace: cluster, name: set.metadata.name, labels: ownLabels, annotations: ownAnnotations }, spec)
}

export function hasOtherAccount({ spec }: ServiceAccountRole, wanted: ChildWanted): boolean {
  return !isEqualJson(spec.serviceAccount, wanted.spec.serviceAccount)
}

export interface RepairOperation {
  readonly op: 'add' | 'replace' | 'remove'
  readonly path: string
  readonly value?: unknown
}

/** `all`: labels and annotations of others go too, as the reference has it; `own`: only what we wrote ourselves. */
export type RepairReach = 'own' | 'all'

/** What makes the child as it is wanted; nothing where it is. */
export function repairsOf(child: ServiceAccountRole, wanted: ChildWanted, reach: RepairReach): readonly RepairOperation[] {
  const { metadata, spec } = child
  return [
    ...repairWords('labels', metadata.labels, wanted.labels, keyTest('f:labels', child, reach)),
    ...repairWords('annotations', metadata.annotations, wanted.annotations, keyTest('f:annotations', child, reach)),
    ...(isEqualJson(spec, wanted.spec) ? [] : [{ op: 'replace' as const, path: '/spec', value: wanted.spec }]),
  ]
}

function repairWords(
  field: 'labels' | 'annotations',
  actual: Words | undefined,
  wanted: Words,
  isOurs: (key: string) => boolean,
): readonly RepairOperation[] {
  if (actual === undefined) return [{ op: 'add', path: `/metadata/${field}`, value: wanted }]
  const pathOf = (key: string): string => `/metadata/${field}/${escapePointer(key)}`
  const set = Object.entries(wanted).filter(([key, value]) => actual[key] !== value)
  const gone = Object.keys(actual).filter(key => !Object.hasOwn(wanted, key) && isOurs(key))
  return [
    ...set.map(([key, value]): RepairOperation => ({ op: 'add', path: pathOf(key), value })),
    ...gone.map((key): RepairOperation => ({ op: 'remove', path: pathOf(key) })),
  ]
}

/** Whether a key that is not wanted any more goes: one that a template of ours brought, and not what others put there (B30). */
function keyTest(field: 'f:labels' | 'f:annotations', child: ServiceAccountRole, reach: RepairReach): (key: string) => boolean {
  if (reach === 'all') return () => true
  return key => ownEntries(child).some(({ fieldsV1 }) => memberAt(fieldsV1, 'f:metadata', field, `f:${key}`) !== undefined)
}

/** When we changed the child last; `undefined` for one that the reference made. */
export function changedAt(child: ServiceAccountRole): number | undefined {
  const times = ownEntries(child).flatMap(({ time }) => (time === undefined ? [] : [Date.parse(time)]))
  return times.length === 0 ? undefined : Math.max(...times)
}

function ownEntries({ metadata }: ServiceAccountRole): readonly ManagedFieldsEntry[] {
  return (metadata.managedFields ?? []).filter(
    ({ manager, subresource }) => manager === operatorName && subresource === undefined,
  )
}

function covers(actual: Words | undefined, wanted: Words): boolean {
  return Object.entries(wanted).every(([key, value]) => actual?.[key] === value)
}
