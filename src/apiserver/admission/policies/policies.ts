// ValidatingAdmissionPolicies: rules of a cluster that need no webhook. After the plugins and before the webhooks.
import type { AuthorizerPort } from '../../auth/authorizer.ts'
import { refusal } from '../../refusals.ts'
import type { AdmissionAttributes } from '../admission.ts'
import { type ExpressionSurroundings, surroundingsOf, valueOf } from '../expressions.ts'
import { matchRequest, matchRules } from '../match-request.ts'
import type { AdmissionPlugin } from '../plugin.ts'
import { judge, type Objection } from './judge.ts'
import { type ParameterPorts, parametersOf } from './parameters.ts'
import { BoundPolicies, type BoundPolicy, type PolicyMatch } from './policy-config.ts'

export function admissionPolicies(ports: ParameterPorts & AuthorizerPort): AdmissionPlugin {
  const policies = new BoundPolicies(ports.store)
  return {
    name: 'ValidatingAdmissionPolicy',
    validate: attributes => {
      // Policies about policies could lock everybody out for good.
      if (attributes.kind.resource.group === 'admissionregistration.k8s.io') return
      for (const bound of policies.list()) enforce(ports, bound, attributes)
    },
  }
}

function enforce(ports: ParameterPorts & AuthorizerPort, bound: BoundPolicy, attributes: AdmissionAttributes): void {
  if (!isAbout(ports, bound.policy.match, attributes)) return
  if (bound.match !== undefined && !isAbout(ports, bound.match, attributes)) return
  const parameters = parametersOf(ports, bound, attributes.namespace)
  if ('problem' in parameters) {
    if (!bound.policy.ignoresFailure)
      throw denied(attributes, bound, { message: `failed to configure binding: ${parameters.problem}`, reason: 'Invalid' })
    return
  }
  for (const params of parameters)
    for (const objection of judge(bound.policy, withNamespace(ports, attributes, params))) act(attributes, bound, objection)
}

function isAbout(ports: ParameterPorts, match: PolicyMatch, attributes: AdmissionAttributes): boolean {
  if (matchRequest(ports, match, attributes) === undefined) return false
  return matchRules({ rules: match.excluded, equivalent: match.equivalent }, attributes) === undefined
}

function withNamespace(
  ports: ParameterPorts & AuthorizerPort,
  attributes: AdmissionAttributes,
  params: object | undefined,
): ExpressionSurroundings {
  const { namespace } = attributes
  const live = namespace === '' ? undefined : ports.store.table('namespaces').rows.get(namespace)?.object
  return new Map([...surroundingsOf(ports, attributes), ['params', valueOf(params)], ['namespaceObject', valueOf(live)]])
}

function act(attributes: AdmissionAttributes, bound: BoundPolicy, objection: Objection): void {
  const { policy, binding, actions } = bound
  if (objection.isFinal === true || actions.includes('Deny')) throw denied(attributes, bound, objection)
  if (actions.includes('Warn'))
    attributes.warnings.push(
      `Validation failed for ValidatingAdmissionPolicy '${policy.name}' with binding '${binding}': ${objection.message}`,
    )
}

const codes: Readonly<Record<string, number>> = { Unauthorized: 401, Forbidden: 403, RequestEntityTooLarge: 413 }

function denied({ kind, name }: AdmissionAttributes, { policy, binding }: BoundPolicy, { message, reason }: Objection): Error {
  const { group, plural } = kind.resource
  const said = `ValidatingAdmissionPolicy '${policy.name}' with binding '${binding}' denied request: ${message}`
  const resource = group === '' ? plural : `${plural}.${group}`
  return refusal(codes[reason] ?? 422, reason, `${resource} ${JSON.stringify(name)} is forbidden: ${said}`, {
    name,
    ...(group !== '' && { group }),
    kind: plural,
    causes: [{ message: said }],
  })
}
