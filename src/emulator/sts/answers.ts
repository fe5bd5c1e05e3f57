import type { IssuedCredentials } from '../ports.ts'

/** What all operations that make a session answer. */
export function answered(issued: IssuedCredentials, packedPercent: number): object {
  const { session } = issued
  return {
    Credentials: credentialsOf(issued),
    AssumedRoleUser: { AssumedRoleId: session.userId, Arn: session.arn },
    PackedPolicySize: packedPercent === 0 ? undefined : packedPercent,
    SourceIdentity: session.sourceIdentity,
  }
}

export function credentialsOf(
  issued: Pick<IssuedCredentials, 'accessKeyId' | 'secretAccessKey' | 'sessionToken' | 'expiresAtMs'>,
): object {
  return {
    AccessKeyId: issued.accessKeyId,
    SecretAccessKey: issued.secretAccessKey,
    SessionToken: issued.sessionToken,
    Expiration: issued.expiresAtMs,
  }
}
