// Reviews: questions about identity and access that are answered and not stored.
import type { UserInfo } from '../api-server.ts'
import type { Core } from '../core.ts'
import { type Draft, isRecord } from '../draft.ts'
import type { Reply, ResourceCall } from '../http/call.ts'
import { badRequest, invalid } from '../refusals.ts'
import { fieldError } from '../schema/field-error.ts'
import type { TokenVerdict } from '../tokens/service-account-tokens.ts'
import { decodeObject } from '../verbs/decode.ts'
import { readWriteOptions } from '../verbs/options.ts'
import type { Authorizer, Decision } from './authorizer.ts'
import type { PolicyRule } from './rules.ts'

export interface ReviewContext {
  readonly authorizer: Authorizer
  readonly apiAudiences: () => readonly string[]
  reviewToken(token: string, audiences: readonly string[]): TokenVerdict | string
}

export function review(core: Core, context: ReviewContext, call: ResourceCall): Reply {
  const draft = decodeObject(call, readWriteOptions(call, 'CreateOptions'), core.decodeProtobuf)
  if (core.emulate !== '1.34') draft.metadata.creationTimestamp ??= null
  const spec = isRecord(draft.spec) ? draft.spec : {}
  switch (call.kind.resource.kind) {
    case 'TokenReview':
      return answer(draft, reviewToken(context, spec))
    case 'SelfSubjectReview':
      return answer(draft, { userInfo: renderUser(call.user) })
    case 'SelfSubjectRulesReview':
      return answer(draft, rulesStatus(context.authorizer.rulesFor(call.user, namespaceOf(spec))))
    case 'SelfSubjectAccessReview':
      return answer(draft, decide(context, call, draft, spec, call.user))
    case 'LocalSubjectAccessReview':
      matchNamespace(call, spec)
      return answer(draft, decide(context, call, draft, spec, subjectOf(call, draft, spec)))
    default:
      return answer(draft, decide(context, call, draft, spec, subjectOf(call, draft, spec)))
  }
}

function answer(draft: Draft, status: Record<string, unknown>): Reply {
  return { type: 'value', code: 201, value: { ...draft, status } }
}

function reviewToken(context: ReviewContext, spec: Record<string, unknown>): Record<string, unknown> {
  const token = typeof spec.token === 'string' ? spec.token : ''
  if (token === '') throw badRequest('token is required for TokenReview in authentication')
  const wanted =
    Array.isArray(spec.audiences) && spec.audiences.length > 0 ? (spec.audiences as string[]) : context.apiAudiences()
  const verdict = context.reviewToken(token, wanted)
  if (typeof verdict === 'string') return { user: {}, error: `[invalid bearer token, ${verdict}]` }
  return { authenticated: true, user: renderUser(verdict.user), audiences: verdict.audiences }
}

export function renderUser(user: UserInfo): Record<string, unknown> {
  return {
    username: user.username,
    ...(user.uid === undefined ? {} : { uid: user.uid }),
    groups: user.groups,
    ...(user.extra === undefined || Object.keys(user.extra).length === 0 ? {} : { extra: user.extra }),
  }
}

function subjectOf(call: ResourceCall, draft: Draft, spec: Record<string, unknown>): UserInfo {
  const username = typeof spec.user === 'string' ? spec.user : ''
  const groups = Array.isArray(spec.groups) ? (spec.groups as string[]) : []
  if (username === '' && groups.length === 0) {
    throw refuse(call, draft, [fieldError.invalid('spec.user', '', 'at least one of user or group must be specified')])
  }
  return { username, groups }
}

function decide(
  context: ReviewContext,
  call: ResourceCall,
  draft: Draft,
  spec: Record<string, unknown>,
  user: UserInfo,
): Record<string, unknown> {
  const { resourceAttributes: resource, nonResourceAttributes: path } = spec
  if (isRecord(resource) === isRecord(path)) {
    const detail = isRecord(path)
      ? 'cannot be specified in combination with resourceAttributes'
      : 'exactly one of nonResourceAttributes or resourceAttributes must be specified'
    const field = isRecord(path) ? 'spec.nonResourceAttributes' : 'spec.resourceAttributes'
    throw refuse(call, draft, [fieldError.invalid(field, null, detail)])
  }
  const text = (value: unknown): string => (typeof value === 'string' ? value : '')
  let decision: Decision
  if (isRecord(resource)) {
    decision = context.authorizer.decide(user, {
      verb: text(resource.verb),
      group: text(resource.group),
      resource: text(resource.resource),
      subresource: text(resource.subresource),
      namespace: text(resource.namespace),
      name: text(resource.name),
    })
  } else {
    const asked = path as Record<string, unknown>
    decision = context.authorizer.decidePath(user, { verb: text(asked.verb), path: text(asked.path) })
  }
  return { allowed: decision.allowed, ...(decision.reason === '' ? {} : { reason: decision.reason }) }
}

function matchNamespace(call: ResourceCall, spec: Record<string, unknown>): void {
  const attributes = spec.resourceAttributes
  if (isRecord(attributes) && attributes.namespace === call.info.namespace) return
  throw badRequest('spec.resourceAttributes.namespace must match namespace')
}

function namespaceOf(spec: Record<string, unknown>): string {
  if (typeof spec.namespace === 'string' && spec.namespace !== '') return spec.namespace
  throw badRequest('no namespace on request')
}

function rulesStatus(rules: readonly PolicyRule[]): Record<string, unknown> {
  const isPath = (rule: PolicyRule): boolean => (rule.nonResourceURLs ?? []).length > 0
  return {
    resourceRules: rules
      .filter(rule => !isPath(rule))
      .map(({ verbs = [], apiGroups = [], resources = [], resourceNames = [] }) => ({
        verbs,
        apiGroups,
        resources,
        ...(resourceNames.length === 0 ? {} : { resourceNames }),
      })),
    nonResourceRules: rules.filter(isPath).map(({ verbs = [], nonResourceURLs = [] }) => ({ verbs, nonResourceURLs })),
    incomplete: false,
  }
}

function refuse(call: ResourceCall, draft: Draft, errors: Parameters<typeof invalid>[2]): Error {
  const { group, kind } = call.kind.resource
  return invalid({ group, kind }, draft.metadata.name ?? '', errors)
}
