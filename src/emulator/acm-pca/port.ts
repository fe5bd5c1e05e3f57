// What ACM sees of an authority, and how it has certificates signed by it.
import type { AuthoritiesPort } from '../ports.ts'
import type { Service } from '../service.ts'
import { placeOfAuthority, questionOf } from './call.ts'
import { chainOf } from './certificates.ts'
import { grantsAcm, type PcaState, statusAt } from './model.ts'
import { digestOf, signedBy } from './signing.ts'

type At = Parameters<NonNullable<Service<PcaState>['offers']>>[0]

export function authoritiesPort(at: At): AuthoritiesPort {
  return {
    find(arn) {
      const [, , , region = '', account = ''] = arn.split(':')
      const context = at({ account, region })
      const authority = placeOfAuthority(context, arn)?.authority
      if (authority === undefined) return undefined
      const { SigningAlgorithm } = authority.configuration
      return {
        account,
        isActive: statusAt(authority, context.now) === 'ACTIVE',
        endsMs: authority.installed?.notAfterMs ?? 0,
        grantsAcm: grantsAcm(authority),
        issuing: questionOf('IssueCertificate', arn, authority),
        signature: SigningAlgorithm,
        chain: chainOf(authority),
        sign: request => signedBy(authority, { ...request, digest: digestOf(SigningAlgorithm) }),
      }
    },
  }
}
