// dns: ExternalDNS objects, and an operand for each. Start with operator.ts, then external-dns/decide.ts; what is contract in the operand's
// Deployment is operand/.
export {
  annotations,
  type DnsObject,
  type DnsSpec,
  type DnsStatus,
  dnsKind,
  type ExternalDns,
  kinds,
  newestKind,
  renderDnsCrd,
} from './api.ts'
export { createDnsOperator, type DnsOperatorOptions, dnsWebhooks } from './create-operator.ts'
export { missingCapability } from './operand/capabilities.ts'
export { buildDeployment } from './operand/deployment.ts'
export { type OperandRequest, type Platform, plainKubernetes } from './operand/request.ts'
export { crossAccountTrust, permissionPolicy, webIdentityTrust } from './policies/policies.ts'
export type { DnsSettings, DnsSurroundings } from './settings.ts'
