// The ValidatingWebhookConfiguration: which requests the API server asks us about. The same data for manifests, tests and worlds in one
// process.
import type { KubeObject } from '#kube'
import { configKind, replicaSetKind, roleKind } from '../api/kinds.ts'
import { admissionPaths } from './handlers.ts'

export interface AdmissionPlace {
  readonly name: string
  readonly service: { readonly namespace: string; readonly name: string; readonly port?: number }
  /** PEM; absent where something else fills it in (cert-manager). */
  readonly caBundle?: string
  readonly annotations?: Readonly<Record<string, string>>
  readonly labels?: Readonly<Record<string, string>>
  /** Our own user: its updates (finalizers, for one) do not depend on a webhook that may be down (spec 14.1 L21). */
  readonly operatorUser?: string
}

const asked = [
  { kind: configKind, path: admissionPaths.config, operations: ['DELETE'] },
  { kind: roleKind, path: admissionPaths.role, operations: ['CREATE', 'UPDATE'] },
  { kind: replicaSetKind, path: admissionPaths.replicaSet, operations: ['CREATE', 'UPDATE'] },
] as const

export function validatingConfiguration(place: AdmissionPlace): KubeObject & { readonly webhooks: readonly unknown[] } {
  const { name, service, caBundle, labels, annotations } = place
  const metadata = { name, ...(labels === undefined ? {} : { labels }), ...(annotations === undefined ? {} : { annotations }) }
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata,
    webhooks: asked.map(({ kind, path, operations }) => ({
      name: `v${kind.definition.kind.toLowerCase()}.${kind.type.group}`,
      clientConfig: {
        service: { ...service, path },
        ...(caBundle === undefined ? {} : { caBundle: Buffer.from(caBundle).toString('base64') }),
      },
      rules: [{ apiGroups: [kind.type.group], apiVersions: [kind.type.version], operations, resources: [kind.type.plural] }],
      admissionReviewVersions: ['v1'],
      failurePolicy: 'Fail',
      matchPolicy: 'Equivalent',
      sideEffects: 'None',
      timeoutSeconds: 10,
      ...(place.operatorUser === undefined || kind !== roleKind ? {} : { matchConditions: [othersOnly(place.operatorUser)] }),
    })),
  }
}

function othersOnly(user: string): { readonly name: string; readonly expression: string } {
  return {
    name: 'not-the-operators-own-updates',
    expression: `request.operation != 'UPDATE' || request.userInfo.username != '${user}'`,
  }
}
