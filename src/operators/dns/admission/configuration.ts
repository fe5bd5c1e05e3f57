// Which requests the API server asks us about. One webhook with two rules: what is sent in the newest version arrives as it was sent, and what
// is sent in the oldest arrives in the one between.
import type { KubeObject } from '#kube'
import { type AdmissionPlace, renderValidatingConfiguration } from '#runtime'
import { dnsKind } from '../api/kinds.ts'

export const admissionPath = '/validate-externaldns-olm-openshift-io-v1beta1-externaldns'

export function dnsValidatingConfiguration(place: AdmissionPlace): KubeObject & { readonly webhooks: readonly unknown[] } {
  const { group, plural } = dnsKind.type
  const rules = (['v1beta1', 'v1beta2'] as const).map(version => ({
    apiGroups: [group],
    apiVersions: [version],
    operations: ['CREATE', 'UPDATE'] as const,
    resources: [plural],
  }))
  return renderValidatingConfiguration(place, [{ name: 'vexternaldns.kb.io', path: admissionPath, rules, failurePolicy: 'Fail' }])
}
