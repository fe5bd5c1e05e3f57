// Reads the Secret that is written to: whether it is there, and may be written.

import { type ObjectKey, renderKey } from '#kube'
import type { Resource } from '../api.ts'
import { refusedTarget, refusedUnread, type WriteRules } from '../exports/target.ts'
import type { SecretOutput } from '../kinds/deviation.ts'
import type { Output, OutputSecret } from '../seen/seen.ts'

export interface OutputReads {
  read(key: ObjectKey): Promise<OutputSecret | undefined>
  readonly rules: WriteRules
}

/** Those that programs which serve a certificate read. */
const secretTypes = ['Opaque', 'kubernetes.io/tls']

export async function readOutput(output: SecretOutput, claim: Resource, reads: OutputReads): Promise<Output> {
  const target = claim.metadata.deletionTimestamp === undefined ? output.target(claim) : undefined
  if (target === undefined) return { kind: 'none' }
  const asked = { kind: 'Secret', key: target, from: claim.metadata.namespace ?? '', secretTypes } as const
  const unread = refusedUnread(asked, reads.rules)
  if (unread !== undefined) return { kind: 'unusable', message: unread.message }
  const secret = await reads.read(target)
  const refused = refusedTarget(asked, secret)
  if (refused !== undefined) return { kind: 'unusable', message: refused.message }
  if (secret === undefined) return { kind: 'unusable', message: `kubernetes secret not found: ${renderKey(target)}` }
  return { kind: 'found', target, secret }
}
