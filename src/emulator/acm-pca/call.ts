// How an operation finds its authority, and whether the caller may.
import type { AccessQuestion } from '../policy/access.ts'
import type { Call, Context, StateCell } from '../service.ts'
import { pcaFailure } from './errors.ts'
import type { PcaState, PrivateAuthority } from './model.ts'

export type CallPca<I> = Call<PcaState, I>

export interface AuthorityInput {
  readonly CertificateAuthorityArn: string
}

const authorityArn = /^arn:(aws[a-z-]*):acm-pca:([a-z0-9-]+):(\d{12}):certificate-authority\/([^/]+)$/

interface Place {
  readonly authority: PrivateAuthority
  /** Where it stands; another account's may have let the caller in. */
  readonly store: StateCell<PcaState>
}

/** The authority behind an ARN, wherever it stands in this region. */
export function placeOfAuthority(context: Context<PcaState>, arn: string): Place | undefined {
  const [, partition, region, account = '', id = ''] = authorityArn.exec(arn) ?? []
  if (partition !== context.partition || region !== context.region) return undefined
  const store = account === context.account ? context.store : context.storeAt({ account })
  const authority = store.get().authorities.get(id)
  return authority === undefined ? undefined : { authority, store }
}

/** What an authority can share with other accounts; the rest is its owner's. */
const shared = new Set([
  'DescribeCertificateAuthority',
  'GetCertificate',
  'GetCertificateAuthorityCertificate',
  'IssueCertificate',
  'ListPermissions',
  'ListTags',
])

/** What is to be asked for this action on the authority, whose policy may let strangers in. */
export function questionOf(action: string, arn: string, authority: PrivateAuthority | undefined): AccessQuestion {
  const policy = shared.has(action) ? authority?.policy : undefined
  return {
    action: `acm-pca:${action}`,
    resource: arn,
    resourceAccount: arn.split(':')[4] ?? '',
    ...(authority !== undefined && { resourceTags: authority.tags }),
    ...(policy !== undefined && {
      resourcePolicy: { kind: 'resource-based', name: `policy of ${arn}`, text: policy },
    }),
  }
}

/** The authority behind the ARN, once the caller may do this to it. */
export function opened(call: CallPca<AuthorityInput>, context: AccessQuestion['context'] = {}): PrivateAuthority {
  const arn = call.input.CertificateAuthorityArn
  return openedAt(call, arn, context)
}

export function openedAt(call: Call<PcaState>, arn: string, context: AccessQuestion['context'] = {}): PrivateAuthority {
  const found = placeOfAuthority(call, arn)
  call.authorise({ ...questionOf(call.operation, arn, found?.authority), context })
  if (!authorityArn.test(arn)) throw pcaFailure('InvalidArnException', `Invalid ARN: ${arn}`)
  if (found === undefined) throw pcaFailure('ResourceNotFoundException', `Could not find Certificate Authority with ARN ${arn}.`)
  return found.authority
}

export function storeOf(context: Context<PcaState>, { account }: PrivateAuthority): StateCell<PcaState> {
  return account === context.account ? context.store : context.storeAt({ account })
}

export function putAuthority(context: Context<PcaState>, authority: PrivateAuthority): void {
  const store = storeOf(context, authority)
  const state = store.get()
  store.set({ ...state, authorities: state.authorities.set(authority.id, authority) })
}

export function wrongState(authority: PrivateAuthority, status: string): Error {
  return pcaFailure(
    'InvalidStateException',
    `The certificate authority ${authority.arn} is in state ${status}, which does not allow this.`,
  )
}
