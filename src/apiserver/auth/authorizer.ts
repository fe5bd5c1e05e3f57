// RBAC over the roles and bindings in the store. What a user may do is collected once and kept until a role or binding changes.

import type { Committed } from '../draft.ts'
import type { Store } from '../store/store.ts'
import type { UserInfo } from '../users.ts'
import { masters, parseServiceAccountUser } from '../users.ts'
import { allowsPath, allowsResource, type PathAttributes, type RbacRule, type ResourceAttributes } from './rules.ts'

export interface AuthorizerDecision {
  readonly allowed: boolean
  readonly reason: string
}

interface Grant {
  readonly rules: readonly RbacRule[]
  /** Empty: everywhere. */
  readonly namespace: string
  readonly reason: string
}

interface Subject {
  readonly kind: string
  readonly name: string
  readonly namespace?: string
}

interface RoleRef {
  readonly kind: string
  readonly name: string
}

const group = 'rbac.authorization.k8s.io'
const tables = ['roles', 'clusterroles', 'rolebindings', 'clusterrolebindings'].map(plural => `${plural}.${group}`)
const [rolesTable, clusterRolesTable, bindingsTable, clusterBindingsTable] = tables as [string, string, string, string]

/** Users whose grants are kept; service accounts of a large cluster come and go. */
const usersMax = 1_000

export interface AuthorizerPort {
  readonly authorizer: Authorizer
}

export class Authorizer {
  readonly #store: Store
  readonly #grants = new Map<string, readonly Grant[]>()
  #revision = -1

  constructor(store: Store) {
    this.#store = store
  }

  decide(user: UserInfo, asked: ResourceAttributes): AuthorizerDecision {
    if (user.groups.includes(masters)) return { allowed: true, reason: '' }
    for (const grant of this.#grantsOf(user)) {
      if (grant.namespace !== '' && grant.namespace !== asked.namespace) continue
      if (grant.rules.some(rule => allowsResource(rule, asked))) return { allowed: true, reason: grant.reason }
    }
    return refused
  }

  decidePath(user: UserInfo, asked: PathAttributes): AuthorizerDecision {
    if (user.groups.includes(masters)) return { allowed: true, reason: '' }
    for (const grant of this.#grantsOf(user)) {
      if (grant.namespace === '' && grant.rules.some(rule => allowsPath(rule, asked)))
        return { allowed: true, reason: grant.reason }
    }
    return refused
  }

  /** All rules that hold for the user in the namespace; empty for cluster scope. */
  rulesFor(user: UserInfo, namespace: string): readonly RbacRule[] {
    const grants = this.#grantsOf(user).filter(grant => grant.namespace === '' || grant.namespace === namespace)
    const rules = grants.flatMap(grant => grant.rules)
    return user.groups.includes(masters) ? [...everything, ...rules] : rules
  }

  /** The rules of a role that a binding in the namespace refers to; undefined when there is no such role. */
  roleRules(ref: RoleRef, namespace: string): readonly RbacRule[] | undefined {
    const isCluster = ref.kind === 'ClusterRole'
    const table = this.#store.table(isCluster ? clusterRolesTable : rolesTable)
    const role = table.rows.get(isCluster ? ref.name : `${namespace}/${ref.name}`)
    return role === undefined ? undefined : ((role.object.rules ?? []) as readonly RbacRule[])
  }

  #grantsOf(user: UserInfo): readonly Grant[] {
    const changed = tables.reduce((latest, name) => Math.max(latest, this.#store.table(name).changed), 0)
    if (changed !== this.#revision || this.#grants.size > usersMax) {
      this.#grants.clear()
      this.#revision = changed
    }
    const key = `${user.username}\n${user.groups.join('\n')}`
    let grants = this.#grants.get(key)
    if (grants === undefined) this.#grants.set(key, (grants = this.#collect(user)))
    return grants
  }

  #collect(user: UserInfo): readonly Grant[] {
    const grants: Grant[] = []
    const look = (binding: Committed, namespace: string): boolean => {
      const subject = ((binding.subjects ?? []) as readonly Subject[]).find(candidate => isMeant(candidate, user, namespace))
      if (subject === undefined) return true
      const ref = binding.roleRef as RoleRef
      const rules = this.roleRules(ref, namespace)
      if (rules !== undefined) grants.push({ rules, namespace, reason: explain(binding, ref, subject, namespace) })
      return true
    }
    this.#store.table(clusterBindingsTable).rows.visit('', version => look(version.object, ''))
    this.#store.table(bindingsTable).rows.visit('', version => look(version.object, version.object.metadata.namespace as string))
    return grants
  }
}

const refused: AuthorizerDecision = { allowed: false, reason: '' }
const everything: readonly RbacRule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { verbs: ['*'], nonResourceURLs: ['*'] },
]

function isMeant(subject: Subject, user: UserInfo, namespace: string): boolean {
  switch (subject.kind) {
    case 'User':
      return subject.name === user.username
    case 'Group':
      return user.groups.includes(subject.name)
    case 'ServiceAccount': {
      const account = parseServiceAccountUser(user.username)
      return account !== undefined && account.name === subject.name && account.namespace === (subject.namespace ?? namespace)
    }
    default:
      return false
  }
}

function explain(binding: Committed, ref: RoleRef, subject: Subject, namespace: string): string {
  const name = namespace === '' ? binding.metadata.name : `${binding.metadata.name}/${namespace}`
  const who = subject.kind === 'ServiceAccount' ? `${subject.name}/${subject.namespace ?? namespace}` : subject.name
  return `RBAC: allowed by ${binding.kind} "${name}" of ${ref.kind} "${ref.name}" to ${subject.kind} "${who}"`
}
