// The Resource Groups Tagging API, read side: resources of all services that have tags. IAM roles and users are not covered by the
// real API either, and global resources are listed in us-east-1 only.
import { type ServiceModel, serviceModel } from '#aws'
import { ServiceError } from '../error.ts'
import type { TaggedResource } from '../ports.ts'
import type { Call, Service } from '../service.ts'

type State = Readonly<Record<string, never>>
type CallTagging<I> = Call<State, I>

interface GetResourcesInput {
  readonly PaginationToken?: string
  readonly TagFilters?: readonly { readonly Key?: string; readonly Values?: readonly string[] }[]
  readonly ResourcesPerPage?: number
  readonly ResourceTypeFilters?: readonly string[]
  readonly ResourceARNList?: readonly string[]
}

const pageSizeMax = 100
const globalRegion = 'us-east-1'

function visible(call: Call<State>): readonly TaggedResource[] {
  const uncovered = /^arn:[^:]+:iam::\d{12}:(?:role|user|group)\//
  return [...call.ports.resources.tagged({ account: call.account, region: call.region })]
    .filter(({ arn }) => !uncovered.test(arn))
    .filter(({ arn }) => call.region === globalRegion || arn.split(':')[3] === call.region || arn.includes(':s3:::'))
    .sort((a, b) => (a.arn < b.arn ? -1 : 1))
}

function authorise(call: Call<State>): void {
  call.authorise({ action: `tag:${call.operation}`, resource: '*' })
}

function getResources(call: CallTagging<GetResourcesInput>): object {
  authorise(call)
  const { PaginationToken, TagFilters = [], ResourcesPerPage, ResourceTypeFilters = [], ResourceARNList } = call.input
  if (ResourcesPerPage !== undefined && (ResourcesPerPage < 1 || ResourcesPerPage > pageSizeMax)) {
    throw new ServiceError('InvalidParameterException', 400, `ResourcesPerPage must be between 1 and ${pageSizeMax}`)
  }
  const filters = [TagFilters, ResourceTypeFilters, ResourceARNList]
  const given = PaginationToken === undefined || PaginationToken === '' ? '' : call.tokens.open(PaginationToken, filters)
  if (given === undefined) throw new ServiceError('InvalidParameterException', 400, 'Invalid pagination token')
  const all = visible(call)
    .filter(resource => ResourceARNList === undefined || ResourceARNList.includes(resource.arn))
    .filter(resource => ResourceTypeFilters.length === 0 || ResourceTypeFilters.some(type => isOfType(resource, type)))
    .filter(resource => TagFilters.every(filter => hasTag(resource, filter)))
    .filter(resource => resource.arn > given)
  const page = all.slice(0, ResourcesPerPage ?? pageSizeMax)
  const last = page.at(-1)
  return {
    PaginationToken: last !== undefined && all.length > page.length ? call.tokens.seal(last.arn, filters) : '',
    ResourceTagMappingList: page.map(({ arn, tags }) => ({
      ResourceARN: arn,
      Tags: Object.entries(tags).map(([Key, Value]) => ({ Key, Value })),
    })),
  }
}

/** `s3` covers all of a service, `acm:certificate` one type. */
function isOfType(resource: TaggedResource, type: string): boolean {
  return resource.type === type || resource.type.startsWith(`${type}:`)
}

function hasTag(
  resource: TaggedResource,
  { Key = '', Values = [] }: { readonly Key?: string; readonly Values?: readonly string[] },
): boolean {
  const value = resource.tags[Key]
  return value !== undefined && (Values.length === 0 || Values.includes(value))
}

function getTagKeys(call: CallTagging<object>): object {
  authorise(call)
  return { PaginationToken: '', TagKeys: [...new Set(visible(call).flatMap(({ tags }) => Object.keys(tags)))].sort() }
}

function getTagValues(call: CallTagging<{ readonly Key: string }>): object {
  authorise(call)
  const values = visible(call).flatMap(({ tags }) => tags[call.input.Key] ?? [])
  return { PaginationToken: '', TagValues: [...new Set(values)].sort() }
}

export const tagging: Service<State> = {
  name: 'tagging',
  get model(): ServiceModel {
    return serviceModel('resource-groups-tagging')
  },
  address: { hosts: ['tagging'], target: 'ResourceGroupsTaggingAPI_20170126' },
  scope: 'region',
  initial: () => ({}),
  operations: { GetResources: getResources, GetTagKeys: getTagKeys, GetTagValues: getTagValues },
  throttles: [
    {
      name: 'tagging',
      operations: 'all',
      perSecond: 5,
      burst: 10,
      source: 'choice',
      per: 'region',
      error: { code: 'ThrottledException', status: 400, message: 'Rate exceeded' },
    },
  ],
}
