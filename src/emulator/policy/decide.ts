// The decision order of §4.5, and the words in which it is told. Pure: everything it needs is handed in.
import type { EnforceMode } from '../aws.ts'
import { nameOf, type Principal } from '../principal.ts'
import type { AccessDecision, AccessQuestion, AccessStep, PolicyKind } from './access.ts'
import type { ConditionContext } from './conditions.ts'
import type { PolicyReader } from './document.ts'
import {
  type Evaluation,
  evaluatePolicy,
  type Grade,
  type PolicyRequest,
  type StatementMatch,
  statementName,
} from './evaluate.ts'
import { gradeOf } from './grade.ts'

export interface NamedPolicy {
  /** For explanations: `inline policy p of role r`, a policy's ARN. */
  readonly name: string
  readonly text: string
}

/** What the caller's side brings along. */
export interface CallerPolicies {
  readonly identity: readonly NamedPolicy[]
  readonly boundary: NamedPolicy | undefined
  /** Session policies restrict only when there are any. */
  readonly session: readonly NamedPolicy[]
}

export interface DecideInputs {
  readonly caller: Principal
  readonly mode: EnforceMode
  readonly context: ConditionContext
  /** Asked only when the mode evaluates this caller. */
  readonly policies: () => CallerPolicies
  /** One list per level of the organization; at each level some policy must allow. */
  readonly serviceControls: readonly (readonly NamedPolicy[])[]
  readonly resourceControls: readonly (readonly NamedPolicy[])[]
  readonly reader: PolicyReader
}

interface Layer {
  readonly kind: PolicyKind
  readonly evaluations: readonly { readonly policy: NamedPolicy; readonly evaluation: Evaluation }[]
}

/** True when the caller may do everything in this mode and no policy of the resource's side is asked: then keys need not be gathered. */
export function isFree(question: AccessQuestion, caller: Principal, mode: EnforceMode): boolean {
  if (question.resourcePolicy !== undefined || question.veto !== undefined || freeByMode({ caller, mode }) === undefined)
    return false
  return (
    caller.kind !== 'anonymous' && caller.kind !== 'service' && (question.resourceAccount ?? caller.account) === caller.account
  )
}

/** The answer to a question that `isFree`. */
export function freeDecision(mode: EnforceMode): AccessDecision {
  return mode === 'none' ? freeInNone : freeAsAdmin
}

export function decide(question: AccessQuestion, inputs: DecideInputs): AccessDecision {
  const steps: AccessStep[] = []
  const byMode = freeByMode(inputs)
  const layers = layersOf(question, inputs, byMode === undefined)
  const denied = explicitDeny(layers)
  if (denied !== undefined && !(byMode === 'none'))
    return refused(question, inputs, denied.kind, [...steps, denied.step], 'explicit deny')
  if (question.veto !== undefined)
    return refused(
      question,
      inputs,
      'resource-based',
      [{ link: 'resource settings', holds: false, detail: question.veto }],
      'explicit deny',
    )
  if (byMode === 'none' && question.resourcePolicy?.kind !== 'role trust') return allowed([modeStep('none')])
  for (const kind of ['resource control', 'service control'] as const) {
    const missing = layers.filter(layer => layer.kind === kind).find(layer => allowOf(layer) === undefined)
    if (missing !== undefined) return refused(question, inputs, kind, [...steps, missingStep(missing)], 'implicit deny')
  }
  return bySides(question, inputs, layers, byMode, steps)
}

/** The mode under which the caller's own side is not looked at (§4.4), if there is one. */
function freeByMode({ caller, mode }: Pick<DecideInputs, 'caller' | 'mode'>): 'none' | 'admin' | undefined {
  if (caller.kind === 'anonymous' || caller.kind === 'service') return undefined
  if (mode === 'none') return 'none'
  if (caller.kind === 'root' || (caller.kind === 'user' && !caller.managed)) return 'admin'
  return mode === 'adminOnly' && caller.kind === 'user' ? 'admin' : undefined
}

