// Definitions of kinds that belong to somebody else, for worlds in which only their objects matter.
import type { KubeObject, ResourceType } from '#kube'

export type OpenCrd = KubeObject & { readonly spec: object }

/** With whatever fields; `hasStatus`: the status is written by a subresource of its own. */
export function openCrd(type: ResourceType, { hasStatus = false }: { readonly hasStatus?: boolean } = {}): OpenCrd {
  const { group, version, kind, plural, namespaced } = type
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } }
  const subresources = hasStatus ? { subresources: { status: {} } } : {}
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: namespaced ? 'Namespaced' : 'Cluster',
      names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
      versions: [{ name: version, served: true, storage: true, schema, ...subresources }],
    },
  }
}
