// The flags of whoever calls AWS, by the names that AWS Controllers for Kubernetes have for them: one group that every such operator lists,
// so that a process with several has each once.
import { FlagError, type FlagGroup, type FlagValues, flagOf, parseDuration, type Seams } from '#base'
import type { Rate } from '../limits.ts'
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
    text(
      'aws-call-rates',
      '',
      'most calls a second of services in an account and region, such as iam=15/5,s3=100 (all, and those that change something); a service that is not named is called as fast as it lets us',
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
  /** The rates of calls, by the signing name of the service. */
  readonly rates: Readonly<Record<string, Rate>>
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
    rates: readRates(values.text('aws-call-rates')),
  }
}

function readRates(text: string): Readonly<Record<string, Rate>> {
  const entries = text.split(',').filter(each => each.trim() !== '')
  return Object.fromEntries(
    entries.map(entry => {
      const [, service = '', all = '', writes] = /^\s*([a-z0-9-]+)=(\d+(?:\.\d+)?)(?:\/(\d+(?:\.\d+)?))?\s*$/.exec(entry) ?? []
      if (!(Number(all) > 0) || writes === '0')
        throw new FlagError(`--aws-call-rates: ${JSON.stringify(entry)} is no rate, such as iam=15 or iam=15/5`)
      return [service, { ...rateOf(Number(all)), ...(writes === undefined ? {} : { writes: rateOf(Number(writes)) }) }]
    }),
  )
}

/** As many at once as go through in two seconds: most work comes in small heaps. */
function rateOf(perSecond: number): { readonly perSecond: number; readonly burst: number } {
  return { perSecond, burst: Math.max(1, perSecond * 2) }
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

export interface AmbientClients
  extends Partial<Pick<AwsClientsOptions, 's3Addressing' | 'timeoutMs' | 'rates' | 'onPace' | 'triesMax' | 'userAgent'>> {
  readonly seams: Pick<Seams, 'env' | 'files' | 'programs' | 'clock' | 'random' | 'log'>
  readonly transport: Transport
  /** Empty when nobody says it. */
  readonly region: string
  readonly stsEndpoint?: string | undefined
  /** The endpoint that a flag names, by the id of the service. The environment is asked where no flag does. */
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
