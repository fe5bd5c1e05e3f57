// The flags of whoever calls AWS, by the names that AWS Controllers for Kubernetes have for them: one group that every such operator lists,
// so that a process with several has each once.
import { FlagError, type FlagGroup, type FlagValues, flagOf, parseDuration, type Seams } from '#base'
import { endpointFromEnvironment } from './calls/endpoint.ts'
import { AwsClients, type AwsClientsOptions } from './clients.ts'
import { credentialChain } from './credentials/chain.ts'
import type { Transport } from './transport/transport.ts'

const { text, boolean } = flagOf

export const awsFlagGroup: FlagGroup = {
  title: 'AWS',
  flags: [
    text('aws-region', '', 'region of the account; default AWS_REGION'),
    text('aws-account-id', '', 'the account of this process; default the one whose credentials it has'),
    boolean('allow-unsafe-aws-endpoint-urls', false, 'let endpoints of AWS be http'),
    text('aws-identity-endpoint-url', '', 'endpoint of STS instead of its own, for the resources operator'),
    boolean(
      'aws-endpoint-use-path-style',
      false,
      'buckets stand in the path of calls, not in the host, for the resources operator',
    ),
    text('http-client-timeout', '60s', 'longest time of one try of a call of AWS, for the resources operator'),
  ],
}

export interface AwsChoices {
  /** Empty when nobody says it. */
  readonly region: string
  /** Empty when AWS is to be asked. */
  readonly account: string
  readonly identityEndpoint: string | undefined
  readonly usesPathStyle: boolean
  readonly timeoutMs: number
}

/** Throws `FlagError`. */
export function readAwsFlags(values: FlagValues, env: Seams['env']): AwsChoices {
  const account = values.text('aws-account-id')
  if (account !== '' && !/^\d{12}$/.test(account)) throw new FlagError('--aws-account-id takes twelve digits')
  const timeoutMs = parseDuration(values.text('http-client-timeout'))
  if (timeoutMs === undefined || timeoutMs < 1_000)
    throw new FlagError('--http-client-timeout takes a duration of a second or more, such as 60s')
  return {
    region: values.text('aws-region') || env.AWS_REGION || env.AWS_DEFAULT_REGION || '',
    account,
    identityEndpoint: readEndpoint(values, 'aws-identity-endpoint-url'),
    usesPathStyle: values.boolean('aws-endpoint-use-path-style'),
    timeoutMs,
  }
}

/** A flag that takes the address of AWS, or of what stands in for it. Absent when it is empty. */
export function readEndpoint(values: FlagValues, flag: string): string | undefined {
  const endpoint = values.text(flag)
  if (endpoint === '') return undefined
  const url = URL.parse(endpoint)
  if (url === null || url.host === '' || !['http:', 'https:'].includes(url.protocol)) {
    throw new FlagError(`--${flag}: ${JSON.stringify(endpoint)} is no URL with a host, beginning with https://`)
  }
  if (url.protocol === 'http:' && !values.boolean('allow-unsafe-aws-endpoint-urls')) {
    throw new FlagError(
      `--${flag} is http, over which credentials travel in the clear; use https, or --allow-unsafe-aws-endpoint-urls`,
    )
  }
  return endpoint
}

export interface AmbientClients extends Partial<Pick<AwsClientsOptions, 's3Addressing' | 'timeoutMs'>> {
  readonly seams: Pick<Seams, 'env' | 'files' | 'programs' | 'clock' | 'random' | 'log'>
  readonly transport: Transport
  /** Empty when nobody says it. */
  readonly region: string
  readonly stsEndpoint?: string | undefined
  /** By the id of the service; the environment is asked after it. */
  readonly endpointOf: (serviceId: string) => string | undefined
}

/** Clients with the credentials that this process finds where every AWS program looks for them. */
export function ambientClients({ seams, transport, region, stsEndpoint, endpointOf, ...more }: AmbientClients): AwsClients {
  const { env, files, programs, clock, random, log } = seams
  const sts = stsEndpoint ?? endpointFromEnvironment(env, 'STS')
  return new AwsClients({
    ...more,
    credentials: credentialChain({
      env,
      files,
      programs,
      transport,
      clock,
      random,
      region: region || 'us-east-1',
      stsEndpoint: sts,
    }),
    transport,
    clock,
    random,
    log,
    endpointOf: model => endpointOf(model.id) ?? endpointFromEnvironment(env, model.id),
  })
}
