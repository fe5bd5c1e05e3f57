// Certificates that were replaced: told apart by use, and gone when they may go.
import { parseDuration } from '#base'
import type { Superseded } from '../../api/status.ts'
import type { CloudAction } from '../cloud-action.ts'
import { withRoom } from '../room.ts'
import type { Look, Sighted } from '../seen.ts'
import type { CertSettings } from '../settings.ts'
import { deleteCertificateCall } from './calls.ts'
import { agoMs } from './fields.ts'
import type { Verdict } from './verdict.ts'

/** Whether it is not in its place again, the spec lets it go, it is old enough, and nothing uses it. */
export function mayGo(
  { arn, supersededAt }: Superseded,
  look: Look | undefined,
  seen: Pick<Sighted, 'claim' | 'nowMs' | 'aheadMs'>,
): boolean {
  if (isInPlace(seen.claim, arn)) return false
  const { deleteSuperseded = false, retain = '168h' } = seen.claim.spec.rotation ?? {}
  const isOld = agoMs(seen, supersededAt) >= (parseDuration(retain) ?? 0)
  return deleteSuperseded && isOld && look?.kind === 'present' && look.certificate.inUseBy.length === 0
}

/** Current, or on its way to be: a hand, or a pass that did not know of it, listed it as replaced. */
function isInPlace({ status }: Sighted['claim'], arn: string): boolean {
  return arn === status?.certificateArn || arn === status?.pendingCertificateArn
}

export function supersededOf(
  seen: Sighted,
  settings: CertSettings,
): { readonly actions: readonly CloudAction[]; readonly status: Verdict['status'] } {
  const { claim, superseded } = seen
  const entries = claim.status?.supersededCertificates ?? []
  if (entries.length === 0) return { actions: [], status: {} }
  const left: Superseded[] = []
  const going: (readonly [arn: string, look: Look | undefined])[] = []
  for (const entry of entries) {
    const look = superseded.get(entry.arn)
    if (look?.kind === 'absent' || isInPlace(claim, entry.arn)) continue
    const inUse = look?.kind === 'present' ? look.certificate.inUseBy.length > 0 : entry.inUse
    if (mayGo(entry, look, seen)) going.push([entry.arn, look])
    // It leaves the list once it was seen gone.
    left.push({ ...entry, inUse })
  }
  const actions = withRoom(claim.status?.validationRecords ?? [], going).map(arn =>
    deleteCertificateCall(claim, settings.clusterId, arn),
  )
  return { actions, status: { supersededCertificates: left.length === 0 ? undefined : left } }
}
