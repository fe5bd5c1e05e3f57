// What the Role controller keeps of each kind, and the lookups over it. Shared, so that two controllers that want one kind want the same.

import { given } from '#base'
import { type ClusterProfile, clusterNameLabel, clusterProfileKind } from '#fleet'
import type { ObjectKey, StoredObject } from '#kube'
import { indexBy, keepOwnFields, type Reads, type Source, type SourceIndex } from '#runtime'
import { roleKind, type ServiceAccountRole } from '../api/kinds.ts'
import { annotations, operatorName } from '../api/labels.ts'
import { podIdentityAssociationName } from '../names.ts'

const accountIndex = 'spec.serviceAccount'
const associationIndex = 'association-name'
const profileIndex = 'cluster-name'
const setIndex = 'replicaset-owner-ref'

const byAccount: SourceIndex = indexBy<ServiceAccountRole>(({ metadata, spec }) => {
  const { namespace, name } = spec.serviceAccount
  return [accountValue(metadata.namespace ?? '', { namespace, name })]
})
const byAssociation: SourceIndex = indexBy<StoredObject>(({ metadata }) => [
  `${metadata.namespace ?? ''}/${podIdentityAssociationName(metadata.name)}`,
])
const byCluster: SourceIndex = indexBy<StoredObject>(({ metadata }) => {
  const name = metadata.labels?.[clusterNameLabel]
  return name === undefined || name === '' ? [] : [name]
})

const bySet: SourceIndex = indexBy<StoredObject>(({ metadata }) => {
  const owner = metadata.annotations?.[annotations.replicaSetOwnerRef]
  return owner === undefined ? [] : [owner]
})

/** Of what we wrote ourselves the field set is kept: it says which labels of a ReplicaSet's child are ours, and when we changed it last. */
export const roleSource: Source = {
  type: roleKind.type,
  project: keepOwnFields([operatorName]),
  indexes: { [accountIndex]: byAccount, [associationIndex]: byAssociation, [setIndex]: bySet },
}

/** All bindings that name this ReplicaSet, as `namespace/name`, as their owner; whether they are its own is another question. */
export function rolesNaming(world: Reads, set: string): readonly ServiceAccountRole[] {
  return world.byIndex<ServiceAccountRole>(roleKind.type, setIndex, set)
}

/** `namespaces`: where the inventory publishes; absent for all. */
export function clusterProfileSource(namespaces?: readonly string[]): Source {
  return {
    type: clusterProfileKind.type,
    indexes: { [profileIndex]: byCluster },
    ...given({ namespaces }),
  }
}

/** All bindings of the namespace that name this ServiceAccount, terminating ones too. */
export function rolesOfAccount(world: Reads, namespace: string, account: ObjectKey): readonly ServiceAccountRole[] {
  return world.byIndex<ServiceAccountRole>(roleKind.type, accountIndex, accountValue(namespace, account))
}

/** Bindings whose association has this name; more than one where names differ only in what names of objects cannot hold. */
export function rolesOfAssociation(world: Reads, namespace: string, name: string): readonly ServiceAccountRole[] {
  return world.byIndex<ServiceAccountRole>(roleKind.type, associationIndex, `${namespace}/${name}`)
}

/** The keys of all bindings of the hub. */
export function allRoles(world: Reads): readonly ObjectKey[] {
  return world.list(roleKind.type).map(({ metadata }) => ({ namespace: metadata.namespace ?? '', name: metadata.name }))
}

/** The profiles that stand for this workload namespace. */
export function profilesOf(world: Reads, namespace: string): readonly ClusterProfile[] {
  return world.byIndex<ClusterProfile>(clusterProfileKind.type, profileIndex, namespace)
}

/** None of the three can hold a slash. */
function accountValue(namespace: string, account: ObjectKey): string {
  return `${namespace}/${account.namespace}/${account.name}`
}
