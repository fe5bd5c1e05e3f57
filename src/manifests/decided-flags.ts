// The flags of the process that its manifests decide: ports, probes, rights, leases and accounts rest on them. Whoever said one of them
// another way would have a process that does not fit the objects around it, such as two replicas that both write. So a person says the
// value, and the flag is refused: here for `vouch render`, and by the same table in the templates of the charts.
import type { Operator } from '#runtime'

/** What a refusal says after the name of the flag. */
export type Reasons = Readonly<Record<string, string>>

const by = (value: string): string => `${value} decides it`

export const decidedFlags: Reasons = {
  controllers: by('operators.NAME.enabled'),
  kubeconfig: by('the ServiceAccount of the pod'),
  help: 'a process that prints its help does not run',
  'health-probe-bind-address': by('containerPorts.health'),
  'healthz-addr': by('containerPorts.health'),
  'health-probe-bind-addr': by('containerPorts.health'),
  'metrics-bind-address': by('metrics.containerPort'),
  'metrics-addr': by('metrics.containerPort'),
  'webhook-bind-address': by('containerPorts.webhook'),
  'webhook-server-addr': by('containerPorts.webhook'),
  'webhook-cert-dir': by('webhookCertificate'),
  'cert-dir': by('webhookCertificate'),
  'webhook-authority-secret': by('webhookCertificate.source'),
  'webhook-service': by('webhookCertificate.source'),
  'webhook-configurations': by('webhookCertificate.source'),
  'operator-accounts': by('serviceAccount'),
  'leader-elect': by('operator.leaderElection.enabled'),
  'enable-leader-election': by('operator.leaderElection.enabled'),
  shards: by('operator.leaderElection.shards'),
  'leader-election-namespace': by('operator.leaderElection.namespace'),
}

/** The same, and the files that the manifests of these operators bring. */
export function decidedWith(operators: readonly Operator[]): Reasons {
  const files = operators.flatMap(({ name, deployedArgs = [] }) =>
    deployedArgs.map((arg): readonly [string, string] => [flagName(arg), by(`operators.${name}.files`)]),
  )
  return { ...decidedFlags, ...Object.fromEntries(files) }
}

/** Which value sets a shaping flag: a person is told this who writes the flag among the last arguments, from which no manifest is rendered. */
export function shapingReasons(operators: readonly Operator[]): Reasons {
  return Object.fromEntries(
    operators.flatMap(({ name, shaping = [] }) => shaping.map(({ flag }) => [flag, by(`operators.${name}.flags.${flag}`)])),
  )
}

/** `--name=value` and `-name` are flags of that name; a value is none. */
export function flagName(argument: string): string {
  return /^--?([^-=][^=]*)/.exec(argument)?.[1] ?? ''
}
