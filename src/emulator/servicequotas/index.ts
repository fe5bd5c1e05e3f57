// Service Quotas: what the services count and bound, with the values that the emulator enforces, and their defaults.

import { type ServiceModel, serviceModel } from '#aws'
import { given } from '#base'
import { ServiceError } from '../error.ts'
import { numberedPage } from '../numbered-page.ts'
import type { Ports } from '../ports.ts'
import type { Quota } from '../quotas.ts'
import type { Call, Service } from '../service.ts'

type State = Readonly<Record<string, never>>
type CallQuotas<I> = Call<State, I>

interface Listed extends Quota {
  readonly of: Ports['quotas'][number]
  readonly code: string
}

/** The quotas that have a code, service by service. */
function listed(call: Call<State>, service: string): readonly Listed[] {
  return call.ports.quotas
    .filter(of => of.service === service)
    .flatMap(of =>
      Object.values(of.quotas).flatMap(quota => (quota.code === undefined ? [] : [{ ...quota, code: quota.code, of }])),
    )
}

function render(call: Call<State>, { of, code, limit }: Listed, value: number): object {
  return {
    ServiceCode: of.service,
    ServiceName: of.title,
    QuotaArn: `arn:${call.partition}:servicequotas:${of.isGlobal ? '' : call.region}:${call.account}:${of.service}/${code}`,
    QuotaCode: code,
    QuotaName: limit.name,
    Value: value,
    Unit: 'None',
    Adjustable: true,
    GlobalQuota: of.isGlobal,
  }
}

interface OneInput {
  readonly ServiceCode: string
  readonly QuotaCode: string
}

function found(call: CallQuotas<OneInput>): Listed {
  call.authorise({ action: `servicequotas:${call.operation}`, resource: '*' })
  const one = listed(call, call.input.ServiceCode).find(({ code }) => code === call.input.QuotaCode)
  if (one !== undefined) return one
  throw new ServiceError('NoSuchResourceException', 400, 'The request failed because the specified quota does not exist.')
}

interface ListInput {
  readonly ServiceCode: string
  readonly NextToken?: string
  readonly MaxResults?: number
}

function list(call: CallQuotas<ListInput>, valueOf: (one: Listed) => number): object {
  call.authorise({ action: `servicequotas:${call.operation}`, resource: '*' })
  const { ServiceCode, NextToken, MaxResults } = call.input
  if (!call.ports.quotas.some(({ service }) => service === ServiceCode)) {
    throw new ServiceError('NoSuchResourceException', 400, 'The request failed because the specified service does not exist.')
  }
  const asked = { token: NextToken, size: MaxResults ?? 100, filters: ServiceCode }
  const page = numberedPage(call, listed(call, ServiceCode), asked)
  if (page === undefined) throw new ServiceError('InvalidPaginationTokenException', 400, 'The pagination token is not valid.')
  return { Quotas: page.items.map(one => render(call, one, valueOf(one))), ...given({ NextToken: page.nextToken }) }
}

export const servicequotas: Service<State> = {
  name: 'servicequotas',
  get model(): ServiceModel {
    return serviceModel('service-quotas')
  },
  address: { hosts: ['servicequotas'], target: 'ServiceQuotasV20190624' },
  scope: 'region',
  initial: () => ({}),
  operations: {
    GetServiceQuota: (call: CallQuotas<OneInput>): object => {
      const one = found(call)
      return { Quota: render(call, one, call.quota(one)) }
    },
    GetAWSDefaultServiceQuota: (call: CallQuotas<OneInput>): object => {
      const one = found(call)
      return { Quota: render(call, one, one.limit.value) }
    },
    ListServiceQuotas: (call: CallQuotas<ListInput>): object => list(call, one => call.quota(one)),
    ListAWSDefaultServiceQuotas: (call: CallQuotas<ListInput>): object => list(call, one => one.limit.value),
    ListServices: (call: CallQuotas<object>): object => {
      call.authorise({ action: 'servicequotas:ListServices', resource: '*' })
      return { Services: call.ports.quotas.map(({ service, title }) => ({ ServiceCode: service, ServiceName: title })) }
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
