// Which method, with which values: the order of authority of §2.3 as one pure function.
import { clampExpiration, readExpiration, type Warn } from './annotations.ts'
import {
  type AwsWebhookOptions,
  type ConfigMapEntry,
  containerExpirationSeconds,
  containerJitterSecondsMin,
  type IdentitySnapshot,
} from './api.ts'
import { roleSourceOf } from './role-source.ts'

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

interface DecideOptions {
  readonly snapshot: IdentitySnapshot
  readonly podExpiration: string | undefined
  readonly flags: AwsWebhookOptions
  /** In [0, below); injectable so that jitter can be tested. */
  readonly randomBelow: (below: number) => number
  readonly warn: Warn
}

export function decideInjection(options: DecideOptions): Injection | undefined {
  const { snapshot, flags, warn } = options
  const podExpiration = readExpiration(options.podExpiration, warn)
  if (snapshot.usesContainerCredentials) return decideContainer(options, podExpiration)
  const source = roleSourceOf(snapshot)
  if (source === undefined) return undefined
  const { roleArn, audience, regionalSts } = source.says
  const isAccount = source.kind === 'service-account'
  return {
    method: 'web-identity',
    roleArn,
    audience: !isAccount && audience === '' && flags.configMapDefaultAudience ? flags.tokenAudience : audience,
    expirationSeconds: podExpiration ?? (isAccount ? source.says.expirationSeconds : expirationOf(source.says, flags, warn)),
    regionalSts,
  }
}

function decideContainer(
  { snapshot: { serviceAccount, exactEntry }, flags, randomBelow, warn }: DecideOptions,
  podExpiration: bigint | undefined,
): Injection {
  const entryExpiration = exactEntry === undefined ? undefined : expirationOf(exactEntry, flags, warn)
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

/** An entry that names no life has the flag's, whoever asks it. */
function expirationOf({ expirationSeconds }: ConfigMapEntry, flags: AwsWebhookOptions, warn: Warn): bigint {
  return clampExpiration(expirationSeconds === 0n ? flags.tokenExpirationSeconds : expirationSeconds, warn)
}
