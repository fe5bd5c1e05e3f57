// Whether a signature was made for this service in this region: a good one for elsewhere is refused, in the words of each family.
import type { Claim } from '../../auth/signature.ts'
import { ServiceError } from '../../error.ts'
import { regionForm } from '../../wire/address.ts'
import { type Family, refusal } from '../../wire/family.ts'
import type { IncomingCall } from '../incoming.ts'

interface Expected {
  readonly incoming: IncomingCall
  readonly family: Family
  readonly signingName: string
}

export function checkScope(claim: Claim, { incoming: { address }, family, signingName }: Expected): void {
  const { region, service } = claim.scope
  if (service !== signingName) throw wrongService(family, claim, signingName)
  const expected = address.hostNamed ? address.region : undefined
  if (regionForm.test(region) && (expected === undefined || expected === region)) return
  if (family === 's3') throw wrongBucketRegion(claim, expected ?? 'us-east-1')
  throw refusal(family, 'wrong signature', `Credential should be scoped to a valid region, not '${region}'.`)
}

function wrongService(family: Family, { scope }: Claim, expected: string): ServiceError {
  if (family !== 's3') return refusal(family, 'wrong signature', `Credential should be scoped to correct service: '${expected}'.`)
  const why = `incorrect service "${scope.service}". This endpoint belongs to "${expected}".`
  return refusal(family, 'incomplete signature', `The authorization header is malformed; ${why}`)
}

/** S3 says which region it had expected, and clients sign again for that one. */
function wrongBucketRegion({ scope, expiresS }: Claim, expected: string): ServiceError {
  const where = `the region '${scope.region}' is wrong; expecting '${expected}'`
  const fields = { Region: expected }
  return expiresS === undefined
    ? new ServiceError('AuthorizationHeaderMalformed', 400, `The authorization header is malformed; ${where}`, fields)
    : new ServiceError('AuthorizationQueryParametersError', 400, `Error parsing the X-Amz-Credential parameter; ${where}`, fields)
}
