// The sources of credentials in the order in which all SDKs look: what is nearest to the process first.
import type { CredentialsProvider } from './credentials.ts'
import { type Credentials, CredentialsError, staticCredentials } from './credentials.ts'
import { environmentCredentials } from './environment.ts'
import { containerCredentials, instanceCredentials } from './metadata.ts'
import { chosenProfile, type ProfileOptions, profileCredentials } from './profiles.ts'
import { webIdentityRole } from './sts.ts'

export type ChainOptions = ProfileOptions

/**
 * Credentials of this process: environment keys, web identity file, container endpoint, profile, instance. The first source that is
 * configured decides and stays; one that is configured and fails is an error, never a reason to act as somebody else.
 */
export function credentialChain(options: ChainOptions): CredentialsProvider {
  let found: Promise<CredentialsProvider> | undefined
  let chosen: CredentialsProvider | undefined
  return {
    get: async signal => {
      found ??= firstConfigured(options)
      try {
        chosen = await found
      } catch (error) {
        // A file that is missing now may be there the next time.
        found = undefined
        throw error
      }
      return chosen.get(signal)
    },
    forget: (credentials: Credentials) => chosen?.forget?.(credentials),
  }
}

async function firstConfigured(options: ChainOptions): Promise<CredentialsProvider> {
  const { env } = options
  const keys = environmentCredentials(env)
  if (keys !== undefined) return staticCredentials(keys)
  const tokenFile = env['AWS_WEB_IDENTITY_TOKEN_FILE']
  const roleArn = env['AWS_ROLE_ARN']
  if (tokenFile && roleArn) {
    const sessionName = env['AWS_ROLE_SESSION_NAME'] || 'vouch'
    return webIdentityRole({ roleArn, tokenFile, sessionName }, { ...options, endpoint: options.stsEndpoint })
  }
  const found = containerCredentials(options) ?? (await profileCredentials(chosenProfile(env), options))
  if (found !== undefined) return found
  const instance = instanceCredentials(options)
  if (instance === undefined) throw noneFound(env, 'the instance metadata service is switched off')
  return {
    get: signal =>
      instance.get(signal).catch((error: unknown) => {
        throw noneFound(env, 'the instance metadata service gave none', error)
      }),
    forget: credentials => instance.forget?.(credentials),
  }
}

function noneFound(env: ChainOptions['env'], last: string, cause?: unknown): CredentialsError {
  return new CredentialsError(
    'no AWS credentials: looked for AWS_ACCESS_KEY_ID, AWS_WEB_IDENTITY_TOKEN_FILE with AWS_ROLE_ARN, a container endpoint and ' +
      `the profile "${chosenProfile(env)}"; ${last}`,
    { cause, retryable: cause !== undefined },
  )
}
