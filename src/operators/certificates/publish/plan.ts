// Which objects get the ARN, and from which it is taken.
import type { Action } from '#runtime'
import type { CertAction } from '../cert/cloud-action.ts'
import type { Sighted } from '../cert/seen.ts'

/** Takes our own ARN, and nothing else, out of whatever carries it. */
export function unpublishActions(_seen: Sighted): readonly Action<CertAction>[] {
  return []
}
