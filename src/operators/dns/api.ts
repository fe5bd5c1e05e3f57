// The kind of this operator, as others may know it.
export { type DnsObject, dnsKind, type ExternalDns, kinds, newestKind, renderDnsCrd } from './api/kinds.ts'
export { type ApiVersionName, annotations, group, versions } from './api/names.ts'
export type { DnsSpec } from './api/spec.ts'
export type { DnsStatus } from './api/status-schema.ts'
