// Flags as what they mean. Everything that can be wrong about them is found here, before anything is opened.
import { FlagError, type FlagValues, parseFlags } from '#base'
import { type AwsWebhookOptions, defaultAwsOptions } from '../aws/api.ts'
import { portOf } from './addresses.ts'
import { awsFlags } from './aws-flags.ts'
import { type ListenerSettings, readListener, readProcess, type WebhookProcess } from './process-flags.ts'

/** How it is made sure that a ServiceAccount which the cache knows has no role. */
export type Confirmation =
  /** Not at all: the cache is believed, as upstream does. */
  | { readonly kind: 'none' }
  /** By a read before the answer, or behind it when the ServiceAccount has not changed for so long; 0: always before. */
  | { readonly kind: 'read'; readonly steadyAfterMs: number }

/** Who may ask the debugging handlers (§2.17, F-27). */
export type DebuggingAccess = 'nobody' | 'loopback' | 'anybody'

export interface AwsWebhookSettings {
  /** What goes into pods. Composing role names is added when account and partition are known. */
  readonly admission: AwsWebhookOptions
  readonly lookup: {
    readonly graceMs: number
    readonly confirmation: Confirmation
    readonly requiredRoleWaitMs: number
  }
  readonly watchConfigMap: boolean
  /** Empty: none. */
  readonly credentialsFile: string
  readonly namespace: string
  readonly admissionWarnings: boolean
  readonly debugging: DebuggingAccess
  readonly verbosity: number
}

export interface ServingSettings extends ListenerSettings {
  readonly metricsPort: number
  readonly certificatePath: string
  readonly keyPath: string
  readonly inCluster: boolean
  readonly serviceName: string
  readonly tlsSecret: string
  readonly signerName: string
  /** That is told whom to trust, where the webhook keeps an authority of its own. Empty: it does not. */
  readonly ownConfiguration: string
}

export interface AwsProgram extends WebhookProcess {
  readonly webhook: AwsWebhookSettings
  readonly serving: ServingSettings
  readonly kubeApi: string
  readonly compose: { readonly account: string; readonly partition: string } | 'metadata-service' | undefined
  /** Given, accepted and without effect. */
  readonly ignored: readonly string[]
}

/** The settings of a webhook that was told nothing. */
export const defaultWebhookSettings: AwsWebhookSettings = {
  admission: defaultAwsOptions,
  lookup: { graceMs: 100, confirmation: { kind: 'read', steadyAfterMs: 300_000 }, requiredRoleWaitMs: 3_000 },
  watchConfigMap: false,
  credentialsFile: '',
  namespace: 'eks',
  admissionWarnings: false,
  debugging: 'nobody',
  verbosity: 0,
}

/** Throws `FlagError`. `file` are the values of a configuration file; the command line wins. */
export function readAwsProgram(args: readonly string[], file: ReadonlyMap<string, string> = new Map()): AwsProgram {
  return awsProgramOf(parseFlags(awsFlags, args, file))
}

export function awsProgramOf(flags: FlagValues): AwsProgram {
  return {
    ...readProcess(flags),
    webhook: webhookSettings(flags),
    serving: servingSettings(flags),
    kubeApi: flags.text('kube-api'),
    compose: composeSettings(flags),
    ignored: awsFlags.filter(flag => flag.isIgnored === true && flags.given.has(flag.name)).map(({ name }) => name),
  }
}

function webhookSettings(flags: FlagValues): AwsWebhookSettings {
  const credentialsFile = flags.text('watch-container-credentials-config')
  if (credentialsFile !== '' && !credentialsFile.startsWith('/'))
    throw new FlagError(`--watch-container-credentials-config takes an absolute path, not ${credentialsFile}`)
  return {
    admission: admissionOptions(flags),
    lookup: {
      graceMs: Math.max(0, flags.durationMs('service-account-lookup-grace-period')),
      confirmation: flags.boolean('confirm-missing-role')
        ? { kind: 'read', steadyAfterMs: Math.max(0, flags.durationMs('steady-after')) }
        : { kind: 'none' },
      requiredRoleWaitMs: Math.max(0, flags.durationMs('required-role-wait')),
    },
    watchConfigMap: flags.boolean('watch-config-map'),
    credentialsFile,
    namespace: flags.text('namespace'),
    admissionWarnings: flags.boolean('admission-warnings'),
    debugging: !flags.boolean('enable-debugging-handlers')
      ? 'nobody'
      : flags.boolean('debug-any-address')
        ? 'anybody'
        : 'loopback',
    verbosity: Number(flags.integer('v')),
  }
}

function admissionOptions(flags: FlagValues): AwsWebhookOptions {
  const mode = flags.text('default-containers-mode')
  if (mode !== 'all' && mode !== 'include') throw new FlagError(`--default-containers-mode is all or include, not ${mode}`)
  return {
    annotationPrefix: flags.text('annotation-prefix'),
    tokenAudience: flags.text('token-audience'),
    tokenExpirationSeconds: flags.integer('token-expiration'),
    tokenMountPath: flags.text('token-mount-path'),
    defaultRegion: flags.text('aws-default-region'),
    regionalSts: flags.boolean('sts-regional-endpoint'),
    containerCredentials: {
      audience: flags.text('container-credentials-audience'),
      fullUri: flags.text('container-credentials-full-uri'),
      mountPath: flags.text('container-credentials-token-mount-path'),
      volumeName: flags.text('container-credentials-token-volume-name'),
      tokenPath: flags.text('container-credentials-token-path'),
    },
    configMapDefaultAudience: flags.boolean('configmap-default-audience'),
    windowsFromPodOs: flags.boolean('windows-from-pod-os'),
    onlyIncludedContainers: mode === 'include',
  }
}

function servingSettings(flags: FlagValues): ServingSettings {
  return {
    ...readListener(flags),
    metricsPort: portOf(flags, 'metrics-port'),
    certificatePath: flags.text('tls-cert'),
    keyPath: flags.text('tls-key'),
    inCluster: flags.boolean('in-cluster'),
    serviceName: flags.text('service-name'),
    tlsSecret: flags.text('tls-secret'),
    signerName: flags.text('signer-name'),
    ownConfiguration: flags.text('webhook-configuration'),
  }
}

function composeSettings(flags: FlagValues): AwsProgram['compose'] {
  const [account, partition] = [flags.text('aws-account-id'), flags.text('aws-partition')]
  if (account !== '' && !/^\d{12}$/.test(account)) throw new FlagError(`--aws-account-id is twelve digits, not ${account}`)
  if (partition !== '' && account === '') throw new FlagError('--aws-partition needs --aws-account-id')
  if (!flags.boolean('compose-role-arn')) return undefined
  return account === '' ? 'metadata-service' : { account, partition: partition === '' ? 'aws' : partition }
}
