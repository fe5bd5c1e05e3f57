// Label values with a bound: whatever else comes is told as `other`, so that input never makes new series (§10.2).
import { reasons } from '../api/conditions.ts'

/** Trimmed; empty is `unknown`, what is long or odd is `other`. */
export function boundedLabel(value: string): string {
  const trimmed = value.trim()
  if (trimmed === '') return 'unknown'
  return /^[A-Za-z0-9_.-]{1,64}$/.test(trimmed) ? trimmed : 'other'
}

export function oneOfLabels(value: string, known: readonly string[]): string {
  if (value === '') return 'unknown'
  return known.includes(value) ? value : 'other'
}

export const deliveryTypes: readonly string[] = ['SelfHostedIRSA', 'EKSPodIdentity', 'EKSIRSA']

const ownReasons: readonly string[] = [
  'waiting_inventory',
  'delivery_type_mismatch',
  'cluster_unavailable',
  'no_inventory_namespace',
  'apply_failed',
  'index_lookup_failed',
  'enqueued',
  'channel_full',
  'stale_cluster_event',
  'created',
  'updated',
  'updatedStatus',
  'updatedStatusOnly',
  'unchanged',
]

export function reasonLabel(value: string): string {
  return oneOfLabels(value, [...reasons, ...ownReasons])
}
