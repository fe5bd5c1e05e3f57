// The certificate operator: from two words to the ARN of a certificate that is issued, renewed, and removed only where nobody needs it. It
// issues nothing itself and holds no key. Start with operator.ts (what a program assembles), then README.md (the contract),
// cert/decide/decide.ts (what happens when), aws/call.ts (how AWS is called).

export { certValidatingConfiguration } from './admission/configuration.ts'
export { admissionPath, certWebhooks } from './admission/handler.ts'
export { type Cert, type CertSpec, certKind } from './api.ts'
export { type Measured, measuringTransport } from './aws/cloud-clock.ts'
export { type CertificatesOperator, type CertificatesOptions, createCertificatesOperator } from './create-operator.ts'
export { alertRules, renderRuleGroups, runbookPage } from './manifests/alert-rules.ts'
export { zoneRolePolicy } from './manifests/cloud-rights.ts'
export { panels } from './manifests/dashboard.ts'
export { publishTypesDefault } from './publish/kinds.ts'
export { createTelemetry } from './telemetry/telemetry.ts'
export { Zones } from './zones/zones.ts'
