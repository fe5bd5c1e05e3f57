// What the credential process prints: one line that every SDK of AWS reads, or one line that says why there is none.
import { FlagError, printableLine, redactText } from '#base'
import type { RemoteCredentials } from '../assume-role.ts'

/** Without its line end. */
export function renderCredentials({ accessKeyId, secretAccessKey, sessionToken, expiration }: RemoteCredentials): string {
  const isKnown = !Number.isNaN(expiration.getTime())
  return JSON.stringify({
    Version: 1,
    AccessKeyId: accessKeyId,
    SecretAccessKey: secretAccessKey,
    SessionToken: sessionToken,
    ...(isKnown ? { Expiration: expiration.toISOString().replace(/\.\d+Z$/, 'Z') } : {}),
  })
}

/** Words that stand beside a secret: where one of them is, nobody looks whether the secret is there too. */
const secretWords = ['accesskeyid', 'secretaccesskey', 'sessiontoken', 'bearertoken', 'webidentitytoken', 'authorizationbearer']

/** One line that is safe to print; `instead` takes the place of one that speaks of secrets. */
export function renderTrouble(error: unknown, instead: string): string {
  const message = error instanceof Error ? error.message + hintOf(error) : String(error)
  const letters = message.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
  return secretWords.some(word => letters.includes(word)) ? instead : printableLine(redactText(message))
}

function hintOf(error: Error): string {
  return error instanceof FlagError && error.meant !== undefined ? `; did you mean ${error.meant}?` : ''
}
