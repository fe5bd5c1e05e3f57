// STS's refusals (§6.1), with the texts that clients look for.
import { ServiceError } from '../error.ts'

export const accessDenied = (message: string): ServiceError => new ServiceError('AccessDenied', 403, message)
export const validationError = (message: string): ServiceError => new ServiceError('ValidationError', 400, message)
export const invalidToken = (message: string): ServiceError => new ServiceError('InvalidIdentityToken', 400, message)

/** The two spaces are AWS's. */
const keysUnavailableText =
  "Couldn't retrieve verification key from your identity provider,  please reference AssumeRoleWithWebIdentity documentation for requirements"
export const keysUnavailable = (): ServiceError => invalidToken(keysUnavailableText)
export const idpUnreachable = (): ServiceError =>
  new ServiceError('IDPCommunicationError', 400, 'The identity provider could not be reached.')

export const tokenExpired = (nowS: number, expS: number): ServiceError =>
  new ServiceError(
    'ExpiredTokenException',
    400,
    `Token expired: current date/time ${nowS} must be before the expiration date/time ${expS}`,
  )

export const webIdentityDenied = (): ServiceError => accessDenied('Not authorized to perform sts:AssumeRoleWithWebIdentity')
export const packedTooLarge = (percent: number): ServiceError =>
  new ServiceError(
    'PackedPolicyTooLarge',
    400,
    `Packed policy consumes ${percent}% of allotted space, please use smaller policy.`,
  )
export const regionDisabled = (account: string): ServiceError =>
  new ServiceError(
    'RegionDisabledException',
    403,
    `STS is not activated in this region for account:${account}. Your account administrator can activate STS in this region using the IAM Console.`,
  )
