// In which account and region, and as which role, the calls for a claim are made. Pure: what it depends on was read before. Nothing is
// called before this is settled, and what was made in one place is never looked for in another.
import { type AccountId, isAccountId, isRegion, parseAccountId, partitionOf, tryParseArn } from '#aws'
import { given } from '#base'
import type { Condition } from '#kube'
import { annotations, conditions, namespaceAnnotations, type Resource } from '../api.ts'
import { own } from '../model/convert.ts'

export interface Place {
  readonly account: AccountId
  readonly partition: string
  readonly region: string
  readonly role?: string
  readonly externalId?: string
  readonly sessionTags?: readonly SessionTag[]
  /** Whose work it is, for the name of the role's session. */
  readonly session?: string
  readonly endpoint?: string
  /** Says which selector chose the role. */
  readonly selected?: Condition
}

export interface SessionTag {
  readonly key: string
  readonly value: string
}

/** What the process is when nothing else is said. */
export interface Home {
  readonly account: string
  readonly partition: string
  readonly region: string
}

export interface RoleMaps {
  /** Values of the ConfigMap by account; `undefined` when there is none. */
  readonly accounts: Readonly<Record<string, string>> | undefined
  readonly teams: Readonly<Record<string, string>> | undefined
}

export interface MatchedSelector {
  readonly name: string
  readonly resourceVersion: string
  readonly arn: string
  readonly priority?: number
  readonly externalId?: string
  /** With variables in their values. */
  readonly sessionTags?: readonly SessionTag[]
  /** Why it cannot be followed. */
  readonly problem?: string
}

export interface PlaceInput {
  readonly claim: Resource
  readonly service: string
  readonly namespaceAnnotations: Readonly<Record<string, string>>
  readonly home: Home
  readonly maps: RoleMaps
  readonly carm: boolean
  readonly serviceLevelCarm: boolean
  readonly teamLevelCarm: boolean
  /** The kind's manifests have a place for it. */
  readonly regionInSpec?: boolean
  /** Selectors that match the claim; absent when they are switched off. */
  readonly selectors?: readonly MatchedSelector[]
}

export type PlaceChoice =
  | { readonly kind: 'chosen'; readonly place: Place }
  /** The role is not there yet: its mapping will come. */
  | { readonly kind: 'no-role'; readonly message: string }
  | { readonly kind: 'ambiguous'; readonly message: string }
  /** Only a person can help. */
  | { readonly kind: 'moved'; readonly message: string }
  | { readonly kind: 'invalid'; readonly message: string }

export function selectPlace(input: PlaceInput): PlaceChoice {
  const { claim, home } = input
  const recorded = claim.status?.ackResourceMetadata
  const invalid = invalidPlace(input)
  if (invalid !== undefined) return { kind: 'invalid', message: invalid }
  const chosen = selectAccount(input)
  if (chosen.kind !== 'account') return chosen
  const wanted = wantedRegion(input).name
  const region = recorded?.region ?? wanted
  if (recorded?.region !== undefined && recorded.region !== wanted)
    return moved(`the resource was made in region ${recorded.region}, and ${wanted} is asked for now; a resource cannot move`)
  if (recorded?.ownerAccountID !== undefined && recorded.ownerAccountID !== chosen.account)
    return moved(
      `the resource belongs to account ${recorded.ownerAccountID}, and account ${chosen.account} is selected now; a resource cannot move`,
    )
  const endpoint = input.namespaceAnnotations[namespaceAnnotations.endpoint]
  return {
    kind: 'chosen',
    place: {
      account: chosen.account,
      partition: chosen.role === undefined ? home.partition : (tryParseArn(chosen.role)?.partition ?? partitionOf(region).id),
      region,
      ...(chosen.role === undefined ? {} : { role: chosen.role, session: claim.metadata.namespace ?? '' }),
      ...given({ externalId: chosen.externalId }),
      ...(chosen.sessionTags === undefined ? {} : { sessionTags: expanded(input, chosen.sessionTags) }),
      ...given({ endpoint: endpoint === '' ? undefined : endpoint, selected: chosen.selected }),
    },
  }
}

/** What nobody can be asked with: each stands in a manifest, and becomes part of the address of a call or of a look-up. */
function invalidPlace(input: PlaceInput): string | undefined {
  const notes = input.namespaceAnnotations
  const { ownerAccount, endpoint } = namespaceAnnotations
  const [account, url] = [notes[ownerAccount], notes[endpoint]]
  const region = wantedRegion(input)
  if (!isRegion(region.name)) return `${region.from}: ${JSON.stringify(region.name)} is no region`
  if (account !== undefined && !isAccountId(account))
    return `${ownerAccount}: ${JSON.stringify(account)} is no account id, which has twelve digits`
  if (!isAccountId(input.home.account))
    return `the operator's own account, ${JSON.stringify(input.home.account)}, is no account id, which has twelve digits`
  if (url === undefined || url === '' || /^https?:$/.test(URL.parse(url)?.protocol ?? '')) return undefined
  return `${endpoint}: ${JSON.stringify(url)} is no address such as https://aws.example.com`
}

