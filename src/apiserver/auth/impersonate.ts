// Acting as somebody else, for those who may.
import type { HttpRequest } from '#base'
import { header } from '../http/call.ts'
import { PlainRefusal } from '../refusals.ts'
import type { UserInfo } from '../users.ts'
import { anonymous, authenticated, parseServiceAccountUser, serviceAccountGroups, unauthenticated } from '../users.ts'
import { forbiddenTo } from './authorize.ts'
import type { Authorizer } from './authorizer.ts'

const extraPrefix = 'impersonate-extra-'

interface Wish {
  readonly user: string
  readonly groups: readonly string[]
  readonly uid: string
  readonly extra: Readonly<Record<string, readonly string[]>>
}

/** The user to go on with: the caller, or the one its headers name. Throws Forbidden. */
export function impersonate(authorizer: Authorizer, request: HttpRequest, caller: UserInfo): UserInfo {
  const wish = readWish(request)
  if (wish === undefined) return caller
  if (wish.user === '') {
    const why = `requested ${describe(wish)} without impersonating a user`
    throw new PlainRefusal(500, `Internal Server Error: ${JSON.stringify(request.target)}: ${why}\n`)
  }
  checkRights(authorizer, caller, wish)
  return { username: wish.user, groups: groupsOf(wish), ...(wish.uid === '' ? {} : { uid: wish.uid }), extra: wish.extra }
}

function readWish(request: HttpRequest): Wish | undefined {
  const user = header(request, 'impersonate-user') ?? ''
  const groups = listOf(request, 'impersonate-group')
  const uid = header(request, 'impersonate-uid') ?? ''
  const extra = new Map<string, readonly string[]>()
  for (const name in request.headers) {
    if (name.startsWith(extraPrefix)) extra.set(unescapeKey(name.slice(extraPrefix.length)), listOf(request, name))
  }
  if (user === '' && groups.length === 0 && uid === '' && extra.size === 0) return undefined
  return { user, groups, uid, extra: Object.fromEntries(extra) }
}

function checkRights(authorizer: Authorizer, caller: UserInfo, wish: Wish): void {
  const account = parseServiceAccountUser(wish.user)
  const check = (
    group: string,
    resource: string,
    name: string,
    more: { namespace?: string; subresource?: string } = {},
  ): void => {
    const asked = { verb: 'impersonate', group, resource, subresource: '', namespace: '', name, ...more }
    if (!authorizer.decide(caller, asked).allowed) throw forbiddenTo(caller.username, asked)
  }
  if (account === undefined) check('', 'users', wish.user)
  else check('', 'serviceaccounts', account.name, { namespace: account.namespace })
  for (const group of wish.groups) check('', 'groups', group)
  for (const [key, values] of Object.entries(wish.extra)) {
    for (const value of values) check('authentication.k8s.io', 'userextras', value, { subresource: key })
  }
  if (wish.uid !== '') check('authentication.k8s.io', 'uids', wish.uid)
}

function groupsOf(wish: Wish): readonly string[] {
  const account = parseServiceAccountUser(wish.user)
  const groups = wish.groups.length === 0 && account !== undefined ? serviceAccountGroups(account.namespace) : wish.groups
  if (wish.user === anonymous.username) return groups.includes(unauthenticated) ? groups : [...groups, unauthenticated]
  if (groups.includes(authenticated) || groups.includes(unauthenticated)) return groups
  return [...groups, authenticated]
}

function listOf(request: HttpRequest, name: string): readonly string[] {
  const value = request.headers[name]
  if (value === undefined) return []
  return typeof value === 'string' ? value.split(',').map(part => part.trim()) : value
}

function unescapeKey(key: string): string {
  try {
    return decodeURIComponent(key).toLowerCase()
  } catch {
    return key.toLowerCase()
  }
}

/** References as Go prints them: kind, namespace, name, uid, version and so on, the most of them empty. */
function describe({ groups, uid, extra }: Wish): string {
  const references = [
    ...groups.map(group => `{Group  ${group}    }`),
    ...Object.entries(extra).flatMap(([key, values]) =>
      values.map(value => `{UserExtra  ${value}  authentication.k8s.io/v1  ${key}}`),
    ),
    ...(uid === '' ? [] : [`{UID  ${uid}  authentication.k8s.io/v1  }`]),
  ]
  return `[${references.join(' ')}]`
}
