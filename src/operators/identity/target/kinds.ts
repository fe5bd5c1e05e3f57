// The marks by which our objects on a target are known.
import type { KubeObject, StoredObject } from '#kube'

export type PlainFields = Readonly<Record<string, unknown>>

/** The name of nearly everything of the runtime. */
export const runtimeName = 'pod-identity-webhook'
export const caSecretName = 'pod-identity-webhook-ca'

/** Merged into every object of the runtime. */
export const runtimeLabels: Readonly<Record<string, string>> = {
  'app.kubernetes.io/name': runtimeName,
  'app.kubernetes.io/managed-by': 'aws-workload-identity-operator',
  'aws.identity.appthrust.io/delivery': 'SelfHostedIRSA',
  'aws.identity.appthrust.io/runtime': 'self-hosted-webhook',
}

/** Both labels: an object that has them is ours to change, any other is not. */
export const managedLabels: Readonly<Record<string, string>> = {
  'app.kubernetes.io/managed-by': 'aws-workload-identity-operator',
  'aws.identity.appthrust.io/runtime': 'self-hosted-webhook',
}

export const managedSelector: string = Object.entries(managedLabels)
  .map(([name, value]) => `${name}=${value}`)
  .join(',')

export function isManaged({ metadata }: KubeObject): boolean {
  return Object.entries(managedLabels).every(([name, value]) => metadata.labels?.[name] === value)
}

/** An object whose other fields are looked at as JSON. */
export type Loose<T extends StoredObject = StoredObject> = T & {
  readonly spec?: PlainFields
  readonly status?: PlainFields
  readonly data?: Readonly<Record<string, string>>
}
