import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Draft } from '../draft.ts'
import { Store } from '../store/store.ts'
import { masters, serviceAccountUser, type UserInfo } from '../users.ts'
import { Authorizer } from './authorizer.ts'

const group = 'rbac.authorization.k8s.io'
const getPods = { verbs: ['get'], apiGroups: [''], resources: ['pods'] }
const getHealth = { verbs: ['get'], nonResourceURLs: ['/healthz'] }

function put(store: Store, plural: string, kind: string, name: string, rest: object, namespace?: string): void {
  const draft: Draft = {
    apiVersion: `${group}/v1`,
    kind,
    metadata: { name, ...(namespace !== undefined && { namespace }) },
    ...rest,
  }
  store.create(store.table(`${plural}.${group}`), namespace === undefined ? name : `${namespace}/${name}`, draft)
}

/** A role `reader` of the cluster and one in each of two namespaces, and whoever is bound to them. */
function world(): { store: Store; authorizer: Authorizer } {
  const store = new Store(() => 0)
  put(store, 'clusterroles', 'ClusterRole', 'reader', { rules: [getPods, getHealth] })
  put(store, 'clusterroles', 'ClusterRole', 'empty', {})
  put(store, 'roles', 'Role', 'reader', { rules: [getPods, getHealth] }, 'x')
  const clusterRole = { apiGroup: group, kind: 'ClusterRole', name: 'reader' }
  const role = { apiGroup: group, kind: 'Role', name: 'reader' }
  put(store, 'clusterrolebindings', 'ClusterRoleBinding', 'all', {
    roleRef: clusterRole,
    subjects: [
      { kind: 'User', name: 'nobody' },
      { kind: 'User', name: 'jane' },
      { kind: 'Group', name: 'devs' },
      { kind: 'ServiceAccount', name: 'bot', namespace: 'y' },
      { kind: 'Robot', name: 'jim' },
    ],
  })
  put(store, 'clusterrolebindings', 'ClusterRoleBinding', 'bare', { roleRef: clusterRole })
  put(store, 'clusterrolebindings', 'ClusterRoleBinding', 'later', {
    roleRef: clusterRole,
    subjects: [{ kind: 'User', name: 'zoe' }],
  })
  put(store, 'clusterrolebindings', 'ClusterRoleBinding', 'lost', {
    roleRef: { ...clusterRole, name: 'absent' },
    subjects: [{ kind: 'User', name: 'jim' }],
  })
  put(
    store,
    'rolebindings',
    'RoleBinding',
    'here',
    {
      roleRef: role,
      subjects: [
        { kind: 'User', name: 'joe' },
        { kind: 'ServiceAccount', name: 'bot' },
      ],
    },
    'x',
  )
  put(store, 'rolebindings', 'RoleBinding', 'there', { roleRef: clusterRole, subjects: [{ kind: 'User', name: 'joe' }] }, 'y')
  put(store, 'rolebindings', 'RoleBinding', 'nowhere', { roleRef: role, subjects: [{ kind: 'User', name: 'joe' }] }, 'z')
  return { store, authorizer: new Authorizer(store) }
}

const user = (username: string, ...groups: readonly string[]): UserInfo => ({ username, groups })
const pod = { verb: 'get', group: '', resource: 'pods', subresource: '', name: 'p' }
const whole = 'RBAC: allowed by ClusterRoleBinding "all" of ClusterRole "reader" to'

