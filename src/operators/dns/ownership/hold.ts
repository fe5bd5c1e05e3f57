// Whose an object is that bears the name of one that an operand needs.
import { controllerOf, type StoredObject } from '#kube'

export type OperandHold = 'ours' | 'former' | 'free' | 'foreign'

/** Whose an object of the operand is: of this very object, of one of the same name that is gone, nobody's, or of somebody else. */
export function holdOn(object: StoredObject, dns: StoredObject): OperandHold {
  const controller = controllerOf(object)
  if (controller === undefined) return 'free'
  if (controller.uid === dns.metadata.uid) return 'ours'
  return controller.kind === dns.kind && controller.name === dns.metadata.name ? 'former' : 'foreign'
}
