// The manifests that are the identity operator's own: what a platform writes once, and what each workload cluster needs. The process itself
// is rendered by the command that knows which operators run in it.
import { type KubeObject, renderRbac } from '#kube'
import { operatorConfigKind } from '../api/kinds.ts'
import { singletonName, webhookNamespaceDefault } from '../api/labels.ts'
import { managedLabels, runtimeLabels } from '../target/kinds.ts'
import { targetRights } from './rights.ts'

/** The one object that a platform writes by itself, as it is when nothing is written in it. */
export function renderOperatorConfig(): KubeObject {
  return operatorConfigKind.make({ name: singletonName }, { selfHostedIRSA: { webhookNamespace: webhookNamespaceDefault } })
}

export interface TargetManifestOptions {
  readonly name: string
  /** Where the webhook will run there. */
  readonly webhookNamespace: string
  /** The account on the target as which the provider's credentials act. */
  readonly account: { readonly namespace: string; readonly name: string }
}

/** For each workload cluster: the namespace of the webhook, and what the operator's account may do. */
export function renderTargetManifests({ name, webhookNamespace, account }: TargetManifestOptions): readonly KubeObject[] {
  const { 'aws.identity.appthrust.io/delivery': _delivery, ...labels } = runtimeLabels
  return [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: webhookNamespace, labels } },
    ...renderRbac({
      name,
      account,
      // The labels of the runtime are left out, since they select the objects of which the runtime is made.
      labels: { 'app.kubernetes.io/managed-by': managedLabels['app.kubernetes.io/managed-by'] ?? '' },
      rights: targetRights(webhookNamespace),
    }),
  ]
}
