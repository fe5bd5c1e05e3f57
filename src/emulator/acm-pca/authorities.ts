// Making, reading, switching and removing authorities.
import { requestTagKeys } from '../core/caller/condition-keys.ts'
import type { Context } from '../service.ts'
import { type AuthorityInput, type CallPca, opened, putAuthority, wrongState } from './call.ts'
import { pcaDelays } from './delays.ts'
import { pcaFailure } from './errors.ts'
import { type AuthorityConfiguration, type AuthorityStatus, type PcaState, type PrivateAuthority, statusAt } from './model.ts'
import { paged } from './pages.ts'
import { pcaQuotas } from './quotas.ts'
import { canSign, newKey, requestOf } from './signing.ts'
import { type AuthorityTag, checkedTags, valuesOf } from './tags.ts'

interface CreateInput {
  readonly CertificateAuthorityConfiguration: AuthorityConfiguration
  readonly CertificateAuthorityType: 'ROOT' | 'SUBORDINATE'
  readonly RevocationConfiguration?: object
  readonly IdempotencyToken?: string
  readonly KeyStorageSecurityStandard?: string
  readonly UsageMode?: string
  readonly Tags?: readonly AuthorityTag[]
}

/** One token makes one thing for so long. */
export const tokenLifeMs: number = 5 * 60_000
const dayMs = 86_400_000

export function createCertificateAuthority(call: CallPca<CreateInput>): object {
  const { input } = call
  const tags = input.Tags ?? []
  call.authorise({ action: 'acm-pca:CreateCertificateAuthority', resource: '*', context: requestTagKeys(valuesOf(tags)) })
  const token = input.IdempotencyToken === undefined ? undefined : `create/${input.IdempotencyToken}`
  const known = token === undefined ? undefined : call.store.get().tokens.get(token)
  if (known !== undefined && known.atMs + tokenLifeMs > call.now) return { CertificateAuthorityArn: known.arn }
  checkConfiguration(input.CertificateAuthorityConfiguration)
  const limit = call.quota(pcaQuotas.authorities)
  if (call.store.get().authorities.size >= limit)
    throw pcaFailure('LimitExceededException', `The limit of ${limit} certificate authorities has been reached.`)
  const authority = newAuthority(call, input, checkedTags({}, tags, call.quota(pcaQuotas.authorityTags)))
  const state = call.store.get()
  if (token !== undefined) call.store.set({ ...state, tokens: state.tokens.set(token, { arn: authority.arn, atMs: call.now }) })
  return { CertificateAuthorityArn: authority.arn }
}

function checkConfiguration({ KeyAlgorithm, SigningAlgorithm, Subject }: AuthorityConfiguration): void {
  if (!canSign(KeyAlgorithm, SigningAlgorithm))
    throw pcaFailure('InvalidArgsException', `A key of ${KeyAlgorithm} cannot sign with ${SigningAlgorithm} here.`)
  if (Subject.CustomAttributes !== undefined && Object.keys(Subject).length > 1)
    throw pcaFailure('InvalidArgsException', 'Custom attributes cannot be combined with other parts of a subject.')
}

export function newAuthority(
  context: Context<PcaState>,
  input: Omit<CreateInput, 'Tags'>,
  tags: PrivateAuthority['tags'],
): PrivateAuthority {
  const { partition, region, account, now } = context
  const id = context.random(`authority/${context.serial()}`).uuid()
  const { CertificateAuthorityType: type, CertificateAuthorityConfiguration: configuration } = input
  const readyMs = now + context.delay(pcaDelays.authorityCreated, `authority/${id}`)
  if (readyMs > now) context.schedule({ kind: 'ready', id, atMs: readyMs, class: 'progress' })
  const key = newKey(context, { id, type, configuration })
  const authority: PrivateAuthority = {
    id,
    arn: `arn:${partition}:acm-pca:${region}:${account}:certificate-authority/${id}`,
    account,
    type,
    configuration,
    revocation: input.RevocationConfiguration ?? { CrlConfiguration: { Enabled: false } },
    usageMode: input.UsageMode ?? 'GENERAL_PURPOSE',
    keyStandard: input.KeyStorageSecurityStandard ?? 'FIPS_140_2_LEVEL_3_OR_HIGHER',
    status: readyMs > now ? 'CREATING' : 'PENDING_CERTIFICATE',
    createdMs: now,
    changedMs: now,
    key,
    request: requestOf(configuration, key),
    permissions: [],
    tags,
  }
  putAuthority(context, authority)
  return authority
}

/** The key is made; the authority waits for its certificate. */
export function becomeReady(context: Context<PcaState>, id: string): void {
  const authority = context.store.get().authorities.get(id)
  if (authority?.status === 'CREATING') changeStatus(context, authority, 'PENDING_CERTIFICATE')
}

