// Route 53 hosted zones: found by an id that AWS gives, or, when that was lost, by the caller reference; VPCs and tags have operations of
// their own.
import { annotations } from '../../api.ts'
import { answerOf } from '../../model/answer.ts'
import { isRecord } from '../../model/convert.ts'
import type { Content, Values } from '../../model/request.ts'
import { tagChanges, tagsIn, withTags } from '../../model/tags.ts'
import { parseIntent } from '../../ownership/intent-text.ts'
import { structuresOf, tagList, tagsFromList, update } from '../calls.ts'
import type { Deviation, PlannedCall, ReadContext, SyncContext } from '../deviation.ts'
import { bareId, zoneArn } from './ids.ts'

export const route53HostedZone: Deviation = {
  refuse: ({ wanted: { spec } }) => {
    const vpcs = structuresOf(spec['vpcs'])
    if (spec['vpc'] !== undefined && vpcs.length > 0) return 'vpc and vpcs cannot be used together'
    const config = isRecord(spec['hostedZoneConfig']) ? spec['hostedZoneConfig'] : {}
    if (config['privateZone'] === false && (vpcs.length > 0 || spec['vpc'] !== undefined))
      return 'a zone with VPCs is private: hostedZoneConfig.privateZone cannot be false'
    const isWhole = (vpc: Values): boolean => Boolean(vpc['vpcID']) && Boolean(vpc['vpcRegion'])
    return vpcs.every(isWhole) ? undefined : 'each of vpcs needs both vpcID and vpcRegion'
  },
  findsByList: ({ status, arn }) => status['id'] === undefined && arn === undefined,
  read: readZone,
  create: (input, { wanted, token }) => {
    const [first] = vpcsOf(wanted)
    return { ...input, CallerReference: callerReference(wanted, token), ...(first === undefined ? {} : { VPC: wireVpc(first) }) }
  },
  repeatable: true,
  proves: (latest, { wanted, intent }) => latest.status['callerReference'] === callerReference(wanted, intent.token),
  tagsAtCreate: false,
  created: (_output, found, { place }) => ({ ...found, arn: zoneArn(place.partition, found.status['id']) }),
  same: {
    VPCs: (_wanted, _latest, { wanted, latest }) => sameVpcs(vpcsOf(wanted), structuresOf(latest.spec['vpcs'])),
    VPC: () => true,
    HostedZoneConfig: (wanted, latest) => commentOf(wanted) === commentOf(latest),
  },
  unchangeable: ['Name', 'DelegationSetID'],
  own: ['Tags', 'VPCs', 'VPC', 'HostedZoneConfig'],
  sync: syncZone,
  beforeDelete: ({ latest }) =>
    structuresOf(latest.spec['vpcs'])
      .slice(1)
      .map(vpc => dissociate(latest, vpc)),
}

/** Fixed by the claim, so that a repeated call is the same call to Route 53. */
function callerReference({ spec }: Content, token: string): string {
  return `${String(spec['name']).slice(0, 80)}-${token}`
}

async function readZone(context: ReadContext): Promise<Content | undefined> {
  const { model, wanted, caller, place } = context
  const id =
    wanted.status['id'] ?? (wanted.arn === undefined ? await findByReference(context) : bareId(wanted.arn.split(':').at(-1)))
  if (typeof id !== 'string' || id === '') return undefined
  const output = await caller.call('GetHostedZone', { Id: id })
  const found = answerOf(model, 'GetHostedZone', { output, wanted, method: 'ReadOne' })
  const tags = await caller.call('ListTagsForResource', { ResourceType: 'hostedzone', ResourceId: bareId(id) })
  const set = (tags['ResourceTagSet'] as { readonly Tags?: unknown } | undefined)?.Tags
  const vpcs = structuresOf(output['VPCs']).map(({ VPCId, VPCRegion }) => ({ vpcID: VPCId, vpcRegion: VPCRegion }))
  const { vpcs: _held, ...spec } = found.spec
  const config = found.status['config']
  return {
    ...found,
    status: { ...found.status, ...delegation(output['DelegationSet']) },
    arn: zoneArn(place.partition, id),
    spec: withTags(model, { ...spec, hostedZoneConfig: config, ...(vpcs.length === 0 ? {} : { vpcs }) }, tagsFromList(set)),
  }
}

