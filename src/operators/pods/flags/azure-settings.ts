// Flags and environment of the Azure webhook as what they mean. Everything that can be wrong about them is found here, before anything is
// opened; only the file of an Azure Stack is read later.
import { FlagError, type FlagValues, type LogLevel, parseFlags } from '#base'
import { defaultAudience, type VolumeLayout } from '../azure/api.ts'
import type { AzureWebhookSettings } from '../azure/provider.ts'
import { addressOf, type ListenAddress } from './addresses.ts'
import { type AzureVariables, readAzureEnvironment } from './azure-environment.ts'
import { azureFlags } from './azure-flags.ts'
import { readTokenEndpoint } from './azure-token-endpoint.ts'
import { type ListenerSettings, readListener, readProcess, type WebhookProcess } from './process-flags.ts'

export interface AzureServing extends ListenerSettings {
  readonly metrics: ListenAddress | undefined
  readonly certificateFolder: string
  /** Whether this program makes and renews the certificate itself (§3.14). */
  readonly rotates: boolean
  /** Its own, where the Secret of the certificate lies. */
  readonly namespace: string
}

export interface AzureProgram extends WebhookProcess {
  readonly webhook: AzureWebhookSettings
  /** Names the authority host when no table does. */
  readonly stackFile: string | undefined
  readonly serving: AzureServing
  readonly logLevel: LogLevel
}

/** Throws `FlagError`. `file` are the values of a configuration file; the command line wins. */
export function readAzureProgram(
  args: readonly string[],
  env: AzureVariables,
  file: ReadonlyMap<string, string> = new Map(),
): AzureProgram {
  if (args.some(argument => /^--?arc-cluster(=|$)/.test(argument)))
    throw new FlagError('--arc-cluster: the mode for Arc clusters is gone since v1.0 of the upstream and is not built here')
  return azureProgramOf(parseFlags(azureFlags, args, file), env)
}

export function azureProgramOf(flags: FlagValues, env: AzureVariables): AzureProgram {
  const layout = layoutOf(flags.text('volume-layout'))
  const environment = readAzureEnvironment(env, layout)
  const { authority, tenantId, proxyImage, proxyInitImage } = environment
  if (flags.text('metrics-backend') !== 'prometheus')
    throw new FlagError(`--metrics-backend: there is prometheus and not ${flags.text('metrics-backend')}`)
  const logLevel = levelOf(flags.text('log-level'))
  return {
    ...readProcess(flags),
    webhook: {
      admission: {
        tenantId,
        authorityHost: 'host' in authority ? authority.host : '',
        audience: flags.text('audience') || defaultAudience,
        layout,
        proxyImage,
        proxyInitImage,
        logLevel: flags.text('log-level'),
        tokenEndpoint: readTokenEndpoint(flags, environment, layout),
        requirePodLabel: flags.boolean('require-pod-label'),
        proxyRequiresTrue: flags.boolean('proxy-requires-true'),
        omitMissingCaFile: flags.boolean('omit-missing-ca-file'),
      },
      lookup: {
        timeoutMs: Math.max(0, flags.durationMs('service-account-lookup-timeout')),
        confirmMissingClientId: flags.boolean('confirm-missing-client-id'),
        requiredClientIdWaitMs: Math.max(0, flags.durationMs('required-client-id-wait')),
      },
      admissionWarnings: flags.boolean('admission-warnings'),
      tellsPods: logLevel === 'info' || logLevel === 'debug',
      labelsNamespaces: flags.boolean('metrics-namespace-label'),
    },
    stackFile: 'file' in authority ? authority.file : undefined,
    serving: servingOf(flags, environment.namespace),
    logLevel,
  }
}

function servingOf(flags: FlagValues, namespace: string): AzureServing {
  const metrics = flags.text('metrics-addr')
  return {
    ...readListener(flags),
    metrics: metrics === '0' ? undefined : addressOf('--metrics-addr', metrics),
    certificateFolder: flags.text('webhook-cert-dir'),
    rotates: !flags.boolean('disable-cert-rotation'),
    namespace,
  }
}

function layoutOf(text: string): VolumeLayout {
  if (text === 'classic' || text === 'reserved') return text
  throw new FlagError(
    `--volume-layout is classic or reserved, not ${text}${text === 'hashed' ? ': that layout of a later upstream is not built here' : ''}`,
  )
}

/** Names that upstream's logging library knows; below debug there is nothing more to tell here. */
const levels: Readonly<Record<string, LogLevel>> = { '': 'warn', info: 'info', debug: 'debug', trace: 'debug', all: 'debug' }

function levelOf(text: string): LogLevel {
  const level = Object.hasOwn(levels, text) ? levels[text] : undefined
  if (level === undefined) throw new FlagError(`--log-level is info, debug, trace, all or empty, not ${text}`)
  return level
}
