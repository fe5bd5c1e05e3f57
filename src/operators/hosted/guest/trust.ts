// Whom the guest's API server trusts when it calls the sidecar: the root authority of the control plane. When that changes, the sidecar's
// certificate is signed anew and reaches its files some time later; until then what was trusted before is trusted too, so that no pod of
// those minutes goes without its identity.
import { earlierOf, type Instant, isIssuedBy, onlyCertificate, parseCertificate } from '#base'
import { type PlatformSecret, textIn } from '../build/authority.ts'
import type { GuestConfiguration } from '../build/guest-objects.ts'
import { backdatedMs } from '../build/pair.ts'

export interface TrustSeen {
  /** PEM. */
  readonly root: string
  readonly serving: PlatformSecret | undefined
  /** As it stands in the guest. */
  readonly configuration: GuestConfiguration | undefined
}

export interface Trust {
  readonly authorities: string
  /** After which nobody but the root is trusted. */
  readonly settlesInMs?: number
}

/** Mounted Secrets are brought up to date within two minutes, and whoever serves looks at its files once a minute. */
const overlapMs = 600_000

export function decideTrust({ root, serving, configuration }: TrustSeen, now: Instant): Trust {
  const earlier = earlierIn(root, configuration, now)
  if (earlier.length === 0) return { authorities: root }
  const settlesInMs = overlapLeft(root, serving, now)
  if (settlesInMs <= 0) return { authorities: root }
  return { authorities: [root.trimEnd(), ...earlier, ''].join('\n'), settlesInMs }
}

function earlierIn(root: string, configuration: GuestConfiguration | undefined, now: Instant): readonly string[] {
  const [webhook] = configuration?.webhooks ?? []
  const bundle = Buffer.from(webhook?.clientConfig?.caBundle ?? '', 'base64').toString()
  return earlierOf({ bundle, commonName: parseCertificate(root).subject.commonName, current: root }, now)
}

/** A certificate that is not signed yet has the whole time before it. */
function overlapLeft(root: string, serving: PlatformSecret | undefined, now: Instant): number {
  const certificate = onlyCertificate(textIn(serving, 'tls.crt'))
  if (certificate === undefined || !isIssuedBy(certificate, root)) return overlapMs
  return Date.parse(certificate.validFrom) + backdatedMs + overlapMs - now
}
