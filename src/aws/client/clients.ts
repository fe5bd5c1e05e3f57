// The clients of a program that works in many accounts and regions: one per service, region, role and endpoint, made when first
// asked for. Clients of one service, account and region share their pace, since AWS counts their calls together.
import { type Clock, given, type Log, type Random } from '#base'
import { callRates, type Rate } from '../limits.ts'
import type { ServiceModel } from '../model/service-model.ts'
import { Pace } from './calls/pace.ts'
import { type AwsClient, type AwsClientOptions, createAwsClient } from './client.ts'
import { anonymous, type CredentialsProvider, staticCredentials } from './credentials/credentials.ts'
import { RoleSessions } from './credentials/role-sessions.ts'
import type { RoleRequest } from './credentials/sts.ts'
import type { Transport } from './transport/transport.ts'

export interface AwsClientsOptions
  extends Partial<Omit<AwsClientOptions, 'model' | 'region' | 'credentials' | 'endpoint' | 'pace'>> {
  /** The program's own credentials; roles are assumed with them. */
  readonly credentials: CredentialsProvider
  readonly transport: Transport
  readonly clock: Clock
  readonly random: Random
  readonly log?: Log
  /** The endpoint of a service where it is not AWS's own: by configuration or environment. */
  readonly endpointOf?: (model: ServiceModel) => string | undefined
  /** Calls per second by signing name that are never passed; a service without one is called as fast as it lets us. */
  readonly rates?: Readonly<Record<string, Rate | undefined>>
  /** Told how fast a service is called in an account and region, whenever that changes. */
  onPace?(pace: {
    readonly service: string
    readonly place: string
    readonly isOfWrites: boolean
    readonly perSecond: number
  }): void
}

export interface ClientChoice {
  readonly model: ServiceModel
  readonly region: string
  /** The role to act as; without one the program acts as itself. */
  readonly role?: RoleRequest | undefined
  /** Wins over the configured endpoint. */
  readonly endpoint?: string | undefined
  /** Who calls, where several call as one: told to AWS, which shows it in CloudTrail. */
  readonly userAgent?: string | undefined
  /** As anybody in the world: nothing is signed, and answers are small. Not together with a role. */
  readonly anonymously?: boolean
}

/** What is public is small documents; whoever answers with more is not believed to its end. */
const anonymousBytesMax = 256 * 1024

/** Some thousand accounts times a few services; what falls out is made again when it is needed. */
const clientsMax = 8_192

/**
 * What nobody gets raised: Route 53 takes five requests a second of an account, whoever sends them. Changes that wait for their turn go
 * together, so that keeping to it is no slower.
 */
const fixedRates: Readonly<Record<string, Rate | undefined>> = { route53: callRates['route53'] }

export class AwsClients {
  readonly #options: AwsClientsOptions
  readonly #clients = new Map<string, AwsClient>()
  readonly #paces = new Map<string, Pace>()
  /** One set of sessions per region: STS is asked where the work is done. */
  readonly #sessions = new Map<string, RoleSessions>()

  constructor(options: AwsClientsOptions) {
    this.#options = options
  }

  for({ model, region, role, endpoint, userAgent, anonymously = false }: ClientChoice): AwsClient {
    const address = endpoint ?? this.#options.endpointOf?.(model)
    const key = JSON.stringify([
      model.id,
      model.apiVersion,
      region,
      role ?? null,
      address ?? null,
      userAgent ?? null,
      anonymously,
    ])
    const known = this.#clients.get(key)
    if (known !== undefined && known.model === model) {
      // The one used last stands last, so that the first is the one to let go.
      this.#clients.delete(key)
      this.#clients.set(key, known)
      return known
    }
    const account = role === undefined ? '' : (/^arn:[^:]*:iam::(\d{12}):/.exec(role.roleArn)?.[1] ?? role.roleArn)
    const made = createAwsClient({
      ...this.#options,
      model,
      region,
      credentials: anonymously ? staticCredentials(anonymous) : this.#credentialsOf(region, role),
      endpoint: address,
      ...given({ userAgent }),
      ...(anonymously ? { responseBytesMax: anonymousBytesMax } : {}),
      pace: this.#pace(model, `${account}/${model.globalEndpoint === undefined ? region : ''}`),
    })
    keep(this.#clients, { key, value: made, max: clientsMax })
    return made
  }

  #credentialsOf(region: string, role: RoleRequest | undefined): CredentialsProvider {
    return role === undefined ? this.#options.credentials : this.#sessionsIn(region).for(role)
  }

  #sessionsIn(region: string): RoleSessions {
    const known = this.#sessions.get(region)
    if (known !== undefined) return known
    const { credentials, transport, clock, random, endpointOf } = this.#options
    const made = new RoleSessions(credentials, { region, transport, clock, random, endpointOf })
    this.#sessions.set(region, made)
    return made
  }

  #pace(model: ServiceModel, place: string): Pace {
    const key = `${model.signingName}/${place}`
    const known = this.#paces.get(key)
    if (known !== undefined) return known
    const { clock, rates = {}, onPace } = this.#options
    const { signingName: service } = model
    const made = new Pace({
      clock,
      rate: Object.hasOwn(rates, service) ? rates[service] : fixedRates[service],
      known: callRates[service],
      onChange: onPace === undefined ? undefined : (perSecond, isOfWrites) => onPace({ service, place, isOfWrites, perSecond }),
    })
    keep(this.#paces, { key, value: made, max: clientsMax })
    return made
  }
}

function keep<T>(
  map: Map<string, T>,
  { key, value, max }: { readonly key: string; readonly value: T; readonly max: number },
): void {
  map.set(key, value)
  const oldest = map.keys().next().value
  if (map.size > max && oldest !== undefined) map.delete(oldest)
}
