// IAM's refusals (§5.2), in its own words.
import { ServiceError } from '../error.ts'

export const noSuchEntity = (message: string): ServiceError => new ServiceError('NoSuchEntity', 404, message)
export const alreadyExists = (message: string): ServiceError => new ServiceError('EntityAlreadyExists', 409, message)
export const limitExceeded = (message: string): ServiceError => new ServiceError('LimitExceeded', 409, message)
export const deleteConflict = (message: string): ServiceError => new ServiceError('DeleteConflict', 409, message)
export const invalidInput = (message: string): ServiceError => new ServiceError('InvalidInput', 400, message)
export const malformedPolicy = (message: string): ServiceError => new ServiceError('MalformedPolicyDocument', 400, message)
export const unmodifiable = (message: string): ServiceError => new ServiceError('UnmodifiableEntity', 400, message)
export const validationError = (message: string): ServiceError => new ServiceError('ValidationError', 400, message)
export const accessDenied = (message: string): ServiceError => new ServiceError('AccessDenied', 403, message)

export const concurrentModification = (): ServiceError =>
  new ServiceError('ConcurrentModification', 409, 'Another request is modifying this entity at the same time. Try again.')
export const issuerUnreachable = (): ServiceError =>
  new ServiceError('OpenIdIdpCommunicationError', 400, 'The identity provider could not be reached to read its certificate.')

export const roleMissing = (name: string): ServiceError => noSuchEntity(`The role with name ${name} cannot be found.`)
export const userMissing = (name: string): ServiceError => noSuchEntity(`The user with name ${name} cannot be found.`)
export const groupMissing = (name: string): ServiceError => noSuchEntity(`The group with name ${name} cannot be found.`)
export const policyMissing = (arn: string): ServiceError => noSuchEntity(`Policy ${arn} was not found.`)
export const profileMissing = (name: string): ServiceError => noSuchEntity(`Instance Profile ${name} cannot be found.`)
export const providerMissing = (arn: string): ServiceError => noSuchEntity(`OpenIDConnect Provider not found for arn ${arn}`)
