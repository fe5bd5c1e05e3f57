// What Entra and Azure know here: tenants, who may sign in, which tokens of others stand for them, and what they may do. Plain data, so that
// it can be kept in a file.
import type { Instant } from '#base'

/** A federated credential: a token with this issuer, subject and audience stands for its owner. */
export interface FederatedCredential {
  readonly id: string
  readonly name: string
  readonly issuer: string
  readonly subject: string
  readonly audiences: readonly string[]
  readonly description?: string
  /** A change is believed by the token endpoint only from then on. */
  readonly fromMs: Instant
  /** It was deleted, and is believed until then. */
  readonly untilMs?: Instant
}

/** Whoever can sign in: an application, or a managed identity, which is one that ARM made. */
export interface Client {
  readonly kind: 'application' | 'managed-identity'
  readonly tenant: string
  /** The client id. */
  readonly appId: string
  /** Of the application object; of a managed identity, its resource id. */
  readonly id: string
  readonly displayName: string
  /** Of its service principal in the tenant; absent while there is none. */
  readonly principalId?: string
  /** SHA-256 of each secret. */
  readonly secrets: readonly string[]
  readonly credentials: readonly FederatedCredential[]
  /** Under which resources can be asked for, such as `api://orders`. */
  readonly identifierUris: readonly string[]
  /** The form of the tokens that are issued for it as a resource. */
  readonly tokenVersion: 1 | 2
  readonly location?: string
  readonly tags?: Readonly<Record<string, string>>
  /** Until then another write of its credentials conflicts. */
  readonly busyUntilMs?: Instant
}

export interface RoleAssignment {
  /** Without the scope. */
  readonly name: string
  readonly scope: string
  readonly principalId: string
  readonly roleDefinitionId: string
}

export interface SecretVersion {
  readonly version: string
  readonly value: string
  readonly contentType?: string
  readonly createdS: number
}

export interface Vault {
  readonly name: string
  /** Its resource id, below which role assignments count. */
  readonly id: string
  readonly tenant: string
  readonly location: string
  readonly secrets: Readonly<Record<string, readonly SecretVersion[]>>
}

export interface StoredBlob {
  readonly contentType: string
  /** Base64. */
  readonly data: string
  readonly etag: string
  readonly modifiedMs: Instant
}

export interface StorageAccount {
  readonly name: string
  readonly id: string
  readonly tenant: string
  readonly location: string
  readonly containers: Readonly<Record<string, Readonly<Record<string, StoredBlob>>>>
}

export interface AzureSubscription {
  readonly id: string
  readonly tenant: string
}

export interface Directory {
  readonly tenants: readonly string[]
  readonly subscriptions: readonly AzureSubscription[]
  readonly clients: readonly Client[]
  readonly assignments: readonly RoleAssignment[]
  readonly vaults: readonly Vault[]
  readonly accounts: readonly StorageAccount[]
}

/** The one thing that changes, and who looks at it. */
export class DirectoryCell {
  #directory: Directory

  constructor(directory: Directory) {
    this.#directory = directory
  }

  get now(): Directory {
    return this.#directory
  }

  /** Replaces the client with the same id, or adds it. */
  putClient(client: Client): void {
    this.#directory = {
      ...this.#directory,
      clients: replaced(this.#directory.clients, client, ({ id, tenant }) => id === client.id && tenant === client.tenant),
    }
  }

  dropClient(client: Client): void {
    const { principalId } = client
    const clients = this.#directory.clients.filter(other => other.id !== client.id || other.tenant !== client.tenant)
    const assignments = this.#directory.assignments.filter(each => each.principalId !== principalId)
    this.#directory = { ...this.#directory, clients, assignments }
  }

  putAssignment(assignment: RoleAssignment): void {
    this.#directory = {
      ...this.#directory,
      assignments: replaced(
        this.#directory.assignments,
        assignment,
        ({ name, scope }) => name === assignment.name && sameId(scope, assignment.scope),
      ),
    }
  }

  dropAssignment(assignment: RoleAssignment): void {
    this.#directory = { ...this.#directory, assignments: this.#directory.assignments.filter(each => each !== assignment) }
  }

  putVault(vault: Vault): void {
    this.#directory = { ...this.#directory, vaults: replaced(this.#directory.vaults, vault, ({ id }) => sameId(id, vault.id)) }
  }

  putAccount(account: StorageAccount): void {
    this.#directory = {
      ...this.#directory,
      accounts: replaced(this.#directory.accounts, account, ({ id }) => sameId(id, account.id)),
    }
  }
}

/** The list with the item in the place of the same one, or behind all. */
function replaced<Item>(list: readonly Item[], item: Item, isSame: (other: Item) => boolean): readonly Item[] {
  return [...list.filter(other => !isSame(other)), item]
}

/** Resource ids are told in any case. */
export function sameId(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}
