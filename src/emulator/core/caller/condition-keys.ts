// The condition keys that every request has (§4.3), beside those that its operation adds.
import type { Instant } from '#base'
import type { AccessQuestion, ContextKeys } from '../../policy/access.ts'
import type { ConditionContext } from '../../policy/conditions.ts'
import type { Principal } from '../../principal.ts'
import type { RawRequest } from '../../service.ts'

export interface KeyInputs {
  readonly caller: Principal
  /** The tags of the user or of the session's role. Session tags come from the caller. */
  readonly tags: Readonly<Record<string, string>>
  readonly request: Pick<RawRequest, 'secure' | 'sourceIp' | 'userAgent'> | undefined
  readonly region: string
  readonly now: Instant
  readonly organization: (account: string) => { readonly id: string; readonly paths: readonly string[] } | undefined
}

export function conditionKeys(question: AccessQuestion, inputs: KeyInputs): ConditionContext {
  const keys = new Map<string, readonly string[]>()
  const add = (name: string, value: string | readonly string[] | undefined): void => {
    if (value === undefined) return
    const values = typeof value === 'string' ? [value] : value
    if (values.length > 0) keys.set(name.toLowerCase(), values)
  }
  addRequestKeys(add, inputs)
  addCallerKeys(add, inputs)
  const resourceAccount =
    question.resourceAccount ??
    (inputs.caller.kind === 'anonymous' || inputs.caller.kind === 'service' ? undefined : inputs.caller.account)
  add('aws:ResourceAccount', resourceAccount)
  if (resourceAccount !== undefined) add('aws:ResourceOrgID', inputs.organization(resourceAccount)?.id)
  for (const [tag, value] of Object.entries(question.resourceTags ?? {})) add(`aws:ResourceTag/${tag}`, value)
  for (const [name, value] of Object.entries(question.context ?? {})) add(name, value)
  return keys
}

type Add = (name: string, value: string | readonly string[] | undefined) => void

function addRequestKeys(add: Add, { request, region, now }: KeyInputs): void {
  add('aws:CurrentTime', new Date(now).toISOString())
  add('aws:EpochTime', String(Math.floor(now / 1_000)))
  add('aws:RequestedRegion', region)
  if (request === undefined) return
  add('aws:SecureTransport', String(request.secure))
  add('aws:SourceIp', request.sourceIp)
  add('aws:UserAgent', request.userAgent === '' ? undefined : request.userAgent)
}

function addCallerKeys(add: Add, inputs: KeyInputs): void {
  const { caller } = inputs
  if (caller.kind === 'anonymous') {
    add('aws:PrincipalType', 'Anonymous')
    add('aws:userid', 'anonymous')
    add('aws:PrincipalIsAWSService', 'false')
    return
  }
  if (caller.kind === 'service') {
    add('aws:PrincipalIsAWSService', 'true')
    add('aws:PrincipalServiceName', caller.service)
    return
  }
  add('aws:PrincipalIsAWSService', 'false')
  add('aws:ViaAWSService', 'false')
  add('aws:PrincipalArn', caller.kind === 'session' ? caller.roleArn : caller.arn)
  add('aws:PrincipalAccount', caller.account)
  add('aws:userid', caller.userId)
  add('aws:PrincipalType', caller.kind === 'session' ? 'AssumedRole' : caller.kind === 'user' ? 'User' : 'Account')
  const organization = inputs.organization(caller.account)
  add('aws:PrincipalOrgID', organization?.id)
  add('aws:PrincipalOrgPaths', organization?.paths)
  if (caller.kind === 'user') add('aws:username', caller.userName)
  for (const [tag, value] of Object.entries(inputs.tags)) add(`aws:PrincipalTag/${tag}`, value)
  if (caller.kind === 'session') addSessionKeys(add, caller)
}

function addSessionKeys(add: Add, caller: Principal & { readonly kind: 'session' }): void {
  for (const [tag, value] of Object.entries(caller.tags)) add(`aws:PrincipalTag/${tag}`, value)
  add('aws:SourceIdentity', caller.sourceIdentity)
  add('aws:FederatedProvider', caller.federatedProvider)
  add('aws:TokenIssueTime', new Date(caller.issuedAtMs).toISOString())
  // Absent for web identity, false for sessions made with long-term keys: no emulated session has used a second factor.
  if (caller.federatedProvider === undefined) add('aws:MultiFactorAuthPresent', 'false')
}

/** The keys that tags on a request bring: `aws:RequestTag/…` and `aws:TagKeys`. */
export function requestTagKeys(tags: Readonly<Record<string, string>>): ContextKeys {
  const names = Object.keys(tags)
  return {
    'aws:TagKeys': names.length === 0 ? undefined : names,
    ...Object.fromEntries(Object.entries(tags).map(([name, value]) => [`aws:RequestTag/${name}`, value])),
  }
}
