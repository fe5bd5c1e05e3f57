// AssumeRoleWithWebIdentity (§6.3): the chain of trust, link by link and in AWS's order. Each link says in the explanation
// whether it held; token text is never in it.

import { keyFor, readToken, signatureHolds, type Token, type TokenReading } from '#base'
import { requestTagKeys } from '../core/caller/condition-keys.ts'
import type { AccessStep } from '../policy/access.ts'
import type { ConditionContext } from '../policy/conditions.ts'
import { PolicyReader } from '../policy/document.ts'
import { evaluatePolicy, type Grade, statementName } from '../policy/evaluate.ts'
import type { RoleView } from '../ports.ts'
import type { Call, Context } from '../service.ts'
import { answered } from './answers.ts'
import { invalidToken, keysUnavailable, regionDisabled, tokenExpired, validationError, webIdentityDenied } from './errors.ts'
import { checkDuration, checkSessionPolicies, issueSession } from './issue.ts'
import { issuerKeys, type KeyFetch } from './issuer-keys.ts'
import type { StsState } from './model.ts'

export interface WebIdentityInput {
  readonly RoleArn: string
  readonly RoleSessionName: string
  readonly WebIdentityToken: string
  readonly ProviderId?: string
  readonly PolicyArns?: readonly { readonly arn?: string }[]
  readonly Policy?: string
  readonly DurationSeconds?: number
}

const durationDefaultS = 3_600
/** Clocks of issuers may be ahead of ours by this much. */
const leewayS = 300

export async function assumeRoleWithWebIdentity(call: Call<StsState, WebIdentityInput>): Promise<object> {
  const account = roleAccount(call)
  const token = readTokenOf(call)
  const provider = providerOf(call, account, token)
  const audience = audienceOf(call, provider, token)
  await checkSignedBy(call, token)
  checkTimes(call, token)
  const role = call.ports.roles.find(call.input.RoleArn, 'late')
  const tags = sessionTagsOf(token)
  checkTrust(call, { role, providerArn: provider.arn, token, audience, tags })
  return finish(call, role as RoleView, { providerArn: provider.arn, token, audience, tags })
}

function hold(call: Call, link: string, detail: string): void {
  call.explain({ link, holds: true, detail })
}

function fail(call: Call, link: string, detail: string, error: Error): never {
  call.explain({ link, holds: false, detail })
  throw error
}

function roleAccount(call: Call<StsState, WebIdentityInput>): string {
  const { RoleArn: arn } = call.input
  const found = /^arn:([^:]+):iam::(\d{12}):role\/.+$/.exec(arn)
  if (found === null || found[1] !== call.partition)
    fail(call, 'parameters', `${arn} is no role ARN of this partition`, validationError(`${arn} is invalid`))
  const account = found[2] as string
  if (call.knobs.disabledRegions.includes(call.region))
    fail(call, 'region', `${call.region} is switched off`, regionDisabled(account))
  hold(call, 'parameters', `role ${arn}`)
  return account
}

function readTokenOf(call: Call<StsState, WebIdentityInput>): Token {
  const reading = readToken(call.input.WebIdentityToken)
  if (reading.kind !== 'token') fail(call, 'token', faultOf(reading), invalidToken(faultOf(reading)))
  const { claims, algorithm, keyId } = reading.token
  hold(
    call,
    'token',
    `${algorithm}, kid ${keyId ?? 'absent'}, issuer ${claims.iss}, subject ${claims.sub}, audience ${claims.aud.join(', ')}`,
  )
  return reading.token
}

function faultOf(reading: Exclude<TokenReading, { kind: 'token' }>): string {
  return reading.kind === 'missing'
    ? `Missing a required claim: ${reading.claim}`
    : 'The ID Token provided is not a valid JWT. (You may see this error if you sent an Access Token)'
}

function providerOf(
  call: Call<StsState, WebIdentityInput>,
  account: string,
  token: Token,
): { readonly arn: string; readonly clientIds: readonly string[] } {
  const { iss } = token.claims
  const provider = iss.startsWith('https://')
    ? call.ports.providers.find(account, iss.slice('https://'.length), 'late')
    : undefined
  const text = `No OpenIDConnect provider found in your account for ${iss}`
  if (provider === undefined)
    fail(call, 'OIDC provider', `account ${account} has no provider whose URL is exactly ${iss}`, invalidToken(text))
  hold(call, 'OIDC provider', provider.arn)
  return provider
}

