// The ServiceAccount of the operand, with the annotations by which a pod gets its identity where it has no Secret.
import { type KubeObject, serviceAccounts } from '#kube'
import type { Action } from '#runtime'
import { operandName } from '../api/names.ts'
import type { WorkloadIdentity } from '../api/spec.ts'
import { audienceDefault, expirationDefault } from '../operand/aws-part.ts'
import { ownerOf } from '../operand/deployment.ts'
import type { DnsSeen } from './seen.ts'

const prefix = 'eks.amazonaws.com/'
const ours = ['role-arn', 'audience', 'sts-regional-endpoints', 'token-expiration'].map(name => `${prefix}${name}`)

export function accountActions({ dns, model, account, surroundings: { settings } }: DnsSeen): readonly Action[] {
  const { aws, type } = model.spec.provider
  const identity = type === 'AWS' ? aws?.workloadIdentity : undefined
  const wanted = annotationsOf(identity)
  const { name, uid } = dns.metadata
  const metadata = { namespace: settings.operandNamespace, name: operandName(name), ownerReferences: [ownerOf({ name, uid })] }
  if (account === undefined) {
    const annotations = Object.keys(wanted).length === 0 ? {} : { annotations: wanted }
    const object: KubeObject = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { ...metadata, ...annotations } }
    return [{ kind: 'create', type: serviceAccounts, object }]
  }
  // A binding writes these annotations itself.
  if (identity?.mode === 'Binding') return []
  const held = account.metadata.annotations ?? {}
  const changes = ours.filter(name => held[name] !== wanted[name]).map(name => [name, wanted[name] ?? null] as const)
  if (changes.length === 0) return []
  const key = { namespace: settings.operandNamespace, name: operandName(name) }
  const body = { metadata: { annotations: Object.fromEntries(changes) } }
  return [{ kind: 'patch', type: serviceAccounts, key, patch: 'merge', body, uid: account.metadata.uid }]
}

/** For the identity webhook of the cluster, which looks at nothing else. */
function annotationsOf(identity: WorkloadIdentity | undefined): Readonly<Record<string, string>> {
  if (identity?.mode !== 'IRSA' || identity.projectToken === true) return {}
  const {
    roleARN = '',
    audience = audienceDefault,
    tokenExpirationSeconds = expirationDefault,
    regionalEndpoints = true,
  } = identity
  const values = [roleARN, audience, String(regionalEndpoints), String(tokenExpirationSeconds)]
  return Object.fromEntries(ours.map((name, index) => [name, values[index] ?? '']))
}
