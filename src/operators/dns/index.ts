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
export { jobs } from './cleanup/job.ts'
export { createDnsOperator, type DnsOperatorOptions, dnsWebhooks } from './create-operator.ts'
export { dnsAlerts, renderDnsRules } from './manifests/alert-rules.ts'
export { missingCapability } from './operand/capabilities.ts'
export { buildDeployment } from './operand/deployment.ts'
export { type OperandRequest, type Platform, plainKubernetes } from './operand/request.ts'
export { crossAccountTrust, permissionPolicy, podIdentityTrust, webIdentityTrust } from './policies/policies.ts'
export type { DnsSettings, DnsSurroundings } from './settings.ts'
export { platformDnses } from './zones/platform-dns.ts'
