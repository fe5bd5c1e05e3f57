// The provider file: which helper programs turn an access provider of a ClusterProfile into credentials. Read once at the start; whoever
// writes it is trusted with running programs here, and nothing that a tenant writes gets into it (X7).
import { given, isRecord, parseJsonText } from '#base'
import type { ExecEntry } from '#kube/client'

export interface ClusterProvider {
  readonly name: string
  /** Without it the provider cannot be used. */
  readonly exec?: ExecEntry
  /** What the program sees of our environment beside `PATH`, `HOME` and its own `env`. */
  readonly passedEnv: readonly string[]
  readonly argsPolicy: 'Ignore' | 'Append'
  readonly envPolicy: 'Ignore' | 'AppendIfNotExists' | 'Replace'
}

export class ProviderFileError extends Error {
  readonly code = 'bad-provider-file'
  constructor(file: string, detail: string) {
    super(`provider file ${file}: ${detail}`)
    this.name = 'ProviderFileError'
  }
}

/** Some thousand providers. */
const textLengthMax = 262_144

/** Throws `ProviderFileError` with the place and the way out. */
export function parseProviderFile(text: string, file: string): readonly ClusterProvider[] {
  const wrong = (detail: string): never => {
    throw new ProviderFileError(file, detail)
  }
  if (text.length > textLengthMax) return wrong(`is longer than ${textLengthMax} characters`)
  let root: unknown
  try {
    parseJsonText(text)
    root = JSON.parse(text)
  } catch (error) {
    return wrong(`is no JSON (${error instanceof Error ? error.message : String(error)})`)
  }
  const providers = isRecord(root) ? root.providers : undefined
  if (!Array.isArray(providers))
    return wrong('has no list "providers"; it looks like {"providers":[{"name":…,"execConfig":{…}}]}')
  return providers.map((item: unknown, index) => readProvider(item, `providers[${index}]`, wrong))
}

type Wrong = (detail: string) => never

function readProvider(item: unknown, at: string, wrong: Wrong): ClusterProvider {
  if (!isRecord(item) || typeof item.name !== 'string' || item.name === '') return wrong(`${at} has no name`)
  const exec = item.execConfig === undefined ? undefined : readExec(item.execConfig, `${at}.execConfig`, wrong)
  return {
    name: item.name,
    ...given({ exec }),
    passedEnv: readNames(item.passEnv ?? [], `${at}.passEnv`, wrong),
    argsPolicy: oneOf(item.profileSourcedCLIArgsPolicy, ['Ignore', 'Append'], `${at}.profileSourcedCLIArgsPolicy`, wrong),
    envPolicy: oneOf(
      item.profileSourcedEnvVarsPolicy,
      ['Ignore', 'AppendIfNotExists', 'Replace'],
      `${at}.profileSourcedEnvVarsPolicy`,
      wrong,
    ),
  }
}

function readExec(item: unknown, at: string, wrong: Wrong): ExecEntry {
  if (!isRecord(item)) return wrong(`${at} is no object`)
  const { apiVersion, command, args = [], env = [], installHint, provideClusterInfo = false } = item
  if (typeof command !== 'string' || command === '') return wrong(`${at}.command is missing: the path of the plugin`)
  if (apiVersion !== 'client.authentication.k8s.io/v1' && apiVersion !== 'client.authentication.k8s.io/v1beta1') {
    return wrong(`${at}.apiVersion must be client.authentication.k8s.io/v1 or /v1beta1`)
  }
  if (!isTexts(args)) return wrong(`${at}.args is no list of texts`)
  return {
    apiVersion,
    command,
    args,
    env: readEnv(env, `${at}.env`, wrong),
    provideClusterInfo: provideClusterInfo === true,
    ...(typeof installHint === 'string' ? { installHint } : {}),
  }
}

function readNames(item: unknown, at: string, wrong: Wrong): readonly string[] {
  return isTexts(item) ? item : wrong(`${at} is no list of names of environment variables`)
}

function readEnv(env: unknown, at: string, wrong: Wrong): Readonly<Record<string, string>> {
  if (env === null) return {}
  if (!Array.isArray(env)) return wrong(`${at} is no list of {"name":…,"value":…}`)
  return Object.fromEntries(
    env.map((item: unknown, index): [string, string] => {
      if (isRecord(item) && typeof item.name === 'string' && item.name !== '' && typeof item.value === 'string') {
        return [item.name, item.value]
      }
      return wrong(`${at}[${index}] is no {"name":…,"value":…}`)
    }),
  )
}

function oneOf<W extends string>(value: unknown, words: readonly [W, ...W[]], at: string, wrong: Wrong): W {
  if (value === undefined || value === '') return words[0]
  return words.find(word => word === value) ?? wrong(`${at} must be one of ${words.join(', ')}`)
}

export function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every(item => typeof item === 'string')
}
