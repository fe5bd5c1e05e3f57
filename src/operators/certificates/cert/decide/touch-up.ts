// What can be changed of a certificate without another one: its option, and its tags where they were looked at.
import type { Cert } from '../../api/kinds.ts'
import type { CloudAction } from '../cloud-action.ts'
import type { Look } from '../seen.ts'
import type { CertSettings } from '../settings.ts'
import { certificateCall, tagList } from './calls.ts'
import { ownTagsOnly } from './tags.ts'

export function touchUp(claim: Cert, look: Look, settings: CertSettings): readonly CloudAction[] {
  if (look.kind !== 'present') return []
  const { certificate, tags } = look
  const { spec } = claim
  const actions: CloudAction[] = []
  if (
    spec.issuer?.type !== 'PrivateCA' &&
    certificate.type !== 'PRIVATE' &&
    certificate.transparencyLogging !== spec.transparencyLogging
  ) {
    const preference = spec.transparencyLogging === 'Disabled' ? 'DISABLED' : 'ENABLED'
    const Options = { CertificateTransparencyLoggingPreference: preference }
    actions.push(certificateCall('options', certificate.arn, { Options }))
  }
  if (tags === undefined) return actions
  const { missing, surplus } = ownTagsOnly(claim, tags, settings.clusterId)
  if (Object.keys(missing).length > 0) actions.push(certificateCall('tag', certificate.arn, { Tags: tagList(missing) }))
  if (surplus.length > 0) actions.push(certificateCall('untag', certificate.arn, { Tags: surplus.map(Key => ({ Key })) }))
  return actions
}
