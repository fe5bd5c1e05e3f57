// The one condition that sums up. What comes first in this list is what somebody has to do first.
import type { Condition } from '#kube'

export interface Facts {
  readonly conditions: readonly Condition[]
  /** Why no Deployment can be made of the object. */
  readonly invalid: string | undefined
  /** A line with which the operand ended. */
  readonly fatal: { readonly reason: string; readonly message: string } | undefined
  /** Why a container does not start. */
  readonly stuck: string | undefined
  /** What OpenShift says of the credentials that were asked for. */
  readonly requestMessage: string | undefined
}

export function summarize(facts: Facts): Condition {
  const bad = worst(facts)
  if (bad === undefined)
    return {
      type: 'Available',
      status: 'True',
      reason: 'Available',
      message: 'The operand runs and all that is known of it is well.',
    }
  return { type: 'Available', status: 'False', ...bad }
}

type Said = Pick<Condition, 'reason' | 'message'>

function worst({ conditions, invalid, fatal, stuck, requestMessage }: Facts): Said | undefined {
  const failing = (type: string, reason?: string): Condition | undefined =>
    conditions.find(
      condition =>
        condition.type === type && condition.status === 'False' && (reason === undefined || condition.reason === reason),
    )
  const say = (reason: string, condition: Condition | undefined): Said | undefined =>
    condition === undefined ? undefined : { reason, message: condition.message }
  const missing = say('CredentialsMissing', failing('CredentialsSecretExists'))
  const asked = requestMessage === undefined ? '' : ` The platform says: ${requestMessage}`
  return (
    (invalid === undefined ? undefined : { reason: 'InvalidSpec', message: invalid }) ??
    say('OperandIncompatible', failing('OperandCompatible')) ??
    say('AuthenticationFailed', failing('CredentialsValid', 'InvalidSecret')) ??
    (missing === undefined ? undefined : { ...missing, message: `${missing.message}${asked}` }) ??
    say('DeploymentUnavailable', failing('TrustedCAReady')) ??
    say('AuthenticationFailed', failing('CredentialsValid') ?? failing('RoleAssumable')) ??
    say('AuthenticationFailed', failing('RecordsSynced', 'AuthenticationFailed')) ??
    say('ZoneAccessDenied', failing('ZonesAccessible') ?? failing('RecordsSynced', 'AccessDenied')) ??
    (fatal === undefined ? undefined : crash(fatal)) ??
    (stuck === undefined ? undefined : { reason: 'DeploymentUnavailable', message: stuck }) ??
    unavailable(conditions) ??
    say('SyncFailing', failing('RecordsSynced'))
  )
}

function crash({ reason, message }: Said): Said {
  return { reason: reason === 'InvalidSpec' ? 'OperandIncompatible' : 'OperandCrashing', message }
}

/** A Deployment that nobody has judged yet is not available. */
function unavailable(conditions: readonly Condition[]): Said | undefined {
  const ofDeployment = [
    'DeploymentAvailable',
    'DeploymentReplicasMinAvailable',
    'DeploymentReplicasAllAvailable',
    'PodsScheduled',
  ]
  const unwell = ofDeployment
    .map(type => conditions.find(condition => condition.type === type))
    .find(condition => condition === undefined || condition.status !== 'True')
  const isWell = ofDeployment.every(type => conditions.some(condition => condition.type === type && condition.status === 'True'))
  if (isWell) return undefined
  const scheduled = conditions.find(
    ({ type, status, reason }) => type === 'PodsScheduled' && status === 'False' && reason === 'PodsNotScheduled',
  )
  return {
    reason: 'DeploymentUnavailable',
    message: scheduled?.message ?? unwell?.message ?? 'The deployment does not exist yet.',
  }
}