/** Beside the zone in the answer; a private zone has none. Whoever reads the status needs the name servers, however the zone was found. */
function delegation(set: unknown): Values {
  if (set === undefined || set === null) return {}
  const { CallerReference: callerReference, Id: id, NameServers: nameServers } = set as Values
  return { delegationSet: { callerReference, id, nameServers } }
}

/** The zone that our own create call made, when its answer was lost. */
async function findByReference({ claim, wanted, caller }: ReadContext): Promise<string | undefined> {
  const token = parseIntent(claim.metadata.annotations?.[annotations.createIntent])?.token
  if (token === undefined) return undefined
  const reference = callerReference(wanted, token)
  const name = String(wanted.spec['name'])
  for await (const page of caller.pages('ListHostedZonesByName', { DNSName: name })) {
    const zones = structuresOf(page['HostedZones'])
    const found = zones.find(({ CallerReference }) => CallerReference === reference)
    if (found !== undefined) return String(found['Id'])
    // Sorted by name: whoever comes after ours ends the search.
    if (zones.some(zone => withoutDot(zone['Name']) !== withoutDot(name))) return undefined
  }
  return undefined
}

function syncZone({ model, wanted, latest, delta, isNew }: SyncContext): readonly PlannedCall[] {
  // Everything else needs the id that the create call brings.
  if (isNew) return []
  const calls: PlannedCall[] = []
  const id = latest.status['id']
  const tags = tagChanges(tagsIn(model, wanted.spec), tagsIn(model, latest.spec))
  const resource = { ResourceType: 'hostedzone', ResourceId: bareId(id) }
  if (tags.removed.length > 0) calls.push(update('ChangeTagsForResource', { ...resource, RemoveTagKeys: tags.removed }))
  if (Object.keys(tags.set).length > 0) calls.push(update('ChangeTagsForResource', { ...resource, AddTags: tagList(tags.set) }))
  const [want, have] = [vpcsOf(wanted), structuresOf(latest.spec['vpcs'])]
  const lacks = (list: readonly Values[], vpc: Values): boolean => !list.some(each => sameVpc(each, vpc))
  for (const vpc of want.filter(each => lacks(have, each)))
    calls.push(update('AssociateVPCWithHostedZone', { HostedZoneId: id, VPC: wireVpc(vpc) }, ['ConflictingDomainExists']))
  for (const vpc of have.filter(each => lacks(want, each))) calls.push(dissociate(latest, vpc))
  if (delta.includes('Spec.HostedZoneConfig'))
    calls.push(update('UpdateHostedZoneComment', { Id: id, Comment: commentOf(wanted.spec['hostedZoneConfig']) }))
  return calls
}

function dissociate({ status }: Content, vpc: Values): PlannedCall {
  return update('DisassociateVPCFromHostedZone', { HostedZoneId: status['id'], VPC: wireVpc(vpc) }, ['VPCAssociationNotFound'])
}

function vpcsOf({ spec }: Content): readonly Values[] {
  const all = structuresOf(spec['vpcs'])
  return all.length > 0 ? all : structuresOf([spec['vpc']])
}

function sameVpcs(wanted: readonly Values[], latest: readonly Values[]): boolean {
  return wanted.length === latest.length && wanted.every(each => latest.some(other => sameVpc(each, other)))
}

function sameVpc(a: Values, b: Values): boolean {
  return a['vpcID'] === b['vpcID'] && a['vpcRegion'] === b['vpcRegion']
}

function wireVpc({ vpcID, vpcRegion }: Values): Values {
  return { VPCId: vpcID, VPCRegion: vpcRegion }
}

function commentOf(config: unknown): string {
  const comment = isRecord(config) ? config['comment'] : undefined
  return typeof comment === 'string' ? comment : ''
}

function withoutDot(name: unknown): string {
  return String(name).replace(/\.$/, '').toLowerCase()
}
