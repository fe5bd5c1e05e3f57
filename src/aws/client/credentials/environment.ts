import type { Environment } from '#base'
import { type Credentials, CredentialsError } from './credentials.ts'

export type { Environment }

/** Keys from `AWS_ACCESS_KEY_ID` and its siblings; `undefined` when there are none. */
export function environmentCredentials(env: Environment): Credentials | undefined {
  const accessKeyId = env['AWS_ACCESS_KEY_ID']
  const secretAccessKey = env['AWS_SECRET_ACCESS_KEY']
  if (!accessKeyId && !secretAccessKey) return undefined
  if (!accessKeyId || !secretAccessKey) {
    throw new CredentialsError('the environment has only one of AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY: set both')
  }
  const expiresAtMs = Date.parse(env['AWS_CREDENTIAL_EXPIRATION'] ?? '')
  return {
    accessKeyId,
    secretAccessKey,
    ...(env['AWS_SESSION_TOKEN'] && { sessionToken: env['AWS_SESSION_TOKEN'] }),
    ...(Number.isNaN(expiresAtMs) ? {} : { expiresAtMs }),
    source: 'environment',
  }
}
