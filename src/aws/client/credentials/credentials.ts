// Credentials as values, and the one interface behind which all sources of them stand.

export interface Credentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string | undefined
  /** Wall time at which AWS stops taking them; absent for keys that do not end. */
  readonly expiresAtMs?: number | undefined
  /** Whose they are, where the source says it. */
  readonly accountId?: string | undefined
  /** Which source gave them, in words for people. */
  readonly source?: string | undefined
}

/** Sends requests without a signature. */
export const anonymous = 'anonymous'

/** A source of credentials. */
export interface CredentialsProvider {
  /** Credentials that are good now. Asked before every try of every call, so it keeps what it has. */
  get(signal?: AbortSignal): Promise<Credentials | typeof anonymous>
  /** AWS refused these as expired: the next `get` must not give them again. */
  forget?(credentials: Credentials): void
}

/** No credentials could be had. The message says which sources were tried and what is missing, never a secret. */
export class CredentialsError extends Error {
  readonly code = 'no-credentials'
  /** True when trying again later may help. */
  readonly retryable: boolean
  constructor(message: string, options?: ErrorOptions & { readonly retryable?: boolean }) {
    super(message, options)
    this.name = 'CredentialsError'
    this.retryable = options?.retryable ?? false
  }
}

/** Always the same ones. */
export function staticCredentials(credentials: Credentials | typeof anonymous): CredentialsProvider {
  return { get: async () => credentials }
}