function layersOf(question: AccessQuestion, inputs: DecideInputs, withCaller: boolean): readonly Layer[] {
  const { caller, context, reader } = inputs
  const plain: PolicyRequest = { action: question.action, resource: question.resource, context }
  const layer = (kind: PolicyKind, policies: readonly NamedPolicy[], request: PolicyRequest = plain): Layer => ({
    kind,
    evaluations: policies.map(policy => ({
      policy,
      evaluation: evaluatePolicy(reader.read(policy.text) ?? { statements: [] }, request),
    })),
  })
  const layers = [
    ...inputs.serviceControls.map(level => layer('service control', level)),
    ...inputs.resourceControls.map(level => layer('resource control', level, { ...plain, gradeOf: gradeOf(caller) })),
  ]
  const { resourcePolicy } = question
  if (resourcePolicy !== undefined) {
    // A trust policy's statements name no resource: the role is meant.
    layers.push(layer(resourcePolicy.kind, [resourcePolicy], { ...plain, gradeOf: gradeOf(caller) }))
  }
  if (!withCaller || caller.kind === 'anonymous' || caller.kind === 'service') return layers
  const { identity, boundary, session } = inputs.policies()
  layers.push(layer('identity-based', identity))
  if (boundary !== undefined) layers.push(layer('permissions boundary', [boundary]))
  if (session.length > 0) layers.push(layer('session', session))
  return layers
}

function explicitDeny(layers: readonly Layer[]): { readonly kind: PolicyKind; readonly step: AccessStep } | undefined {
  for (const layer of layers) {
    for (const { policy, evaluation } of layer.evaluations) {
      const [match] = evaluation.denies
      if (match !== undefined)
        return {
          kind: layer.kind,
          step: {
            link: linkName(layer.kind),
            holds: false,
            detail: `${policy.name}, ${statementName(match.statement)} denies it`,
          },
        }
    }
  }
  return undefined
}

/** Step 3 and 4: the resource's side and the caller's side, in one account or across two. */
function bySides(
  question: AccessQuestion,
  inputs: DecideInputs,
  layers: readonly Layer[],
  byMode: 'none' | 'admin' | undefined,
  steps: AccessStep[],
): AccessDecision {
  const { caller } = inputs
  const resourceLayer = layers.find(layer => layer.kind === 'resource-based' || layer.kind === 'role trust')
  const grant = resourceLayer === undefined ? undefined : strongestGrant(resourceLayer)
  if (resourceLayer !== undefined) steps.push(grant === undefined ? missingStep(resourceLayer) : grantStep(resourceLayer, grant))
  if (caller.kind === 'anonymous' || caller.kind === 'service') {
    return grant !== undefined && grant.match.grade !== 'account'
      ? allowed(steps)
      : refused(question, inputs, resourceLayer?.kind ?? 'resource-based', steps, 'implicit deny')
  }
  const crossAccount = question.resourceAccount !== undefined && question.resourceAccount !== caller.account
  const needsResource = crossAccount || question.resourcePolicy?.kind === 'role trust'
  if (needsResource && grant === undefined) {
    const kind = resourceLayer?.kind ?? 'resource-based'
    if (resourceLayer === undefined)
      steps.push({
        link: linkName(kind),
        holds: false,
        detail: `the resource belongs to account ${question.resourceAccount}, and it has no policy that lets others in`,
      })
    return refused(question, inputs, kind, steps, 'implicit deny')
  }
  if (byMode !== undefined) return allowed([...steps, modeStep(byMode)])
  const free = freedFrom(grant?.match.grade, caller, crossAccount)
  if (free === 'all') return allowed(steps)
  for (const layer of layers) {
    if (layer.kind !== 'identity-based' && layer.kind !== 'permissions boundary' && layer.kind !== 'session') continue
    if (layer.kind === 'identity-based' && free === 'identity') continue
    const allow = allowOf(layer)
    if (allow === undefined) return refused(question, inputs, layer.kind, [...steps, missingStep(layer)], 'implicit deny')
    steps.push({
      link: linkName(layer.kind),
      holds: true,
      detail: `${allow.policy.name}, ${statementName(allow.match.statement)} allows it`,
    })
  }
  return allowed(steps)
}

