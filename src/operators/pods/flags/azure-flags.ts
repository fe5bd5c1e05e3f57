// The flags of the Azure webhook: upstream's names and defaults (§3.13), so that its manifests start this program unchanged, and ours after
// them.
import { type Flag, flagOf } from '#base'
import { listenerFlags, processFlags } from './process-flags.ts'

const { text, boolean, duration } = flagOf

export const azureFlags: readonly Flag[] = [
  ...processFlags('json'),
  ...listenerFlags({
    port: 9_443,
    health: text('health-addr', ':9440', 'Address of plain HTTP /healthz and /readyz'),
    minVersion: text('tls-min-version', '1.3', 'Least TLS version: 1.0 to 1.3, or VersionTLS10 to VersionTLS13'),
  }),
  text('audience', '', 'Audience of the projected token; api://AzureADTokenExchange when empty'),
  text(
    'custom-token-endpoint-annotation-suffix',
    '',
    'Pods annotated azure.workload.identity/use-<suffix> use the custom token endpoint',
  ),
  text('custom-token-endpoint-audience', '', 'Audience of the tokens for the custom token endpoint'),
  boolean('disable-cert-rotation', false, 'Serve the files of --webhook-cert-dir, which somebody else keeps'),
  text('log-level', '', 'info, debug, trace or all; warnings and errors alone when empty'),
  text('metrics-addr', ':8095', 'Address of plain HTTP /metrics; 0 or empty: off'),
  text('metrics-backend', 'prometheus', 'There is this one'),
  text('webhook-cert-dir', '/certs', 'Folder of tls.crt and tls.key, and of ca.crt with certificate rotation'),
  // Ours.
  boolean('admission-warnings', false, 'Tell the user who creates the pod what was odd about it'),
  boolean(
    'confirm-missing-client-id',
    true,
    'Believe that a ServiceAccount has no client id only when the API server has just said so',
  ),
  boolean('metrics-namespace-label', true, 'Label azwi_mutation_request with the namespace'),
  boolean('omit-missing-ca-file', false, 'No AZURE_KUBERNETES_CA_FILE where the custom token endpoint has no such file'),
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
  text('volume-layout', 'classic', 'classic, as upstream until v1.5.1, or reserved, as from v1.6.0 on'),
]
