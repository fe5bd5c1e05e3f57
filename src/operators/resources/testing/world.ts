// A small world for tests of this room: the embedded API server, the AWS emulator and the operator, all on one clock that stands still.
import { type ApiServer, createApiServer } from '#apiserver'
import { type ServiceModel, type ShippedService, serviceModel } from '#aws'
import { type AwsClient, AwsClients, inProcessTransport, staticCredentials } from '#aws/client'
import { given, type HttpExchange, type Log, ManualClock, seededRandom, silentLog } from '#base'
import { type Aws, type AwsOptions, createAws } from '#emulator'
import { findCondition, type KubeObject, type ObjectKey, type ResourceType, type StoredCondition } from '#kube'
import { createKubeClient, type KubeClient } from '#kube/client'
import { advanceTo, createManager, type ManagerOptions, type PassRecord, type Running, Runs, runManager } from '#runtime'
import { type Resource } from '../api.ts'
import { createResourcesOperator, type ResourcesOperator } from '../create-operator.ts'
import { type ResourcesOptions } from '../options.ts'
import { isOfUser, operatorUser } from './operator-user.ts'

export const account = '111122223333'
export const region = 'eu-west-1'

export interface ResourceWorldOptions extends Partial<Omit<ResourcesOptions, 'aws' | 'nowMs' | 'random'>> {
  readonly awsOptions?: AwsOptions
  /** The operator may do everything: where it must not be seen that somebody made a user for it. */
  readonly asAdmin?: boolean
  readonly objects?: readonly KubeObject[]
  readonly log?: Log
  /** Gets between the operator and AWS. */
  readonly throughAws?: (exchange: HttpExchange) => HttpExchange
  /** Gets between the operator and the API server. */
  readonly throughKube?: (exchange: HttpExchange) => HttpExchange
}

/** One of several processes, of which one leads. */
export interface Replica {
  readonly identity: string
  readonly leaseDurationMs: number
}

export interface ResourceWorld extends AsyncDisposable {
  readonly clock: ManualClock
  readonly server: ApiServer
  readonly kube: KubeClient
  readonly aws: Aws
  readonly operator: ResourcesOperator
  /** A client of AWS for the test itself, in an account of the world; its calls are seen by `aws.calls` too. */
  client(service: ShippedService, account?: string): AwsClient
  start(options?: Partial<ResourcesOptions>, replica?: Replica): Running
  settle(): Promise<void>
  advance(ms: number): Promise<void>
  create(kind: string, name: string, spec: object | undefined, metadata?: object): Promise<Resource>
  get(kind: string, name: string): Promise<Resource | undefined>
  condition(kind: string, name: string, type: string): Promise<StoredCondition | undefined>
  patch(kind: string, name: string, body: object): Promise<Resource>
  remove(kind: string, name: string): Promise<void>
  typeOf(kind: string): ResourceType
  /** Operations of AWS in the order of their calls. */
  calls(): readonly string[]
}

