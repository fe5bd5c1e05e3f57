// The other objects of the runtime: what is wanted of each, and how it is brought about in one that is there.
import { given, isRecord, memberAt } from '#base'
import type { KubeObject, StoredObject } from '#kube'
import type { Pair } from './certificates.ts'
import { skipLabel } from './deployment.ts'
import { caSecretName, type Loose, type PlainFields, runtimeLabels, runtimeName } from './kinds.ts'
import { hasLabels, isSame, over, replaced } from './merge.ts'

/** What we say of an object besides its labels. */
export interface Wanted {
  readonly apiVersion: string
  readonly kind: string
  readonly name: string
  /** Absent for objects of the whole cluster. */
  readonly namespace?: string
  readonly parts: PlainFields
}

export function newObject({ apiVersion, kind, name, namespace, parts }: Wanted): KubeObject & PlainFields {
  const metadata = { name, ...given({ namespace }), labels: runtimeLabels }
  return { apiVersion, kind, metadata, ...parts }
}

/** The object to send, or `undefined` when what is there will do. Other labels stay. */
export function mergedObject(object: StoredObject, { parts }: Wanted): StoredObject | undefined {
  const merged = mergeParts(object, parts)
  const differs = Object.keys(merged).some(name => !isSame(merged[name], memberAt(object, name)))
  return differs || !hasLabels(object, runtimeLabels) ? replaced(object, runtimeLabels, merged) : undefined
}

/** A `spec` is merged (a Service's addresses are the server's); anything else is replaced. */
function mergeParts(object: StoredObject, parts: PlainFields): PlainFields {
  return isRecord(parts.spec) ? { ...parts, spec: over((object as Loose).spec, parts.spec) } : parts
}

export function caSecret(namespace: string, { certificate, key }: Pair): Wanted {
  return secret(namespace, caSecretName, 'Opaque', { 'ca.crt': certificate, 'ca.key': key })
}

export function servingSecret(namespace: string, { certificate, key }: Pair): Wanted {
  return secret(namespace, runtimeName, 'kubernetes.io/tls', { 'tls.crt': certificate, 'tls.key': key })
}

function secret(namespace: string, name: string, type: string, data: Readonly<Record<string, string>>): Wanted {
  const encoded = Object.fromEntries(Object.entries(data).map(([key, text]) => [key, Buffer.from(text).toString('base64')]))
  return { apiVersion: 'v1', kind: 'Secret', name, namespace, parts: { type, data: encoded } }
}

export function serviceAccount(namespace: string): Wanted {
  return { apiVersion: 'v1', kind: 'ServiceAccount', name: runtimeName, namespace, parts: {} }
}

export function clusterRole(): Wanted {
  const rules = [{ apiGroups: [''], resources: ['serviceaccounts'], verbs: ['get', 'list', 'watch'] }]
  return { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', name: runtimeName, parts: { rules } }
}

export function clusterRoleBinding(namespace: string): Wanted {
  const parts = {
    subjects: [{ kind: 'ServiceAccount', name: runtimeName, namespace }],
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: runtimeName },
  }
  return { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRoleBinding', name: runtimeName, parts }
}

export function service(namespace: string): Wanted {
  const spec = {
    selector: { 'app.kubernetes.io/name': runtimeName },
    ports: [{ name: 'https', protocol: 'TCP', port: 443, targetPort: 443 }],
  }
  return { apiVersion: 'v1', kind: 'Service', name: runtimeName, namespace, parts: { spec } }
}

/** With every default that a server fills in. `bundle` is PEM. */
export function webhookConfiguration(namespace: string, bundle: string): Wanted {
  const webhook = {
    name: 'pod-identity-webhook.amazonaws.com',
    clientConfig: {
      service: { name: runtimeName, namespace, path: '/mutate', port: 443 },
      caBundle: Buffer.from(bundle).toString('base64'),
    },
    rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'], scope: '*' }],
    failurePolicy: 'Fail',
    matchPolicy: 'Equivalent',
    namespaceSelector: {},
    objectSelector: { matchExpressions: [{ key: skipLabel, operator: 'DoesNotExist' }] },
    sideEffects: 'None',
    timeoutSeconds: 10,
    admissionReviewVersions: ['v1beta1'],
    reinvocationPolicy: 'Never',
  }
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'MutatingWebhookConfiguration',
    name: runtimeName,
    parts: { webhooks: [webhook] },
  }
}

/** The bundle, as PEM, that a configuration trusts now. */
export function bundleIn(configuration: StoredObject): string {
  const { webhooks } = configuration as StoredObject & { readonly webhooks?: unknown }
  const [first] = Array.isArray(webhooks) ? (webhooks as readonly unknown[]) : []
  const { caBundle } = isRecord(first) && isRecord(first.clientConfig) ? first.clientConfig : { caBundle: undefined }
  return typeof caBundle === 'string' ? Buffer.from(caBundle, 'base64').toString() : ''
}

/** The text of a key of a Secret; empty when it is not there. */
export function textIn(object: StoredObject, name: string): string {
  const value = (object as Loose).data?.[name]
  return value === undefined ? '' : Buffer.from(value, 'base64').toString()
}
