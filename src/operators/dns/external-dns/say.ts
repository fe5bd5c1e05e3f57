// The conditions of one ExternalDNS.
import type { Condition } from '#kube'
import { usesSecret } from '../credentials/source.ts'
import { sanitize } from '../findings/sanitize.ts'
import { podLabels } from '../operand/deployment.ts'
import { deploymentConditions, scheduledCondition, secretCondition } from './deployment-conditions.ts'
import { credentialConditions } from './say-credentials.ts'
import type { DnsSeen } from './seen.ts'
import { summarize } from './summary.ts'

export interface Obstacles {
  /** Why no Deployment can be made. */
  readonly invalid: string | undefined
  /** What the operand lacks. */
  readonly incompatible: string | undefined
}

export function sayConditions(seen: DnsSeen, { invalid, incompatible }: Obstacles): readonly Condition[] {
  const conditions = [
    ...secretConditions(seen),
    ...runConditions(seen),
    ...credentialConditions(seen),
    ...trustedCaConditions(seen),
    compatibleCondition(seen, incompatible),
    rivalCondition(seen),
  ]
  const facts = {
    conditions,
    invalid,
    fatal: seen.operand?.fatal,
    stuck: stuckContainer(seen),
    requestMessage: requestMessage(seen),
  }
  return [...conditions, summarize(facts)]
}

function secretConditions({ model, target, source }: DnsSeen): readonly Condition[] {
  if (!usesSecret(model.spec)) return []
  return [secretCondition(target !== undefined, source !== undefined && source.secret === undefined)]
}

function runConditions({ dns, deployment, pods }: DnsSeen): readonly Condition[] {
  if (deployment === undefined) return []
  const selector = Object.entries(podLabels(dns.metadata.name))
    .map(([key, value]) => `${key}=${value}`)
    .sort()
    .join(',')
  return [...deploymentConditions(deployment), scheduledCondition(pods, selector)]
}

function trustedCaConditions({ trustedCa, surroundings: { settings } }: DnsSeen): readonly Condition[] {
  if (settings.trustedCaConfigMap === '') return []
  const type = 'TrustedCAReady'
  if (trustedCa === undefined) {
    const message = `The ConfigMap ${settings.trustedCaConfigMap} with the bundle of authorities is not there.`
    return [{ type, status: 'False', reason: 'ConfigMapNotFound', message }]
  }
  const hasOne = Object.values(trustedCa.data ?? {}).some(text => text.includes('-----BEGIN CERTIFICATE-----'))
  return hasOne
    ? [{ type, status: 'True', reason: 'BundleFound', message: 'The bundle of authorities is there.' }]
    : [{ type, status: 'False', reason: 'InvalidBundle', message: 'The bundle of authorities holds no certificate.' }]
}

function compatibleCondition({ surroundings: { settings } }: DnsSeen, incompatible: string | undefined): Condition {
  const type = 'OperandCompatible'
  return incompatible === undefined
    ? { type, status: 'True', reason: 'Compatible', message: `ExternalDNS ${settings.operandVersion} has all that is asked for.` }
    : { type, status: 'False', reason: 'CapabilityMissing', message: incompatible }
}

function rivalCondition({ rivals }: DnsSeen): Condition {
  const type = 'OwnershipConflict'
  if (rivals.length === 0)
    return { type, status: 'False', reason: 'NoConflict', message: 'No other object writes the same names.' }
  const message = `The same names in the same zones are written for ${rivals.join(', ')}: name other zones, domains or labels in one of them.`
  return { type, status: 'True', reason: 'SameNames', message }
}

/** Why a container does not even start; what it says once it runs is read elsewhere. */
function stuckContainer({ pods }: DnsSeen): string | undefined {
  const waiting = pods
    .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    .flatMap(({ status }) => (status?.containerStatuses ?? []).map(({ state }) => state?.waiting))
    .find(state => neverStarts.test(state?.reason ?? ''))
  if (waiting === undefined) return undefined
  const { reason = '', message = '' } = waiting
  const what = /Image|Pull/.test(reason) ? 'The image cannot be pulled' : 'A container cannot be made'
  const text = message === '' ? '' : `: ${sanitize(message).slice(0, 500)}`
  return `${what} (${reason})${text}. Check --externaldns-image, operand.imagePullSecrets and the registry.`
}

const neverStarts =
  /^(ErrImagePull|ImagePullBackOff|InvalidImageName|ErrImageNeverPull|CreateContainerConfigError|CreateContainerError)$/

function requestMessage({ request }: DnsSeen): string | undefined {
  const failing = request?.status?.conditions?.find(
    ({ type, status }) => status === 'True' && /Fail|Insufficient|Missing/.test(type),
  )
  return failing?.message
}
