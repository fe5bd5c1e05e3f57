// OpenID Connect providers (§5.5): which issuers an account trusts, and for which audiences.
import type { Handler } from '../service.ts'
import { arnOf, ask, type IamCall } from './ask.ts'
import { alreadyExists, invalidInput, issuerUnreachable, limitExceeded, providerMissing, validationError } from './errors.ts'
import { countLiving, type IamState, living, newest, type OidcProvider, type Tag } from './model.ts'
import { iamQuotas } from './quotas.ts'
import { saveProvider } from './save.ts'
import { tagsOrNone } from './shown.ts'
import { checkedTags } from './tags.ts'

interface CreateInput {
  readonly Url: string
  readonly ClientIDList?: readonly string[]
  readonly ThumbprintList?: readonly string[]
  readonly Tags?: readonly Tag[]
}

function create(call: IamCall<CreateInput>): object {
  const { Url: url, ClientIDList: clientIds = [], ThumbprintList: thumbprints = [], Tags } = call.input
  const tags = checkedTags(Tags)
  const bare = checkedUrl(url)
  const arn = arnOf(call, 'oidc-provider', '/', bare)
  ask(call, arn, { newTags: { tags, action: 'TagOpenIDConnectProvider' } })
  checkThumbprints(call, thumbprints)
  checkClientIds(call, clientIds)
  const state = call.store.get()
  if (newest(state, 'providers', bare) !== undefined) throw alreadyExists(`Provider with url ${url} already exists.`)
  const quota = call.quota(iamQuotas.openIdConnectProviders)
  if (countLiving(state, 'providers') >= quota)
    throw limitExceeded(`Cannot exceed quota for OpenIdConnectProvidersPerAccount: ${quota}`)
  const provider: OidcProvider = {
    url: bare,
    arn,
    clientIds: [...new Set(clientIds)],
    thumbprints: thumbprints.length > 0 ? thumbprints : [hostThumbprint(call, url)],
    createdAtMs: call.now,
    tags,
  }
  saveProvider(call, bare, provider)
  return { OpenIDConnectProviderArn: arn, Tags: tagsOrNone(tags) }
}

/** Without the scheme. A trailing slash is kept: it is part of the issuer's name. */
function checkedUrl(url: string): string {
  const parsed = URL.parse(url)
  if (!/^https:\/\/[^/]/.test(url) || parsed === null) throw validationError('Invalid Open ID Connect Provider URL')
  if (/[?#\s]/.test(url) || parsed.port !== '' || parsed.username !== '' || /^[^/]*:\d+/.test(url.slice('https://'.length))) {
    throw invalidInput('Invalid Open ID Connect Provider URL')
  }
  return url.slice('https://'.length)
}

/** IAM connects to the host when no thumbprint is given. */
function hostThumbprint(call: IamCall, url: string): string {
  const thumbprint = call.ports.issuers.thumbprint(url)
  if (thumbprint === undefined) throw issuerUnreachable()
  return thumbprint
}

function checkThumbprints(call: IamCall, thumbprints: readonly string[]): void {
  const quota = call.quota(iamQuotas.thumbprints)
  if (thumbprints.length > quota) throw invalidInput(`Thumbprint list must contain fewer than ${quota} entries.`)
  const wrong = thumbprints.find(thumbprint => !/^[0-9A-Fa-f]{40}$/.test(thumbprint))
  if (wrong !== undefined)
    throw validationError(
      `Value '${wrong}' at 'thumbprintList' failed to satisfy constraint: Member must satisfy regular expression pattern: [0-9A-Fa-f]{40}`,
    )
}

function checkClientIds(call: IamCall, clientIds: readonly string[]): void {
  const quota = call.quota(iamQuotas.clientIds)
  if (new Set(clientIds).size > quota) throw limitExceeded(`Cannot exceed quota for ClientIdsPerOpenIdConnectProvider: ${quota}`)
}

type ByArn = { readonly OpenIDConnectProviderArn: string }

function find(call: IamCall<ByArn>): OidcProvider | undefined {
  const { OpenIDConnectProviderArn: arn } = call.input
  const provider = newest(call.store.get(), 'providers', arn.slice(arn.indexOf('/') + 1))
  const found = provider?.arn === arn ? provider : undefined
  ask(call, arn, { tags: found?.tags ?? [] })
  return found
}

function providerFor(call: IamCall<ByArn>): OidcProvider {
  const provider = find(call)
  if (provider === undefined) throw providerMissing(call.input.OpenIDConnectProviderArn)
  return provider
}

function get(call: IamCall<ByArn>): object {
  const provider = providerFor(call)
  return {
    Url: provider.url,
    ClientIDList: provider.clientIds,
    ThumbprintList: provider.thumbprints,
    CreateDate: provider.createdAtMs,
    Tags: tagsOrNone(provider.tags),
  }
}

function list(call: IamCall): object {
  ask(call, '*')
  return {
    OpenIDConnectProviderList: Array.from(living(call.store.get(), 'providers'), ([, provider]) => ({ Arn: provider.arn })),
  }
}

/** A provider that is not there is no error. Roles that name it stay as they are and can no longer be assumed. */
function remove(call: IamCall<ByArn>): void {
  const provider = find(call)
  if (provider !== undefined) saveProvider(call, provider.url, undefined)
}

function updateThumbprints(call: IamCall<ByArn & { ThumbprintList: readonly string[] }>): void {
  const provider = providerFor(call)
  const { ThumbprintList: thumbprints } = call.input
  if (thumbprints.length === 0) throw invalidInput('Thumbprint list must contain at least one entry.')
  checkThumbprints(call, thumbprints)
  saveProvider(call, provider.url, { ...provider, thumbprints })
}

function addClientId(call: IamCall<ByArn & { ClientID: string }>): void {
  const provider = providerFor(call)
  const clientIds = [...new Set([...provider.clientIds, call.input.ClientID])]
  checkClientIds(call, clientIds)
  saveProvider(call, provider.url, { ...provider, clientIds })
}

function removeClientId(call: IamCall<ByArn & { ClientID: string }>): void {
  const provider = providerFor(call)
  saveProvider(call, provider.url, { ...provider, clientIds: provider.clientIds.filter(id => id !== call.input.ClientID) })
}

export const providerOperations: Readonly<Record<string, Handler<IamState>>> = {
  CreateOpenIDConnectProvider: create,
  GetOpenIDConnectProvider: get,
  ListOpenIDConnectProviders: list,
  DeleteOpenIDConnectProvider: remove,
  UpdateOpenIDConnectProviderThumbprint: updateThumbprints,
  AddClientIDToOpenIDConnectProvider: addClientId,
  RemoveClientIDFromOpenIDConnectProvider: removeClientId,
}
