// pods: identity for pods at admission. What is exported here decides and speaks the admission protocol; whoever serves it brings the
// listener and the snapshot of the ServiceAccount. Start with aws/admit.ts, then README.md (the contract).
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
export { awsFlags } from './flags/aws-flags.ts'
export {
  type AwsProgram,
  type AwsWebhookSettings,
  defaultWebhookSettings,
  readAwsProgram,
  type ServingSettings,
} from './flags/settings.ts'
export { type CertificateChoice, defaultManifestOptions, type ManifestOptions } from './manifests/options.ts'
export { renderPodWebhookManifests } from './manifests/render.ts'
export { mutateOffline, type OfflineAnswer, type OfflineOptions } from './offline/mutate.ts'
export type { AddOperation, Json, JsonObject } from './patch.ts'
export { answerReview, type DecideReview, type ReviewAnswer, type ReviewSubject, type ReviewVerdict } from './review.ts'
export { type RunOptions, runAwsWebhook } from './serve/program.ts'
export { createPodWebhook, type PodWebhook, type PodWebhookOptions } from './serve/webhook.ts'
