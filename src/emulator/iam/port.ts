// What IAM tells other services (ports.ts): roles as they see them, who exists, and what a caller may do.

import { mayHoldIds, withPrincipals } from '../policy/bind.ts'
import type { CallerPolicies, NamedPolicy } from '../policy/decide.ts'
import { PolicyReader } from '../policy/document.ts'
import { evaluatePolicy, statementName } from '../policy/evaluate.ts'
import { gradeOf } from '../policy/grade.ts'
import type { IdentitiesPort, Ports, RolesPort, RoleView, View } from '../ports.ts'
import type { SessionPrincipal, UserPrincipal } from '../principal.ts'
import type { Context } from '../service.ts'
import { newestOf, seenOf } from '../state/timeline.ts'
import { keyOf } from './ask.ts'
import { iamDelays } from './delays.ts'
import { lateDocumentOf } from './managed.ts'
import { type Entity, type IamState, newest, type Role, type User } from './model.ts'

export type At = (place?: { readonly account?: string; readonly region?: string }) => Context<IamState>

export function iamPorts(at: At): Pick<Ports, 'roles' | 'identities' | 'providers'> {
  return {
    roles: rolesPort(at),
    identities: identitiesPort(at),
    providers: {
      find: (account, url, view) => {
        const context = at({ account })
        const timeline = context.store.get().providers.get(url)
        return view === 'newest'
          ? newestOf(timeline)
          : seenOf(timeline, context.now, context.delay(iamDelays.iam, `provider/${url}`))
      },
    },
  }
}

function rolesPort(at: At): RolesPort {
  const reader = new PolicyReader()
  const port: RolesPort = {
    find: (arn, view) => {
      const parsed = /^arn:[^:]+:iam::(\d{12}):role(\/.*)$/.exec(arn)
      if (parsed === null) return undefined
      const context = at({ account: parsed[1] as string })
      const role = entityIn(context, 'roles', lastPart(arn), view)
      return role?.arn === arn && arn.startsWith(`arn:${context.partition}:`) ? viewOf(role, context.account) : undefined
    },
    principalExists: (principal, view) => idOf(at, principal, view) !== undefined,
    bound: text =>
      withPrincipals(text, principal => {
        const id = idOf(at, principal, 'newest')
        return id?.startsWith('AROA') || id?.startsWith('AIDA') ? id : undefined
      }),
    shown: text => (mayHoldIds(text) ? withPrincipals(text, principal => arnOfId(at, principal)) : text),
    trustAllows: ({ role, caller, actions, context }) => {
      const policy = reader.read(role.trustPolicy) ?? { statements: [] }
      const keys = new Map(
        Object.entries(context).map(([name, value]) => [name.toLowerCase(), typeof value === 'string' ? [value] : value]),
      )
      for (const action of actions) {
        const { denies, allows, misses } = evaluatePolicy(policy, {
          action,
          resource: role.arn,
          context: keys,
          gradeOf: gradeOf(caller),
        })
        const [deny] = denies
        if (deny !== undefined)
          return {
            allowed: false,
            steps: [{ link: 'trust policy', holds: false, detail: `${statementName(deny.statement)} denies ${action}` }],
          }
        if (allows.length === 0) {
          const detail = misses.length > 0 ? misses.join('; ') : `no statement speaks of ${action}`
          return { allowed: false, steps: [{ link: 'trust policy', holds: false, detail }] }
        }
      }
      return {
        allowed: true,
        steps: [{ link: 'trust policy', holds: true, detail: `${role.name} allows ${actions.join(', ')}` }],
      }
    },
  }
  return port
}

function lastPart(arn: string): string {
  return arn.slice(arn.lastIndexOf('/') + 1)
}

function entityIn<T extends 'roles' | 'users'>(
  context: Context<IamState>,
  table: T,
  name: string,
  view: View,
): (T extends 'roles' ? Role : User) | undefined {
  const key = keyOf(name)
  const timeline = context.store.get()[table].get(key)
  const found =
    view === 'newest'
      ? newestOf<Entity>(timeline)
      : seenOf<Entity>(timeline, context.now, context.delay(iamDelays.iam, `${table}/${key}`))
  return found as (T extends 'roles' ? Role : User) | undefined
}

function viewOf(role: Role, account: string): RoleView {
  return {
    arn: role.arn,
    id: role.id,
    name: role.name,
    account,
    trustPolicy: role.trustPolicy,
    maxSessionDurationS: role.maxSessionDurationS,
    tags: Object.fromEntries(role.tags.map(tag => [tag.Key, tag.Value])),
  }
}

/** The unique id of a user or role; the text itself for accounts and sessions, which have none; `undefined` for nobody. */
function idOf(at: At, principal: string, view: View): string | undefined {
  if (/^\d{12}$/.test(principal)) return accountExists(at, principal) ? principal : undefined
  if (/^A(?:ROA|IDA)[A-Z2-7]{17}$/.test(principal)) return arnOfId(at, principal) === undefined ? undefined : principal
  const found = /^arn:([^:]+):(iam|sts)::(\d{12}):(root|user|role|assumed-role)(?:(\/.*))?$/.exec(principal)
  if (found === null) return undefined
  const [, partition, service, account, kind, rest = ''] = found as unknown as [
    string,
    string,
    string,
    string,
    string,
    string | undefined,
  ]
  if (partition !== at().partition || !accountExists(at, account)) return undefined
  if (kind === 'root') return service === 'iam' && rest === '' ? principal : undefined
  if (kind === 'assumed-role')
    return service === 'sts' && entityIn(at({ account }), 'roles', rest.split('/')[1] ?? '', view) !== undefined
      ? principal
      : undefined
  if (kind === 'user' && rest === '/emulator-admin') return principal
  const entity =
    service === 'iam' ? entityIn(at({ account }), kind === 'role' ? 'roles' : 'users', lastPart(principal), view) : undefined
  return entity?.arn === principal ? entity.id : undefined
}

