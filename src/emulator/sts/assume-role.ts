// AssumeRole (§6.2), for callers with credentials and, through the port, for AWS services.
import { requestTagKeys } from '../core/caller/condition-keys.ts'
import type { AccessQuestion, ContextKeys } from '../policy/access.ts'
import type { RoleView, TokensPort } from '../ports.ts'
import { nameOf, type Principal, type SessionPrincipal } from '../principal.ts'
import type { Call, Context } from '../service.ts'
import { answered } from './answers.ts'
import { accessDenied, regionDisabled, validationError } from './errors.ts'
import { checkDuration, checkSessionPolicies, issueSession } from './issue.ts'
import type { StsState } from './model.ts'

interface AssumeRoleInput {
  readonly RoleArn: string
  readonly RoleSessionName: string
  readonly DurationSeconds?: number
  readonly Policy?: string
  readonly PolicyArns?: readonly { readonly arn?: string }[]
  readonly Tags?: readonly { readonly Key: string; readonly Value: string }[]
  readonly TransitiveTagKeys?: readonly string[]
  readonly ExternalId?: string
  readonly SourceIdentity?: string
}

const durationDefaultS = 3_600

export function assumeRole(call: Call<StsState, AssumeRoleInput>): object {
  const { input, caller } = call
  if (call.knobs.disabledRegions.includes(call.region)) throw regionDisabled(call.account)
  if (!/^arn:[^:]+:iam::\d{12}:role\/.+$/.test(input.RoleArn)) throw validationError(`${input.RoleArn} is invalid`)
  if (caller.kind === 'root') throw accessDenied('Roles may not be assumed by root accounts.')
  const { tags, transitive } = sessionTags(call)
  const sourceIdentity = input.SourceIdentity ?? (caller.kind === 'session' ? caller.sourceIdentity : undefined)
  const role = call.ports.roles.find(input.RoleArn, 'late')
  const questions = questionsFor(input.RoleArn, role, {
    tagged: Object.keys(tags.own).length > 0,
    sourced: input.SourceIdentity !== undefined,
    context: contextOf(call, tags.own, transitive),
  })
  if (role === undefined) {
    call.decide(questions[0] as AccessQuestion)
    call.explain({ link: 'role', holds: false, detail: `${input.RoleArn} does not exist, or is too new to be seen` })
    throw denial(caller, 'sts:AssumeRole', input.RoleArn)
  }
  for (const question of questions) {
    const decision = call.decide(question)
    call.explain(...decision.steps.map(step => ({ ...step, detail: `${question.action}: ${step.detail}` })))
    if (!decision.allowed) throw denial(caller, question.action, input.RoleArn)
  }
  const durationS = input.DurationSeconds ?? durationDefaultS
  checkDuration(role, durationS, caller.kind === 'session')
  const session = {
    role,
    policy: input.Policy,
    policyArns: (input.PolicyArns ?? []).flatMap(entry => entry.arn ?? []),
    tags: tags.all,
  }
  const packed = checkSessionPolicies(call, session)
  const issued = issueSession(call, {
    ...session,
    sessionName: input.RoleSessionName,
    durationS,
    transitiveTagKeys: transitive,
    sourceIdentity,
    federatedProvider: undefined,
  })
  return answered(issued, packed)
}

function denial(caller: Principal, action: string, roleArn: string): Error {
  return accessDenied(`User: ${nameOf(caller)} is not authorized to perform: ${action} on resource: ${roleArn}`)
}

