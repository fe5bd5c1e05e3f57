// Reviews: questions about identity and access that are answered and not stored.

import type { Clock } from '#base'
import { isRecord } from '#base'
import { fieldError, type Json } from '#schema'
import type { Authorizer, AuthorizerDecision } from '../auth/authorizer.ts'
import type { RbacRule } from '../auth/rules.ts'
import { asJson, type Draft } from '../draft.ts'
import type { EmulatedVersion } from '../emulated-version.ts'
import type { Reply, ResourceCall } from '../http/call.ts'
import { badRequest, invalid } from '../refusals.ts'
import { timestamp } from '../timestamp.ts'
import type { TokenVerdict } from '../tokens/service-account-tokens.ts'
import { renderUser, type UserInfo } from '../users.ts'
import { decodeObject } from '../verbs/decode.ts'
import { trackBuiltin } from '../verbs/field-management.ts'
import { readWriteOptions } from '../verbs/options.ts'
import type { DecodePorts } from '../verbs/ports.ts'
import { ignoredSelectors, selectorErrors } from './review-selectors.ts'

export interface ReviewContext {
  readonly authorizer: Authorizer
  readonly apiAudiences: () => readonly string[]
  reviewToken(token: string, audiences: readonly string[]): TokenVerdict | string
}

export interface ReviewPorts extends DecodePorts {
  readonly clock: Clock
  readonly emulate: EmulatedVersion
}

export function review(ports: ReviewPorts, context: ReviewContext, call: ResourceCall): Reply {
  const options = readWriteOptions(call, 'CreateOptions')
  const draft = decodeObject(call, options, ports.decodeProtobuf)
  if (ports.emulate !== '1.34') draft.metadata.creationTimestamp ??= null
  matchNamespace(call, draft)
  const spec = isRecord(draft.spec) ? draft.spec : {}
  // A question passes through creation like anything else, which notes whose fields they are; nothing is kept.
  const asked = (): Draft => trackBuiltin(ports, call, draft, options)
  switch (call.kind.resource.kind) {
    case 'TokenReview':
      return answer(asked(), reviewToken(context, spec))
    case 'SelfSubjectReview':
      return answer(
        { ...draft, metadata: { creationTimestamp: timestamp(ports.clock.now()) } },
        { userInfo: renderUser(call.user) },
      )
    case 'SelfSubjectRulesReview':
      return answer(
        { ...draft, metadata: ports.emulate === '1.34' ? {} : { creationTimestamp: null }, spec: {} },
        rulesStatus(context.authorizer.rulesFor(call.user, namespaceOf(spec))),
      )
    case 'SelfSubjectAccessReview':
      return answer(question(call, asked(), spec, selectorErrors(spec)), decide(context, spec, call.user))
    default: {
      const groups = Array.isArray(spec.groups) ? (spec.groups as string[]) : []
      return answer(
        question(call, asked(), spec, [...subjectErrors(spec), ...selectorErrors(spec)]),
        decide(context, spec, { username: typeof spec.user === 'string' ? spec.user : '', groups }),
      )
    }
  }
}

function answer(draft: Draft, status: Record<string, unknown>): Reply {
  return { type: 'value', code: 201, value: { ...draft, status } }
}

function matchNamespace({ info, kind }: ResourceCall, { metadata }: Draft): void {
  if (!kind.resource.namespaced) {
    delete metadata.namespace
    return
  }
  metadata.namespace ||= info.namespace
  if (metadata.namespace !== info.namespace)
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request')
}

/** A question has no name and no labels: it is nothing that lasts. */
function metadataErrors({ kind }: ResourceCall, draft: Draft): Errors {
  const { managedFields: _fields, creationTimestamp: _time, namespace = '', ...metadata } = draft.metadata
  if (Object.keys(metadata).length === 0) return []
  const shown: { readonly metadata?: Json } = JSON.parse(kind.schema.render?.(asJson(draft), undefined) ?? '{}')
  const error = fieldError.invalid(
    'metadata',
    shown.metadata,
    namespace === '' ? 'must be empty' : 'must be empty except for namespace',
  )
  return [{ ...error, ordered: true }]
}

