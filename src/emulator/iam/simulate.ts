// The policy simulator (§4.7): the same evaluator as for real calls, asked what it would say.

import { conditionKeys } from '../core/caller/condition-keys.ts'
import type { AccessQuestion } from '../policy/access.ts'
import { decide, type NamedPolicy } from '../policy/decide.ts'
import { type Policy, PolicyReader, readPolicy } from '../policy/document.ts'
import { evaluatePolicy } from '../policy/evaluate.ts'
import type { Principal } from '../principal.ts'
import type { Handler } from '../service.ts'
import { ask, type IamCall, keyOf } from './ask.ts'
import { checkIdentityDocument } from './documents.ts'
import { invalidInput, noSuchEntity } from './errors.ts'
import { documentOf } from './managed.ts'
import { type Entity, type IamState, newest, type User } from './model.ts'
import { type PageInput, pageOfList } from './pages.ts'

interface SimulateInput extends PageInput {
  readonly PolicySourceArn?: string
  readonly PolicyInputList?: readonly string[]
  readonly PermissionsBoundaryPolicyInputList?: readonly string[]
  readonly ActionNames: readonly string[]
  readonly ResourceArns?: readonly string[]
  readonly ResourcePolicy?: string
  readonly ResourceOwner?: string
  readonly CallerArn?: string
  readonly ContextEntries?: readonly { readonly ContextKeyName?: string; readonly ContextKeyValues?: readonly string[] }[]
}

function source(call: IamCall, arn: string): { readonly entity: Entity; readonly kind: 'role' | 'user' | 'group' } {
  const found = /^arn:[^:]+:iam::(\d{12}):(role|user|group)\/(?:.*\/)?([^/]+)$/.exec(arn)
  if (found === null) throw invalidInput(`Invalid Entity Arn: ${arn} does not clearly define entity type and name.`)
  const kind = found[2] as 'role' | 'user' | 'group'
  const table = kind === 'role' ? 'roles' : kind === 'user' ? 'users' : 'groups'
  const entity: Entity | undefined = newest(call.store.get(), table, keyOf(found[3] as string))
  if (entity === undefined || entity.arn !== arn) throw noSuchEntity(`${kind} ${arn} does not exist`)
  return { entity, kind }
}

function policiesOf(call: IamCall, owner: Entity): readonly NamedPolicy[] {
  const inline = Object.entries(owner.inline).map(([name, text]) => ({ name, text }))
  const attached = owner.attached.flatMap(arn => {
    const text = documentOf(call, arn)
    return text === undefined ? [] : [{ name: arn, text }]
  })
  return [...inline, ...attached]
}

function simulatePrincipal(call: IamCall<SimulateInput>): object {
  const arn = call.input.PolicySourceArn as string
  ask(call, arn)
  const { entity, kind } = source(call, arn)
  const groups = kind === 'user' ? (entity as User).groups.flatMap(key => newest(call.store.get(), 'groups', key) ?? []) : []
  const own = [entity, ...groups].flatMap(owner => policiesOf(call, owner))
  const boundary =
    entity.boundary === undefined ? [] : [{ name: entity.boundary, text: documentOf(call, entity.boundary) ?? '{}' }]
  return simulate(call, { identity: own, boundary, caller: callerFor(call, entity, kind) })
}

function simulateCustom(call: IamCall<SimulateInput>): object {
  ask(call, '*')
  return simulate(call, { identity: [], boundary: [], caller: callerFor(call, undefined, 'user') })
}

function callerFor(call: IamCall<SimulateInput>, entity: Entity | undefined, kind: 'role' | 'user' | 'group'): Principal {
  const arn = call.input.CallerArn ?? entity?.arn ?? `arn:${call.partition}:iam::${call.account}:user/simulated`
  const common = { partition: call.partition, account: arn.split(':')[4] ?? call.account, arn, accessKeyId: '' }
  if (kind !== 'role' || entity === undefined)
    return {
      ...common,
      kind: 'user',
      userId: entity?.id ?? 'AIDASIMULATED',
      userName: entity?.name ?? 'simulated',
      managed: true,
    }
  return {
    ...common,
    kind: 'session',
    userId: `${entity.id}:simulated`,
    roleName: entity.name,
    roleArn: entity.arn,
    roleId: entity.id,
    sessionName: 'simulated',
    issuedAtMs: call.now,
    expiresAtMs: call.now,
    policy: undefined,
    policyArns: [],
    tags: {},
    transitiveTagKeys: [],
    sourceIdentity: undefined,
    federatedProvider: undefined,
  }
}

interface Simulation {
  readonly identity: readonly NamedPolicy[]
  readonly boundary: readonly NamedPolicy[]
  readonly caller: Principal
}

