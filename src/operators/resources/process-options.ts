// What the resources operator is made of, out of its settings and what the process has: for the process that runs it, and for the commands
// that only look.
import { partitionOf, type ResourceService } from '#aws'
import { type AwsClients, ambientClients, type Transport } from '#aws/client'
import type { Seams } from '#base'
import { Account } from '#cloud'
import type { CustomResourceDefinition } from '#kube'
import type { Metrics, OperatorContext } from '#runtime'
import type { ResourceSettings } from './flags.ts'
import { paceGauge } from './metrics.ts'
import type { ResourcesOptions } from './options.ts'
import type { Home } from './place/select-place.ts'
import { withColumns } from './services/columns.ts'
import { type ServiceWithKinds, shippedKinds } from './services/shipped.ts'

/** Kinds of services that nobody has committed, from API models in a folder. A compiler can, which this room is not. */
export type InferServices = (folder: string, warn: (text: string) => void) => Promise<readonly ServiceWithKinds[]>

export interface ChosenServices {
  readonly services: readonly (string | ResourceService)[]
  /** Of the services that were inferred. */
  readonly crds: readonly CustomResourceDefinition[]
}

/** Those by name, and those that a folder of models has: what is inferred goes before what is shipped. */
export async function chooseServices(
  { models, services }: Pick<ResourceSettings, 'models' | 'services'>,
  infer: InferServices,
  warn: (text: string) => void,
): Promise<ChosenServices> {
  const inferred = models === undefined ? [] : await infer(models, warn)
  const named = services.filter(alias => !inferred.some(({ service }) => service.alias === alias))
  return {
    services: [...named, ...inferred.map(({ service }) => service)],
    crds: inferred.flatMap(({ crds }) => crds.map(withColumns)),
  }
}

export interface ProcessParts extends Pick<OperatorContext, 'version' | 'build'> {
  readonly seams: Seams
  readonly transport: Transport
  readonly infer: InferServices
  readonly metrics?: Metrics
}

export async function processOptions(
  settings: ResourceSettings,
  { seams, transport, infer, version, build, metrics }: ProcessParts,
): Promise<{ readonly options: ResourcesOptions; readonly crds: ChosenServices['crds'] }> {
  const { region } = settings.aws
  if (region === '') throw new Error('in which region of AWS? name it by --aws-region or AWS_REGION')
  const { services, crds } = await chooseServices(settings, infer, text => seams.log.warn('left out', { why: text }))
  const named = services.filter(each => typeof each === 'string')
  seams.log.info('services', {
    shipped: shippedKinds.join(','),
    named: named.join(','),
    inferred: services.length - named.length,
  })
  const aws = clientsOf(settings, seams, transport, metrics)
  const options = {
    ...settings.options,
    services,
    aws,
    home: await homeOf(aws, settings),
    nowMs: () => seams.clock.now(),
    systemNamespace: seams.env['ACK_SYSTEM_NAMESPACE'] || seams.env['K8S_NAMESPACE'] || 'ack-system',
    random: seams.random,
    version,
    build,
  }
  return { options, crds }
}

function clientsOf(
  { aws, endpoint }: ResourceSettings,
  seams: Seams,
  transport: Transport,
  metrics: Metrics | undefined,
): AwsClients {
  const { region, identityEndpoint, usesPathStyle, timeoutMs, rates } = aws
  return ambientClients({
    seams,
    transport,
    region,
    stsEndpoint: identityEndpoint,
    endpointOf: id => (id === 'STS' ? identityEndpoint : undefined) ?? endpoint,
    timeoutMs,
    rates,
    ...(metrics === undefined ? {} : { onPace: paceGauge(metrics) }),
    ...(usesPathStyle ? { s3Addressing: 'path' as const } : {}),
  })
}

/** The account is the one whose credentials we have, unless it is said. */
async function homeOf(aws: AwsClients, { aws: { account, region } }: ResourceSettings): Promise<Home> {
  const partition = partitionOf(region).id
  if (account !== '') return { account, region, partition }
  try {
    const identity = await new Account({ clients: aws, region }).identity()
    return { account: identity.account, region, partition }
  } catch (error) {
    const { message } = error as Error
    const hint = 'check the network, AWS_ENDPOINT_URL and the credentials; --aws-account-id says it without asking'
    throw new Error(`AWS does not say whose account this is (GetCallerIdentity in ${region}): ${message}; ${hint}`, {
      cause: error,
    })
  }
}
