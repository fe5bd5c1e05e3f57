// What may be said to the Azure webhook besides what its manifests say.

import { silentLog, systemSeams } from '#base'
import { type Reasons, refuseLastArguments } from '#manifests'
import { type AzureWebhookSettings, azureFlags, azureSettings, readAzureProgram } from '#operators/pods'

const certificate = '--tls-secret decides it'
const fixed = 'ports, probes and the Service of the manifests rest on it'
const mounted = 'the manifests mount no file for it'

const reasons: Reasons = {
  'disable-cert-rotation': certificate,
  'webhook-cert-dir': certificate,
  port: fixed,
  'metrics-addr': fixed,
  'health-addr': fixed,
  'bind-address': fixed,
  config: mounted,
  'client-ca-file': mounted,
  kubeconfig: 'the ServiceAccount of the pod decides it',
  help: 'a process that prints its help does not run',
  version: 'a process that prints its version does not run',
}

/** Throws for flags and for an environment that would not fit the objects around the process. */
export function refuseAzureArguments(args: readonly string[], env: Readonly<Record<string, string>>): void {
  refuseLastArguments({ where: 'vouch webhook manifests', args, reasons, known: azureFlags })
  const { stackFile } = readAzureProgram(args, env)
  if (stackFile !== undefined) throw new Error(`--cloud ${env['AZURE_ENVIRONMENT'] ?? ''} is named by a file, and ${mounted}`)
}

/** What the webhook would do with these flags and the environment of this process. */
export function readAzureSettings(args: readonly string[]): Promise<AzureWebhookSettings> {
  const { files } = systemSeams(process.env, { log: silentLog })
  return azureSettings(readAzureProgram(args, process.env), files)
}
