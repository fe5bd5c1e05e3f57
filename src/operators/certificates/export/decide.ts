// Whether the certificate and its key are to be written into the Secret. Pure.
import type { Condition } from '#kube'
import { emptyPlan, type OwnAction, type Plan } from '#runtime'
import { conditionTypes } from '../api/conditions.ts'
import type { Cert } from '../api/kinds.ts'
import type { ExportSeen } from './seen.ts'

/** Which certificate into which Secret; the key comes into being only while it is carried out. */
export interface ExportAction extends OwnAction {
  readonly kind: 'act:export'
  readonly claim: Cert
  readonly arn: string
  readonly serial: string
  readonly secretName: string
}

export function decideExport(seen: ExportSeen, { readyMs }: { readonly readyMs: number }): Plan<ExportAction> {
  const { claim, target, isListed } = seen
  if (claim?.spec.export === undefined || claim.metadata.deletionTimestamp !== undefined) return emptyPlan
  const next = { kind: 'look-again', afterMs: readyMs, why: 'the Secret is looked at every hour', lane: 'drift' } as const
  const said = (reason: string, message: string): Plan<ExportAction> => ({
    actions: [],
    conditions: [exported('False', reason, message)],
    next,
  })
  const { certificateArn: arn, certReady, serial = '' } = claim.status ?? {}
  const { secretName } = claim.spec.export
  if (!isListed) return said('NamespaceNotListed', 'keys are exported into the namespaces of --export-namespaces only')
  if (certReady !== true || arn === undefined) return { ...emptyPlan, next: { kind: 'await-change' } }
  if (target.kind === 'forbidden')
    return said('Forbidden', `the Secret ${secretName} may not be written by this operator: a right is missing`)
  if (target.kind === 'foreign') return said('Conflict', `the Secret ${secretName} is somebody else's and is not overwritten`)
  const conditions = [exported('True', 'Exported', `certificate and key stand in the Secret ${secretName}`)]
  if (target.kind === 'ours' && target.serial === serial && target.arn === arn) return { actions: [], conditions, next }
  const summary = `acm ExportCertificate into the Secret ${secretName}`
  return { actions: [{ kind: 'act:export', summary, claim, arn, serial, secretName }], conditions, next }
}

export function exported(status: Condition['status'], reason: string, message: string): Condition {
  return { type: conditionTypes.exported, status, reason, message }
}
