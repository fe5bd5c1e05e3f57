// What a Cert says of itself.
import { type Presence, type Schema, type StoredCondition, schema } from '#kube'
import { type PublishedPlace, publishedObjects } from './publish.ts'

const { boolean, conditions, dateTime, integer, list, object, oneOf, string } = schema

const int64 = integer({ format: 'int64', minimum: 0 })

export type CertState = 'Pending' | 'Created' | 'Validated' | 'Ready' | 'Failed'
export const states: readonly CertState[] = ['Pending', 'Created', 'Validated', 'Ready', 'Failed']

export interface CertStatus {
  readonly state?: string
  readonly message?: string
  readonly certificateArn?: string
  readonly domainName?: string
  readonly expirationDate?: string
  readonly certReady?: boolean
  readonly resolvedZone?: ResolvedZone
  readonly resolvedZones?: readonly (ResolvedZone & { readonly domain: string })[]
  readonly observedGeneration?: number
  readonly conditions?: readonly StoredCondition[]
  readonly validationRecords?: readonly CertValidationRecord[]
  readonly pendingCertificateArn?: string
  readonly supersededCertificates?: readonly Superseded[]
  readonly request?: CertRequest
  readonly renewal?: CertRenewalStatus
  readonly inUse?: boolean
  readonly serial?: string
  readonly notBefore?: string
  readonly issuedAt?: string
  readonly lastFailure?: LastFailure
  readonly published?: readonly PublishedPlace[]
  readonly answered?: { readonly retry?: string; readonly renew?: string }
  readonly appliedTags?: readonly string[]
}

export interface ResolvedZone {
  readonly id: string
  readonly name: string
}

export interface CertValidationRecord {
  readonly name: string
  readonly type: string
  readonly value: string
  readonly zoneId: string
  readonly domains: readonly string[]
  readonly changeId?: string
  readonly phase: 'Absent' | 'Submitted' | 'InSync' | 'Removed'
  readonly domainStatus?: string
}

export interface Superseded {
  readonly arn: string
  readonly supersededAt: string
  readonly inUse: boolean
}

/** The intent of a request, durable before it is sent. */
export interface CertRequest {
  readonly requestedAt: string
  readonly specHash: string
  readonly revision: number
}

export interface CertRenewalStatus {
  readonly status?: string
  readonly reason?: string
  readonly eligibility?: string
  readonly updatedAt?: string
}

export interface LastFailure {
  readonly reason: string
  readonly message: string
  readonly time: string
  readonly count: number
  /** Who refused it, where it was not AWS. */
  readonly refusedBy?: string
}

const refusers = ['CertPolicy', 'DailyBudget'] as const
export type Refuser = (typeof refusers)[number]

const validationRecord = object({
  name: string().describe('Name of the CNAME.'),
  type: string().describe('CNAME.'),
  value: string().describe('What it points to.'),
  zoneId: string().describe('The hosted zone it is written to.'),
  domains: list(string()).describe('The names it validates.'),
  changeId: string().optional().describe('The change that is on its way to the DNS.'),
  phase: oneOf('Absent', 'Submitted', 'InSync', 'Removed').describe('How far it is.'),
  domainStatus: string().optional().describe('What ACM says of the validation.'),
}).describe('A validation record.')

const superseded = object({
  arn: string().describe('The certificate that was replaced.'),
  supersededAt: dateTime().describe('Since when.'),
  inUse: boolean().describe('Whether something used it at the last look.'),
}).describe('A certificate that was replaced.')

const zone = { id: string().describe('Id of the hosted zone.'), name: string().describe('Its name.') }

export const certStatus: Schema<CertStatus, Presence> = object({
  state: string({ maxLength: 32 }).optional().describe('Pending, Created, Validated, Ready or Failed.'),
  message: string({ maxLength: 1024 }).optional().describe('One sentence for people.'),
  certificateArn: string().optional().describe('The certificate.'),
  domainName: string().optional().describe('The primary name.'),
  expirationDate: dateTime().optional().describe('When it ends.'),
  certReady: boolean().optional().describe('Whether it is issued and not past its end.'),
  resolvedZone: object(zone).optional().describe('The zone of the primary name.'),
  resolvedZones: list(object({ domain: string().describe('A name.'), ...zone }).describe('The zone of a name.'))
    .optional()
    .describe('The zone of each name.'),
  observedGeneration: int64.optional().describe('The generation that was looked at.'),
  conditions: conditions().optional(),
  validationRecords: list(validationRecord, { maxItems: 101 }).optional().describe('The records that prove the names.'),
  pendingCertificateArn: string().optional().describe('A replacement on its way.'),
  supersededCertificates: list(superseded, { maxItems: 10 }).optional().describe('What was replaced.'),
  request: object({
    requestedAt: dateTime().describe('When it was about to be made.'),
    specHash: string().describe('Hash of what is asked for.'),
    revision: integer({ minimum: 1 }).describe('Counts the requests of this object.'),
  })
    .optional()
    .describe('The latest request, written down before it is made.'),
  renewal: object({
    status: string().optional().describe('As ACM says it.'),
    reason: string().optional().describe('As ACM says it.'),
    eligibility: string().optional().describe('Whether ACM would renew it.'),
    updatedAt: dateTime().optional().describe('When ACM last said so.'),
  })
    .optional()
    .describe('How the renewal stands.'),
  inUse: boolean().optional().describe('Whether something used it at the last look.'),
  serial: string().optional().describe('Serial number.'),
  notBefore: dateTime().optional().describe('From when it is good.'),
  issuedAt: dateTime().optional().describe('When it was issued; where it is gone, until another one is.'),
  lastFailure: object({
    reason: string().describe('Why.'),
    message: string().describe('In words.'),
    time: dateTime().describe('When.'),
    count: integer({ minimum: 0 }).describe('How often since the last success.'),
    refusedBy: oneOf(...refusers)
      .optional()
      .describe('Who refused it, where it was not AWS.'),
  })
    .optional()
    .describe('The last failure.'),
  published: publishedObjects.optional().describe('Objects that have the ARN, or should have it.'),
  answered: object({
    retry: string().optional().describe('The last `retry` that was followed.'),
    renew: string().optional().describe('The last `renew` that was followed.'),
  })
    .optional()
    .describe('Which annotations of people were followed.'),
  appliedTags: list(string(), { maxItems: 40 })
    .optional()
    .describe('Keys of the tags of the spec that the certificate was given.'),
}).describe('What was observed.')
