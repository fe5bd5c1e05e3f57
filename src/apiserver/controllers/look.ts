// Small reads of the store that several controllers share.

import { createHash } from 'node:crypto'
import { type LabelSelectorObject, selectorFromObject } from '#kube'
import type { Committed } from '../draft.ts'
import type { StorePort } from '../store/store.ts'

/** All objects of a table within a namespace. */
export function objectsIn(ports: StorePort, table: string, namespace: string): Committed[] {
  const found: Committed[] = []
  const prefix = `${namespace}/`
  ports.store.table(table).rows.visit(prefix, (version, key) => {
    if (!key.startsWith(prefix)) return false
    found.push(version.object)
    return true
  })
  return found
}

export function findObject(ports: StorePort, table: string, key: string): Committed | undefined {
  return ports.store.table(table).rows.get(key)?.object
}

export function controllerOf(
  object: Committed,
): { readonly kind: string; readonly name: string; readonly uid: string } | undefined {
  return object.metadata.ownerReferences?.find(owner => owner.controller === true)
}

export function ownerReference(owner: Committed): Record<string, unknown> {
  const { name, uid } = owner.metadata
  return { apiVersion: owner.apiVersion, kind: owner.kind, name, uid, controller: true, blockOwnerDeletion: true }
}

export function selects(selector: unknown, labels: Readonly<Record<string, string>> | undefined): boolean {
  return selectorFromObject((selector ?? {}) as LabelSelectorObject).matches(labels)
}

export function isReady(pod: Committed): boolean {
  return pod.metadata.deletionTimestamp === undefined && conditionStatus(pod, 'Ready') === 'True'
}

export function conditionStatus(object: Committed, type: string): string | undefined {
  const { conditions } = (object.status ?? {}) as { conditions?: readonly { type: string; status: string }[] | null }
  return conditions?.find(condition => condition.type === type)?.status
}

/** A short name for a value, in the alphabet of generated names: equal values, equal names. */
export function hashName(value: unknown): string {
  const alphabet = 'bcdfghjklmnpqrstvwxz2456789'
  const digest = createHash('sha256').update(JSON.stringify(value)).digest()
  return Array.from(digest.subarray(0, 9), byte => alphabet[byte % alphabet.length]).join('')
}
