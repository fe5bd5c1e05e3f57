// What subresources use beside what the verbs do.
import type { Registry } from '../registry/registry.ts'
import type { ServiceAccountIssuer } from '../tokens/issuer.ts'
import type { PatchPorts } from '../verbs/ports.ts'
import type { PodLogs } from './pod-logs.ts'

export interface SubresourcePorts extends PatchPorts {
  readonly registry: Registry
  readonly issuer: ServiceAccountIssuer
  readonly logs: PodLogs
}