/** Whether a choice needs the role maps at all: most claims do not. */
export function needsRoleMaps(input: Omit<PlaceInput, 'maps'>): boolean {
  const { teamLevelCarm, namespaceAnnotations: notes, carm, claim, home } = input
  if (teamLevelCarm && notes[namespaceAnnotations.team] !== undefined) return true
  const owner = notes[namespaceAnnotations.ownerAccount] ?? claim.status?.ackResourceMetadata?.ownerAccountID
  return carm && owner !== undefined && (notes[namespaceAnnotations.ownerAccount] !== undefined || owner !== home.account)
}

interface Account {
  readonly kind: 'account'
  readonly account: AccountId
  readonly role?: string
  readonly externalId?: string
  readonly sessionTags?: readonly SessionTag[]
  readonly selected?: Condition
}

function expanded({ claim, service }: PlaceInput, tags: readonly SessionTag[]): readonly SessionTag[] {
  const expand = (text: string): string =>
    text.replaceAll('%K8S_NAMESPACE%', claim.metadata.namespace ?? '').replaceAll('%CONTROLLER_SERVICE%', service)
  return tags.map(({ key, value }) => ({ key, value: expand(value) }))
}

function selectAccount(input: PlaceInput): Account | Exclude<PlaceChoice, { kind: 'chosen' }> {
  const { claim, home, maps, selectors, namespaceAnnotations: notes } = input
  if (selectors !== undefined && selectors.length > 0) return bySelector(selectors)
  const team = input.teamLevelCarm ? notes[namespaceAnnotations.team] : undefined
  if (team !== undefined) {
    const role = lookUp(input, maps.teams, team)
    const account = accountOfRole(role)
    if (role === undefined || account === undefined) return noRole(`no role for team ${team} in ConfigMap ack-role-team-map`)
    return { kind: 'account', account, role }
  }
  const named = idOf(notes[namespaceAnnotations.ownerAccount])
  // `invalidPlace` has seen to it that this is an account id.
  const ours = parseAccountId(home.account)
  const account = named ?? idOf(claim.status?.ackResourceMetadata?.ownerAccountID) ?? ours
  if (!input.carm || (named === undefined && account === ours)) return { kind: 'account', account: named ?? ours }
  const role = lookUp(input, maps.accounts, account)
  if (role === undefined) {
    // The process's own account needs no mapping to be worked in.
    if (account === ours) return { kind: 'account', account }
    return noRole(`no role for account ${account} in ConfigMap ack-role-account-map`)
  }
  return { kind: 'account', account, role }
}

function idOf(text: string | undefined): AccountId | undefined {
  return text !== undefined && isAccountId(text) ? text : undefined
}

/** A role without an account, such as `arn:aws:iam:::role/x`, is nobody's. */
function accountOfRole(role: string | undefined): AccountId | undefined {
  return role === undefined ? undefined : idOf(tryParseArn(role)?.account)
}

function bySelector(selectors: readonly MatchedSelector[]): Account | Exclude<PlaceChoice, { kind: 'chosen' }> {
  const highest = Math.max(...selectors.map(({ priority = 0 }) => priority))
  const first = selectors.filter(({ priority = 0 }) => priority === highest)
  const [only] = first
  if (only === undefined || first.length > 1) {
    const names = first.map(({ name }) => name).sort()
    return { kind: 'ambiguous', message: `more than one IAMRoleSelector matches: ${names.join(', ')}` }
  }
  const account = accountOfRole(only.arn)
  if (only.problem !== undefined || account === undefined)
    return { kind: 'ambiguous', message: `IAMRoleSelector ${only.name} cannot be followed: ${only.problem ?? 'no role ARN'}` }
  const selected: Condition = {
    type: conditions.roleSelected,
    status: 'True',
    reason: 'Selected',
    message: `roleARN: ${only.arn}, selectorName: ${only.name}, selectorResourceVersion: ${only.resourceVersion}`,
  }
  const { externalId, sessionTags } = only
  return {
    kind: 'account',
    account,
    role: only.arn,
    selected,
    ...given({ externalId, sessionTags }),
  }
}

/** With service-level mappings the service's own key comes first. An empty value is none. */
function lookUp({ serviceLevelCarm, service }: PlaceInput, map: RoleMaps['accounts'], id: string): string | undefined {
  const keys = serviceLevelCarm ? [`${service}.${id}`, id] : [id]
  for (const key of keys) {
    const role = own(map ?? {}, key)
    if (role !== undefined && role !== '') return role
  }
  return undefined
}

/** With what it was said by. */
function wantedRegion({ claim, namespaceAnnotations: notes, home, regionInSpec }: PlaceInput): {
  readonly name: string
  readonly from: string
} {
  const { region: ofClaim } = annotations
  const { region: ofNamespace } = namespaceAnnotations
  const ofSpec = regionInSpec === true ? claim.spec?.['region'] : undefined
  if (typeof ofSpec === 'string') return { name: ofSpec, from: 'spec.region' }
  const ofManifest = claim.metadata.annotations?.[ofClaim]
  if (ofManifest !== undefined) return { name: ofManifest, from: ofClaim }
  const theirs = notes[ofNamespace]
  return theirs === undefined ? { name: home.region, from: '--aws-region' } : { name: theirs, from: ofNamespace }
}

function noRole(message: string): PlaceChoice & { kind: 'no-role' } {
  return { kind: 'no-role', message }
}

function moved(message: string): PlaceChoice {
  return { kind: 'moved', message }
}