function simulate(call: IamCall<SimulateInput>, { identity, boundary, caller }: Simulation): object {
  const {
    PolicyInputList: more = [],
    PermissionsBoundaryPolicyInputList: bounds = [],
    ResourceArns: resources = ['*'],
    ActionNames: actions,
  } = call.input
  for (const text of [...more, ...bounds]) checkIdentityDocument(call, text)
  const named = (texts: readonly string[], label: string): readonly NamedPolicy[] =>
    texts.map((text, index) => ({ name: `${label}.${index + 1}`, text }))
  const simulation = {
    identity: [...identity, ...named(more, 'PolicyInputList')],
    boundary: bounds.length > 0 ? named(bounds, 'PermissionsBoundaryPolicyInputList') : boundary,
    caller,
  }
  const results = actions.flatMap(action => resources.map(resource => evaluated(call, simulation, action, resource)))
  const { items, rest } = pageOfList(call, results, [actions, resources])
  return { EvaluationResults: items, ...rest }
}

/** What the call says of every action and resource alike. */
function questionOf({ input }: IamCall<SimulateInput>, action: string, resource: string): AccessQuestion {
  const entries = (input.ContextEntries ?? []).map(entry => [entry.ContextKeyName ?? '', entry.ContextKeyValues ?? []] as const)
  const { ResourcePolicy: text, ResourceOwner: owner } = input
  return {
    action,
    resource,
    context: Object.fromEntries(entries),
    ...(owner === undefined ? {} : { resourceAccount: owner.split(':')[4] ?? owner }),
    ...(text === undefined ? {} : { resourcePolicy: { kind: 'resource-based', name: 'ResourcePolicy', text } }),
  }
}

function evaluated(
  call: IamCall<SimulateInput>,
  { identity, boundary, caller }: Simulation,
  action: string,
  resource: string,
): object {
  const question = questionOf(call, action, resource)
  const { region, now } = call
  const context = conditionKeys(question, { caller, tags: {}, request: undefined, region, now, organization: () => undefined })
  const reader = new PolicyReader()
  const [bound] = boundary
  const policies = () => ({ identity, boundary: bound, session: [] })
  const controls = { serviceControls: [], resourceControls: [] }
  const decision = decide(question, { caller, mode: 'full', context, policies, ...controls, reader })
  const deciding = (policy: NamedPolicy) =>
    evaluatePolicy(reader.read(policy.text) ?? { statements: [] }, { action, resource, context })
  const matched = identity.flatMap(policy => {
    const { allows, denies } = deciding(policy)
    return [...denies, ...allows].map(() => ({ SourcePolicyId: policy.name, SourcePolicyType: 'IAM Policy' }))
  })
  return {
    EvalActionName: action,
    EvalResourceName: resource,
    EvalDecision: decision.allowed ? 'allowed' : decision.kind === 'explicit deny' ? 'explicitDeny' : 'implicitDeny',
    MatchedStatements: matched,
    MissingContextValues: missingKeys([...identity, ...boundary], key => context.has(key.toLowerCase())),
    PermissionsBoundaryDecisionDetail: bound && { AllowedByPermissionsBoundary: isAllowedBy(deciding(bound)) },
  }
}

function isAllowedBy({ allows, denies }: ReturnType<typeof evaluatePolicy>): boolean {
  return allows.length > 0 && denies.length === 0
}

function conditionKeyNames(policies: readonly (Policy | undefined)[]): readonly string[] {
  const names = policies.flatMap(policy =>
    (policy?.statements ?? []).flatMap(statement => statement.conditions.map(condition => condition.key)),
  )
  return [...new Set(names)].toSorted((a, b) => (a < b ? -1 : 1))
}

function missingKeys(policies: readonly NamedPolicy[], isThere: (key: string) => boolean): readonly string[] {
  return conditionKeyNames(policies.map(policy => readPolicy(policy.text))).filter(key => !isThere(key))
}

function contextKeysForPrincipal(call: IamCall<{ PolicySourceArn: string; PolicyInputList?: readonly string[] }>): object {
  ask(call, call.input.PolicySourceArn)
  const { entity } = source(call, call.input.PolicySourceArn)
  const texts = [...policiesOf(call, entity).map(policy => policy.text), ...(call.input.PolicyInputList ?? [])]
  return { ContextKeyNames: conditionKeyNames(texts.map(readPolicy)) }
}

function contextKeysForCustom(call: IamCall<{ PolicyInputList: readonly string[] }>): object {
  ask(call, '*')
  for (const text of call.input.PolicyInputList) checkIdentityDocument(call, text)
  return { ContextKeyNames: conditionKeyNames(call.input.PolicyInputList.map(readPolicy)) }
}

export const simulateOperations: Readonly<Record<string, Handler<IamState>>> = {
  SimulatePrincipalPolicy: simulatePrincipal,
  SimulateCustomPolicy: simulateCustom,
  GetContextKeysForPrincipalPolicy: contextKeysForPrincipal,
  GetContextKeysForCustomPolicy: contextKeysForCustom,
}
