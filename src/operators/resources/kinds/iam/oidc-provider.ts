// IAM OpenID Connect providers: client ids come and go one by one, thumbprints all at once, and the URL has no scheme in the answer.
import { textOf } from '../../model/convert.ts'
import { tagChanges, tagsIn } from '../../model/tags.ts'
import { missing, tagList, textsOf, update } from '../calls.ts'
import type { Deviation, PlannedCall, SyncContext } from '../deviation.ts'

export const iamOidcProvider: Deviation = {
  arnOf: ({ spec }, { account, partition }) =>
    `arn:${partition}:iam::${account}:oidc-provider/${bareUrl(spec['url']).replace(/\/$/, '')}`,
  readMore: ({ wanted }, found) => {
    const isSame = bareUrl(found.spec['url']) === bareUrl(wanted.spec['url'])
    return Promise.resolve(isSame ? { ...found, spec: { ...found.spec, url: wanted.spec['url'] } } : found)
  },
  same: { URL: (wanted, latest) => bareUrl(wanted) === bareUrl(latest) },
  unchangeable: ['URL'],
  own: ['ClientIDs', 'Thumbprints', 'Tags'],
  sync: syncProvider,
}

function syncProvider({ model, wanted, latest, delta, isNew }: SyncContext): readonly PlannedCall[] {
  if (isNew) return []
  const id = { OpenIDConnectProviderArn: latest.arn }
  const calls: PlannedCall[] = []
  if (delta.includes('Spec.Thumbprints'))
    calls.push(update('UpdateOpenIDConnectProviderThumbprint', { ...id, ThumbprintList: textsOf(wanted.spec['thumbprints']) }))
  const [clients, held] = [textsOf(wanted.spec['clientIDs']), textsOf(latest.spec['clientIDs'])]
  for (const ClientID of missing(clients, held)) calls.push(update('AddClientIDToOpenIDConnectProvider', { ...id, ClientID }))
  for (const ClientID of missing(held, clients))
    calls.push(update('RemoveClientIDFromOpenIDConnectProvider', { ...id, ClientID }))
  const tags = tagChanges(tagsIn(model, wanted.spec), tagsIn(model, latest.spec))
  if (tags.removed.length > 0) calls.push(update('UntagOpenIDConnectProvider', { ...id, TagKeys: tags.removed }))
  if (Object.keys(tags.set).length > 0) calls.push(update('TagOpenIDConnectProvider', { ...id, Tags: tagList(tags.set) }))
  return calls
}

function bareUrl(value: unknown): string {
  return textOf(value ?? '').replace(/^https:\/\//i, '')
}
