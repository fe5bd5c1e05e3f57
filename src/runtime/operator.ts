// The contract of an operator: what it says of itself, so that a process, its manifests, its rights, its help and its reference page are
// loops over a list. An operator is a folder with an `operator.ts` that exports such a value; it stands in the list of whoever assembles
// programs. Nothing here is asked while the program only prints help: what is heavy is imported inside `describe` and `start`.
import type { FlagExample, FlagGroup, FlagValues, Seams } from '#base'
import type { CustomResourceDefinition, KubeObject, Right } from '#kube'
import type { KubeClient } from '#kube/client'
import type { Companion } from './companion.ts'
import type { AnyController } from './controller/definition.ts'
import type { HealthCheck } from './health.ts'
import type { Manager } from './manager/manager.ts'
import type { ManagerOptions } from './manager/options.ts'
import type { Metrics } from './metrics/registry.ts'
import type { WebhookHandler } from './webhook/host.ts'
import type { AdmissionPlace } from './webhook/validating-configuration.ts'

export interface Operator<Settings = unknown> {
  /** As `--controllers` takes it. */
  readonly name: string
  /** One line: what it looks after. */
  readonly summary: string
  /** A group that several operators share is one value; flags of one name that are two values belong to the first operator that runs. */
  readonly flags: readonly FlagGroup[]
  readonly examples: readonly FlagExample[]
  /** The Lease of its leader: replicas of any process that runs this operator compete for it. */
  readonly lease: string
  /** Whether replicas may share its work by namespaces, each claim with one of them; one leads over all of it otherwise. */
  readonly sharesWork?: true
  /** What its Deployment passes besides the flags that a person chooses: where the manifests put its files. */
  readonly deployedArgs?: readonly string[]
  /** What it is told where nobody says otherwise: in charts, and in the world of `vouch dev`. */
  readonly installed?: InstalledWith
  /** Defaults that flags of the process have where this operator runs in it and no other. */
  readonly alone?: Readonly<Record<string, string>>
  /** Where only a person knows what it has to be told, such as zones of his own: `vouch dev` leaves it out. */
  readonly needsAPerson?: true
  /** Without which `describe` throws; charts refuse values that do not say them, in the same words. */
  readonly required?: readonly RequiredFlag[]
  /** The flags on which `describe` rests. With every value of all others it says the same, so that charts need not know them. */
  readonly shaping?: readonly ShapingFlag[]
  /** From the values of its flags alone; throws `FlagError` for what cannot hold. */
  readSettings(values: FlagValues, process: ProcessChoices): Settings
  /** What it needs on the cluster where it runs, with these settings. Reads files at most, and throws where it would not start. */
  describe(settings: Settings, place: InstallPlace): Promise<OperatorNeeds>
  /** Puts it together for one process. Rejects when it cannot start. */
  start(settings: Settings, context: OperatorContext): Promise<RunningOperator>
}

export interface RequiredFlag {
  readonly flag: string
  /** A word that it takes: charts are derived with it, since no manifest rests on which word it is. */
  readonly sample: string
  /** What a person is told who did not say it. */
  readonly missing: string
  /** A file that says the same, unless it is `empty`. */
  readonly orFile?: { readonly flag: string; readonly empty: string }
}

export interface InstalledWith {
  /** The values of flags, by the name of each without its dashes. */
  readonly flags: Readonly<Record<string, string>>
  /** What stands in files that flags name, by flag. */
  readonly files: Readonly<Record<string, string>>
}

/** What values a flag may have, as far as manifests differ by them. */
export type ShapingFlag =
  /**
   * One word; the first is the default. Where the other words only add something, `addsBy` names the flags on which depends what that is, so
   * that a chart is not derived from each combination with all others.
   */
  | { readonly kind: 'choice'; readonly flag: string; readonly values: readonly string[]; readonly addsBy?: readonly string[] }
  /** Any of these words, separated by commas, and at least one. */
  | { readonly kind: 'list'; readonly flag: string; readonly items: readonly string[] }
  /** Names of namespaces, separated by commas; `everywhere` is how all of them are said. */
  | { readonly kind: 'namespaces'; readonly flag: string; readonly everywhere: '' | '*' }
  /** `namespace/name` or `namespace/*`, separated by commas; `*` for all. */
  | { readonly kind: 'objects'; readonly flag: string }
  /** The flag has too many values for a chart to know them all: only `vouch render`, which asks the operator itself, can follow it. */
  | { readonly kind: 'any'; readonly flag: string }

/** What the process decided for all of its operators. */
export interface ProcessChoices {
  /** Claims of a kind worked on at once. */
  readonly workers: number
  readonly env: Readonly<Record<string, string | undefined>>
}

/** Where and as what an operator is installed. */
export interface InstallPlace {
  /** Of the installation: what is made carries it in its name. */
  readonly name: string
  readonly namespace: string
  readonly labels: Readonly<Record<string, string>>
  /** What stands in files that flags name, by flag, where the manifests bring the file. */
  readonly files: Readonly<Record<string, string>>
}

export interface OperatorNeeds {
  readonly crds: readonly CustomResourceDefinition[]
  readonly rights: OperatorRights
  readonly webhooks: readonly OperatorWebhook[]
  /** Objects of its own, in the order in which they are applied. */
  readonly objects: readonly KubeObject[]
  readonly mounts: readonly Mount[]
}

/** What an operator may do and no more; tests hold it against what it does. */
export interface OperatorRights {
  /** On the API server where its claims are, beside what every process needs. */
  readonly cluster: readonly Right[]
  /** Rights in a cloud. The engine knows no cloud, and passes on what the operator says. */
  readonly cloud: readonly CloudPermission[]
}

/** One statement of a policy that allows. */
export interface CloudPermission {
  readonly actions: readonly string[]
  readonly resources: readonly string[]
  readonly conditions?: Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>
  /** For people. */
  readonly why: string
}

/** Which requests the API server asks the operator about. */
export interface OperatorWebhook {
  /** What follows the name of the installation in the name of the configuration. */
  readonly suffix: string
  configuration(place: AdmissionPlace): KubeObject
}

/** A ConfigMap among `objects` as files in the container. */
export interface Mount {
  readonly name: string
  readonly mountPath: string
  readonly configMap: string
}

export interface OperatorContext {
  readonly seams: Seams
  /** The operator's own: with no more rights than it said. */
  readonly client: KubeClient
  readonly metrics: Metrics
  readonly version: string
  /** The commit of this build, and its day. */
  readonly build: { readonly commit: string; readonly date: string }
}

/** What an operator brings to a manager. */
export interface RunningOperator {
  readonly controllers: readonly AnyController[]
  readonly companions?: readonly Companion[]
  readonly ready?: readonly HealthCheck[]
  /** The handlers of admission reviews, by the path at which each is asked. */
  readonly webhooks?: Readonly<Record<string, WebhookHandler>>
  /** Names of the CRDs whose versions one of these paths converts: the API server is told there whom to trust. */
  readonly conversions?: readonly string[]
  readonly telemetry?: Pick<ManagerOptions, 'onPass' | 'onMove' | 'onJudged' | 'onMappingFailed'>
  /** Once its manager is there, before it runs. */
  attach?(manager: Manager): void
  /** After its manager ended. */
  close?(): Promise<void>
}