/** What a grant of the resource's side spares the caller's side, inside one account. */
function freedFrom(grade: Grade | undefined, caller: Principal, crossAccount: boolean): 'all' | 'identity' | 'nothing' {
  if (crossAccount || grade === undefined || grade === 'account') return 'nothing'
  if (grade === 'caller') return 'all'
  // "*" frees a user entirely; a role session stays inside its boundary and session policies, as with its role's ARN.
  return grade === 'anyone' && caller.kind !== 'session' ? 'all' : 'identity'
}

interface Grant {
  readonly policy: NamedPolicy
  readonly match: StatementMatch
}

const grades: readonly Grade[] = ['caller', 'role', 'anyone', 'account']

function strongestGrant(layer: Layer): Grant | undefined {
  const all = layer.evaluations.flatMap(({ policy, evaluation }) => evaluation.allows.map(match => ({ policy, match })))
  for (const grade of grades) {
    const found = all.find(({ match }) => match.grade === grade)
    if (found !== undefined) return found
  }
  return undefined
}

function allowOf(layer: Layer): Grant | undefined {
  for (const { policy, evaluation } of layer.evaluations) {
    const [match] = evaluation.allows
    if (match !== undefined) return { policy, match }
  }
  return undefined
}

function linkName(kind: PolicyKind): string {
  if (kind === 'role trust') return 'trust policy'
  return kind === 'permissions boundary' ? kind : `${kind} policy`
}

function missingStep(layer: Layer): AccessStep {
  const misses = layer.evaluations.flatMap(({ policy, evaluation }) => evaluation.misses.map(miss => `${policy.name}, ${miss}`))
  const names = layer.evaluations.map(({ policy }) => policy.name).join(', ')
  const detail =
    misses.length > 0
      ? misses.slice(0, missesMax).join('; ')
      : names === ''
        ? 'there is none'
        : `no statement of ${names} speaks of this action`
  return { link: linkName(layer.kind), holds: false, detail }
}

const missesMax = 5

function grantStep(layer: Layer, { policy, match }: Grant): AccessStep {
  const delegates = match.grade === 'account' ? ' (to the account, whose own policies must allow it too)' : ''
  return {
    link: linkName(layer.kind),
    holds: true,
    detail: `${policy.name}, ${statementName(match.statement)} allows it${delegates}`,
  }
}

function modeStep(mode: 'none' | 'admin'): AccessStep {
  const detail =
    mode === 'none'
      ? 'every signed call is allowed in this enforcement mode'
      : 'the root user and administrators may do everything in this enforcement mode'
  return { link: 'enforcement mode', holds: true, detail }
}

function allowed(steps: readonly AccessStep[]): AccessDecision {
  return { allowed: true, kind: 'allowed', steps, message: '' }
}

function refused(
  question: AccessQuestion,
  { caller }: DecideInputs,
  policy: PolicyKind,
  steps: readonly AccessStep[],
  kind: 'explicit deny' | 'implicit deny',
): AccessDecision {
  return { allowed: false, kind, policy, steps, message: denialMessage(question, nameOf(caller), policy, kind) }
}

/** §4.6. Trust policies are not named: whether the role exists is not revealed. */
function denialMessage(
  question: AccessQuestion,
  caller: string,
  policy: PolicyKind,
  kind: 'explicit deny' | 'implicit deny',
): string {
  const head = `User: ${caller} is not authorized to perform: ${question.action} on resource: ${question.resource}`
  if (policy === 'role trust') return head
  const noun = linkName(policy)
  if (kind === 'explicit deny') return `${head} with an explicit deny in ${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`
  return `${head} because no ${noun} allows the ${question.action} action`
}

const freeInNone: AccessDecision = allowed([modeStep('none')])
const freeAsAdmin: AccessDecision = allowed([modeStep('admin')])