/** The tags asked for, and with them those that the calling session must pass on. */
function sessionTags(call: Call<StsState, AssumeRoleInput>): {
  readonly tags: { readonly own: Readonly<Record<string, string>>; readonly all: Readonly<Record<string, string>> }
  readonly transitive: readonly string[]
} {
  const { Tags: asked = [], TransitiveTagKeys: askedTransitive = [] } = call.input
  const { caller } = call
  const names = asked.map(tag => tag.Key.toLowerCase())
  if (new Set(names).size !== names.length)
    throw validationError('Duplicate tag keys found. Please note that Tag keys are case insensitive.')
  const own = Object.fromEntries(asked.map(tag => [tag.Key, tag.Value]))
  const stray = askedTransitive.find(key => !names.includes(key.toLowerCase()))
  if (stray !== undefined)
    throw validationError(`The specified transitive tag key ${stray} must be included in the requested tags.`)
  const inheritedKeys = caller.kind === 'session' ? caller.transitiveTagKeys : []
  const overridden = inheritedKeys.find(key => names.includes(key.toLowerCase()))
  if (overridden !== undefined)
    throw accessDenied(
      `One of the specified transitive tag keys can't be set because it conflicts with a transitive tag key from the calling session.`,
    )
  const inherited = Object.fromEntries(inheritedKeys.map(key => [key, (caller as SessionPrincipal).tags[key] ?? '']))
  return { tags: { own, all: { ...inherited, ...own } }, transitive: [...inheritedKeys, ...askedTransitive] }
}

function contextOf(
  { input }: Call<StsState, AssumeRoleInput>,
  tags: Readonly<Record<string, string>>,
  transitive: readonly string[],
): ContextKeys {
  return {
    'sts:ExternalId': input.ExternalId,
    'sts:RoleSessionName': input.RoleSessionName,
    'sts:DurationSeconds': String(input.DurationSeconds ?? durationDefaultS),
    'sts:SourceIdentity': input.SourceIdentity,
    'sts:TransitiveTagKeys': transitive.length === 0 ? undefined : transitive,
    ...requestTagKeys(tags),
  }
}

function questionsFor(
  arn: string,
  role: RoleView | undefined,
  asked: { readonly tagged: boolean; readonly sourced: boolean; readonly context: ContextKeys },
): readonly AccessQuestion[] {
  const actions = [
    'sts:AssumeRole',
    ...(asked.tagged ? ['sts:TagSession'] : []),
    ...(asked.sourced ? ['sts:SetSourceIdentity'] : []),
  ]
  const resourceAccount = arn.split(':')[4] as string
  const resourcePolicy = {
    kind: 'role trust' as const,
    name: `trust policy of ${role?.name ?? 'a role that does not exist'}`,
    text: role?.trustPolicy ?? '{}',
  }
  return actions.map(action => ({
    action,
    resource: arn,
    resourceAccount,
    resourcePolicy,
    context: asked.context,
    resourceTags: role?.tags ?? {},
  }))
}

/** For EKS Auth: the service assumes a role for a pod, and that session the next one. */
export function tokensPort(at: (place: { readonly account: string; readonly region: string }) => Context<StsState>): TokensPort {
  return {
    assumeRole(request) {
      const context = at({ account: request.account, region: request.region })
      const { caller, roleArn, tags = {} } = request
      const role = context.ports.roles.find(roleArn, 'late')
      if (role === undefined) throw denial(caller, 'sts:AssumeRole', roleArn)
      const transitive = request.transitiveTagKeys ?? []
      const keys: ContextKeys = {
        'sts:RoleSessionName': request.sessionName,
        'sts:TransitiveTagKeys': transitive.length === 0 ? undefined : transitive,
        ...requestTagKeys(tags),
        ...request.context,
      }
      for (const question of questionsFor(roleArn, role, {
        tagged: Object.keys(tags).length > 0,
        sourced: false,
        context: keys,
      })) {
        if (!context.decideFor(caller, question).allowed) throw denial(caller, question.action, roleArn)
      }
      const inherited =
        caller.kind === 'session' ? Object.fromEntries(caller.transitiveTagKeys.map(key => [key, caller.tags[key] ?? ''])) : {}
      const all = { ...inherited, ...tags }
      checkSessionPolicies(context, { role, policy: request.policy, policyArns: [], tags: all })
      return issueSession(context, {
        role,
        sessionName: request.sessionName,
        durationS: request.durationS,
        policy: request.policy,
        policyArns: [],
        tags: all,
        transitiveTagKeys: caller.kind === 'session' ? [...caller.transitiveTagKeys, ...transitive] : transitive,
        sourceIdentity: undefined,
        federatedProvider: undefined,
      })
    },
  }
}
