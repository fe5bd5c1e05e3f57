// Who is calling, and the well-known users and groups.
import { given } from '#base'

/** A caller's identity as the authenticators establish it. */
export interface UserInfo {
  readonly username: string
  readonly uid?: string
  readonly groups: readonly string[]
  readonly extra?: Readonly<Record<string, readonly string[]>>
}

export const masters = 'system:masters'
export const authenticated = 'system:authenticated'
export const unauthenticated = 'system:unauthenticated'

export const adminUser: UserInfo = { username: 'kubernetes-admin', groups: [masters, authenticated] }
export const anonymous: UserInfo = { username: 'system:anonymous', groups: [unauthenticated] }

const serviceAccountPrefix = 'system:serviceaccount:'

export function parseServiceAccountUser(username: string): { namespace: string; name: string } | undefined {
  if (!username.startsWith(serviceAccountPrefix)) return undefined
  const parts = username.slice(serviceAccountPrefix.length).split(':')
  const [namespace, name] = parts
  if (parts.length !== 2 || !namespace || !name) return undefined
  return { namespace, name }
}

export function serviceAccountGroups(namespace: string): readonly string[] {
  return ['system:serviceaccounts', `system:serviceaccounts:${namespace}`]
}

export function serviceAccountUser(namespace: string, name: string): UserInfo {
  return { username: `${serviceAccountPrefix}${namespace}:${name}`, groups: serviceAccountGroups(namespace) }
}

/** The user with the group that everybody who proved an identity has. */
export function withAuthenticated(user: UserInfo): UserInfo {
  return user.groups.includes(authenticated) ? user : { ...user, groups: [...user.groups, authenticated] }
}

export function renderUser(user: UserInfo): Record<string, unknown> {
  return {
    username: user.username,
    ...given({ uid: user.uid }),
    groups: user.groups,
    ...(user.extra === undefined || Object.keys(user.extra).length === 0 ? {} : { extra: user.extra }),
  }
}
