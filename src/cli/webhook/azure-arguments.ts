// What may be said to the Azure webhook besides what its manifests say.

import { silentLog, systemSeams } from '#base'
import { refuseLastArguments } from '#manifests'
import { type AzureWebhookSettings, azureFlags, azureSettings, readAzureProgram } from '#operators/pods'
import { azureReasons } from '../charts/azure.ts'

/** Throws for flags and for an environment that would not fit the objects around the process. */
export function refuseAzureArguments(args: readonly string[], env: Readonly<Record<string, string>>): void {
  refuseLastArguments({ where: 'vouch webhook manifests', args, reasons: azureReasons, known: azureFlags })
  const { stackFile } = readAzureProgram(args, env)
  if (stackFile !== undefined)
    throw new Error(`--cloud ${env['AZURE_ENVIRONMENT'] ?? ''} is named by a file, and the manifests mount no file for it`)
}

/** What the webhook would do with these flags and the environment of this process. */
export function readAzureSettings(args: readonly string[]): Promise<AzureWebhookSettings> {
  const { files } = systemSeams(process.env, { log: silentLog })
  return azureSettings(readAzureProgram(args, process.env), files)
}
