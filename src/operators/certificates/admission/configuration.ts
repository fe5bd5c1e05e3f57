// What the API server is told of the webhook.
import type { KubeObject } from '#kube'
import { type AdmissionPlace, renderValidatingConfiguration } from '#runtime'
import { group } from '../api.ts'
import { admissionPath } from './handler.ts'

export function certValidatingConfiguration(
  place: AdmissionPlace,
  failsClosed: boolean,
): KubeObject & { readonly webhooks: readonly unknown[] } {
  return renderValidatingConfiguration(place, [
    {
      name: 'certs.acm.ops.example.dev',
      path: admissionPath,
      rules: [{ apiGroups: [group], apiVersions: ['v1'], operations: ['CREATE', 'UPDATE'], resources: ['certs'] }],
      failurePolicy: failsClosed ? 'Fail' : 'Ignore',
    },
  ])
}
