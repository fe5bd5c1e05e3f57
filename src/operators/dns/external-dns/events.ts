// Events of transitions that somebody has to act on.
import { type Condition, type Occurrence, referenceTo, type StoredObject } from '#kube'

/** Warnings, by the condition that turned. */
const warnings: Readonly<Record<string, string>> = {
  RoleAssumable: 'AssumeRoleFailed',
  ZonesAccessible: 'AssumeRoleForbidden',
  RecordsSynced: 'SyncFailing',
  CredentialsValid: 'CredentialsInvalid',
  OperandCompatible: 'OperandIncompatible',
  TrustedCAReady: 'TrustedCANotReady',
}

export function transitionEvents(claim: StoredObject, changed: readonly Condition[]): readonly Occurrence[] {
  const regarding = referenceTo(claim)
  const told = changed.flatMap(({ type, status, message }): readonly Occurrence[] => {
    const reason = warnings[type]
    return reason === undefined || status !== 'False' ? [] : [{ regarding, type: 'Warning', reason, message }]
  })
  const summary = changed.find(({ type, status }) => type === 'Available' && status === 'True')
  return summary === undefined ? told : [...told, { regarding, type: 'Normal', reason: 'Available', message: summary.message }]
}
