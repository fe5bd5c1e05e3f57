// What the builder of the Deployment is asked, from what was seen.
import { targetSecretName } from '../api/names.ts'
import { usesSecret } from '../credentials/source.ts'
import { contentHash, decodeSecret, textHash } from '../operand/content-hash.ts'
import type { OperandRequest } from '../operand/request.ts'
import { effectiveZones, zoneRoles } from '../zones/effective.ts'
import type { DnsSeen } from './seen.ts'

export function requestOf(seen: DnsSeen, ownerId: string): OperandRequest {
  const { dns, model, target, trustedCa, surroundings } = seen
  const { settings, platform } = surroundings
  const mounts = usesSecret(model.spec)
  return {
    name: dns.metadata.name,
    uid: dns.metadata.uid,
    namespace: settings.operandNamespace,
    model,
    zones: effectiveZones(seen),
    zoneRoles: zoneRoles(seen),
    ownerId,
    platform,
    image: settings.image,
    operandVersion: settings.operandVersion,
    secret: {
      name: mounts ? targetSecretName(dns.metadata.name) : '',
      hash: contentHash(mounts ? decodeSecret(target?.data) : {}),
    },
    trustedCaHash: settings.trustedCaConfigMap === '' ? undefined : textHash(trustedCa?.data),
    proxy: settings.proxy,
    metricsHost: settings.metricsHost,
  }
}
