// The flags of the Azure webhook: upstream's names and defaults (§3.13), so that its manifests start this program unchanged, and ours after
// them.
import { type Flag, flagOf } from '#base'

const { text, boolean, integer, duration } = flagOf

export const azureFlags: readonly Flag[] = [
  text('audience', '', 'Audience of the projected token; api://AzureADTokenExchange when empty'),
  text(
    'custom-token-endpoint-annotation-suffix',
    '',
    'Pods annotated azure.workload.identity/use-<suffix> use the custom token endpoint',
  ),
  text('custom-token-endpoint-audience', '', 'Audience of the tokens for the custom token endpoint'),
  boolean('disable-cert-rotation', false, 'Serve the files of --webhook-cert-dir, which somebody else keeps'),
  text('health-addr', ':9440', 'Address of plain HTTP /healthz and /readyz'),
  text('kubeconfig', '', 'Kubeconfig file; the cluster that the pod runs in when empty'),
  text('log-level', '', 'info, debug, trace or all; warnings and errors alone when empty'),
  text('metrics-addr', ':8095', 'Address of plain HTTP /metrics; 0 or empty: off'),
  text('metrics-backend', 'prometheus', 'There is this one'),
  text('tls-cipher-suites', '', 'Comma-separated IANA names of the cipher suites for TLS 1.2 and below'),
  text('tls-min-version', '1.3', 'Least TLS version: 1.0 to 1.3, or VersionTLS10 to VersionTLS13'),
  boolean('version', false, 'Print the version and exit'),
  text('webhook-cert-dir', '/certs', 'Folder of tls.crt and tls.key, and of ca.crt with certificate rotation'),
  // Ours.
  boolean('admission-warnings', false, 'Tell the user who creates the pod what was odd about it'),
  text('bind-address', '', 'Address to listen on; all when empty'),
  text('client-ca-file', '', 'Callers must show a certificate of this authority'),
  text('config', '', 'YAML file with flags as keys; the command line wins'),
  boolean(
    'confirm-missing-client-id',
    true,
    'Believe that a ServiceAccount has no client id only when the API server has just said so',
  ),
  boolean('enable-http2', false, 'Offer HTTP/2 on the webhook port'),
  text(
    'log-exporter',
    '',
    'otlp (standard error without OTEL_EXPORTER_OTLP_ENDPOINT), console or none; default OTEL_LOGS_EXPORTER, then otlp',
  ),
  text('log-format', 'json', 'text or json, of the lines that go to no collector'),
  text(
    'log-resource-attributes',
    '',
    'key=value pairs for what goes to a collector, separated by commas, values percent-encoded',
  ),
  boolean('metrics-namespace-label', true, 'Label azwi_mutation_request with the namespace'),
  boolean('omit-missing-ca-file', false, 'No AZURE_KUBERNETES_CA_FILE where the custom token endpoint has no such file'),
  integer('port', 9_443, 'Port of reviews'),
  boolean('proxy-requires-true', false, 'inject-proxy-sidecar counts only with the value true'),
  boolean('require-pod-label', false, 'Let in as they are the pods without the label azure.workload.identity/use: "true"'),
  duration(
    'required-client-id-wait',
    '3s',
    'How long the pod of a ServiceAccount whose client id is required or promised waits for it, before it is refused with a reason',
  ),
  duration(
    'service-account-lookup-timeout',
    '1s',
    'How long a pod may wait for its ServiceAccount to be read from the API server',
  ),
  duration('shutdown-delay', '0s', 'How long to go on accepting after the signal to stop'),
  text('volume-layout', 'classic', 'classic, as upstream until v1.5.1, or reserved, as from v1.6.0 on'),
]
