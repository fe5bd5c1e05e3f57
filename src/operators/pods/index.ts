// pods: identity for pods at admission. A webhook as a value for any cluster (createPodWebhook), as a process (runAwsWebhook and its
// siblings), as manifests, and its decision alone. Start with README.md (the contract), then provider.ts (what a cloud brings), aws/admit.ts and
// azure/admit.ts (the decisions) and serve/webhook.ts (the server).

export { type AdmitOptions, admitPod } from './aws/admit.ts'
export { readServiceAccount, type Warn } from './aws/annotations.ts'
export {
  type AwsWebhookOptions,
  type ConfigMapEntry,
  defaultAwsOptions,
  type IdentitySnapshot,
  type ServiceAccountIdentity,
  skipLabel,
} from './aws/api.ts'
export type { AzureWebhookOptions } from './azure/api.ts'
export type { AzureWebhookSettings } from './azure/provider.ts'
export { awsFlags } from './flags/aws-flags.ts'
export { azureFlags } from './flags/azure-flags.ts'
export { type AzureProgram, readAzureProgram } from './flags/azure-settings.ts'
export { type BothPrograms, bothFlags, readBothPrograms } from './flags/both-flags.ts'
export {
  type AwsProgram,
  type AwsWebhookSettings,
  defaultWebhookSettings,
  readAwsProgram,
  type ServingSettings,
} from './flags/settings.ts'
export { type AzureManifestOptions, renderAzureWebhookManifests } from './manifests/azure.ts'
export { type BothManifestOptions, renderBothWebhookManifests } from './manifests/both.ts'
export { type CertificateChoice, defaultManifestOptions, type ManifestOptions } from './manifests/options.ts'
export { renderPodWebhookManifests } from './manifests/render.ts'
export { type AuditOptions, auditPods } from './offline/audit.ts'
export { type AzureAuditOptions, auditAzurePods } from './offline/audit-azure.ts'
export { mutateOffline, type OfflineAnswer, type OfflineOptions } from './offline/mutate.ts'
export { type AzureOfflineOptions, mutateAzureOffline } from './offline/mutate-azure.ts'
export type { Audit, OutdatedPod } from './offline/outdated.ts'
export type { AddOperation, PatchObject, PatchValue } from './patch.ts'
export { probeProxy, readProxyIdentity, readProxyProgram, runProxy } from './proxy/run.ts'
export { answerReview, type DecideReview, type ReviewAnswer, type ReviewSubject, type ReviewVerdict } from './review.ts'
export { azureSettings, type RunAzureOptions, runAzureWebhook } from './serve/azure-program.ts'
export { createAzureWebhook, createBothWebhooks } from './serve/azure-webhook.ts'
export { type RunBothOptions, runBothWebhooks } from './serve/both-program.ts'
export { type RunOptions, runAwsWebhook } from './serve/program.ts'
export { createPodWebhook, type PodWebhook, type PodWebhookOptions } from './serve/webhook.ts'
export { configMapKey, configMapName, noRoleEntries, parseRoleEntries, type RoleEntries } from './sources/config-map.ts'
export { parseCredentialsFile } from './sources/credentials-file.ts'
