// Route 53 gives ids with their kind before them (`/hostedzone/Z1`) and wants them without.
import type { Values } from '../wire/protocols.ts'
import type { Deviations } from './deviation.ts'

const prefix = /^\/(?:hostedzone|change|delegationset)\//
const idMembers = ['DelegationSetId', 'HostedZoneId', 'Id']

export const route53Deviations: Deviations = {
  input: (_, input) => withPlainAliases(withPlainIds(input)),
  pagination: {
    ListResourceRecordSets: {
      tokens: [
        ['StartRecordName', 'NextRecordName'],
        ['StartRecordType', 'NextRecordType'],
        ['StartRecordIdentifier', 'NextRecordIdentifier'],
      ],
      items: 'ResourceRecordSets',
    },
    ListHostedZonesByName: {
      tokens: [
        ['DNSName', 'NextDNSName'],
        ['HostedZoneId', 'NextHostedZoneId'],
      ],
      items: 'HostedZones',
    },
  },
}

function withPlainIds(input: Values): Values {
  const ids = idMembers.flatMap(name => {
    const id = input[name]
    return typeof id === 'string' && prefix.test(id) ? [[name, id.replace(prefix, '')] as const] : []
  })
  return ids.length === 0 ? input : { ...input, ...Object.fromEntries(ids) }
}

interface Change {
  readonly ResourceRecordSet?: { readonly AliasTarget?: { readonly HostedZoneId?: string } }
}

/** The alias targets of a batch of changes carry an id too. */
function withPlainAliases(input: Values): Values {
  const batch = input['ChangeBatch'] as { readonly Changes?: readonly Change[] } | undefined
  if (!Array.isArray(batch?.Changes)) return input
  const changes = (batch.Changes as readonly Change[]).map(change => {
    const set = change.ResourceRecordSet
    const id = set?.AliasTarget?.HostedZoneId
    if (typeof id !== 'string') return change
    return {
      ...change,
      ResourceRecordSet: { ...set, AliasTarget: { ...set?.AliasTarget, HostedZoneId: id.replace(prefix, '') } },
    }
  })
  return { ...input, ChangeBatch: { ...batch, Changes: changes } }
}
