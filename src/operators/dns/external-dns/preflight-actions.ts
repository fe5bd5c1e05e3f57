// Whether the credentials of an object are due for a try.
import { createHash } from 'node:crypto'
import type { Instant } from '#base'
import { targetSecretName } from '../api/names.ts'
import { contentHash, decodeSecret } from '../operand/content-hash.ts'
import type { BaseIdentity } from '../preflight/base-credentials.ts'
import type { PreflightAction } from '../preflight/runner.ts'
import { effectiveZones, knownZones, zoneRoles, zoneWish } from '../zones/effective.ts'
import { baseIdentity } from './identity.ts'
import type { DnsSeen } from './seen.ts'

const intervalDefault = 600

/** Whether somebody wants credentials to be tried. */
export function isTried({ model, surroundings }: Pick<DnsSeen, 'model' | 'surroundings'>): boolean {
  const { preflight, provider } = model.spec
  return surroundings.settings.preflightEnabled && preflight?.enabled !== false && provider.type === 'AWS'
}

/** How long until the next try; undefined where nothing is tried. */
export function preflightDue(seen: DnsSeen, now: Instant): number | undefined {
  const { model, preflight } = seen
  const identity = isTried(seen) ? baseIdentity(seen) : undefined
  if (identity === undefined) return undefined
  if (preflight === undefined || preflight.fingerprint !== fingerprintOf(seen, identity)) return 0
  // The operand has met a refusal, or none any more, since the last try.
  if (seen.operand?.turnedAt !== undefined && preflight.at < seen.operand.turnedAt) return 0
  const intervalMs = (model.spec.preflight?.intervalSeconds ?? intervalDefault) * 1_000
  return Math.max(0, preflight.at + spread(intervalMs, seen.dns.metadata.uid, preflight.at) - now)
}

/** Ten percent more or less, so that many objects do not ask AWS in step. From the object and the time alone: a decision draws no lots. */
function spread(intervalMs: number, uid: string, at: Instant): number {
  const drawn = createHash('sha256').update(`${uid} ${at}`).digest().readUInt16BE(0) / 0xffff
  return Math.round(intervalMs * (0.9 + 0.2 * drawn))
}

export function preflightActions(seen: DnsSeen, now: Instant): readonly PreflightAction[] {
  const identity = baseIdentity(seen)
  if (identity === undefined || preflightDue(seen, now) !== 0) return []
  const { dns, model, surroundings } = seen
  const { name } = dns.metadata
  const { aws = {} } = model.spec.provider
  const fingerprint = fingerprintOf(seen, identity)
  return [
    {
      kind: 'act:preflight',
      summary: `try the credentials of ${name}`,
      name,
      namespace: surroundings.settings.operandNamespace,
      secretName: targetSecretName(name),
      identity,
      aws,
      zones: effectiveZones(seen),
      zoneRoles: zoneRoles(seen),
      discovery: discoveryOf(seen, fingerprint),
      simulates: model.spec.preflight?.simulate === true,
      region: aws.region ?? (surroundings.platform.awsRegion || 'us-east-1'),
      fingerprint,
    },
  ]
}

/** What was found for another wish says nothing about this one. */
function discoveryOf(seen: DnsSeen, fingerprint: string): PreflightAction['discovery'] {
  const wish = zoneWish(seen)
  if (wish === undefined) return undefined
  const { preflight, dns } = seen
  const isSame =
    preflight === undefined ? dns.status?.observedGeneration === dns.metadata.generation : preflight.fingerprint === fingerprint
  return { ...wish, known: isSame ? knownZones(seen) : { zones: [], doubted: [] } }
}

/** Of all that a try rests on; not of the zones that it finds itself. */
function fingerprintOf(seen: DnsSeen, identity: BaseIdentity): string {
  const { model, target, trustedCa } = seen
  const wish = zoneWish(seen)
  const { provider, preflight } = model.spec
  const parts = [
    provider.aws,
    wish ?? effectiveZones(seen),
    zoneRoles(seen),
    preflight?.simulate,
    identity,
    identity.kind === 'file' ? contentHash(decodeSecret(target?.data)) : undefined,
    trustedCa?.data,
  ]
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex')
}
