// `credential_process`: a helper program that prints credentials as JSON. It gets no environment but the path and home that such
// programs need, and its output is bounded (reliability X7).
import type { Clock, Programs, Random } from '#base'
import { CredentialsError, type CredentialsProvider } from './credentials.ts'
import type { Environment } from './environment.ts'
import { type Grant, lifeFrom, renewing } from './renewing.ts'

export interface ProcessOptions {
  readonly programs: Programs
  readonly env: Environment
  readonly clock: Clock
  readonly random: Random
}

const timeoutMs = 60_000
const outputBytesMax = 64 * 1024

export function processCredentials(commandLine: string, options: ProcessOptions): CredentialsProvider {
  const [command, ...args] = splitCommand(commandLine)
  if (command === undefined) throw new CredentialsError('credential_process is empty')
  return renewing(async () => run(command, args, options), options)
}

async function run(command: string, args: readonly string[], { programs, env, clock }: ProcessOptions): Promise<Grant> {
  const kept = ['PATH', 'HOME', 'USERPROFILE', 'SYSTEMROOT'].flatMap(name => (env[name] ? [[name, env[name]] as const] : []))
  const call = { command, args, env: Object.fromEntries(kept), outputBytesMax, timeoutMs }
  const result = await programs.run(call).catch((error: unknown) => {
    throw new CredentialsError(`credential_process ${command} cannot be run`, { cause: error, retryable: true })
  })
  // What it printed may hold secrets, also when it failed: nothing of it goes into the error.
  if (result.code !== 0)
    throw new CredentialsError(`credential_process ${command} ended with code ${result.code}`, { retryable: true })
  return grantOf(command, result.stdout, clock)
}

function grantOf(command: string, stdout: Uint8Array, clock: Pick<Clock, 'now'>): Grant {
  let value: unknown
  try {
    value = JSON.parse(Buffer.from(stdout).toString('utf8'))
  } catch {
    throw new CredentialsError(`credential_process ${command} printed no JSON`)
  }
  const { Version, AccessKeyId, SecretAccessKey, SessionToken, Expiration } = (value ?? {}) as Readonly<Record<string, unknown>>
  if (Version !== 1) throw new CredentialsError(`credential_process ${command} must print "Version": 1`)
  if (typeof AccessKeyId !== 'string' || typeof SecretAccessKey !== 'string') {
    throw new CredentialsError(`credential_process ${command} printed no AccessKeyId and SecretAccessKey`)
  }
  const expiresAtMs = typeof Expiration === 'string' ? Date.parse(Expiration) : undefined
  if (expiresAtMs !== undefined && Number.isNaN(expiresAtMs)) {
    throw new CredentialsError(`credential_process ${command} printed an Expiration that is no time`)
  }
  return {
    credentials: {
      accessKeyId: AccessKeyId,
      secretAccessKey: SecretAccessKey,
      ...(typeof SessionToken === 'string' && { sessionToken: SessionToken }),
      ...(expiresAtMs !== undefined && { expiresAtMs }),
      source: 'credential_process',
    },
    lifeMs: lifeFrom(expiresAtMs, clock.now()),
  }
}

/** Words of a command line; quotes keep spaces together. There is no shell, so nothing else means anything. */
export function splitCommand(text: string): readonly string[] {
  const words: string[] = []
  for (const [, double, single, plain] of text.matchAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'|(\S+)/g)) {
    words.push(double === undefined ? (single ?? plain ?? '') : double.replaceAll(/\\(["\\])/g, '$1'))
  }
  return words
}
