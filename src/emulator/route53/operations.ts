// Operations of the wire and the functions that carry them out.
import type { Call, Handler } from '../service.ts'
import { getChange } from './changes.ts'
import {
  createHealthCheck,
  deleteHealthCheck,
  getHealthCheck,
  getHealthCheckCount,
  getHealthCheckStatus,
  listHealthChecks,
  updateHealthCheck,
} from './health-checks.ts'
import type { Route53State } from './model.ts'
import {
  changeResourceRecordSets,
  getAccountLimit,
  getDnssec,
  getHostedZoneLimit,
  listResourceRecordSets,
  testDnsAnswer,
} from './records.ts'
import { changeTagsForResource, listTagsForResource, listTagsForResources } from './tags.ts'
import {
  associateVpc,
  createHostedZone,
  deleteHostedZone,
  disassociateVpc,
  getHostedZone,
  getHostedZoneCount,
  listHostedZones,
  listHostedZonesByName,
  listHostedZonesByVpc,
  updateHostedZoneComment,
} from './zones.ts'

export const route53Operations: Readonly<Record<string, Handler<Route53State>>> = {
  AssociateVPCWithHostedZone: associateVpc,
  ChangeResourceRecordSets: changeResourceRecordSets,
  ChangeTagsForResource: changeTagsForResource,
  CreateHealthCheck: createHealthCheck,
  CreateHostedZone: createHostedZone,
  DeleteHealthCheck: deleteHealthCheck,
  DeleteHostedZone: deleteHostedZone,
  DisassociateVPCFromHostedZone: disassociateVpc,
  GetAccountLimit: getAccountLimit,
  GetChange: getChange,
  GetDNSSEC: getDnssec,
  GetHealthCheck: getHealthCheck,
  GetHealthCheckCount: getHealthCheckCount,
  GetHealthCheckStatus: getHealthCheckStatus,
  GetHostedZone: getHostedZone,
  GetHostedZoneCount: getHostedZoneCount,
  GetHostedZoneLimit: getHostedZoneLimit,
  ListHealthChecks: listHealthChecks,
  ListHostedZones: listHostedZones,
  ListHostedZonesByName: listHostedZonesByName,
  ListHostedZonesByVPC: listHostedZonesByVpc,
  ListResourceRecordSets: listResourceRecordSets,
  ListReusableDelegationSets: listReusableDelegationSets,
  ListTagsForResource: listTagsForResource,
  ListTagsForResources: listTagsForResources,
  TestDNSAnswer: testDnsAnswer,
  UpdateHealthCheck: updateHealthCheck,
  UpdateHostedZoneComment: updateHostedZoneComment,
}

/** There are none: a zone's servers are drawn for it alone. */
function listReusableDelegationSets(call: Call<Route53State, { readonly Marker?: string }>): object {
  call.authorise({ action: 'route53:ListReusableDelegationSets', resource: '*' })
  return { DelegationSets: [], Marker: call.input.Marker ?? '', IsTruncated: false, MaxItems: 100 }
}
