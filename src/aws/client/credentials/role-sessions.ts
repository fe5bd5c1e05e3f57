// One session per role and name, shared by all clients that act under it: CloudTrail tells by the name whose work a call was. Bounded: accounts come and go with objects.
import type { CredentialsProvider } from './credentials.ts'
import { assumedRole, type RoleRequest, type StsOptions } from './sts.ts'

/** More roles than a hub with a thousand accounts needs at a time. */
const rolesMax = 4_096

export class RoleSessions {
  readonly #source: CredentialsProvider
  readonly #options: StsOptions
  readonly #sessions = new Map<string, CredentialsProvider>()

  constructor(source: CredentialsProvider, options: StsOptions) {
    this.#source = source
    this.#options = options
  }

  /** The credentials of the role, assumed once and renewed for as long as they are used. */
  for(role: RoleRequest): CredentialsProvider {
    const key = JSON.stringify([
      role.roleArn,
      role.sessionName,
      role.externalId ?? '',
      role.policy ?? '',
      role.durationSeconds ?? 0,
      role.tags ?? [],
    ])
    const known = this.#sessions.get(key)
    if (known !== undefined) {
      // The one used last stands last, so that the first is the one to let go.
      this.#sessions.delete(key)
      this.#sessions.set(key, known)
      return known
    }
    const made = assumedRole(this.#source, role, this.#options)
    this.#sessions.set(key, made)
    const oldest = this.#sessions.keys().next().value
    if (this.#sessions.size > rolesMax && oldest !== undefined) this.#sessions.delete(oldest)
    return made
  }

  get size(): number {
    return this.#sessions.size
  }
}