export function changeStatus(context: Context<PcaState>, authority: PrivateAuthority, status: AuthorityStatus): void {
  putAuthority(context, { ...authority, status, changedMs: context.now })
}

export function describeCertificateAuthority(call: CallPca<AuthorityInput>): object {
  return { CertificateAuthority: render(opened(call), call) }
}

interface ListInput {
  readonly MaxResults?: number
  readonly NextToken?: string
  readonly ResourceOwner?: 'SELF' | 'OTHER_ACCOUNTS'
}

export function listCertificateAuthorities(call: CallPca<ListInput>): object {
  call.authorise({ action: 'acm-pca:ListCertificateAuthorities', resource: '*' })
  const { ResourceOwner } = call.input
  // Those that other accounts share are found through their share only, which Resource Access Manager knows.
  const all = ResourceOwner === 'OTHER_ACCOUNTS' ? [] : [...call.store.get().authorities.values()]
  const { items, next } = paged(call, all, ResourceOwner)
  return {
    CertificateAuthorities: items.map(authority => render(authority, call)),
    ...next,
  }
}

function render(authority: PrivateAuthority, { now }: { readonly now: number }): object {
  const { installed } = authority
  return {
    Arn: authority.arn,
    OwnerAccount: authority.account,
    CreatedAt: authority.createdMs,
    LastStateChangeAt: authority.changedMs,
    Type: authority.type,
    Status: statusAt(authority, now),
    ...(installed !== undefined && {
      Serial: installed.serial.replaceAll(':', ''),
      NotBefore: installed.notBeforeMs,
      NotAfter: installed.notAfterMs,
    }),
    CertificateAuthorityConfiguration: authority.configuration,
    RevocationConfiguration: authority.revocation,
    ...(authority.restorableUntilMs !== undefined && { RestorableUntil: authority.restorableUntilMs }),
    KeyStorageSecurityStandard: authority.keyStandard,
    UsageMode: authority.usageMode,
  }
}

export function getCertificateAuthorityCsr(call: CallPca<AuthorityInput>): object {
  const authority = opened(call)
  if (authority.status === 'CREATING')
    throw pcaFailure('RequestInProgressException', `The certificate authority ${authority.arn} is being created.`)
  if (authority.status === 'DELETED') throw wrongState(authority, 'DELETED')
  return { Csr: authority.request }
}

export function updateCertificateAuthority(
  call: CallPca<AuthorityInput & { readonly Status?: AuthorityStatus; readonly RevocationConfiguration?: object }>,
): undefined {
  const authority = opened(call)
  const { Status, RevocationConfiguration } = call.input
  const now = statusAt(authority, call.now)
  if (Status !== undefined && Status !== 'ACTIVE' && Status !== 'DISABLED')
    throw pcaFailure('InvalidArgsException', `A certificate authority cannot be set to ${Status}.`)
  if (now !== 'ACTIVE' && now !== 'DISABLED') throw wrongState(authority, now)
  putAuthority(call, {
    ...authority,
    status: Status ?? authority.status,
    changedMs: Status === undefined ? authority.changedMs : call.now,
    revocation: RevocationConfiguration ?? authority.revocation,
  })
  return undefined
}

const restorableDaysDefault = 30

/** One that is active must be switched off first; it can be restored for a while. */
export function deleteCertificateAuthority(
  call: CallPca<AuthorityInput & { readonly PermanentDeletionTimeInDays?: number }>,
): undefined {
  const authority = opened(call)
  const status = statusAt(authority, call.now)
  if (status === 'ACTIVE' || status === 'DELETED') throw wrongState(authority, status)
  const days = call.input.PermanentDeletionTimeInDays ?? restorableDaysDefault
  const restorableUntilMs = call.now + days * dayMs
  putAuthority(call, { ...authority, status: 'DELETED', deletedFrom: status, changedMs: call.now, restorableUntilMs })
  call.schedule({ kind: 'gone', id: authority.id, atMs: restorableUntilMs, class: 'limit' })
  return undefined
}

export function takeAway(context: Context<PcaState>, id: string): void {
  const state = context.store.get()
  const authority = state.authorities.get(id)
  if (authority?.status !== 'DELETED' || (authority.restorableUntilMs ?? 0) > context.now) return
  context.store.set({ ...state, authorities: state.authorities.delete(id) })
}

/** Comes back switched off, or waiting for its certificate as before. */
export function restoreCertificateAuthority(call: CallPca<AuthorityInput>): undefined {
  const { restorableUntilMs: _until, deletedFrom, ...authority } = opened(call)
  if (authority.status !== 'DELETED') throw wrongState(authority, authority.status)
  const status = authority.installed === undefined ? 'PENDING_CERTIFICATE' : deletedFrom === 'EXPIRED' ? 'EXPIRED' : 'DISABLED'
  changeStatus(call, authority, status)
  return undefined
}
