// STS, assembled. README.md says what is faithful and what is not.
import { type ServiceModel, serviceModel } from '#aws'
import { adminAccountOf } from '../core/caller/admin-keys.ts'
import { ServiceError } from '../error.ts'
import type { Call, Service } from '../service.ts'
import { credentialsOf } from './answers.ts'
import { assumeRole, tokensPort } from './assume-role.ts'
import { accessDenied, validationError } from './errors.ts'
import { keepSession, newCredentials } from './issue.ts'
import { emptyState, forgetAfterMs, type StsState, withoutExpired } from './model.ts'
import { assumeRoleWithWebIdentity } from './web-identity.ts'

function getCallerIdentity({ caller }: Call<StsState>): object {
  if (caller.kind === 'anonymous' || caller.kind === 'service') throw accessDenied('Access Denied')
  return { UserId: caller.userId, Account: caller.account, Arn: caller.arn }
}

const userSessionDurationDefaultS = 43_200

/** Simplified (§1.8): a session of the calling user, without second factors. */
function getSessionToken(call: Call<StsState, { DurationSeconds?: number }>): object {
  const { caller, input } = call
  if (caller.kind !== 'user') throw accessDenied('Cannot call GetSessionToken with session credentials')
  const credentials = newCredentials(call)
  const expiresAtMs = call.now + (input.DurationSeconds ?? userSessionDurationDefaultS) * 1_000
  keepSession(call, {
    ...credentials,
    principal: { ...caller, accessKeyId: credentials.accessKeyId, issuedAtMs: call.now, expiresAtMs },
  })
  return { Credentials: credentialsOf({ ...credentials, expiresAtMs }) }
}

function getAccessKeyInfo(call: Call<StsState, { AccessKeyId: string }>): object {
  const { AccessKeyId: id } = call.input
  call.authorise({ action: 'sts:GetAccessKeyInfo', resource: '*' })
  const account =
    call.ports.identities.userKey(id)?.user.account ??
    call.store.get().sessions.get(id)?.principal.account ??
    adminAccountOf(call.seed, call.partition, id)
  if (account === undefined) throw validationError(`Invalid access key ID: ${id}`)
  return { Account: account }
}

/** Our encoded messages are base64 of the decision as JSON (§6.1). */
function decodeAuthorizationMessage(call: Call<StsState, { EncodedMessage: string }>): object {
  call.authorise({ action: 'sts:DecodeAuthorizationMessage', resource: '*' })
  const text = Buffer.from(call.input.EncodedMessage, 'base64').toString('utf8')
  try {
    const decision: unknown = JSON.parse(text)
    if (typeof decision === 'object' && decision !== null) return { DecodedMessage: text }
  } catch {
    // Falls through to the one answer for whatever is wrong with it.
  }
  throw new ServiceError('InvalidAuthorizationMessageException', 400, 'The message could not be decoded')
}

const rateExceeded = { code: 'Throttling', status: 400, message: 'Rate exceeded' }
const shared = ['AssumeRole', 'GetCallerIdentity', 'GetSessionToken', 'DecodeAuthorizationMessage', 'GetAccessKeyInfo']

export const sts: Service<StsState> = {
  name: 'sts',
  get model(): ServiceModel {
    return serviceModel('sts')
  },
  address: { hosts: ['sts', 'sts-fips'], globalRegion: 'us-east-1', formVersion: '2011-06-15' },
  scope: 'partition',
  initial: () => emptyState,
  operations: {
    GetCallerIdentity: getCallerIdentity,
    AssumeRole: assumeRole,
    AssumeRoleWithWebIdentity: assumeRoleWithWebIdentity,
    GetSessionToken: getSessionToken,
    GetAccessKeyInfo: getAccessKeyInfo,
    DecodeAuthorizationMessage: decodeAuthorizationMessage,
  },
  open: ['GetCallerIdentity', 'AssumeRoleWithWebIdentity', 'GetSessionToken'],
  unsigned: ['AssumeRoleWithWebIdentity'],
  timers: {
    sweep: context => {
      const state = withoutExpired(context.store.get(), context.now)
      context.store.set(state)
      if (state.sessions.size > 0)
        context.schedule({ kind: 'sweep', id: 'sessions', atMs: context.now + forgetAfterMs, class: 'limit' })
    },
  },
  offers: at => ({
    tokens: tokensPort(at),
    sessions: { find: accessKeyId => at().store.get().sessions.get(accessKeyId) },
  }),
  throttles: [
    { name: 'shared', operations: shared, perSecond: 600, burst: 600, source: 'published', per: 'region', error: rateExceeded },
    {
      name: 'web-identity',
      operations: ['AssumeRoleWithWebIdentity'],
      perSecond: 100,
      burst: 300,
      source: 'choice',
      per: 'region',
      error: rateExceeded,
    },
  ],
}
