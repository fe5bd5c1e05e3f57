// Whether the credentials of an object are due for a try.
import { createHash } from 'node:crypto'
import type { Instant } from '#base'
import { targetSecretName } from '../api/names.ts'
import { usesSecret } from '../credentials/source.ts'
import { contentHash, decodeSecret } from '../operand/content-hash.ts'
import type { PreflightAction } from '../preflight/runner.ts'
import { effectiveZones } from './request-of.ts'
import type { DnsSeen } from './seen.ts'

const intervalDefault = 600

/** How long until the next try; undefined where nothing is tried. */
export function preflightDue(seen: DnsSeen, now: Instant): number | undefined {
  const { model, preflight, surroundings } = seen
  const { preflight: wanted, provider } = model.spec
  const isTried = surroundings.settings.preflightEnabled && wanted?.enabled !== false
  if (!isTried || provider.type !== 'AWS' || !usesSecret(model.spec) || seen.target === undefined) return undefined
  if (preflight === undefined || preflight.fingerprint !== fingerprintOf(seen)) return 0
  return Math.max(0, preflight.at + (wanted?.intervalSeconds ?? intervalDefault) * 1_000 - now)
}

export function preflightActions(seen: DnsSeen, now: Instant): readonly PreflightAction[] {
  if (preflightDue(seen, now) !== 0) return []
  const { dns, model, surroundings } = seen
  const { name } = dns.metadata
  const aws = model.spec.provider.aws ?? {}
  return [
    {
      kind: 'act:preflight',
      summary: `try the credentials of ${name}`,
      name,
      namespace: surroundings.settings.operandNamespace,
      secretName: targetSecretName(name),
      aws,
      zones: effectiveZones(seen),
      region: aws.region ?? (surroundings.platform.awsRegion || 'us-east-1'),
      fingerprint: fingerprintOf(seen),
    },
  ]
}

/** Of all that a try rests on. */
function fingerprintOf(seen: DnsSeen): string {
  const { model, target, trustedCa } = seen
  const parts = [model.spec.provider.aws, effectiveZones(seen), contentHash(decodeSecret(target?.data)), trustedCa?.data]
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex')
}
