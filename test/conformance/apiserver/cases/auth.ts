// Catalogue 189-203: who asks, what they may, tokens and reviews.
import assert from 'node:assert/strict'
import { given } from '#base'
import type { Answer, Fields, TokenAnswer } from '../../../../src/apiserver/ask.fixture.ts'
import { configMap, ok, pod, refused, role } from '../fixtures.ts'
import type { Ask, Reply, Session } from '../session.ts'
import type { Json } from '../transcript.ts'
import type { Case } from './case.ts'

const rbac = 'rbac.authorization.k8s.io'
const roles = `roles.${rbac}/v1`
const bindings = `rolebindings.${rbac}/v1`
const authorization = '/apis/authorization.k8s.io/v1'
const authentication = '/apis/authentication.k8s.io/v1'

interface ReviewedUser {
  readonly username: string
  readonly groups: readonly string[]
  readonly extra: Readonly<Record<string, readonly string[]>>
}

/** Of a token review or a review of oneself. */
type ReviewAnswer = Answer<
  Fields,
  { readonly authenticated: boolean; readonly user: ReviewedUser; readonly userInfo: ReviewedUser }
>

type RulesAnswer = Answer<
  Fields,
  { readonly incomplete: boolean; readonly resourceRules: readonly { readonly resources: readonly string[] }[] }
>

