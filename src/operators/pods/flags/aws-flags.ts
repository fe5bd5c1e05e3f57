// The flags of the AWS webhook: upstream's names and defaults (§2.13), so that its manifests start this program unchanged, and ours after
// them. `service-account-lookup-grace-period` is the one default that differs on purpose (F-02).
import { type Flag, flagOf } from '#base'
import { listenerFlags, processFlags } from './process-flags.ts'

const { text, boolean, integer, duration } = flagOf
const ignored = (name: string, type: Flag['type'], otherwise: string): Flag => ({
  name,
  type,
  otherwise,
  help: '',
  isIgnored: true,
})

export const awsFlags: readonly Flag[] = [
  ...processFlags('text'),
  ...listenerFlags({
    port: 443,
    health: text('health-addr', '', 'Address of plain HTTP /healthz and /readyz, such as :8080; off when empty'),
    minVersion: text('tls-min-version', '', 'Least TLS version: 1.0 to 1.3, or VersionTLS10 to VersionTLS13; 1.2 when empty'),
  }),
  text('annotation-prefix', 'eks.amazonaws.com', 'The Service Account annotation to look for'),
  text('aws-default-region', '', 'If set, AWS_DEFAULT_REGION and AWS_REGION will be set to this value in mutated containers'),
  boolean(
    'compose-role-arn',
    false,
    'If true, a role-arn annotation that is only a name is completed with account and partition',
  ),
  text('container-credentials-audience', 'pods.eks.amazonaws.com', 'The audience of tokens for container credentials'),
  text(
    'container-credentials-full-uri',
    'http://169.254.170.23/v1/credentials',
    'AWS_CONTAINER_CREDENTIALS_FULL_URI of mutated containers',
  ),
  text(
    'container-credentials-token-mount-path',
    '/var/run/secrets/pods.eks.amazonaws.com/serviceaccount',
    'The path to mount tokens for container credentials',
  ),
  text('container-credentials-token-path', 'eks-pod-identity-token', 'The token file name for container credentials'),
  text('container-credentials-token-volume-name', 'eks-pod-identity-token', 'The token volume name for container credentials'),
  boolean('enable-debugging-handlers', false, 'Enable debugging handlers on the metrics port'),
  boolean('in-cluster', true, 'Use in-cluster authentication and certificate request API'),
  text('kube-api', '', 'The url to the API server'),
  integer('metrics-port', 9999, 'Port to listen on for metrics (http)'),
  text('namespace', 'eks', "The webhook's own namespace: of its certificate's Secret and of the ConfigMap"),
  duration('resync-period', '60s', 'Accepted for compatibility: the cache follows its watch and lists again only when it has to'),
  duration(
    'service-account-lookup-grace-period',
    '100ms',
    'How long a pod may wait for its ServiceAccount to be read from the API server; 0s: the cache alone decides',
  ),
  text('service-name', 'pod-identity-webhook', 'The service name fronting this webhook'),
  boolean('sts-regional-endpoint', false, 'Whether to inject AWS_STS_REGIONAL_ENDPOINTS=regional'),
  text('tls-cert', '/etc/webhook/certs/tls.crt', 'TLS certificate file path, used when --in-cluster=false'),
  text('tls-key', '/etc/webhook/certs/tls.key', 'TLS key file path, used when --in-cluster=false'),
  text('tls-secret', 'pod-identity-webhook', 'The secret name for storing the TLS serving cert'),
  text('token-audience', 'sts.amazonaws.com', 'The default audience for tokens. Can be overridden by annotation'),
  integer('token-expiration', 86_400, 'The token expiration'),
  text('token-mount-path', '/var/run/secrets/eks.amazonaws.com/serviceaccount', 'The path to mount tokens'),
  integer('v', 0, 'Log verbosity: 3 tells of each pod, 4 the reasons'),
  boolean('watch-config-map', false, 'Also take roles from the ConfigMap pod-identity-webhook'),
  text('watch-container-credentials-config', '', 'Absolute path to the container credentials file to follow'),
  // Ours.
  boolean('admission-warnings', false, 'Tell the user who creates the pod what was odd about it'),
  text('aws-account-id', '', 'Account for --compose-role-arn, instead of asking the instance metadata service'),
  text('aws-partition', '', 'Partition for --compose-role-arn; together with --aws-account-id'),
  boolean('configmap-default-audience', false, 'ConfigMap entries without an audience take --token-audience'),
  boolean(
    'confirm-missing-role',
    true,
    'Believe that a ServiceAccount has no role only when the API server has just said so, within the grace period',
  ),
  duration(
    'steady-after',
    '5m',
    'ServiceAccounts that have not changed for so long are believed to have no role while the watch is heard of, and confirmed behind the answer; 0s: none are',
  ),
  boolean('debug-any-address', false, 'Debugging handlers also answer callers that do not come from loopback'),
  text('default-containers-mode', 'all', 'all, or include: only containers that the pod lists in <prefix>/include-containers'),
  duration(
    'required-role-wait',
    '3s',
    'How long the pod of a ServiceAccount whose role is required or promised waits for it, before it is refused with a reason',
  ),
  text(
    'signer-name',
    'beta.eks.amazonaws.com/app-serving',
    'Who signs the certificate with --in-cluster=true; the signer that upstream asks is refused by current clusters',
  ),
  text(
    'webhook-configuration',
    '',
    'MutatingWebhookConfiguration that is told whom to trust: the webhook keeps an authority of its own in --tls-secret, whatever --in-cluster says',
  ),
  boolean('windows-from-pod-os', false, 'Also take spec.os.name for the choice of Windows paths'),
  // What logging libraries of Go add, and manifests carry.
  ignored('add_dir_header', 'boolean', 'false'),
  ignored('alsologtostderr', 'boolean', 'false'),
  ignored('alsologtostderrthreshold', 'text', ''),
  ignored('legacy_stderr_threshold_behavior', 'boolean', 'true'),
  ignored('log_backtrace_at', 'text', ':0'),
  ignored('log_dir', 'text', ''),
  ignored('log_file', 'text', ''),
  ignored('log_file_max_size', 'integer', '1800'),
  ignored('logtostderr', 'boolean', 'true'),
  ignored('one_output', 'boolean', 'false'),
  ignored('skip_headers', 'boolean', 'false'),
  ignored('skip_log_headers', 'boolean', 'false'),
  ignored('stderrthreshold', 'text', '2'),
  ignored('vmodule', 'text', ''),
]
