// The service-account issuer as users of the server see it.
export interface TokenIssuer {
  readonly issuer: string
  discoveryDocument(): string
  jwks(): string
  /** Adds a key: verified from now on, signs from `activate` on. Returns its key id. */
  rotate(options?: { activate?: boolean }): Promise<string>
  /** The same with a private key (PEM) from elsewhere: what `--service-account-signing-key-file` is to a real server. A known one stays. */
  adopt(privateKeyPem: string, options?: { activate?: boolean }): string
  activate(keyId: string): void
  retire(keyId: string): void
  /** The first signs from now on; tokens of all of them are accepted. */
  setIssuers(issuers: readonly string[]): void
}