export function resourceWorld(options: ResourceWorldOptions = {}): ResourceWorld {
  const clock = new ManualClock()
  const aws = createAws({
    seed: 1,
    clock,
    accounts: [account],
    region,
    profile: 'instant',
    enforce: 'full',
    ...options.awsOptions,
  })
  const exchange = options.throughAws?.(aws.handle) ?? aws.handle
  const transport = inProcessTransport(exchange)
  const make = (model: ServiceModel, owner: string): AwsClient => {
    const own = staticCredentials(aws.adminCredentials(owner))
    return new AwsClients({ credentials: own, transport: inProcessTransport(aws.handle), clock, random: seededRandom(7) }).for({
      model,
      region,
    })
  }
  const operatorOf = (more: Partial<ResourcesOptions>): ResourcesOperator => {
    const credentials =
      options.asAdmin === true
        ? staticCredentials(aws.adminCredentials())
        : operatorUser(aws, clock, { services: ['iam'], ...options, ...more })
    const clients = new AwsClients({ credentials, transport, clock, random: seededRandom(2) })
    const home = { account, partition: 'aws', region }
    const { awsOptions: _a, asAdmin: _d, objects: _o, throughAws: _t, throughKube: _k, log: _l, ...rest } = options
    return createResourcesOperator({
      services: ['iam'],
      home,
      ...rest,
      ...more,
      aws: clients,
      random: seededRandom(3),
      nowMs: () => clock.now(),
    })
  }
  const partsOf = ({ controllers, companions }: ResourcesOperator): Pick<ManagerOptions, 'controllers' | 'companions'> => ({
    controllers,
    companions,
  })
  const operator = operatorOf({})
  const server = createApiServer({ seed: 1, clock, objects: [...operator.crds, ...(options.objects ?? [])] })
  const kube = createKubeClient({ clock, address: 'test', exchange: server.as() })
  const running = new Runs()
  const turn = async (): Promise<void> => {
    await server.settle()
    await clock.advance(0)
    // AWS answers after macrotasks of its own (signatures and digests), which no clock knows of.
    await new Promise(resolve => setImmediate(resolve))
  }
  /** Until so many turns in a row brought no call to AWS. */
  const settle = async (quietTurns = 30): Promise<void> => {
    let calls = aws.calls.count()
    for (let quiet = 0; quiet < quietTurns; quiet++) {
      await turn()
      if (aws.calls.count() === calls) continue
      calls = aws.calls.count()
      quiet = 0
    }
  }
  const typeOf = (kind: string): ResourceType => {
    const found = operator.kinds.find(each => each.kind.kind === kind)
    if (found === undefined) throw new Error(`no kind ${kind} in this world`)
    return found.type
  }
  const keyOf = (name: string): ObjectKey => ({ namespace: 'default', name })
  const get = (kind: string, name: string): Promise<Resource | undefined> => kube.find<Resource>(typeOf(kind), keyOf(name))
  return {
    clock,
    server,
    kube,
    aws,
    operator,
    client: (service, owner = account) => make(serviceModel(service), owner),
    settle: () => settle(),
    advance: ms => advanceTo(clock, clock.monotonicMs() + ms, { settle, between: () => settle(2) }),
    start: (more, replica) => {
      const passes: PassRecord[] = []
      const manager = createManager({
        client: createKubeClient({ clock, address: 'test', exchange: options.throughKube?.(server.as()) ?? server.as() }),
        seams: { clock, random: seededRandom(1), log: options.log ?? silentLog },
        ...partsOf(operatorOf(more ?? {})),
        identity: replica?.identity ?? 'resources-test',
        ...(replica === undefined
          ? {}
          : { election: { lease: { namespace: 'default', name: 'resources' }, leaseDurationMs: replica.leaseDurationMs } }),
        onPass: record => passes.push(record),
      })
      return running.add({ manager, passes, stop: runManager(manager, clock, settle) })
    },
    create: (kind, name, spec, metadata) => {
      const type = typeOf(kind)
      const object = {
        apiVersion: `${type.group}/${type.version}`,
        kind,
        metadata: { namespace: 'default', name, ...metadata },
        ...given({ spec }),
      }
      return kube.create(type, object) as Promise<Resource>
    },
    get,
    condition: async (kind, name, type) => findCondition((await get(kind, name))?.status?.conditions, type),
    patch: (kind, name, body) => kube.patch<Resource>(typeOf(kind), keyOf(name), 'merge', body),
    remove: async (kind, name) => {
      await kube.delete(typeOf(kind), keyOf(name))
    },
    typeOf,
    calls: () =>
      aws.calls
        .all()
        .filter(one => !isOfUser(one))
        .map(({ operation }) => operation),
    [Symbol.asyncDispose]: async () => {
      await running.stopAll()
      await Promise.all([server.close(), aws.close()])
    },
  }
}

/** A trust policy that says nothing of interest. */
export function trust(service = 'ec2.amazonaws.com'): string {
  const Action = service.startsWith('pods.') ? ['sts:AssumeRole', 'sts:TagSession'] : 'sts:AssumeRole'
  const statement = { Effect: 'Allow', Principal: { Service: service }, Action }
  return JSON.stringify({ Version: '2012-10-17', Statement: [statement] })
}
