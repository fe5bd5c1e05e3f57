// Route 53's refusals: the code and the status that goes with it (§10.4).
import { ServiceError } from '../error.ts'

const statusOf = {
  ConflictingDomainExists: 400,
  DelegationSetNotAvailable: 400,
  HealthCheckAlreadyExists: 409,
  HealthCheckVersionMismatch: 409,
  HostedZoneAlreadyExists: 409,
  HostedZoneNotEmpty: 400,
  InvalidArgument: 400,
  InvalidChangeBatch: 400,
  InvalidDomainName: 400,
  InvalidInput: 400,
  InvalidVPCId: 400,
  LastVPCAssociation: 400,
  NoSuchChange: 404,
  NoSuchHealthCheck: 404,
  NoSuchHostedZone: 404,
  NoSuchDelegationSet: 400,
  PriorRequestNotComplete: 400,
  PublicZoneVPCAssociation: 400,
  TooManyHealthChecks: 400,
  TooManyHostedZones: 400,
  VPCAssociationNotFound: 404,
} as const

export type Route53ErrorCode = keyof typeof statusOf

export function route53Failure(code: Route53ErrorCode, message: string): ServiceError {
  return new ServiceError(code, statusOf[code], message)
}