/** Accounts of the organization and those that have been used. */
function accountExists(at: At, account: string): boolean {
  const context = at()
  return context.accounts.includes(account) || context.stores().some(entry => entry.account === account)
}

function arnOfId(at: At, id: string): string | undefined {
  for (const { store } of at().stores()) {
    const state = store.get()
    const place = state.ids.get(id)
    if (place === undefined) continue
    const slash = place.indexOf('/')
    const entity: Entity | undefined = newest(state, place.startsWith('role/') ? 'roles' : 'users', place.slice(slash + 1))
    return entity?.id === id ? entity.arn : undefined
  }
  return undefined
}

function identitiesPort(at: At): IdentitiesPort {
  return {
    userKey: accessKeyId => {
      for (const { account, store } of at().stores()) {
        const state = store.get()
        const key = state.keys.get(accessKeyId)
        const user = key === undefined ? undefined : newest(state, 'users', key.user)
        if (key !== undefined && user !== undefined)
          return {
            secretAccessKey: key.secret,
            active: key.active,
            user: principalOf(user, account, at().partition, accessKeyId),
          }
      }
      return undefined
    },
    policiesOf: caller => policiesOf(at({ account: caller.account }), caller),
    tagsOf: caller => {
      const entity = entityOf(at({ account: caller.account }), caller)
      return Object.fromEntries((entity?.tags ?? []).map(tag => [tag.Key, tag.Value]))
    },
    roleLives: (arn, id) => {
      const account = arn.split(':')[4] ?? ''
      return newest(at({ account }).store.get(), 'roles', keyOf(lastPart(arn)))?.id === id
    },
    noteRoleUse: (role, use) => {
      const { store } = at({ account: role.account })
      const state = store.get()
      store.set({ ...state, lastUsed: state.lastUsed.set(role.id, use) })
    },
    managedPolicy: (account, arn) => managedText(at({ account }), arn),
    noteKeyUse: (accessKeyId, use) => {
      for (const { store } of at().stores()) {
        const state = store.get()
        const key = state.keys.get(accessKeyId)
        if (key !== undefined) store.set({ ...state, keys: state.keys.set(accessKeyId, { ...key, lastUsed: use }) })
      }
    },
  }
}

function principalOf(user: User, account: string, partition: string, accessKeyId: string): UserPrincipal {
  return { kind: 'user', partition, account, arn: user.arn, userId: user.id, accessKeyId, userName: user.name, managed: true }
}

/** As authorisation sees it; nothing when the role was made again under the same name. */
function entityOf(context: Context<IamState>, caller: UserPrincipal | SessionPrincipal): Role | User | undefined {
  const entity =
    caller.kind === 'user'
      ? entityIn(context, 'users', caller.userName, 'late')
      : entityIn(context, 'roles', caller.roleName, 'late')
  const id = caller.kind === 'user' ? caller.userId : caller.roleId
  return entity?.id === id ? entity : undefined
}

function policiesOf(context: Context<IamState>, caller: UserPrincipal | SessionPrincipal): CallerPolicies {
  const entity = entityOf(context, caller)
  const session = caller.kind === 'session' ? sessionPolicies(context, caller) : []
  if (entity === undefined) return { identity: [], boundary: undefined, session }
  const groups = caller.kind === 'user' ? groupsOf(context, entity as User) : []
  const identity = [entity, ...groups].flatMap(owner => identityPolicies(context, owner))
  const { boundary } = entity
  const bounding =
    boundary === undefined
      ? undefined
      : { name: `permissions boundary ${boundary}`, text: managedText(context, boundary) ?? '{}' }
  return { identity, boundary: bounding, session }
}

function groupsOf(context: Context<IamState>, user: User): readonly Entity[] {
  return user.groups.flatMap(
    key => seenOf(context.store.get().groups.get(key), context.now, context.delay(iamDelays.iam, `groups/${key}`)) ?? [],
  )
}

function identityPolicies(context: Context<IamState>, owner: Entity): readonly NamedPolicy[] {
  const inline = Object.entries(owner.inline).map(([name, text]) => ({ name: `inline policy ${name} of ${owner.arn}`, text }))
  const attached = owner.attached.flatMap(arn => {
    const text = managedText(context, arn)
    return text === undefined ? [] : [{ name: `policy ${arn}`, text }]
  })
  return [...inline, ...attached]
}

function sessionPolicies(context: Context<IamState>, caller: SessionPrincipal): readonly NamedPolicy[] {
  const managed = caller.policyArns.map(arn => ({ name: `session policy ${arn}`, text: managedText(context, arn) ?? '{}' }))
  return caller.policy === undefined ? managed : [{ name: 'inline session policy', text: caller.policy }, ...managed]
}

function managedText(context: Context<IamState>, arn: string): string | undefined {
  const key = keyOf(lastPart(arn))
  return lateDocumentOf(context.store.get(), arn, {
    awsPolicies: context.ports.awsPolicies,
    now: context.now,
    delayMs: context.delay(iamDelays.iam, `policies/${key}`),
  })
}