function audienceOf(call: Call, provider: { readonly clientIds: readonly string[] }, token: Token): string {
  const { aud, azp } = token.claims
  // With several audiences the authorised party decides, if the token names one.
  const candidates = aud.length > 1 && azp !== undefined ? [azp] : aud
  const audience = candidates.find(value => provider.clientIds.includes(value))
  if (audience === undefined) {
    fail(
      call,
      'audience',
      `the token is for ${candidates.join(', ')}, the provider takes [${provider.clientIds.join(', ')}]`,
      invalidToken('Incorrect token audience'),
    )
  }
  hold(call, 'audience', audience)
  return audience
}

async function checkSignedBy(call: Call<StsState>, token: Token): Promise<void> {
  const { iss } = token.claims
  let fetched: KeyFetch = await issuerKeys(call, iss, false)
  let key = fetched.kind === 'keys' ? keyFor(token, fetched.keys) : undefined
  if (fetched.kind === 'keys' && key === undefined && fetched.cached) {
    fetched = await issuerKeys(call, iss, true)
    key = fetched.kind === 'keys' ? keyFor(token, fetched.keys) : undefined
  }
  if (fetched.kind === 'failed') fail(call, 'issuer documents', fetched.why, fetched.error)
  hold(call, 'issuer documents', `${fetched.keys.length} keys${fetched.cached ? ', cached' : ''}`)
  if (key === undefined)
    fail(call, 'key', `no key of the issuer has kid ${token.keyId ?? 'absent'} and fits ${token.algorithm}`, keysUnavailable())
  hold(call, 'key', `kid ${token.keyId ?? ''}`)
  if (!signatureHolds(token, key))
    fail(
      call,
      'token signature',
      'it was not made by the key that the token names',
      invalidToken('The ID Token could not be verified: its signature does not match the key.'),
    )
  hold(call, 'token signature', 'made by that key')
}

function checkTimes(call: Call, token: Token): void {
  const nowS = Math.floor(call.now / 1_000)
  const { exp, nbf, iat } = token.claims
  if (exp <= nowS) fail(call, 'token lifetime', `it expired at ${exp}, now is ${nowS}`, tokenExpired(nowS, exp))
  if (Math.max(iat, nbf ?? iat) > nowS + leewayS)
    fail(
      call,
      'token lifetime',
      `it is valid from ${Math.max(iat, nbf ?? iat)}, now is ${nowS}`,
      invalidToken('The ID Token is not yet valid.'),
    )
  hold(call, 'token lifetime', `until ${exp}`)
}

interface SessionTags {
  readonly tags: Readonly<Record<string, string>>
  readonly transitive: readonly string[]
  readonly sourceIdentity: string | undefined
}

/** Claims by which an issuer hands tags and a source identity to the session. */
function sessionTagsOf(token: Token): SessionTags {
  const claim = token.claims.all['https://aws.amazon.com/tags'] as
    | { principal_tags?: Record<string, unknown>; transitive_tag_keys?: unknown }
    | undefined
  const source = token.claims.all['https://aws.amazon.com/source_identity']
  if (claim !== undefined && (typeof claim !== 'object' || claim === null))
    throw invalidToken('The tags claim of the ID Token is malformed.')
  const tags: Record<string, string> = {}
  for (const [key, value] of Object.entries(claim?.principal_tags ?? {})) {
    const text = Array.isArray(value) && value.length === 1 ? (value[0] as unknown) : value
    if (typeof text !== 'string' || text.length > 256 || key.length > 128)
      throw invalidToken('The tags claim of the ID Token is malformed.')
    tags[key] = text
  }
  const transitive = Array.isArray(claim?.transitive_tag_keys)
    ? claim.transitive_tag_keys.filter(key => typeof key === 'string')
    : []
  return { tags, transitive, sourceIdentity: typeof source === 'string' ? source : undefined }
}

interface TrustInputs {
  readonly role: RoleView | undefined
  readonly providerArn: string
  readonly token: Token
  readonly audience: string
  readonly tags: SessionTags
}

function checkTrust(call: Call<StsState, WebIdentityInput>, { role, providerArn, token, audience, tags }: TrustInputs): void {
  if (role === undefined)
    fail(call, 'role', `${call.input.RoleArn} does not exist, or is too new to be seen`, webIdentityDenied())
  const context = trustContext(call, { providerArn, token, audience, tags })
  const actions = [
    'sts:AssumeRoleWithWebIdentity',
    ...(Object.keys(tags.tags).length > 0 ? ['sts:TagSession'] : []),
    ...(tags.sourceIdentity === undefined ? [] : ['sts:SetSourceIdentity']),
  ]
  const step = trustStep(role, { actions, providerArn, context })
  call.explain(step)
  if (!step.holds) throw webIdentityDenied()
}

