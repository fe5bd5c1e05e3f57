// runtime: the engine that every operator runs on. An operator says which claims it looks after, how to observe them and what to do
// (a plan); the engine keeps the caches in step, queues the work, carries plans out, and is the only one that writes. It knows no
// operator and no cloud. Start with controller/definition.ts (what an operator writes), then plan/plan.ts (what it decides), then
// manager/manager.ts (how a process is put together). Outside this repository this door is `vouch/runtime/parts`; author.ts, which is
// `vouch/runtime` there, is the short list for those who write an operator.

// The words of Kubernetes that an operator needs: outside this repository there is no `#kube`.
export {
  certificateSigningRequests,
  clusterRoleBindings,
  clusterRoles,
  configMaps,
  customResourceDefinitions,
  deployments,
  endpointSlices,
  events,
  type KubeObject,
  leases,
  mutatingWebhookConfigurations,
  namespaces,
  type ObjectKey,
  pods,
  type ResourceType,
  type StoredObject,
  secrets,
  serviceAccounts,
  services,
  subjectAccessReviews,
  tokenReviews,
  validatingWebhookConfigurations,
} from '#kube'
export { type ClaimKey, claimKey, parseClaimKey, renderClaimKey } from './claim-key.ts'
export type { Companion, CompanionContext } from './companion.ts'
export { Controller } from './controller/controller.ts'
export {
  type AnyController,
  type ControllerDefinition,
  defineController,
  type Reconciler,
  type Targets,
  toController,
  toNamed,
  type Watch,
} from './controller/definition.ts'
export type { ControllerOptions, JudgedChange, MappingFailed } from './controller/options.ts'
export type { PassRecord } from './controller/pass.ts'
export { Election, type ElectionOptions } from './election/election.ts'
export { type Fence, openFence } from './election/fence.ts'
export type { Lease } from './election/lease.ts'
export { leaseTimes } from './election/lease-times.ts'
export { type HealthAnswer, type HealthCheck, type HealthOptions, healthHandler } from './health.ts'
export { Caches, type CachesOptions } from './informer/caches.ts'
export type { BehindWhy, Change, InformerState, Listener } from './informer/change.ts'
export { Informer, type InformerOptions } from './informer/informer.ts'
export type { InformerLimits } from './informer/limits.ts'
export { keepIdentity, keepOwnFields, type Projection } from './informer/projection.ts'
export type { Reads } from './informer/reads.ts'
export { indexBy, type Source, type SourceIndex } from './informer/source.ts'
export { compareVersions, isOlder } from './informer/version.ts'
export { createManager, type Manager } from './manager/manager.ts'
export type { ManagerOptions } from './manager/options.ts'
export { type EngineMetrics, engineMetrics } from './metrics/engine.ts'
export { processMetrics } from './metrics/process.ts'
export { type Counter, countTo, type Gauge, type Histogram, type MetricLabels, Metrics } from './metrics/registry.ts'
export type {
  CloudPermission,
  InstallPlace,
  Mount,
  Operator,
  OperatorContext,
  OperatorNeeds,
  OperatorRights,
  OperatorWebhook,
  ProcessChoices,
  RequiredFlag,
  RunningOperator,
  ShapingFlag,
} from './operator.ts'
export type { Speaker } from './otlp/encode.ts'
export { type CollectorAddress, tellLost } from './otlp/exporter.ts'
export { readCollectorAddress } from './otlp/settings.ts'
export { type OtlpOptions, otlpLogs, otlpMetrics, otlpTraces, type Sender } from './otlp/telemetry.ts'
export { isEqualJson } from './plan/difference.ts'
export { awaitChange, lookAgain, sooner } from './plan/next.ts'
export { failuresOf, type Outcome } from './plan/outcome.ts'
export {
  type Action,
  type AddFinalizerAction,
  type ApplyAction,
  type CreateAction,
  type DeleteAction,
  emptyPlan,
  type Next,
  type ObjectAction,
  type OwnAction,
  type OwnerMark,
  type PatchAction,
  type Plan,
  type RecordEventAction,
  type RemoveFinalizerAction,
  type TogetherAction,
  type UpdateAction,
} from './plan/plan.ts'
export { printPlan, summarizeAction } from './plan/print.ts'
export { foldOutcomes, type Report, type ReportInput, troubleCondition } from './plan/report.ts'
export type { Act, ActContext, ActResult } from './plan/run.ts'
export type { StatusPlace } from './plan/status.ts'
export {
  asTrouble,
  Trouble,
  type TroubleKind,
  type TroubleOptions,
  type TroubleReason,
  troubleReasons,
  unansweredTrouble,
} from './plan/trouble.ts'
export type { WriteRecord, WriteVerb } from './plan/writer.ts'
export { Backoff, jittered } from './queue/backoff.ts'
export { type BreakerAnswer, type BreakerOptions, Breakers } from './queue/breaker.ts'
export { type Lane, lanes } from './queue/lane.ts'
export { type QueueObserver, type Taken, WorkQueue, type WorkQueueOptions } from './queue/work-queue.ts'
export { openScope, pause, type Scope, type ScopeOptions, Stopped } from './scope.ts'
export { type MigrationOptions, storageMigration } from './stored-versions/migration.ts'
export { TargetClusters, type TargetClustersOptions } from './targets/target-clusters.ts'
export { targetPatienceMs } from './targets/target-patience.ts'
export { advanceTo, type Running, Runs, runManager } from './test-world/drive.ts'
export { type StartOptions, type TestServer, type TestWorld, testWorld } from './test-world/test-world.ts'
export { noTracer, type Span, type Tracer } from './trace.ts'
export { type AdmissionAnswer, type AdmissionRequest, type Admit, admissionHandler } from './webhook/admission.ts'
export { type BodyLimits, bodyLimitsDefault, findShapeTrouble, type ShapeLimits } from './webhook/body.ts'
export { type CertificateSource, certificateInFiles } from './webhook/certificate-source.ts'
export {
  serveWebhooks,
  type WebhookCall,
  type WebhookHandler,
  type WebhookHostOptions,
  type WebhookListenOptions,
  webhookHost,
  webhookHttpHandler,
} from './webhook/host.ts'
export { quietListenLimits, webhookListenLimits } from './webhook/limits.ts'
export type { ConfigurationName } from './webhook/own/configurations.ts'
export { type OwnCertificate, type OwnCertificateOptions, ownCertificate } from './webhook/own/keep.ts'
export type { CertificateStyle } from './webhook/own/style.ts'
export {
  type AdmissionPlace,
  notOurUpdates,
  renderValidatingConfiguration,
} from './webhook/validating-configuration.ts'
