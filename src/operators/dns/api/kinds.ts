// The kind in its three versions, and the CRD that serves them.
import {
  type CustomObject,
  type CustomResourceDefinition,
  defineKind,
  type Kind,
  type PrinterColumn,
  renderCrd,
  type StoredObject,
  type StructuralSchema,
  schemaOf,
} from '#kube'
import { type ApiVersionName, group, kindName, storageVersion, versions } from './names.ts'
import type { DnsSpec } from './spec.ts'
import { specSchema } from './spec-schema.ts'
import { type DnsStatus, statusSchema } from './status-schema.ts'

/** What its objects are is said by `DnsObject`: the schemas of three versions are told apart by words, not by types. */
export type DnsKind = Kind<unknown, unknown>
export type DnsObject = CustomObject<DnsSpec, DnsStatus>
export type ExternalDns = DnsObject & StoredObject

const columns: readonly PrinterColumn[] = [
  { name: 'Provider', type: 'string', jsonPath: '.spec.provider.type' },
  { name: 'Source', type: 'string', jsonPath: '.spec.source.type' },
  { name: 'Available', type: 'string', jsonPath: '.status.conditions[?(@.type=="Available")].status' },
  { name: 'Reason', type: 'string', jsonPath: '.status.conditions[?(@.type=="Available")].reason' },
  { name: 'Zones', type: 'string', jsonPath: '.spec.zones', priority: 1 },
  { name: 'Role', type: 'string', jsonPath: '.spec.provider.aws.assumeRole.arn', priority: 1 },
  { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
]

function kindOf(version: ApiVersionName): DnsKind {
  return defineKind({
    group,
    version,
    kind: kindName,
    plural: 'externaldnses',
    singular: 'externaldns',
    shortNames: ['edns'],
    namespaced: false,
    description: 'Keeps DNS records in step with Services, Routes and their like, by an ExternalDNS of its own.',
    spec: specSchema(version),
    status: statusSchema(),
    columns: version === 'v1alpha1' ? columns.filter(({ name }) => name !== 'Role') : columns,
  })
}

export const kinds: Readonly<Record<ApiVersionName, DnsKind>> = {
  v1alpha1: kindOf('v1alpha1'),
  v1beta1: kindOf('v1beta1'),
  v1beta2: kindOf('v1beta2'),
}

/** What this operator reads and writes. */
export const dnsKind: DnsKind = kinds[storageVersion]
/** Where all that can be said can be said. */
export const newestKind: DnsKind = kinds.v1beta2

/** Where the API server has objects converted. */
export interface ConversionPlace {
  readonly service: { readonly namespace: string; readonly name: string; readonly port?: number }
}

export const conversionPath = '/convert'

/** Which version is stored may be said: that of the next release, say, or that of this one after it. */
export function renderDnsCrd(place: ConversionPlace, stored: ApiVersionName = storageVersion): CustomResourceDefinition {
  const rendered = versions.map(version => {
    const [shown] = renderCrd(kinds[version]).spec.versions
    return {
      ...shown,
      ...(version === 'v1beta1' ? { schema: withRequiredCredentials() } : {}),
      storage: version === stored,
    }
  })
  const first = renderCrd(dnsKind)
  const clientConfig = { service: { ...place.service, path: conversionPath } }
  const conversion = { strategy: 'Webhook' as const, webhook: { clientConfig, conversionReviewVersions: ['v1'] } }
  return { ...first, spec: { ...first.spec, versions: rendered, conversion } }
}

/** Required, and with a default: who leaves it out has the empty name. The builder knows a field as one or the other. */
function withRequiredCredentials(): object {
  const whole = schemaOf(kinds.v1beta1)
  return { openAPIV3Schema: at(whole, ['spec', 'provider', 'aws'], aws => ({ ...aws, required: ['credentials'] })) }
}

function at(
  schema: StructuralSchema,
  path: readonly string[],
  change: (found: StructuralSchema) => StructuralSchema,
): StructuralSchema {
  const [name, ...rest] = path
  if (name === undefined) return change(schema)
  const child = schema.properties?.[name]
  return child === undefined ? schema : { ...schema, properties: { ...schema.properties, [name]: at(child, rest, change) } }
}