function reviewToken(context: ReviewContext, spec: Record<string, unknown>): Record<string, unknown> {
  const token = typeof spec.token === 'string' ? spec.token : ''
  if (token === '') throw badRequest('token is required for TokenReview in authentication')
  const wanted =
    Array.isArray(spec.audiences) && spec.audiences.length > 0 ? (spec.audiences as string[]) : context.apiAudiences()
  const verdict = context.reviewToken(token, wanted)
  if (typeof verdict === 'string')
    return { user: {}, error: verdict === 'invalid bearer token' ? verdict : `[invalid bearer token, ${verdict}]` }
  // The group that says so comes with the authentication of a request, or of a review.
  const groups = [...new Set([...verdict.user.groups, 'system:authenticated'])]
  return { authenticated: true, user: renderUser({ ...verdict.user, groups }), audiences: verdict.audiences }
}

type Errors = Parameters<typeof invalid>[2]

function subjectErrors(spec: Record<string, unknown>): Errors {
  const isNamed = typeof spec.user === 'string' && spec.user !== ''
  if (isNamed || (Array.isArray(spec.groups) && spec.groups.length > 0)) return []
  return [fieldError.invalid('spec.user', '', 'at least one of user or group must be specified')]
}

/** A local review asks about its own namespace. */
function namespaceErrors(call: ResourceCall, spec: Record<string, unknown>): Errors {
  if (call.kind.resource.kind !== 'LocalSubjectAccessReview') return []
  const attributes = spec.resourceAttributes
  const namespace = isRecord(attributes) && typeof attributes.namespace === 'string' ? attributes.namespace : ''
  if (!isRecord(attributes) || namespace === call.info.namespace) return []
  return [fieldError.invalid('spec.resourceAttributes.namespace', namespace, 'must match metadata.namespace')]
}

function localPathErrors(call: ResourceCall, path: unknown): Errors {
  if (call.kind.resource.kind !== 'LocalSubjectAccessReview' || !isRecord(path)) return []
  return [fieldError.invalid('spec.nonResourceAttributes', shownPath(path), 'disallowed on this kind of request')]
}

/** The draft, if it asks about either a resource or a path. The real server leaves the kind out of this refusal. */
function question(call: ResourceCall, draft: Draft, spec: Record<string, unknown>, errors: Errors): Draft {
  const { resourceAttributes: resource, nonResourceAttributes: path } = spec
  const both = isRecord(path)
    ? [
        fieldError.invalid(
          'spec.nonResourceAttributes',
          shownPath(path),
          'cannot be specified in combination with resourceAttributes',
        ),
      ]
    : [
        fieldError.invalid(
          'spec.resourceAttributes',
          null,
          'exactly one of nonResourceAttributes or resourceAttributes must be specified',
        ),
      ]
  const all = [
    ...(isRecord(resource) === isRecord(path) ? both : []),
    ...errors,
    ...metadataErrors(call, draft),
    ...namespaceErrors(call, spec),
    ...localPathErrors(call, path),
  ]
  if (all.length > 0) throw invalid({ group: call.kind.resource.group, kind: '' }, '', all)
  return draft
}

function shownPath({ path, verb }: Record<string, unknown>): Record<string, string> {
  return { Path: typeof path === 'string' ? path : '', Verb: typeof verb === 'string' ? verb : '' }
}

function decide(context: ReviewContext, spec: Record<string, unknown>, user: UserInfo): Record<string, unknown> {
  const { resourceAttributes: resource, nonResourceAttributes: path } = spec
  const text = (value: unknown): string => (typeof value === 'string' ? value : '')
  let decision: AuthorizerDecision
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
  const ignored = isRecord(resource) ? ignoredSelectors(resource) : []
  return {
    allowed: decision.allowed,
    ...(decision.reason === '' ? {} : { reason: decision.reason }),
    ...(ignored.length === 0 ? {} : { evaluationError: ignored.join('; ') }),
  }
}

function namespaceOf(spec: Record<string, unknown>): string {
  if (typeof spec.namespace === 'string' && spec.namespace !== '') return spec.namespace
  throw badRequest('no namespace on request')
}

function rulesStatus(rules: readonly RbacRule[]): Record<string, unknown> {
  const isPath = (rule: RbacRule): boolean => (rule.nonResourceURLs ?? []).length > 0
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
