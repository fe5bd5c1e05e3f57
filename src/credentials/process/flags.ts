// The flags of the credential process: those of the program that it stands in for, checked in that program's order (§11.3).
import { type Flag, FlagError, type FlagValues, flagOf, parseFlags } from '#base'
import { readProfileNamespaces } from '#fleet'
import type { ObjectKey } from '#kube'
import type { RemoteChoice } from '../remote-credentials.ts'

const { text, duration } = flagOf

export const processFlags: readonly Flag[] = [
  text('namespace', '', 'hub namespace that stands for the cluster (required)'),
  text('service-account', '', 'namespace/name of the ServiceAccount in the cluster (required)'),
  text('session-name', '', 'name of the session, as CloudTrail shows it (required)'),
  text('clusterprofile-provider-file', '', 'which program gives the credentials for which cluster (required)'),
  text('cluster-profile-namespaces', '', 'where ClusterProfiles are, separated by commas; * is everywhere (required)'),
  text('aws-service-account-role', '', 'name of the AWSServiceAccountRole; the only one of the ServiceAccount when empty'),
  text('region', '', 'region of STS; that of the ClusterProfile or of the config when empty'),
  duration('token-expiration', '15m', 'how long the token of the ServiceAccount is good, at least 10m'),
  duration('session-duration', '0', 'how long the credentials are good; as STS thinks right when 0'),
  text('kubeconfig', '', 'kubeconfig of the hub; the pod’s own account when empty, outside of a cluster what kubectl would take'),
]

/** A token of the cluster lives at least this long. */
const tokenMsMin = 600_000

/** Throws `FlagError`. */
export function readProcessFlags(args: readonly string[]): RemoteChoice {
  const values = parseFlags(processFlags, args, new Map())
  const serviceAccount = readServiceAccount(values.text('service-account'))
  const list = values.text('cluster-profile-namespaces')
  // A list that is there is read before anything else is asked for; one that is missing is told in its turn.
  const named = list === '' ? undefined : readProfileNamespaces(list)
  const namespace = required(values, 'namespace')
  const providerFile = required(values, 'clusterprofile-provider-file')
  required(values, 'cluster-profile-namespaces')
  const sessionName = required(values, 'session-name')
  const tokenExpirationMs = values.durationMs('token-expiration')
  if (tokenExpirationMs < tokenMsMin) throw new FlagError('--token-expiration must be 10m or more')
  const sessionDurationMs = values.durationMs('session-duration')
  if (sessionDurationMs < 0) throw new FlagError('--session-duration must not be negative')
  const kubeconfig = values.text('kubeconfig')
  return {
    namespace,
    serviceAccount,
    sessionName,
    providerFile,
    profileNamespaces: named ?? [],
    roleName: values.text('aws-service-account-role'),
    region: values.text('region'),
    tokenExpirationMs,
    sessionDurationMs,
    ...(kubeconfig === '' ? {} : { kubeconfig }),
  }
}

function readServiceAccount(value: string): ObjectKey {
  if (value === '') throw new FlagError('--service-account is required')
  const [namespace = '', name = '', ...rest] = value.split('/')
  if (namespace !== '' && name !== '' && rest.length === 0) return { namespace, name }
  throw new FlagError(`--service-account: ${JSON.stringify(value)} is no namespace/name`)
}

function required(values: FlagValues, name: string): string {
  const value = values.text(name)
  if (value === '') throw new FlagError(`--${name} is required`)
  return value
}
