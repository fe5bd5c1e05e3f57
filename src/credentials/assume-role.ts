// The last two steps: a token of the remote ServiceAccount, and what STS gives for it. The token is held by nobody and told to nobody
// but STS.
import { AwsError } from '#aws'
import { KubeError } from '#kube/client'
import { audience } from '#operators/identity/api'
import type { RemoteRequest, TokenGiver } from './options.ts'
import { RemoteCredentialsError, type RemoteReason, type RemoteWay } from './remote-error.ts'

export interface RemoteCredentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken: string
  readonly expiration: Date
  /** Of the role; empty where STS does not say it. */
  readonly accountId: string
  readonly source: 'RemoteIRSAAssumeRoleWithWebIdentity'
}

export async function requestToken(
  tokens: TokenGiver,
  { serviceAccount, tokenExpirationMs }: RemoteRequest,
  way: RemoteWay,
  signal?: AbortSignal,
): Promise<string> {
  const spec = { audiences: [audience], expirationSeconds: Math.floor(tokenExpirationMs / 1_000) }
  const { token } = await tokens
    .requestToken(serviceAccount, spec, signal === undefined ? {} : { signal })
    .catch((cause: unknown) => {
      const isForbidden = cause instanceof KubeError && cause.httpStatus === 403
      throw isForbidden
        ? new RemoteCredentialsError('RemoteTokenRequestForbidden', 'the cluster does not let us ask for its token', {
            way,
            cause,
          })
        : new RemoteCredentialsError('RemoteTokenRequestFailed', 'the cluster gave no token', { way, cause })
    })
  if (token === '') throw new RemoteCredentialsError('RemoteTokenRequestFailed', 'the cluster gave an empty token', { way })
  return token
}

export interface Assumed {
  readonly roleArn: string
  readonly region: string
  readonly token: string
}

export async function assumeRole(
  { stsOf, sessionName, sessionDurationMs }: RemoteRequest,
  { roleArn, region, token }: Assumed,
  way: RemoteWay,
  signal?: AbortSignal,
): Promise<RemoteCredentials> {
  const input = {
    RoleArn: roleArn,
    RoleSessionName: sessionName,
    WebIdentityToken: token,
    ...(sessionDurationMs === 0 ? {} : { DurationSeconds: Math.floor(sessionDurationMs / 1_000) }),
  }
  const output = await callSts(
    () => stsOf(region).call('AssumeRoleWithWebIdentity', input, signal === undefined ? {} : { signal }),
    way,
  )
  return readAnswer(output, way)
}

async function callSts<T>(call: () => Promise<T>, way: RemoteWay): Promise<T> {
  try {
    return await call()
  } catch (cause) {
    const reason = cause instanceof AwsError ? (reasonsByCode[cause.code] ?? otherTrouble) : otherTrouble
    throw new RemoteCredentialsError(reason, wordsFor[reason] ?? '', { way, cause })
  }
}

const otherTrouble: RemoteReason = 'STSAssumeRoleWithWebIdentityFailed'

const reasonsByCode: Readonly<Record<string, RemoteReason | undefined>> = {
  AccessDenied: 'STSAccessDenied',
  AccessDeniedException: 'STSAccessDenied',
  ExpiredToken: 'ExpiredOrInvalidToken',
  ExpiredTokenException: 'ExpiredOrInvalidToken',
  InvalidIdentityToken: 'ExpiredOrInvalidToken',
  InvalidIdentityTokenException: 'ExpiredOrInvalidToken',
  IDPRejectedClaim: 'ExpiredOrInvalidToken',
}

const wordsFor: Partial<Readonly<Record<RemoteReason, string>>> = {
  STSAccessDenied: 'STS does not let the ServiceAccount have the role',
  ExpiredOrInvalidToken: 'STS does not accept the token',
  STSAssumeRoleWithWebIdentityFailed: 'STS gave no credentials',
}

function readAnswer(output: Readonly<Record<string, unknown>>, way: RemoteWay): RemoteCredentials {
  const { AccessKeyId, SecretAccessKey, SessionToken, Expiration } = fieldsOf(output['Credentials'])
  const isWhole = isText(AccessKeyId) && isText(SecretAccessKey) && isText(SessionToken) && isTime(Expiration)
  if (!isWhole) throw new RemoteCredentialsError('STSCredentialsUnavailable', 'STS answered without whole credentials', { way })
  return {
    accessKeyId: AccessKeyId,
    secretAccessKey: SecretAccessKey,
    sessionToken: SessionToken,
    expiration: Expiration,
    accountId: accountOf(fieldsOf(output['AssumedRoleUser'])['Arn']),
    source: 'RemoteIRSAAssumeRoleWithWebIdentity',
  }
}

/** Of `arn:aws:sts::123456789012:assumed-role/name/session`. */
function accountOf(arn: unknown): string {
  return typeof arn === 'string' ? (/^arn:[^:]+:sts::(\d{12}):assumed-role\/./.exec(arn)?.[1] ?? '') : ''
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {}
}

/** A Date may be none: it is an end that nobody knows, and what has it would be used for ever. */
function isTime(value: unknown): value is Date {
  return value instanceof Date && !Number.isNaN(value.getTime())
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}