export const cases: readonly Case[] = [
  {
    number: 189,
    title: 'a bad token is refused; without one the caller is anonymous',
    run: async s => {
      refused(await s.get(s.path('configmaps'), { as: { token: 'nonsense' } }), 401, 'Unauthorized', 'Unauthorized')
      refused(
        await s.get(s.path('configmaps'), { as: 'anonymous' }),
        403,
        'Forbidden',
        `configmaps is forbidden: User "system:anonymous" cannot list resource "configmaps" in API group "" in the namespace "${s.ns}"`,
      )
      refused(
        await s.get('/metrics', { as: 'anonymous' }),
        403,
        'Forbidden',
        'forbidden: User "system:anonymous" cannot get path "/metrics"',
      )
      assert.equal((await s.get('/healthz', { as: 'anonymous' })).status, 200)
    },
  },
  {
    number: 190,
    title: 'a requested token has exact claims, and reviews as the account with its extras',
    run: async s => {
      const account = await serviceAccount(s, 'robot')
      const { body } = ok(
        await s.post<TokenAnswer>(
          `${account}/token`,
          tokenRequest({ audiences: ['https://kubernetes.default.svc.cluster.local'] }),
        ),
        201,
      )
      const claims = claimsOf(body.status.token)
      assert.deepEqual(Object.keys(claims).sort(), ['aud', 'exp', 'iat', 'iss', 'jti', 'kubernetes.io', 'nbf', 'sub'])
      assert.deepEqual(
        [claims.sub, claims.iss, claims.aud],
        [
          `system:serviceaccount:${s.ns}:robot`,
          'https://kubernetes.default.svc.cluster.local',
          ['https://kubernetes.default.svc.cluster.local'],
        ],
      )
      assert.equal(claims.exp - claims.iat, 3600)
      const review = ok(await s.post<ReviewAnswer>(`${authentication}/tokenreviews`, tokenReview(body.status.token)), 201).body
      assert.equal(review.status.authenticated, true)
      assert.equal(review.status.user.username, claims.sub)
      assert.deepEqual(review.status.user.extra['authentication.kubernetes.io/credential-id'], [`JTI=${claims.jti}`])
      const me = await s.post<ReviewAnswer>(`${authentication}/selfsubjectreviews`, selfReview, {
        as: { token: body.status.token },
      })
      assert.deepEqual(ok(me, 201).body.status.userInfo.groups, [
        'system:serviceaccounts',
        `system:serviceaccounts:${s.ns}`,
        'system:authenticated',
      ])
      const wrong = ok(await s.post(`${authentication}/tokenreviews`, tokenReview('nonsense')), 201).body
      assert.ok(!wrong.status.authenticated)
    },
  },
  {
    number: 191,
    title: 'token requests that are refused, and one for several audiences',
    run: async s => {
      const account = await serviceAccount(s, 'robot')
      await serviceAccount(s, 'other')
      refused(
        await s.post<TokenAnswer>(`${account}/token`, tokenRequest({ expirationSeconds: 300 })),
        422,
        'Invalid',
        /may not specify a duration less than 10 minutes/,
      )
      const two = ok(await s.post<TokenAnswer>(`${account}/token`, tokenRequest({ audiences: ['a', 'b'] })), 201)
      assert.deepEqual(claimsOf(two.body.status.token).aud, ['a', 'b'])
      const made = ok(await s.post(s.path('pods'), pod('p', { serviceAccountName: 'other' })), 201)
      const bound = (uid: string | undefined, name = 'p'): Json =>
        tokenRequest({ boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name, ...given({ uid }) } })
      refused(await s.post<TokenAnswer>(`${account}/token`, bound(made.body.metadata.uid)), 400, 'BadRequest')
      const others = s.path('serviceaccounts', 'other')
      refused(await s.post(`${others}/token`, bound('11111111-2222-4333-8444-555555555555')), 409, 'Conflict')
      refused(await s.post(`${others}/token`, bound(undefined, 'missing')), 404, 'NotFound')
      ok(await s.post(`${others}/token`, bound(made.body.metadata.uid)), 201)
      const foreign = tokenRequest({ boundObjectRef: { kind: 'Deployment', apiVersion: 'apps/v1', name: 'd' } })
      refused(await s.post(`${others}/token`, foreign), 400, 'BadRequest')
      refused(await s.post(`${s.path('serviceaccounts', 'missing')}/token`, tokenRequest({})), 404, 'NotFound')
    },
  },
  {
    number: 192,
    title: 'a token bound to a Pod ends with it',
    run: async s => {
      const account = await serviceAccount(s, 'robot')
      const made = ok(await s.post(s.path('pods'), pod('p', { serviceAccountName: 'robot' })), 201)
      const reference = { kind: 'Pod', apiVersion: 'v1', name: 'p', uid: made.body.metadata.uid }
      const { body } = ok(await s.post<TokenAnswer>(`${account}/token`, tokenRequest({ boundObjectRef: reference })), 201)
      const as: Ask = { as: { token: body.status.token } }
      ok(await s.post(`${authentication}/selfsubjectreviews`, selfReview, as), 201)
      ok(await s.delete(s.path('pods', 'p'), { gracePeriodSeconds: 0 }))
      await s.retry('POST', `${authentication}/selfsubjectreviews`, reply => reply.status === 401, { ...as, body: selfReview })
    },
    noVector: 'the real server remembers tokens for ten seconds',
  },
  {
    number: 193,
    title: 'a token of an account that was made anew is refused',
    run: async s => {
      const account = await serviceAccount(s, 'robot')
      const { body } = ok(await s.post<TokenAnswer>(`${account}/token`, tokenRequest({})), 201)
      ok(await s.delete(account))
      await serviceAccount(s, 'robot')
      const as: Ask = { as: { token: body.status.token }, body: selfReview }
      await s.retry('POST', `${authentication}/selfsubjectreviews`, reply => reply.status === 401, as)
    },
    noVector: 'the real server remembers tokens for ten seconds',
  },
  {
    number: 196,
    title: 'a role for one name allows a list that selects that name, and no other',
    run: async s => {
      await grant(s, 'namer', [
        { apiGroups: [''], resources: ['configmaps'], resourceNames: ['x'], verbs: ['get', 'list', 'watch'] },
      ])
      const ask = as('namer')
      await allowed(s, s.path('configmaps', 'x'), ask)
      ok(await s.get(`${s.path('configmaps')}?fieldSelector=metadata.name%3Dx`, ask))
      refused(await s.get(s.path('configmaps'), ask), 403, 'Forbidden')
      refused(await s.get(`${s.path('configmaps')}?fieldSelector=metadata.name%3Dy`, ask), 403, 'Forbidden')
      refused(await s.get(s.path('configmaps', 'y'), ask), 403, 'Forbidden')
      refused(await s.post(s.path('configmaps'), configMap('x'), ask), 403, 'Forbidden')
      refused(await s.delete(s.path('configmaps', 'x'), undefined, ask), 403, 'Forbidden')
    },
  },
  {
    number: 197,
    title: 'nobody grants more than they have, unless they may escalate',
    run: async s => {
      const own = [
        { apiGroups: [rbac], resources: ['roles', 'rolebindings'], verbs: ['create', 'update', 'get'] },
        { apiGroups: [''], resources: ['configmaps'], verbs: ['get'] },
      ]
      await grant(s, 'granter', own)
      const ask = as('granter')
      await allowed(s, s.path(roles, 'none'), ask)
      ok(await s.post(s.path(roles), role('same', [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get'] }]), ask), 201)
      const more = [{ apiGroups: ['', 'apps'], resources: ['configmaps', 'deployments'], verbs: ['get', 'list'] }]
      const reply = await s.post(s.path(roles), role('more', more), ask)
      refused(reply, 403, 'Forbidden', /is attempting to grant RBAC permissions not currently held:\n/)
      await grant(s, 'escalator', [{ apiGroups: [rbac], resources: ['roles'], verbs: ['create', 'escalate', 'get'] }])
      await allowed(s, s.path(roles, 'none'), as('escalator'))
      ok(await s.post(s.path(roles), role('more', more), as('escalator')), 201)
    },
  },
  {
    number: 198,
    title: 'nobody binds a role that says more than theirs, unless they may bind',
    run: async s => {
      await grant(s, 'binder', [{ apiGroups: [rbac], resources: ['rolebindings'], verbs: ['create', 'get'] }])
      await allowed(s, s.path(bindings, 'none'), as('binder'))
      const binding = (name: string): Json => ({
        apiVersion: `${rbac}/v1`,
        kind: 'RoleBinding',
        metadata: { name },
        subjects: [{ kind: 'User', apiGroup: rbac, name: 'friend' }],
        roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: 'system:auth-delegator' },
      })
      const reply = await s.post(s.path(bindings), binding('b'), as('binder'))
      refused(reply, 403, 'Forbidden', /is attempting to grant RBAC permissions not currently held/)
      await grant(s, 'binder2', [
        { apiGroups: [rbac], resources: ['rolebindings'], verbs: ['create', 'get'] },
        { apiGroups: [rbac], resources: ['clusterroles'], resourceNames: ['system:auth-delegator'], verbs: ['bind'] },
      ])
      await allowed(s, s.path(bindings, 'none'), as('binder2'))
      ok(await s.post(s.path(bindings), binding('b'), as('binder2')), 201)
    },
  },
  {
    number: 199,
    title: 'access reviews answer for self and others, rules reviews list',
    run: async s => {
      await grant(s, 'reviewed', [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get'] }])
      const ask = as('reviewed')
      await s.until(s.path('configmaps', 'x'), reply => reply.status === 404, ask)
      const review = async (
        attributes: Json,
        path = 'selfsubjectaccessreviews',
        kind = 'SelfSubjectAccessReview',
        rest: object = {},
        how = ask,
      ) => {
        const body: Json = { apiVersion: 'authorization.k8s.io/v1', kind, spec: { ...(attributes as object), ...rest } }
        return ok(await s.post(`${authorization}/${path}`, body, how), 201).body.status
      }
      const get = { resourceAttributes: { namespace: s.ns, verb: 'get', resource: 'configmaps' } }
      assert.equal((await review(get)).allowed, true)
      assert.equal(
        (await review({ resourceAttributes: { namespace: s.ns, verb: 'list', resource: 'configmaps' } })).allowed,
        false,
      )
      assert.equal((await review({ nonResourceAttributes: { path: '/version', verb: 'get' } })).allowed, true)
      assert.equal((await review({ nonResourceAttributes: { path: '/secret', verb: 'get' } })).allowed, false)
      const other = await review(get, 'subjectaccessreviews', 'SubjectAccessReview', { user: 'reviewed' }, {})
      assert.equal(other.reason, `RBAC: allowed by RoleBinding "reviewed/${s.ns}" of Role "reviewed" to User "reviewed"`)
      const local = `namespaces/${s.ns}/localsubjectaccessreviews`
      assert.equal((await review(get, local, 'LocalSubjectAccessReview', { user: 'nobody' }, {})).allowed, false)
      const rules: Json = { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectRulesReview', spec: { namespace: s.ns } }
      const listed = ok(await s.post<RulesAnswer>(`${authorization}/selfsubjectrulesreviews`, rules, ask), 201).body.status
      assert.ok(listed.resourceRules.some(rule => rule.resources.includes('configmaps')))
      assert.equal(listed.incomplete, false)
    },
  },
  {
    number: 200,
    title: 'impersonation shows in self reviews, and needs a right',
    run: async s => {
      const self = (ask: Ask): Promise<Reply<ReviewAnswer>> => s.post(`${authentication}/selfsubjectreviews`, selfReview, ask)
      const jane = ok(await self({ as: { user: { username: 'jane', groups: ['devs'], extra: { team: ['a', 'b'] } } } }), 201)
      assert.deepEqual(jane.body.status.userInfo, {
        username: 'jane',
        groups: ['devs', 'system:authenticated'],
        extra: { team: ['a', 'b'] },
      })
      const account = ok(await self({ as: { user: { username: `system:serviceaccount:${s.ns}:robot` } } }), 201)
      assert.ok(account.body.status.userInfo.groups.includes(`system:serviceaccounts:${s.ns}`))
      const robot = await serviceAccount(s, 'robot')
      const { body } = ok(await s.post<TokenAnswer>(`${robot}/token`, tokenRequest({})), 201)
      const token = body.status.token
      refused(
        await self({ as: { token }, headers: { 'impersonate-user': 'jane' } }),
        403,
        'Forbidden',
        `users "jane" is forbidden: User "system:serviceaccount:${s.ns}:robot" cannot impersonate resource "users" in API group "" at the cluster scope`,
      )
      assert.equal((await self({ as: { token }, headers: { 'impersonate-group': 'devs' } })).status, 500)
    },
  },
  {
    number: 201,
    title: 'a review asks about a resource or a path, not both or neither',
    run: async s => {
      const both = { resourceAttributes: { verb: 'get', resource: 'pods' }, nonResourceAttributes: { verb: 'get', path: '/' } }
      for (const spec of [
        { user: 'u', ...both },
        { user: 'u' },
        { ...both },
        { resourceAttributes: { verb: 'get', resource: 'pods' } },
      ]) {
        const body: Json = { apiVersion: 'authorization.k8s.io/v1', kind: 'SubjectAccessReview', spec }
        refused(await s.post(`${authorization}/subjectaccessreviews`, body), 422, 'Invalid')
      }
      const elsewhere: Json = {
        apiVersion: 'authorization.k8s.io/v1',
        kind: 'LocalSubjectAccessReview',
        spec: { user: 'u', resourceAttributes: { namespace: 'other', verb: 'get', resource: 'pods' } },
      }
      refused(await s.post(`${authorization}/namespaces/${s.ns}/localsubjectaccessreviews`, elsewhere), 422, 'Invalid')
    },
  },
  {
    number: 202,
    title: 'an aggregated ClusterRole gains the rules of a new labelled role',
    needsControllers: true,
    run: async s => {
      const label = `example.com/${s.ns}`
      const at = `/apis/${rbac}/v1/clusterroles`
      const clusterRole = (name: string, rest: object): Json =>
        ({ apiVersion: `${rbac}/v1`, kind: 'ClusterRole', metadata: { name }, ...rest }) as Json
      const selector = { aggregationRule: { clusterRoleSelectors: [{ matchLabels: { [label]: 'true' } }] } }
      ok(await s.post(at, clusterRole(`${s.ns}-sum`, selector)), 201)
      const rules = [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }]
      ok(
        await s.post(at, clusterRole(`${s.ns}-part`, { metadata: { name: `${s.ns}-part`, labels: { [label]: 'true' } }, rules })),
        201,
      )
      const { body } = await s.until<{ rules?: readonly object[] }>(
        `${at}/${s.ns}-sum`,
        reply => (reply.body.rules?.length ?? 0) > 0,
      )
      assert.deepEqual(body.rules, rules)
    },
  },
  {
    number: 203,
    title: 'the issuer’s keys are for service accounts, not for everybody',
    noVector: 'keys',
    run: async s => {
      for (const path of ['/openid/v1/jwks', '/.well-known/openid-configuration']) {
        assert.equal((await s.get(path, { as: 'anonymous' })).status, 403)
      }
      const account: Ask = { as: { user: { username: `system:serviceaccount:${s.ns}:robot` } } }
      const jwks = ok(await s.get<{ keys: readonly object[] }>('/openid/v1/jwks', account))
      assert.match(String(jwks.headers['content-type']), /^application\/jwk-set\+json/)
      assert.deepEqual(Object.keys(jwks.body.keys[0] ?? {}).sort(), ['alg', 'e', 'kid', 'kty', 'n', 'use'])
      const configuration = ok(await s.get('/.well-known/openid-configuration', account))
      assert.match(String(configuration.headers['content-type']), /^application\/json/)
      assert.equal(configuration.body.issuer, 'https://kubernetes.default.svc.cluster.local')
    },
  },
]

const selfReview: Json = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' }

function tokenRequest(spec: object): Json {
  return { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec } as Json
}

function tokenReview(token: string): Json {
  return { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', spec: { token } }
}

function claimsOf(token: string): { aud: string[]; exp: number; iat: number; iss: string; jti: string; sub: string } {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
}

async function serviceAccount(s: Session, name: string): Promise<string> {
  ok(await s.post(s.path('serviceaccounts'), { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name } }), 201)
  return s.path('serviceaccounts', name)
}

function as(username: string): Ask {
  return { as: { user: { username } } }
}

/** A role for a user of the same name. */
async function grant(s: Session, name: string, rules: readonly Json[]): Promise<void> {
  ok(await s.post(s.path(roles), role(name, rules)), 201)
  const binding: Json = {
    apiVersion: `${rbac}/v1`,
    kind: 'RoleBinding',
    metadata: { name },
    subjects: [{ kind: 'User', apiGroup: rbac, name }],
    roleRef: { apiGroup: rbac, kind: 'Role', name },
  }
  ok(await s.post(s.path(bindings), binding), 201)
}

/** The real server learns of a new binding a moment later. */
function allowed(s: Session, target: string, ask: Ask): Promise<Reply> {
  return s.until(target, reply => reply.status === 404, ask)
}
