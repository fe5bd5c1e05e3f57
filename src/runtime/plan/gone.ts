import type { ObjectKey } from '#kube'
import { KubeError } from '#kube/client'

/**
 * The server says of this very object that it is not there. A 404 that names no object is about the kind, which is not served just now, or
 * comes from a proxy in between: it says nothing of the object, and must not be taken for its absence (P5).
 */
export function saysGone(error: unknown, key: ObjectKey): boolean {
  return error instanceof KubeError && error.reason === 'NotFound' && error.status?.details?.name === key.name
}
