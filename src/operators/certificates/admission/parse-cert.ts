// What stands in a review as a Cert: the schema of the CRD has been held before, defaults are filled in, and what does not fit is no Cert.
import { isRecord } from '#base'
import type { KubeObject } from '#kube'
import type { AdmissionRequest } from '#runtime'
import type { Cert } from '../api.ts'
import { text, texts } from '../aws/values.ts'

export function parseCert(
  object: KubeObject | null | undefined,
  { namespace, name }: Pick<AdmissionRequest, 'namespace' | 'name'>,
): Cert | undefined {
  if (!isRecord(object) || !isRecord(object.spec)) return undefined
  const spec: Readonly<Record<string, unknown>> = object.spec
  const { serviceName, environment } = spec
  if (typeof serviceName !== 'string' || typeof environment !== 'string') return undefined
  const defaults = {
    deleteOnRemoval: false,
    keyAlgorithm: 'RSA_2048' as const,
    transparencyLogging: 'Enabled' as const,
    tags: {},
    dryRun: false,
  }
  return {
    ...object,
    metadata: {
      ...object.metadata,
      namespace: object.metadata.namespace ?? namespace ?? '',
      name: object.metadata.name ?? name ?? '',
      uid: text(object.metadata.uid) ?? '',
      resourceVersion: object.metadata.resourceVersion ?? '',
    },
    spec: { ...defaults, ...spec, serviceName, environment, subjectAlternativeNames: texts(spec.subjectAlternativeNames) },
  }
}