for (const [who, namespace, reason] of [
  [user('jane'), 'x', `${whole} User "jane"`],
  [user('jane'), '', `${whole} User "jane"`],
  [user('mary', 'other', 'devs'), 'x', `${whole} Group "devs"`],
  [serviceAccountUser('y', 'bot'), 'z', `${whole} ServiceAccount "bot/y"`],
  [serviceAccountUser('x', 'bot'), 'x', 'RBAC: allowed by RoleBinding "here/x" of Role "reader" to ServiceAccount "bot/x"'],
  [serviceAccountUser('x', 'bot'), 'y', undefined],
  [serviceAccountUser('z', 'bot'), 'z', undefined],
  [serviceAccountUser('y', 'other'), 'z', undefined],
  [user('joe'), 'x', 'RBAC: allowed by RoleBinding "here/x" of Role "reader" to User "joe"'],
  [user('joe'), 'y', 'RBAC: allowed by RoleBinding "there/y" of ClusterRole "reader" to User "joe"'],
  [user('joe'), 'z', undefined],
  [user('joe'), '', undefined],
  [user('zoe'), 'x', 'RBAC: allowed by ClusterRoleBinding "later" of ClusterRole "reader" to User "zoe"'],
  [user('jim'), 'x', undefined],
  [user('devs'), 'x', undefined],
  [user('someone', masters), 'x', ''],
] as const)
  test(`${who.username} in ${namespace === '' ? 'the cluster' : namespace}: ${reason ?? 'no'}`, () => {
    const wanted = reason === undefined ? { allowed: false, reason: '' } : { allowed: true, reason }
    const { authorizer } = world()
    assert.deepEqual(authorizer.decide(who, { ...pod, namespace }), wanted)
    if (reason !== '') assert.equal(authorizer.decide(who, { ...pod, namespace, verb: 'list' }).allowed, false)
  })

test('a path is allowed by what holds everywhere', () => {
  const { authorizer } = world()
  const asked = { verb: 'get', path: '/healthz' }
  assert.deepEqual(authorizer.decidePath(user('jane'), asked), { allowed: true, reason: `${whole} User "jane"` })
  assert.equal(authorizer.decidePath(user('jane'), { ...asked, path: '/other' }).allowed, false)
  assert.equal(authorizer.decidePath(user('joe'), asked).allowed, false)
  assert.deepEqual(authorizer.decidePath(user('someone', masters), asked), { allowed: true, reason: '' })
})

test('the rules of a user in a namespace are those of the cluster and its own', () => {
  const { authorizer } = world()
  assert.deepEqual(authorizer.rulesFor(user('joe', 'devs'), 'x'), [getPods, getHealth, getPods, getHealth])
  assert.deepEqual(authorizer.rulesFor(user('joe', 'devs'), ''), [getPods, getHealth])
  assert.deepEqual(authorizer.rulesFor(user('joe'), 'z'), [])
  assert.deepEqual(authorizer.rulesFor(user('someone', masters), ''), [
    { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
    { verbs: ['*'], nonResourceURLs: ['*'] },
  ])
})

test('a role is found where its binding looks for it', () => {
  const { authorizer } = world()
  assert.deepEqual(authorizer.roleRules({ kind: 'ClusterRole', name: 'empty' }, 'x'), [])
  assert.deepEqual(authorizer.roleRules({ kind: 'Role', name: 'reader' }, 'x'), [getPods, getHealth])
  assert.equal(authorizer.roleRules({ kind: 'Role', name: 'reader' }, 'y'), undefined)
  assert.equal(authorizer.roleRules({ kind: 'ClusterRole', name: 'absent' }, 'x'), undefined)
})

for (const plural of ['clusterroles', 'roles', 'clusterrolebindings', 'rolebindings'])
  test(`what a user may do is seen anew when ${plural} change, whatever was asked before`, () => {
    const { store, authorizer } = world()
    const allowed = (name: string): boolean => authorizer.decide(user(name), { ...pod, namespace: 'x' }).allowed
    assert.deepEqual([allowed('jane'), allowed('joe')], [true, true])
    const table = store.table(`${plural}.${group}`)
    const keys: string[] = []
    table.rows.visit('', (_, key) => keys.push(key) > 0)
    for (const key of keys) {
      const version = table.rows.get(key)
      assert.ok(version !== undefined)
      store.remove(table, key, version, structuredClone(version.object))
    }
    const isOfCluster = plural.startsWith('cluster')
    assert.deepEqual([allowed('jane'), allowed('joe')], [!isOfCluster, isOfCluster])
  })

test('two users whose names and groups read alike are not one', () => {
  const { authorizer } = world()
  assert.equal(authorizer.decide(user('mary', 'devs'), { ...pod, namespace: 'x' }).allowed, true)
  assert.equal(authorizer.decide(user('mary', 'dev', 's'), { ...pod, namespace: 'x' }).allowed, false)
  assert.equal(authorizer.decide(user('marydevs'), { ...pod, namespace: 'x' }).allowed, false)
})
