// The ValidatingWebhookConfiguration: which requests the API server asks a process about. The same data for manifests, tests and worlds in
// one process.
import { given } from '#base'
import type { KubeObject } from '#kube'

export interface AdmissionPlace {
  readonly name: string
  readonly service: { readonly namespace: string; readonly name: string; readonly port?: number }
  /** PEM; absent where something else fills it in (cert-manager). */
  readonly caBundle?: string
  readonly annotations?: Readonly<Record<string, string>>
  readonly labels?: Readonly<Record<string, string>>
  /** Our own user: its updates (finalizers, for one) do not depend on a webhook that may be down. */
  readonly operatorUser?: string
}

/** One webhook of a configuration. */
export interface ConfiguredWebhook {
  readonly name: string
  readonly path: string
  readonly rules: readonly {
    readonly apiGroups: readonly string[]
    readonly apiVersions: readonly string[]
    readonly operations: readonly ('CREATE' | 'UPDATE' | 'DELETE')[]
    readonly resources: readonly string[]
  }[]
  /** What becomes of a request while nobody answers. */
  readonly failurePolicy: 'Fail' | 'Ignore'
  readonly matchConditions?: readonly { readonly name: string; readonly expression: string }[]
}

export function renderValidatingConfiguration(
  { name, service, caBundle, labels, annotations }: Omit<AdmissionPlace, 'operatorUser'>,
  asked: readonly ConfiguredWebhook[],
): KubeObject & { readonly webhooks: readonly unknown[] } {
  const metadata = { name, ...given({ labels, annotations }) }
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata,
    webhooks: asked.map(({ path, matchConditions, ...rest }) => ({
      ...rest,
      clientConfig: {
        service: { ...service, path },
        ...(caBundle === undefined ? {} : { caBundle: Buffer.from(caBundle).toString('base64') }),
      },
      admissionReviewVersions: ['v1'],
      matchPolicy: 'Equivalent',
      sideEffects: 'None',
      timeoutSeconds: 10,
      ...given({ matchConditions }),
    })),
  }
}

/** For `matchConditions`: our own updates do not wait for ourselves. */
export function notOurUpdates(user: string): { readonly name: string; readonly expression: string } {
  return {
    name: 'not-the-operators-own-updates',
    expression: `request.operation != 'UPDATE' || request.userInfo.username != '${user}'`,
  }
}
