// Admission policies with their bindings, read from the store; kept until one of them changes. A policy that nobody binds has no say.
import { type LabelSelectorObject, selectorFromObject } from '#kube'
import type { Draft } from '../../draft.ts'
import type { Store, Table } from '../../store/store.ts'
import type { MatchCondition } from '../match-conditions.ts'
import type { RequestMatch, RequestRule } from '../match-request.ts'

export interface Validation {
  readonly expression: string
  readonly message?: string
  readonly messageExpression?: string
  readonly reason?: string
}

export interface AuditAnnotation {
  readonly key: string
  readonly valueExpression: string
}

export interface PolicyVariable {
  readonly name: string
  readonly expression: string
}

export interface AdmissionPolicy {
  readonly name: string
  readonly match: PolicyMatch
  readonly matchConditions: readonly MatchCondition[]
  readonly variables: readonly PolicyVariable[]
  readonly validations: readonly Validation[]
  readonly auditAnnotations: readonly AuditAnnotation[]
  readonly paramKind: ParamKind | undefined
  readonly ignoresFailure: boolean
}

export interface PolicyMatch extends RequestMatch {
  readonly excluded: readonly RequestRule[]
}

export interface ParamKind {
  readonly apiVersion: string
  readonly kind: string
}

export interface ParamRef {
  readonly name?: string
  readonly namespace?: string
  readonly selector?: LabelSelectorObject
  readonly parameterNotFoundAction?: string
}

/** One policy as one binding puts it to work. */
export interface BoundPolicy {
  readonly policy: AdmissionPolicy
  readonly binding: string
  /** What the binding narrows it to; all that the policy is about when absent. */
  readonly match: PolicyMatch | undefined
  readonly paramRef: ParamRef | undefined
  readonly actions: readonly string[]
}

interface RawMatch {
  readonly resourceRules?: readonly RequestRule[]
  readonly excludeResourceRules?: readonly RequestRule[]
  readonly matchPolicy?: string
  readonly namespaceSelector?: LabelSelectorObject
  readonly objectSelector?: LabelSelectorObject
}

interface RawPolicy
  extends Partial<Pick<AdmissionPolicy, 'matchConditions' | 'variables' | 'validations' | 'auditAnnotations' | 'paramKind'>> {
  readonly matchConstraints?: RawMatch
  readonly failurePolicy?: string
}

interface RawBinding {
  readonly policyName?: string
  readonly matchResources?: RawMatch
  readonly paramRef?: ParamRef
  readonly validationActions?: readonly string[]
}

const group = 'admissionregistration.k8s.io'
const everything: readonly RequestRule[] = [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*', '*/*'] }]

export class BoundPolicies {
  readonly #policies: Table
  readonly #bindings: Table
  #known: { readonly policies: number; readonly bindings: number; readonly bound: readonly BoundPolicy[] } | undefined

  constructor(store: Store) {
    this.#policies = store.table(`validatingadmissionpolicies.${group}`)
    this.#bindings = store.table(`validatingadmissionpolicybindings.${group}`)
  }

  /** All bound policies, in the order of their names and then of those of their bindings. */
  list(): readonly BoundPolicy[] {
    const [policies, bindings] = [this.#policies.changed, this.#bindings.changed]
    if (this.#known?.policies !== policies || this.#known.bindings !== bindings)
      this.#known = { policies, bindings, bound: this.#read() }
    return this.#known.bound
  }

  #read(): readonly BoundPolicy[] {
    const bindings = objectsOf(this.#bindings)
    return objectsOf(this.#policies).flatMap(object => {
      const policy = readPolicy(object)
      return bindings.map(binding => bind(policy, binding)).filter(bound => bound !== undefined)
    })
  }
}

function objectsOf(table: Table): readonly Readonly<Draft>[] {
  const objects: Readonly<Draft>[] = []
  table.rows.visit('', ({ object }) => {
    objects.push(object)
    return true
  })
  return objects
}

function readPolicy({ metadata, spec }: Readonly<Draft>): AdmissionPolicy {
  const { matchConstraints, failurePolicy, ...raw } = (spec ?? {}) as RawPolicy
  return {
    name: String(metadata.name),
    match: readMatch(matchConstraints ?? {}, []),
    matchConditions: raw.matchConditions ?? [],
    variables: raw.variables ?? [],
    validations: raw.validations ?? [],
    auditAnnotations: raw.auditAnnotations ?? [],
    paramKind: raw.paramKind,
    ignoresFailure: failurePolicy === 'Ignore',
  }
}

function bind(policy: AdmissionPolicy, { metadata, spec }: Readonly<Draft>): BoundPolicy | undefined {
  const { policyName, matchResources, paramRef, validationActions = [] } = (spec ?? {}) as RawBinding
  if (policyName !== policy.name) return undefined
  const match = matchResources === undefined ? undefined : readMatch(matchResources, everything)
  return { policy, binding: String(metadata.name), match, paramRef, actions: validationActions }
}

function readMatch(raw: RawMatch, rulesDefault: readonly RequestRule[]): PolicyMatch {
  return {
    rules: raw.resourceRules ?? rulesDefault,
    excluded: raw.excludeResourceRules ?? [],
    equivalent: raw.matchPolicy !== 'Exact',
    namespaceSelector: selectorFromObject(raw.namespaceSelector ?? {}),
    objectSelector: selectorFromObject(raw.objectSelector ?? {}),
  }
}
