// What happens to certificates outside ACM's API: load balancers take them into use, people click on approval mails.
import type { Context } from '../service.ts'
import { acmFailure } from './errors.ts'
import { putCertificate, validated } from './life.ts'
import type { AcmCertificate, AcmState } from './model.ts'

export const controls: Readonly<Record<string, (context: Context<AcmState>, args: Readonly<Record<string, string>>) => void>> = {
  /** A consumer, such as a load balancer's ARN, takes the certificate into use. */
  attach(context, { certificateArn = '', consumerArn = '' }) {
    const certificate = found(context, certificateArn)
    putCertificate(context, { ...certificate, inUseBy: [...new Set([...certificate.inUseBy, consumerArn])] })
  },
  detach(context, { certificateArn = '', consumerArn = '' }) {
    const certificate = found(context, certificateArn)
    putCertificate(context, { ...certificate, inUseBy: certificate.inUseBy.filter(other => other !== consumerArn) })
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
