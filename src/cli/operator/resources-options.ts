// What the resources operator is made of, out of flags and environment: for the process that runs it, and for the commands that only look.
import { partitionOf, serviceModel } from '#aws'
import { AwsClients, type AwsClientsOptions, credentialChain, endpointFromEnvironment, type Transport } from '#aws/client'
import { type Seams, systemClock } from '#base'
import type { Home, ResourcesOptions, ServiceWithKinds } from '#operators/resources'
import { build } from '../version.ts'
import type { OperatorSettings } from './flags.ts'

/** What clients of AWS are made with. */
export interface ForAws {
  readonly settings: OperatorSettings
  readonly seams: Seams
}

export interface ResourcesRun extends ForAws {
  readonly version: string
}

/** `crds`: of the services that were inferred. */
export async function resourcesOptions(
  run: ResourcesRun,
  transport: Transport,
): Promise<{ readonly options: ResourcesOptions; readonly crds: ServiceWithKinds['crds'] }> {
  const { settings, seams } = run
  const { region } = settings.aws
  if (region === '') throw new Error('the resources operator needs --aws-region or AWS_REGION: where it makes what is asked for')
  const { shippedKinds } = await import('#operators/resources')
  const { inferServices } = await import('./models.ts')
  const { models, services = models === undefined ? settings.aws.services : [], options } = settings.resources
  const warn = (text: string): void => seams.log.warn('left out', { why: text })
  const inferred = models === undefined ? [] : await inferServices(models, warn)
  const named = services.filter(alias => !inferred.some(({ service }) => service.alias === alias))
  seams.log.info('services', { shipped: shippedKinds.join(','), named: named.join(','), inferred: inferred.length })
  // Beside the identity operator the flag speaks of its issuers' S3 only.
  const endpoint = settings.controllers.has('identity') ? undefined : settings.s3Endpoint
  const { identityEndpoint, usesPathStyle, timeoutMs } = settings.resources.client
  const aws = awsClients({ run, transport }, id => (id === 'STS' ? identityEndpoint : undefined) ?? endpoint, {
    stsEndpoint: identityEndpoint,
    timeoutMs,
    ...(usesPathStyle ? { s3Addressing: 'path' as const } : {}),
  })
  return {
    options: {
      ...options,
      services: [...named, ...inferred.map(({ service }) => service)],
      aws,
      home: await homeOf(aws, settings),
      nowMs: () => systemClock.now(),
      systemNamespace: seams.env.ACK_SYSTEM_NAMESPACE || seams.env.K8S_NAMESPACE || 'ack-system',
      random: seams.random,
      workers: settings.workers,
      version: run.version,
      build,
    },
    crds: inferred.flatMap(({ crds }) => crds),
  }
}

/** The account is the one whose credentials we have, unless it is said. */
async function homeOf(aws: AwsClients, { aws: { account, region } }: OperatorSettings): Promise<Home> {
  const partition = partitionOf(region).id
  if (account !== '') return { account, region, partition }
  try {
    const identity = await aws.for({ model: serviceModel('sts'), region }).call('GetCallerIdentity')
    return { account: String(identity['Account']), region, partition }
  } catch (error) {
    const { message } = error as Error
    const hint = 'check the network, AWS_ENDPOINT_URL and the credentials; --aws-account-id says it without asking'
    throw new Error(`AWS does not say whose account this is (GetCallerIdentity in ${region}): ${message}; ${hint}`, {
      cause: error,
    })
  }
}

export function awsClients(
  { run, transport }: { readonly run: ForAws; readonly transport: Transport },
  endpointOf: (serviceId: string) => string | undefined,
  {
    stsEndpoint: namedSts,
    ...more
  }: Partial<Pick<AwsClientsOptions, 's3Addressing' | 'timeoutMs'>> & {
    readonly stsEndpoint?: string | undefined
  } = {},
): AwsClients {
  const { seams, settings } = run
  const { env, files, programs, clock, random, log } = seams
  const region = settings.aws.region || 'us-east-1'
  const stsEndpoint = namedSts ?? endpointFromEnvironment(env, 'STS')
  return new AwsClients({
    ...more,
    credentials: credentialChain({ env, files, programs, transport, clock, random, region, stsEndpoint }),
    transport,
    clock,
    random,
    log,
    endpointOf: model => endpointOf(model.id) ?? endpointFromEnvironment(env, model.id),
  })
}
