// What happens to certificates outside ACM's API: load balancers take them into use, people click on approval mails.
import type { Context } from '../service.ts'
import { acmDelays } from './delays.ts'
import { acmFailure } from './errors.ts'
import { privateKeyOf } from './issuing.ts'
import { putCertificate, validated } from './life.ts'
import type { AcmCertificate, AcmState } from './model.ts'

export const controls: Readonly<Record<string, (context: Context<AcmState>, args: Readonly<Record<string, string>>) => unknown>> =
  {
    /** A consumer, such as a load balancer's ARN, takes the certificate into use. */
    attach(context, { certificateArn = '', consumerArn = '' }) {
      const certificate = found(context, certificateArn)
      const others = certificate.uses.filter(use => use.consumer !== consumerArn)
      const shownMs = context.now + context.delay(acmDelays.certificateTaken, `use/${certificate.id}/${consumerArn}`)
      putCertificate(context, { ...certificate, uses: [...others, { consumer: consumerArn, shownMs }] })
    },
    detach(context, { certificateArn = '', consumerArn = '' }) {
      const certificate = found(context, certificateArn)
      const forgottenMs = context.now + context.delay(acmDelays.certificateFreed, `use/${certificate.id}/${consumerArn}`)
      const uses = certificate.uses
        .filter(use => use.forgottenMs === undefined || use.forgottenMs > context.now)
        .map(use => (use.consumer === consumerArn ? { ...use, forgottenMs } : use))
      putCertificate(context, { ...certificate, uses })
    },
    /** What a load balancer serves TLS with: inside AWS the key reaches it, and nobody else. PEM of `certificate`, `chain` and `key`. */
    servingPair(context, { certificateArn = '' }) {
      const certificate = found(context, certificateArn)
      if (certificate.issued === undefined)
        throw acmFailure('RequestInProgressException', `Certificate ${certificateArn} has not been issued.`)
      const { certificate: leaf, chain } = certificate.issued
      return { certificate: leaf, chain, key: privateKeyOf(context, certificate) }
    },
    /** Somebody follows the link in the approval mail of this domain. */
    approveMail(context, { certificateArn = '', domain = '' }) {
      const certificate = found(context, certificateArn)
      if (certificate.method !== 'EMAIL' || certificate.status !== 'PENDING_VALIDATION') {
        throw acmFailure('InvalidStateException', `Certificate ${certificateArn} is not waiting for an approval by mail.`)
      }
      const validations = certificate.validations.map(validation =>
        domain === '' || validation.name === domain ? { ...validation, status: 'SUCCESS' as const } : validation,
      )
      validated(context, { ...certificate, validations })
    },
  }

function found(context: Context<AcmState>, arn: string): AcmCertificate {
  const certificate = context.store.get().certificates.get(arn.slice(arn.lastIndexOf('/') + 1))
  if (certificate === undefined) throw acmFailure('ResourceNotFoundException', `Could not find certificate ${arn}.`)
  return certificate
}
