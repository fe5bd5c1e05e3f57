// What is said of credentials, of the role, of the zones and of the records: what was tried and read, for as long as it holds.
import type { Condition } from '#kube'
import { sourceProblem } from '../credentials/source.ts'
import { targetData } from '../credentials/target-data.ts'
import { decodeSecret } from '../operand/content-hash.ts'
import { discoveryMode, lacksZones } from '../zones/effective.ts'
import { boundOf } from './identity.ts'
import { isTried } from './preflight-actions.ts'
import type { DnsSeen } from './seen.ts'

export function credentialConditions(seen: DnsSeen): readonly Condition[] {
  const isAws = seen.model.spec.provider.type === 'AWS'
  const others = isAws ? [triedCondition(seen, 'RoleAssumable'), zonesCondition(seen)] : []
  return [validCondition(seen), ...others, seen.operand?.condition ?? held(seen, 'RecordsSynced')]
}

function validCondition(seen: DnsSeen): Condition {
  const type = 'CredentialsValid'
  const flaw = secretFlaw(seen)
  if (flaw !== undefined) return { type, status: 'False', reason: 'InvalidSecret', message: flaw }
  const bound = boundOf(seen)
  if (bound?.kind === 'wait') return { type, status: 'False', reason: bound.reason, message: bound.message }
  return seen.model.spec.provider.type === 'AWS' ? triedCondition(seen, type) : contentCondition(seen)
}

/** Providers whose credentials are not tried: what can be seen is what the Secret holds. */
function contentCondition({ source, target }: DnsSeen): Condition {
  const type = 'CredentialsValid'
  if (source?.secret === undefined && target === undefined)
    return { type, status: 'Unknown', reason: 'NotCheckedYet', message: 'Nobody has looked yet.' }
  return { type, status: 'True', reason: 'ContentUsable', message: 'The secret holds what the operand needs.' }
}

function zonesCondition(seen: DnsSeen): Condition {
  const type = 'ZonesAccessible'
  if (discoveryMode(seen) === 'PlatformDNS' && lacksZones(seen)) {
    const message = 'The platform names no zone by its id (dnses.config.openshift.io cluster).'
    return { type, status: 'False', reason: 'NoZonesFound', message }
  }
  return triedCondition(seen, type)
}

/** What was tried holds until it is tried again; what nobody has tried is unknown. */
function triedCondition(seen: DnsSeen, type: string): Condition {
  if (!isTried(seen)) return { type, status: 'Unknown', reason: 'NotChecked', message: 'The preflight is off.' }
  return seen.preflight?.conditions.find(condition => condition.type === type) ?? held(seen, type)
}

/** What is said by looking at an object or a setting alone holds for no longer than that. */
const seenNow = /^(InvalidSecret|NotChecked)$/

function held(seen: DnsSeen, type: string): Condition {
  const stored = seen.dns.status?.conditions?.find(condition => condition.type === type)
  // The word of a binding that was not ready yet.
  const isOfBinding = type === 'CredentialsValid' && stored?.status === 'False' && boundOf(seen) !== undefined
  if (stored !== undefined && !isOfBinding && !seenNow.test(stored.reason)) {
    const { status, reason, message } = stored
    return { type, status, reason, message }
  }
  return { type, status: 'Unknown', reason: 'NotCheckedYet', message: 'Nobody has looked yet.' }
}

/** What is wrong with the content of the Secret; never what it holds. */
function secretFlaw({ dns, model, source, surroundings: { platform } }: DnsSeen): string | undefined {
  if (source?.secret === undefined) return undefined
  const stranger = sourceProblem(source.secret, dns)
  if (stranger !== undefined) return stranger
  const made = targetData(model.spec, decodeSecret(source.secret.data), platform.isOpenShift)
  return 'problem' in made ? made.problem : made.flaw
}