/** Everything that a trust policy may ask about a web identity. No other claim of the token becomes a condition key. */
function trustContext(
  call: Call<StsState, WebIdentityInput>,
  { providerArn, token, tags }: Omit<TrustInputs, 'role'>,
): ConditionContext {
  const { claims } = token
  const issuer = claims.iss.slice('https://'.length)
  return webIdentityContext({
    issuer,
    audiences: claims.aud.length > 1 && claims.azp !== undefined ? [claims.azp] : claims.aud,
    subject: claims.sub,
    more: {
      [`${issuer}:amr`]: claims.amr.length === 0 ? undefined : claims.amr,
      [`${issuer}:azp`]: claims.azp,
      'aws:FederatedProvider': providerArn,
      'sts:RoleSessionName': call.input.RoleSessionName,
      'sts:DurationSeconds': String(call.input.DurationSeconds ?? durationDefaultS),
      'sts:SourceIdentity': tags.sourceIdentity,
      'sts:TransitiveTagKeys': tags.transitive.length === 0 ? undefined : tags.transitive,
      'aws:SourceIp': call.request.sourceIp,
      'aws:SecureTransport': String(call.request.secure),
      'aws:RequestedRegion': call.region,
      'aws:CurrentTime': new Date(call.now).toISOString(),
      'aws:EpochTime': String(Math.floor(call.now / 1_000)),
      ...requestTagKeys(tags.tags),
    },
  })
}

export function webIdentityContext(inputs: {
  readonly issuer: string
  readonly audiences: readonly string[]
  readonly subject: string
  readonly more?: Readonly<Record<string, string | readonly string[] | undefined>>
}): ConditionContext {
  const { issuer, audiences, subject, more = {} } = inputs
  const prefix = issuer.toLowerCase()
  const keys = new Map<string, readonly string[]>([
    [`${prefix}:aud`, audiences],
    [`${prefix}:sub`, [subject]],
  ])
  for (const name in more) {
    const value = more[name]
    if (value !== undefined) keys.set(name.toLowerCase(), typeof value === 'string' ? [value] : value)
  }
  return keys
}

/** Reading is a pure function of the text, and a role's is read for each of its pods. */
const trustPolicies = new PolicyReader()

/** Whether the trust policy lets this provider's identity in. `*` and accounts name AWS principals only; a Deny for `*` is for all. */
export function trustStep(
  role: RoleView,
  question: { readonly actions: readonly string[]; readonly providerArn: string; readonly context: ConditionContext },
): AccessStep {
  const policy = trustPolicies.read(role.trustPolicy) ?? { statements: [] }
  const gradeOf = (type: string, value: string): Grade | undefined =>
    type === 'Federated' && value === question.providerArn ? 'caller' : type === 'AWS' && value === '*' ? 'anyone' : undefined
  let detail = ''
  for (const action of question.actions) {
    const { denies, allows, misses } = evaluatePolicy(policy, { action, resource: role.arn, context: question.context, gradeOf })
    const [deny] = denies
    if (deny !== undefined)
      return { link: 'trust policy', holds: false, detail: `${statementName(deny.statement)} of ${role.name} denies ${action}` }
    const allow = allows.find(match => match.grade === 'caller')
    if (allow === undefined)
      return {
        link: 'trust policy',
        holds: false,
        detail: misses.length > 0 ? misses.join('; ') : `no statement of ${role.name} speaks of ${action}`,
      }
    const open = allow.statement.conditions.length === 0 ? '; it has no condition, so every subject of the issuer is let in' : ''
    detail = `${statementName(allow.statement)} of ${role.name} allows it${open}`
  }
  return { link: 'trust policy', holds: true, detail }
}

function finish(
  call: Call<StsState, WebIdentityInput>,
  role: RoleView,
  { providerArn, token, audience, tags }: Omit<TrustInputs, 'role'>,
): object {
  const {
    DurationSeconds: durationS = durationDefaultS,
    Policy: policy,
    PolicyArns: policyArns = [],
    RoleSessionName: sessionName,
  } = call.input
  const session = { role, policy, policyArns: policyArns.flatMap(entry => entry.arn ?? []), tags: tags.tags }
  checkDuration(role, durationS, false)
  const packed = checkSessionPolicies(call, session)
  const issued = issueSession(call as Context<StsState>, {
    ...session,
    sessionName,
    durationS,
    transitiveTagKeys: tags.transitive,
    sourceIdentity: tags.sourceIdentity,
    federatedProvider: providerArn,
  })
  return {
    ...answered(issued, packed),
    SubjectFromWebIdentityToken: token.claims.sub,
    Audience: audience,
    Provider: call.knobs.webIdentityProvider === 'arn' ? providerArn : token.claims.iss,
  }
}
