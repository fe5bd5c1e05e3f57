// What would take six calls: an authority that works.
import type { Context } from '../service.ts'
import { newAuthority } from './authorities.ts'
import { putAuthority } from './call.ts'
import { acmPermissions, acmPrincipal, type PcaState } from './model.ts'
import { selfSigned, serialOf } from './signing.ts'

const yearMs = 365 * 86_400_000

export const controls: Readonly<Record<string, (context: Context<PcaState>, args: Readonly<Record<string, string>>) => string>> =
  {
    /** A root that is ACTIVE and, unless `letsAcmIn` is `no`, lets ACM issue and renew; answers its ARN. */
    activeRoot(context, { commonName = 'Private Root', letsAcmIn = 'yes' }) {
      const configuration = { KeyAlgorithm: 'RSA_2048', SigningAlgorithm: 'SHA256WITHRSA', Subject: { CommonName: commonName } }
      const asked = { CertificateAuthorityType: 'ROOT', CertificateAuthorityConfiguration: configuration } as const
      const authority = newAuthority(context, asked, {})
      const [validFrom, validUntil] = [context.now, context.now + 10 * yearMs]
      const serial = Uint8Array.of(1)
      const certificate = selfSigned(authority, { subject: { commonName }, usage: 'ca', serial, validFrom, validUntil })
      const { now: createdMs, account: sourceAccount } = context
      putAuthority(context, {
        ...authority,
        status: 'ACTIVE',
        installed: { certificate, chain: '', serial: serialOf(certificate), notBeforeMs: validFrom, notAfterMs: validUntil },
        permissions: letsAcmIn === 'no' ? [] : [{ principal: acmPrincipal, sourceAccount, actions: acmPermissions, createdMs }],
      })
      return authority.arn
    },
  }
