// Credentials from STS: a role assumed with other credentials, or with a token that somebody else signed.
import type { Clock, Files, Random } from '#base'
import type { ServiceModel } from '../../model/service-model.ts'
import { serviceModel } from '../../services/service-models.ts'
import { type AwsClient, createAwsClient } from '../client.ts'
import type { Transport } from '../transport/transport.ts'
import { anonymous, type Credentials, CredentialsError, type CredentialsProvider, staticCredentials } from './credentials.ts'
import { type Grant, renewing } from './renewing.ts'

export interface StsOptions {
  readonly region: string
  readonly transport: Transport
  readonly clock: Clock
  readonly random: Random
  readonly endpoint?: string | undefined
  /** Asked when `endpoint` is not given. */
  readonly endpointOf?: ((model: ServiceModel) => string | undefined) | undefined
}

/** All that STS says is a few kilobytes; what is larger is not of STS, and is not parsed. */
const answerBytesMax = 1024 * 1024

/** An STS client with these credentials. */
export function stsClient(options: StsOptions, credentials: CredentialsProvider): AwsClient {
  const model = serviceModel('sts')
  const endpoint = options.endpoint ?? options.endpointOf?.(model)
  return createAwsClient({ ...options, model, credentials, endpoint, responseBytesMax: answerBytesMax })
}

export interface RoleRequest {
  readonly roleArn: string
  /** At most 64 characters of `\w+=,.@-`; others are replaced. */
  readonly sessionName: string
  readonly durationSeconds?: number | undefined
  readonly externalId?: string | undefined
  readonly policy?: string | undefined
  readonly tags?: readonly { readonly Key: string; readonly Value: string }[] | undefined
}

/** What STS grants when nobody asks for a length. */
const durationSecondsDefault = 3_600

/** The role, assumed with the credentials of `source`. */
export function assumedRole(source: CredentialsProvider, role: RoleRequest, options: StsOptions): CredentialsProvider {
  const sts = stsClient(options, source)
  const fetch = async (): Promise<Grant> => {
    const output = await sts.call('AssumeRole', {
      RoleArn: role.roleArn,
      RoleSessionName: sessionName(role.sessionName),
      DurationSeconds: role.durationSeconds,
      ExternalId: role.externalId,
      Policy: role.policy,
      Tags: role.tags,
    })
    return grantOf(output, { role, clock: options.clock, source: `role ${role.roleArn}` })
  }
  return renewing(fetch, options)
}

export interface WebIdentityRequest extends RoleRequest {
  /** Read anew for each renewal: the kubelet replaces it. */
  readonly tokenFile: string
}

/** The role, assumed with the token in the file. No other credentials are needed. */
export function webIdentityRole(
  role: WebIdentityRequest,
  options: StsOptions & { readonly files: Pick<Files, 'read'> },
): CredentialsProvider {
  const sts = stsClient(options, staticCredentials(anonymous))
  const fetch = async (): Promise<Grant> => {
    const output = await sts.call('AssumeRoleWithWebIdentity', {
      RoleArn: role.roleArn,
      RoleSessionName: sessionName(role.sessionName),
      WebIdentityToken: await readToken(options.files, role.tokenFile),
      DurationSeconds: role.durationSeconds,
      Policy: role.policy,
    })
    return grantOf(output, { role, clock: options.clock, source: `web identity of ${role.roleArn}` })
  }
  return renewing(fetch, options)
}

async function readToken(files: Pick<Files, 'read'>, path: string): Promise<string> {
  const bytes = await files.read(path)
  const token = bytes === undefined ? '' : Buffer.from(bytes).toString('utf8').trim()
  if (token !== '') return token
  throw new CredentialsError(`the web identity token file ${path} is ${bytes === undefined ? 'not there' : 'empty'}`, {
    retryable: true,
  })
}

interface GrantSource {
  readonly role: RoleRequest
  readonly clock: Pick<Clock, 'now'>
  readonly source: string
}

function grantOf(output: Readonly<Record<string, unknown>>, { role, clock, source }: GrantSource): Grant {
  const given = output['Credentials'] as
    | {
        readonly AccessKeyId?: string
        readonly SecretAccessKey?: string
        readonly SessionToken?: string
        readonly Expiration?: Date
      }
    | undefined
  const { AccessKeyId: accessKeyId, SecretAccessKey: secretAccessKey, SessionToken: sessionToken, Expiration } = given ?? {}
  if (!accessKeyId || !secretAccessKey || !sessionToken) {
    throw new CredentialsError(`STS answered for ${role.roleArn} without credentials`, { retryable: true })
  }
  const lifeMs = grantedLifeMs(Expiration, role.durationSeconds, clock)
  const credentials: Credentials = {
    accessKeyId,
    secretAccessKey,
    sessionToken,
    ...(Expiration && { expiresAtMs: Expiration.getTime() }),
    source,
  }
  return { credentials, lifeMs }
}

/** STS grants what was asked for or refuses. A stated end that contradicts this only says that the two clocks differ. */
export function grantedLifeMs(
  expiration: Date | undefined,
  durationSeconds: number | undefined,
  clock: Pick<Clock, 'now'>,
): number {
  const askedMs = (durationSeconds ?? durationSecondsDefault) * 1_000
  const statedMs = expiration === undefined ? askedMs : expiration.getTime() - clock.now()
  return statedMs > 0 && statedMs < askedMs ? statedMs : askedMs
}

/** A session name that STS takes, as near to the text as can be. */
export function sessionName(text: string): string {
  const allowed = text.replaceAll(/[^\w+=,.@-]/g, '-').slice(0, 64)
  return allowed.length >= 2 ? allowed : 'vouch'
}
