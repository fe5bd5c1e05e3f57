// Flags under the names that the controllers of AWS Controllers for Kubernetes have for them, where ours are called otherwise: their
// Deployments start this program unchanged. Beside them the few that only they have.
import { type Flag, FlagError, type FlagValues, flagOf, parseDuration } from '#base'

const { text, boolean, integer } = flagOf

export const ackFlags: readonly Flag[] = [
  text('metrics-addr', '', 'another name of --metrics-bind-address'),
  text('healthz-addr', '', 'another name of --health-probe-bind-address'),
  boolean('enable-webhook-server', false, 'accepted; webhooks are served where a controller has some'),
  text('webhook-server-addr', '', 'another name of --webhook-bind-address'),
  boolean('enable-leader-election', false, 'another name of --leader-elect'),
  text('leader-election-namespace', '', 'where the Lease of the leader is; default the namespace of the pod'),
  boolean('enable-development-logging', false, 'another name of --log-level=debug'),
  text('aws-identity-endpoint-url', '', 'endpoint of STS instead of its own, for the resources operator'),
  boolean(
    'aws-endpoint-use-path-style',
    false,
    'buckets stand in the path of calls, not in the host, for the resources operator',
  ),
  text('http-client-timeout', '60s', 'longest time of one try of a call of AWS, for the resources operator'),
  integer('reconcile-default-max-concurrent-syncs', 0, 'another name of --max-concurrent-reconciles'),
]

/** What the client of AWS is told by them. */
export interface AckSettings {
  readonly identityEndpoint: string | undefined
  readonly usesPathStyle: boolean
  readonly timeoutMs: number
}

export function readAckFlags(values: FlagValues): AckSettings {
  const timeoutMs = parseDuration(values.text('http-client-timeout'))
  if (timeoutMs === undefined || timeoutMs < 1_000)
    throw new FlagError('--http-client-timeout takes a duration of a second or more, such as 60s')
  const identityEndpoint = values.text('aws-identity-endpoint-url')
  return {
    identityEndpoint: identityEndpoint === '' ? undefined : identityEndpoint,
    usesPathStyle: values.boolean('aws-endpoint-use-path-style'),
    timeoutMs,
  }
}

/** The flag of the two names that says something: ours unless the other is given. */
export function namedOr(values: FlagValues, name: string, ours: string): string {
  return values.text(name) === '' ? ours : name
}
