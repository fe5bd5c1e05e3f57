// Tags of authorities.
import { requestTagKeys } from '../core/caller/condition-keys.ts'
import { type AuthorityInput, type CallPca, opened, putAuthority } from './call.ts'
import { pcaFailure } from './errors.ts'
import { paged } from './pages.ts'
import { pcaQuotas } from './quotas.ts'

export interface AuthorityTag {
  readonly Key: string
  readonly Value?: string
}

type Tags = Readonly<Record<string, string>>

export function valuesOf(tags: readonly AuthorityTag[]): Tags {
  return Object.fromEntries(tags.map(({ Key, Value }) => [Key, Value ?? '']))
}

export function checkedTags(current: Tags, added: readonly AuthorityTag[], max: number): Tags {
  const reserved = added.find(({ Key }) => /^aws:/i.test(Key))
  if (reserved !== undefined)
    throw pcaFailure('InvalidTagException', `The tag key ${reserved.Key} begins with aws:, which is reserved.`)
  const tags = { ...current, ...valuesOf(added) }
  if (Object.keys(tags).length > max) throw pcaFailure('TooManyTagsException', `A certificate authority has at most ${max} tags.`)
  return tags
}

type TagInput = AuthorityInput & { readonly Tags: readonly AuthorityTag[] }

export function tagCertificateAuthority(call: CallPca<TagInput>): undefined {
  const { Tags } = call.input
  const authority = opened(call, requestTagKeys(valuesOf(Tags)))
  putAuthority(call, { ...authority, tags: checkedTags(authority.tags, Tags, call.quota(pcaQuotas.authorityTags)) })
  return undefined
}

/** A tag given with a value is only removed when it has that value. */
export function untagCertificateAuthority(call: CallPca<TagInput>): undefined {
  const { Tags } = call.input
  const authority = opened(call, { 'aws:TagKeys': Tags.map(({ Key }) => Key) })
  const isRemoved = (key: string, value: string): boolean =>
    Tags.some(tag => tag.Key === key && (tag.Value === undefined || tag.Value === value))
  const kept = Object.entries(authority.tags).filter(([key, value]) => !isRemoved(key, value))
  putAuthority(call, { ...authority, tags: Object.fromEntries(kept) })
  return undefined
}

export function listTags(call: CallPca<AuthorityInput & { readonly MaxResults?: number; readonly NextToken?: string }>): object {
  const authority = opened(call)
  const { items, next } = paged(call, Object.entries(authority.tags), authority.arn)
  return { Tags: items.map(([Key, Value]) => ({ Key, Value })), ...next }
}
