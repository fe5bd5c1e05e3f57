// Owner references: which object an object belongs to. Always by uid; the name alone is reused (W5).
import type { KubeObject, OwnerReference, StoredObject } from './objects.ts'

/** A reference that makes the garbage collector delete the dependent with its owner, and marks the owner as the one controller. */
export function controllerReference(owner: StoredObject): OwnerReference {
  return { ...ownerReference(owner), controller: true, blockOwnerDeletion: true }
}

export function ownerReference(owner: StoredObject): OwnerReference {
  return { apiVersion: owner.apiVersion, kind: owner.kind, name: owner.metadata.name, uid: owner.metadata.uid }
}

/** The reference of the object's controller, when it has one. */
export function controllerOf(object: KubeObject): OwnerReference | undefined {
  return object.metadata.ownerReferences?.find(reference => reference.controller === true)
}

/** True when the object names this very owner, not one that had the name before. */
export function isOwnedBy(object: KubeObject, owner: StoredObject): boolean {
  return object.metadata.ownerReferences?.some(reference => reference.uid === owner.metadata.uid) ?? false
}
