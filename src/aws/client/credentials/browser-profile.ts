// Profiles that sign in through a browser (IAM Identity Center, console login): their token caches and refresh calls are the SDK's
// own business. It reads files and environment by itself, so this is for programs that people run, never for tests or simulation.
import { type Credentials, CredentialsError, type CredentialsProvider } from './credentials.ts'

/** The SDK's provider for one profile. */
export function browserProfile(profile: string): CredentialsProvider {
  let provider: (() => Promise<SdkCredentials>) | undefined
  return {
    get: async (): Promise<Credentials> => {
      if (provider === undefined) {
        const { defaultProvider } = await import('@aws-sdk/credential-provider-node')
        provider = defaultProvider({ profile }) as () => Promise<SdkCredentials>
      }
      const { accessKeyId, secretAccessKey, sessionToken, expiration } = await provider().catch((error: unknown) => {
        throw new CredentialsError(`the profile ${profile} gave no credentials: sign in again with "aws sso login"`, {
          cause: error,
        })
      })
      return { accessKeyId, secretAccessKey, sessionToken, expiresAtMs: expiration?.getTime(), source: `profile ${profile}` }
    },
  }
}

interface SdkCredentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string
  readonly expiration?: Date
}
