// Which method, with which values: the order of authority of §2.3 as one pure function.
import { readExpiration, type Warn } from './annotations.ts'
import {
  type AwsWebhookOptions,
  containerExpirationSeconds,
  containerJitterSecondsMin,
  expirationSecondsMin,
  type IdentitySnapshot,
} from './api.ts'

/** What is going to be injected; the same for all containers of the pod. */
export interface Injection {
  readonly method: 'web-identity' | 'container-credentials'
  /** Only for web identity. */
  readonly roleArn: string
  /** Empty: the token source carries no audience. */
  readonly audience: string
  readonly expirationSeconds: bigint
  readonly regionalSts: boolean
}

export function decideInjection(options: {
  snapshot: IdentitySnapshot
  podExpiration: string | undefined
  flags: AwsWebhookOptions
  /** In [0, below); injectable so that jitter can be tested. */
  randomBelow: (below: number) => number
  warn: Warn
}): Injection | undefined {
  const { snapshot, flags, warn } = options
  const podExpiration = readExpiration(options.podExpiration, warn)
  if (snapshot.usesContainerCredentials) return decideContainer(snapshot, podExpiration, flags, options.randomBelow)
  const account = snapshot.serviceAccount
  if (account !== undefined && account.roleArn !== '') {
    return {
      method: 'web-identity',
      roleArn: account.roleArn,
      audience: account.audience,
      expirationSeconds: podExpiration ?? account.expirationSeconds,
      regionalSts: account.regionalSts,
    }
  }
  const entry = [snapshot.exactEntry, snapshot.wildcardEntry].find(
    candidate => candidate !== undefined && candidate.roleArn !== '',
  )
  if (entry === undefined) return undefined
  return {
    method: 'web-identity',
    roleArn: entry.roleArn,
    audience: entry.audience === '' && flags.configMapDefaultAudience ? flags.tokenAudience : entry.audience,
    expirationSeconds:
      podExpiration ??
      (entry.expirationSeconds === 0n ? atLeastMin(flags.tokenExpirationSeconds) : atLeastMin(entry.expirationSeconds)),
    regionalSts: entry.regionalSts,
  }
}

function decideContainer(
  snapshot: IdentitySnapshot,
  podExpiration: bigint | undefined,
  flags: AwsWebhookOptions,
  randomBelow: (below: number) => number,
): Injection {
  const { serviceAccount, exactEntry } = snapshot
  const entryExpiration =
    exactEntry === undefined || exactEntry.expirationSeconds === 0n ? undefined : atLeastMin(exactEntry.expirationSeconds)
  const decided = podExpiration ?? serviceAccount?.expirationSeconds ?? entryExpiration ?? containerExpirationSeconds
  // A fleet of pods with the same default would renew in one wave; whoever chose a value of their own keeps it.
  const expirationSeconds =
    decided === containerExpirationSeconds
      ? containerJitterSecondsMin + BigInt(randomBelow(Number(containerExpirationSeconds - containerJitterSecondsMin) + 1))
      : decided
  return {
    method: 'container-credentials',
    roleArn: '',
    audience: flags.containerCredentials.audience,
    expirationSeconds,
    regionalSts: serviceAccount?.regionalSts ?? exactEntry?.regionalSts ?? false,
  }
}

function atLeastMin(seconds: bigint): bigint {
  return seconds < expirationSecondsMin ? expirationSecondsMin : seconds
}
