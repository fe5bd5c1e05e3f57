// Service Quotas: the quotas of spec §13.2 with the values that the emulator enforces, and their defaults.
import { type ServiceModel, serviceModel } from '#aws'
import { ServiceError } from '../error.ts'
import { defaultQuotas, type QuotaName } from '../knobs.ts'
import type { Call, Service } from '../service.ts'

type State = Readonly<Record<string, never>>
type CallQuotas<I> = Call<State, I>

interface Quota {
  readonly service: string
  readonly code: string
  readonly name: string
  readonly knob: QuotaName
  readonly adjustable: boolean
  readonly global: boolean
}

/** The first three codes are AWS's; those of quotas whose code is not published here are ours. */
const quotas: readonly Quota[] = [
  quota('iam', 'L-FE177D64', 'Roles per account', 'roles'),
  quota('iam', 'L-858F3967', 'OpenID Connect providers per account', 'openIdConnectProviders'),
  quota('iam', 'L-C07B4B0D', 'Role trust policy length', 'trustPolicySize'),
  quota('iam', 'L-E95E4862', 'Customer managed policies per account', 'policies'),
  quota('iam', 'L-0DA4ABF3', 'Managed policies per role', 'attachedPolicies'),
  quota('iam', 'L-6E65F664', 'Instance profiles per account', 'instanceProfiles'),
  quota('iam', 'L-F55AF5E4', 'Users per account', 'users'),
  quota('eks', 'L-1194D53C', 'Clusters', 'clusters'),
  quota('eks', 'L-EMU00001', 'Pod Identity associations per cluster', 'associationsPerCluster'),
  quota('acm', 'L-F141DD1D', 'ACM certificates', 'certificates'),
  quota('acm', 'L-EMU00002', 'ACM certificates created in last 365 days', 'certificatesPerYear'),
  quota('acm', 'L-FB94F0B0', 'Domain names per ACM certificate', 'namesPerCertificate'),
  quota('route53', 'L-4EA4796A', 'Hosted zones', 'hostedZones'),
  quota('route53', 'L-E209CC9F', 'Records per hosted zone', 'recordsPerZone'),
  quota('s3', 'L-DC2B2D3D', 'General purpose buckets', 'buckets'),
]

function quota(service: string, code: string, name: string, knob: QuotaName): Quota {
  return { service, code, name, knob, adjustable: true, global: service === 'iam' || service === 'route53' }
}

const serviceNames: Readonly<Record<string, string>> = {
  iam: 'AWS Identity and Access Management (IAM)',
  eks: 'Amazon Elastic Kubernetes Service (Amazon EKS)',
  acm: 'AWS Certificate Manager (ACM)',
  route53: 'Amazon Route 53',
  s3: 'Amazon Simple Storage Service (Amazon S3)',
}

function render(call: Call<State>, one: Quota, value: number): object {
  return {
    ServiceCode: one.service,
    ServiceName: serviceNames[one.service],
    QuotaArn: `arn:${call.partition}:servicequotas:${one.global ? '' : call.region}:${call.account}:${one.service}/${one.code}`,
    QuotaCode: one.code,
    QuotaName: one.name,
    Value: value,
    Unit: 'None',
    Adjustable: one.adjustable,
    GlobalQuota: one.global,
  }
}

interface OneInput {
  readonly ServiceCode: string
  readonly QuotaCode: string
}

function found(call: CallQuotas<OneInput>): Quota {
  call.authorise({ action: `servicequotas:${call.operation}`, resource: '*' })
  const one = quotas.find(({ service, code }) => service === call.input.ServiceCode && code === call.input.QuotaCode)
  if (one !== undefined) return one
  throw new ServiceError('NoSuchResourceException', 400, 'The request failed because the specified quota does not exist.')
}

interface ListInput {
  readonly ServiceCode: string
  readonly NextToken?: string
  readonly MaxResults?: number
}

function list(call: CallQuotas<ListInput>, valueOf: (one: Quota) => number): object {
  call.authorise({ action: `servicequotas:${call.operation}`, resource: '*' })
  const { ServiceCode, NextToken, MaxResults } = call.input
  if (serviceNames[ServiceCode] === undefined) {
    throw new ServiceError('NoSuchResourceException', 400, 'The request failed because the specified service does not exist.')
  }
  const position = NextToken === undefined ? '0' : call.tokens.open(NextToken, ServiceCode)
  if (position === undefined) throw new ServiceError('InvalidPaginationTokenException', 400, 'The pagination token is not valid.')
  const start = Number(position)
  const all = quotas.filter(one => one.service === ServiceCode)
  const end = start + (MaxResults ?? 100)
  return {
    Quotas: all.slice(start, end).map(one => render(call, one, valueOf(one))),
    ...(end < all.length && { NextToken: call.tokens.seal(String(end), ServiceCode) }),
  }
}

export const servicequotas: Service<State> = {
  name: 'servicequotas',
  get model(): ServiceModel {
    return serviceModel('service-quotas')
  },
  scope: 'region',
  initial: () => ({}),
  operations: {
    GetServiceQuota: (call: CallQuotas<OneInput>): object => {
      const one = found(call)
      return { Quota: render(call, one, call.quota(one.knob)) }
    },
    GetAWSDefaultServiceQuota: (call: CallQuotas<OneInput>): object => {
      const one = found(call)
      return { Quota: render(call, one, defaultQuotas[one.knob]) }
    },
    ListServiceQuotas: (call: CallQuotas<ListInput>): object => list(call, one => call.quota(one.knob)),
    ListAWSDefaultServiceQuotas: (call: CallQuotas<ListInput>): object => list(call, one => defaultQuotas[one.knob]),
    ListServices: (call: CallQuotas<object>): object => {
      call.authorise({ action: 'servicequotas:ListServices', resource: '*' })
      return { Services: Object.entries(serviceNames).map(([ServiceCode, ServiceName]) => ({ ServiceCode, ServiceName })) }
    },
  },
  throttles: [
    {
      name: 'servicequotas',
      operations: 'all',
      perSecond: 5,
      burst: 10,
      source: 'choice',
      per: 'account',
      error: { code: 'TooManyRequestsException', status: 400, message: 'Rate exceeded' },
    },
  ],
}
