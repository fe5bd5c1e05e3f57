// Profiles of the shared configuration files: keys, roles over other profiles, web identities and helper programs. Profiles that
// sign in through a browser are handed to the SDK's own provider, which knows its token caches.
import type { Clock, Files, Programs, Random } from '#base'
import type { Transport } from '../transport/transport.ts'
import { type Credentials, CredentialsError, type CredentialsProvider, staticCredentials } from './credentials.ts'
import { type Environment, environmentCredentials } from './environment.ts'
import { type IniSection, parseIni } from './ini.ts'
import { containerCredentials, instanceCredentials } from './metadata.ts'
import { processCredentials } from './process.ts'
import { assumedRole, webIdentityRole } from './sts.ts'

export interface ProfileOptions {
  readonly env: Environment
  readonly files: Pick<Files, 'read'>
  readonly programs?: Programs | undefined
  readonly transport: Transport
  readonly clock: Clock
  readonly random: Random
  readonly region: string
  readonly stsEndpoint?: string | undefined
  /** Profiles that need a browser; absent where nobody could use one. */
  readonly browserProfile?: ((profile: string) => CredentialsProvider) | undefined
}

/** All profiles of both files; the credentials file wins key by key. */
export async function readProfiles({
  env,
  files,
}: Pick<ProfileOptions, 'env' | 'files'>): Promise<ReadonlyMap<string, IniSection>> {
  const home = env['HOME'] ?? env['USERPROFILE'] ?? ''
  const merged = new Map<string, IniSection>()
  for (const file of ['config', 'credentials'] as const) {
    const path = env[file === 'config' ? 'AWS_CONFIG_FILE' : 'AWS_SHARED_CREDENTIALS_FILE'] ?? (home && `${home}/.aws/${file}`)
    const bytes = path ? await files.read(path) : undefined
    if (bytes === undefined) continue
    for (const [name, section] of parseIni(Buffer.from(bytes).toString('utf8'), file)) {
      merged.set(name, { ...merged.get(name), ...section })
    }
  }
  return merged
}

/** The profile that the environment chooses. */
export function chosenProfile(env: Environment): string {
  return env['AWS_PROFILE'] || env['AWS_DEFAULT_PROFILE'] || 'default'
}

/** The provider of a profile; `undefined` when there is no such profile or nothing about credentials in it. */
export async function profileCredentials(name: string, options: ProfileOptions): Promise<CredentialsProvider | undefined> {
  return resolve(name, { options, profiles: await readProfiles(options), seen: [] })
}

interface Resolving {
  readonly options: ProfileOptions
  readonly profiles: ReadonlyMap<string, IniSection>
  /** Profiles on the way here, for rings. */
  readonly seen: readonly string[]
}

function resolve(name: string, resolving: Resolving): CredentialsProvider | undefined {
  const { options, profiles, seen } = resolving
  const profile = profiles.get(name)
  if (profile === undefined) return undefined
  const next = { ...resolving, seen: [...seen, name] }
  if (seen.includes(name)) {
    // A profile may stand on its own keys: `source_profile` naming itself.
    const own = keysOf(name, profile)
    if (seen.at(-1) === name && own !== undefined) return own
    throw new CredentialsError(`the profiles ${next.seen.join(' -> ')} stand on each other`)
  }
  const { role_arn: roleArn, web_identity_token_file: tokenFile, credential_process: command } = profile
  if (roleArn && tokenFile) return webIdentity(name, { profile, roleArn, tokenFile }, options)
  if (roleArn) return roleOver(name, { profile, roleArn }, next)
  const keys = keysOf(name, profile)
  if (keys !== undefined) return keys
  if (command) {
    if (options.programs === undefined)
      throw new CredentialsError(`the profile ${name} needs a helper program, and none may be run here`)
    return processCredentials(command, { ...options, programs: options.programs })
  }
  const needsBrowser = Object.keys(profile).some(key => key.startsWith('sso_') || key === 'login_session')
  if (needsBrowser) {
    if (options.browserProfile !== undefined) return options.browserProfile(name)
    throw new CredentialsError(`the profile ${name} signs in through a browser, which is not possible here`)
  }
  return undefined
}

function keysOf(name: string, profile: IniSection): CredentialsProvider | undefined {
  const { aws_access_key_id: accessKeyId, aws_secret_access_key: secretAccessKey, aws_session_token: sessionToken } = profile
  if (!accessKeyId || !secretAccessKey) return undefined
  const credentials: Credentials = {
    accessKeyId,
    secretAccessKey,
    ...(sessionToken && { sessionToken }),
    source: `profile ${name}`,
  }
  return staticCredentials(credentials)
}

interface WebIdentityProfile {
  readonly profile: IniSection
  readonly roleArn: string
  readonly tokenFile: string
}

function webIdentity(
  name: string,
  { profile, roleArn, tokenFile }: WebIdentityProfile,
  options: ProfileOptions,
): CredentialsProvider {
  const sessionName = profile['role_session_name'] ?? `vouch-${name}`
  return webIdentityRole(
    { roleArn, tokenFile, sessionName, ...durationOf(profile) },
    { ...options, endpoint: options.stsEndpoint },
  )
}

interface RoleProfile {
  readonly profile: IniSection
  readonly roleArn: string
}

function roleOver(name: string, { profile, roleArn }: RoleProfile, next: Resolving): CredentialsProvider {
  if (profile['mfa_serial'])
    throw new CredentialsError(`the profile ${name} asks for a code of a device, which nobody can type here`)
  const { options } = next
  const role = {
    roleArn,
    sessionName: profile['role_session_name'] ?? `vouch-${name}`,
    externalId: profile['external_id'],
    ...durationOf(profile),
  }
  return assumedRole(sourceOf(name, profile, next), role, { ...options, endpoint: options.stsEndpoint })
}

function sourceOf(name: string, profile: IniSection, next: Resolving): CredentialsProvider {
  const { source_profile: source, credential_source: kind } = profile
  if (source) {
    const found = resolve(source, next)
    if (found !== undefined) return found
    throw new CredentialsError(`the profile ${name} stands on the profile ${source}, which has no credentials`)
  }
  const found = kind === undefined ? undefined : namedSource(kind, next.options)
  if (found !== undefined) return found
  throw new CredentialsError(`the profile ${name} has a role and no usable source_profile or credential_source`)
}

function namedSource(kind: string, options: ProfileOptions): CredentialsProvider | undefined {
  switch (kind) {
    case 'Environment': {
      const keys = environmentCredentials(options.env)
      return keys && staticCredentials(keys)
    }
    case 'EcsContainer':
      return containerCredentials(options)
    case 'Ec2InstanceMetadata':
      return instanceCredentials(options)
    default:
      return undefined
  }
}

function durationOf(profile: IniSection): { readonly durationSeconds?: number } {
  const seconds = Number(profile['duration_seconds'] ?? Number.NaN)
  return Number.isInteger(seconds) ? { durationSeconds: seconds } : {}
}
