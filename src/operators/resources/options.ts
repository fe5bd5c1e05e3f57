// What the operator of a process decides about all of its kinds; the flags of `vouch operator --controllers resources`.
import type { ResourceService } from '#aws'
import type { AwsClients } from '#aws/client'
import type { Random } from '#base'
import { type NamedObjects, parseNamedObjects } from '#kube'
import type { Metrics } from '#runtime'
import type { Home } from './place/select-place.ts'

export interface ResourcesOptions {
  /** Services by alias of those we ship, or representations of others. */
  readonly services: readonly (string | ResourceService)[]
  readonly aws: AwsClients
  /** The process's own account and region: where everything is made for which nothing else is said. */
  readonly home: Home
  /** For passphrases: nothing is exported without it. */
  readonly random?: Random
  /** The time, for what is only remembered. */
  readonly nowMs: () => number
  /** Only these kinds, by their name. */
  readonly kinds?: readonly string[]
  readonly version?: string
  /** The commit of this build, and its day: told to AWS with each call. */
  readonly build?: { readonly commit: string; readonly date: string }
  /** `key=value` with %VARIABLES%. */
  readonly resourceTags?: readonly string[]
  /** Marks what is made with the uid of its claim, where it can carry tags from the start. */
  readonly ownershipTags?: boolean
  readonly deletionPolicy?: 'delete' | 'retain'
  /** Whether references, Secrets and the targets of exports may be in another namespace than their object. */
  readonly crossNamespace?: boolean
  /** The Secrets that may be read and written: `namespace/name`, `namespace/*`, or `*` for all; none when absent. */
  readonly secrets?: readonly string[]
  readonly carm?: boolean
  readonly gates?: Partial<Gates>
  /** Where the ConfigMaps of role mappings are. */
  readonly systemNamespace?: string
  readonly watchNamespaces?: readonly string[]
  readonly watchSelector?: string
  readonly resyncSeconds?: number
  /** Between looks by a list that serves many, in the time between two full ones; 0 for full ones only. */
  readonly cheapReadSeconds?: number
  /** By kind. */
  readonly resyncSecondsOf?: Readonly<Record<string, number>>
  readonly workers?: number
  readonly workersOf?: Readonly<Record<string, number>>
  readonly strictConditions?: boolean
  readonly strictSync?: boolean
  /** The CRDs have a place for it (`vouch infer --mode extended`): each condition says of which generation it speaks. */
  readonly conditionGenerations?: boolean
  /** False: nothing is told in events, each of which is a write. */
  readonly events?: boolean
  readonly metrics?: Metrics | undefined
  /** False: no series for each object, where there are too many. */
  readonly metricNames?: boolean
  /** Secrets of any type may be read from, not only Opaque ones. */
  readonly anySecretType?: boolean
  /** False: Secrets are only read by name, and a change of one is noticed some minutes later. */
  readonly watchSecrets?: boolean
  /** Whether what was made goes with its object, by kind. */
  readonly deletionPolicyOf?: Readonly<Record<string, 'delete' | 'retain'>>
  /** URLs of queues with events of AWS: what somebody else changed is looked at when it is told. */
  readonly driftQueues?: readonly string[]
  /** FieldExports may write several keys, by templates, take from Secrets and make what they write to. */
  readonly extendedFieldExports?: boolean
  /** Kinds whose objects go when AWS has taken the deletion, without a wait until it shows nothing. */
  readonly releaseAfterDelete?: readonly string[]
  /** False: FieldExport is left to others. */
  readonly fieldExport?: boolean
  /** AdoptedResources are looked after: who may make one may have an object of any of our kinds made in its namespace. */
  readonly adoptedResources?: boolean
}

export interface Gates {
  readonly ResourceAdoption: boolean
  readonly ReadOnlyResources: boolean
  readonly TeamLevelCARM: boolean
  readonly ServiceLevelCARM: boolean
  readonly IAMRoleSelector: boolean
}

export const gatesDefault: Gates = {
  ResourceAdoption: true,
  ReadOnlyResources: true,
  TeamLevelCARM: false,
  ServiceLevelCARM: false,
  // Where nobody selects, it changes nothing. Asked for by name, it excludes role mappings, as in the reference implementation.
  IAMRoleSelector: true,
}

/** With every default filled in: what the rest of the room reads. */
export interface Settings
  extends Required<
    Omit<
      ResourcesOptions,
      | 'services'
      | 'aws'
      | 'nowMs'
      | 'random'
      | 'metrics'
      | 'fieldExport'
      | 'adoptedResources'
      | 'secrets'
      | 'driftQueues'
      | 'gates'
      | 'kinds'
      | 'watchNamespaces'
      | 'watchSelector'
      | 'resyncSeconds'
    >
  > {
  readonly gates: Gates
  readonly secrets: NamedObjects
  readonly resyncSeconds: number | undefined
  readonly watchNamespaces: readonly string[] | undefined
  readonly watchSelector: string | undefined
}

export const resourceTagsDefault: readonly string[] = [
  'services.k8s.aws/controller-version=%CONTROLLER_SERVICE%-%CONTROLLER_VERSION%',
  'services.k8s.aws/namespace=%K8S_NAMESPACE%',
]

export function settingsOf(options: ResourcesOptions): Settings {
  const watchNamespaces = options.watchNamespaces?.length === 0 ? undefined : options.watchNamespaces
  return {
    home: options.home,
    version: options.version ?? '',
    build: options.build ?? { commit: 'unknown', date: 'unknown' },
    resourceTags: options.resourceTags ?? resourceTagsDefault,
    ownershipTags: options.ownershipTags ?? true,
    deletionPolicy: options.deletionPolicy ?? 'delete',
    crossNamespace: options.crossNamespace ?? false,
    secrets: parseNamedObjects(options.secrets ?? []),
    // One namespace is one tenant: there is nobody to keep apart.
    carm: (options.carm ?? true) && watchNamespaces?.length !== 1,
    gates: { ...gatesDefault, ...options.gates },
    systemNamespace: options.systemNamespace ?? 'ack-system',
    watchNamespaces,
    watchSelector: options.watchSelector,
    resyncSeconds: options.resyncSeconds,
    cheapReadSeconds: options.cheapReadSeconds ?? 0,
    resyncSecondsOf: options.resyncSecondsOf ?? {},
    workers: options.workers ?? 10,
    workersOf: options.workersOf ?? {},
    strictConditions: options.strictConditions ?? false,
    strictSync: options.strictSync ?? false,
    conditionGenerations: options.conditionGenerations ?? false,
    events: options.events ?? true,
    metricNames: options.metricNames ?? true,
    anySecretType: options.anySecretType ?? false,
    watchSecrets: options.watchSecrets ?? true,
    extendedFieldExports: options.extendedFieldExports ?? false,
    deletionPolicyOf: options.deletionPolicyOf ?? {},
    releaseAfterDelete: options.releaseAfterDelete ?? [],
  }
}
