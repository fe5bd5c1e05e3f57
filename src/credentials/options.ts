// What a remote provider is asked for, checked once: whoever holds a `RemoteRequest` holds something that can be tried.
import type { AwsClient } from '#aws/client'
import type { ClusterProfile, ClusterProvider, NameRule } from '#fleet'
import type { ObjectKey } from '#kube'
import type { ConnectSeams, KubeClient } from '#kube/client'
import { RemoteCredentialsError } from './remote-error.ts'

/** Reads the hub. */
export type HubReader = Pick<KubeClient, 'get' | 'listAll'>

/** Asks a cluster for tokens of its ServiceAccounts. */
export type TokenGiver = Pick<KubeClient, 'requestToken'>

/** How clusters are entered. */
export interface RemoteAccess {
  readonly seams: ConnectSeams
  /** Of the provider file. */
  readonly providers: readonly ClusterProvider[]
  /** Which names a profile may have; any when absent. */
  readonly mayName?: NameRule
  /** A client for a profile instead of the provider file's; `undefined` leaves it to the file. */
  readonly clientOf?: (profile: ClusterProfile) => TokenGiver | undefined
}

export interface RemoteProviderOptions {
  /** A reader, or who finds one when it is first needed. */
  readonly hub: HubReader | (() => Promise<HubReader>)
  /** Without it every `retrieve` ends with `MissingInventoryAccess`. */
  readonly access?: RemoteAccess | (() => Promise<RemoteAccess>)
  /** The hub namespace that stands for the cluster. */
  readonly namespace: string
  readonly serviceAccount: ObjectKey
  /** What CloudTrail calls the session. */
  readonly sessionName: string
  /** The Role to use; without one the only Role of the ServiceAccount. */
  readonly roleName?: string
  /** Namespaces in which ClusterProfiles are; all when empty, or when one of them is `*`. */
  readonly profileNamespaces?: readonly string[]
  /** Wins over the region of the ClusterProfile, which wins over that of the config. */
  readonly region?: string
  /** How long the token of the ServiceAccount is good; a quarter of an hour when absent. */
  readonly tokenExpirationMs?: number
  /** How long the credentials are good, from a quarter of an hour to twelve; what STS thinks right when 0. */
  readonly sessionDurationMs?: number
  /** Calls STS of a region without credentials. */
  readonly stsOf: (region: string) => Pick<AwsClient, 'call'>
}

/** The options with their defaults, found good. */
export interface RemoteRequest extends Required<Omit<RemoteProviderOptions, 'access' | 'profileNamespaces'>> {
  readonly access: RemoteProviderOptions['access']
  /** Sorted, each once; `undefined` for all. */
  readonly profileNamespaces: readonly string[] | undefined
}

const minute = 60_000
const tokenExpirationMsDefault = 15 * minute
const tokenExpirationMsMin = 1_000
const sessionMsMin = 15 * minute
const sessionMsMax = 12 * 60 * minute

/** Throws `RemoteCredentialsError` with the reason `InvalidOptions`. Does nothing else: no call is made. */
export function checkOptions(options: RemoteProviderOptions): RemoteRequest {
  const { hub, access, namespace, serviceAccount, sessionName, stsOf } = options
  const { tokenExpirationMs = tokenExpirationMsDefault, sessionDurationMs = 0, roleName = '', region = '' } = options
  const wrong = troubleWith({ ...options, tokenExpirationMs, sessionDurationMs })
  if (wrong !== undefined) throw new RemoteCredentialsError('InvalidOptions', wrong)
  return {
    hub,
    access,
    namespace,
    serviceAccount: { namespace: serviceAccount.namespace, name: serviceAccount.name },
    sessionName,
    roleName,
    region,
    profileNamespaces: namespacesOf(options.profileNamespaces ?? []),
    tokenExpirationMs,
    sessionDurationMs,
    stsOf,
  }
}

type Checked = RemoteProviderOptions & { readonly tokenExpirationMs: number; readonly sessionDurationMs: number }

/** Callers of plain JavaScript may leave out anything. */
function troubleWith(options: Partial<Checked> & Pick<Checked, 'tokenExpirationMs' | 'sessionDurationMs'>): string | undefined {
  const { hub, namespace, serviceAccount, sessionName, stsOf, tokenExpirationMs, sessionDurationMs } = options
  if (hub === undefined) return 'hub is required: a reader of the hub, or who finds one'
  if (!namespace) return 'namespace is required: the hub namespace of the cluster'
  if (!serviceAccount?.namespace || !serviceAccount.name) return 'serviceAccount is required, with its namespace and its name'
  if (!sessionName) return 'sessionName is required'
  if (typeof stsOf !== 'function') return 'stsOf is required: who calls STS'
  if (!(tokenExpirationMs >= tokenExpirationMsMin)) return 'tokenExpirationMs must be a second or more'
  if (!(sessionDurationMs >= 0)) return 'sessionDurationMs must not be negative'
  const isInRange = sessionDurationMs >= sessionMsMin && sessionDurationMs <= sessionMsMax
  return sessionDurationMs === 0 || isInRange ? undefined : 'sessionDurationMs must be 0, or from 15 minutes to 12 hours'
}

function namespacesOf(given: readonly string[]): readonly string[] | undefined {
  const names = [...new Set(given.map(name => name.trim()).filter(name => name !== ''))].toSorted()
  return names.length === 0 || names.includes('*') ? undefined : names
}
