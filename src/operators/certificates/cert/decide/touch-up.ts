// What can be changed of a certificate without another one: its option, and its tags where they were looked at.

import type { Cert } from '../../api/kinds.ts'
import { managedBy, tagKeys } from '../../api/labels.ts'
import { ownerOf, ownershipOf } from '../../aws/certificate.ts'
import type { CloudAction } from '../cloud-action.ts'
import type { Look } from '../seen.ts'
import type { CertSettings } from '../settings.ts'
import { certificateCall, ownCertificateCall, tagList } from './calls.ts'
import { appliedTags, ownTagsOnly } from './tags.ts'
import type { Verdict } from './verdict.ts'

export interface TouchUp {
  readonly actions: readonly CloudAction[]
  /** Which tags of the spec are there, if all succeeds. */
  readonly status: Pick<Verdict['status'], 'appliedTags'>
  /** Where something would be changed, and the tags do not say that it is ours to change. */
  readonly heldUp?: NonNullable<Verdict['heldUp']>
}

export function touchUp(claim: Cert, look: Look, settings: CertSettings): TouchUp {
  if (look.kind !== 'present') return { actions: [], status: {} }
  const { certificate, tags } = look
  const { spec, metadata } = claim
  const options: CloudAction[] = []
  if (
    spec.issuer?.type !== 'PrivateCA' &&
    certificate.type !== 'PRIVATE' &&
    certificate.transparencyLogging !== spec.transparencyLogging
  ) {
    const preference = spec.transparencyLogging === 'Disabled' ? 'DISABLED' : 'ENABLED'
    const Options = { CertificateTransparencyLoggingPreference: preference }
    options.push(ownCertificateCall(claim, settings.clusterId, 'options', certificate.arn, { Options }))
  }
  if (tags === undefined) return { actions: options, status: {} }
  const { namespace = '', name } = metadata
  const isOurs = ownershipOf(tags, ownerOf(claim, settings.clusterId)) === 'ours'
  const { missing, surplus } = ownTagsOnly(claim, tags, settings.clusterId)
  const isAnyAsked = options.length > 0 || surplus.length > 0 || Object.keys(missing).some(key => key in spec.tags)
  if (!isOurs && isAnyAsked) return { actions: [], status: {}, heldUp: unmarked(namespace, name) }
  if (!isOurs) return { actions: [], status: appliedTags(claim) }
  return {
    status: appliedTags(claim),
    actions: [
      ...options,
      ...(Object.keys(missing).length > 0 ? [certificateCall('tag', certificate.arn, { Tags: tagList(missing) })] : []),
      ...(surplus.length > 0 ? [certificateCall('untag', certificate.arn, { Tags: surplus.map(Key => ({ Key })) })] : []),
    ],
  }
}

/** Somebody took our marks away. It goes on serving; to change it, we would have to take the status's word for it. */
function unmarked(namespace: string, name: string): NonNullable<Verdict['heldUp']> {
  const marks = [
    [tagKeys.managedBy, managedBy],
    [tagKeys.namespace, namespace],
    [tagKeys.name, name],
  ]
  const tags = marks.map(([key, value]) => `${key}=${value}`).join(', ')
  return {
    reason: 'AccessDenied',
    message: `the certificate carries no mark of this object and is not changed: tag it with ${tags}`,
  }
}
