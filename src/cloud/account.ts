// The AWS account that we work in: clients of its services, and which account it is.
import { type AccountId, parseAccountId, type ShippedService, serviceModel, tryParseArn } from '#aws'
import type { AwsClient, AwsClients } from '#aws/client'

export interface AccountOptions {
  readonly clients: Pick<AwsClients, 'for'>
  /** IAM is everywhere; this is where it is asked. */
  readonly region: string
}

export interface CallerIdentity {
  readonly partition: string
  readonly account: AccountId
}

export class Account {
  readonly #options: AccountOptions
  /** Whose account it is does not change while we have the same credentials. */
  #identity: Promise<CallerIdentity> | undefined

  constructor(options: AccountOptions) {
    this.#options = options
  }

  client(service: ShippedService, region: string = this.#options.region): AwsClient {
    return this.#options.clients.for({ model: serviceModel(service), region })
  }

  /** Asked once; a question that found no answer is asked again. */
  identity(signal?: AbortSignal): Promise<CallerIdentity> {
    this.#identity ??= this.client('sts')
      .call('GetCallerIdentity', {}, signal === undefined ? {} : { signal })
      // An answer that names no account would become part of the names of what is looked for.
      .then(({ Account, Arn }) => ({
        account: parseAccountId(String(Account)),
        partition: tryParseArn(String(Arn))?.partition ?? 'aws',
      }))
      .catch((error: unknown) => {
        this.#identity = undefined
        throw error
      })
    return this.#identity
  }
}
