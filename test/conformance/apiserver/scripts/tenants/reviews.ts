// Questions that are answered and not kept: reviews of access, and tokens.
import { json, type Loose, secret } from '../../fixtures.ts'
import type { Script } from '../../record.ts'
import type { Session } from '../../session.ts'
import type { Json } from '../../transcript.ts'

export const reviewScripts: readonly Script[] = [
  { id: 'reviews-asked', title: 'reviews of access that are refused and answered', run: reviewsAsked },
  { id: 'tokens-asked', title: 'tokens that are asked for and reviewed', run: tokensAsked },
]

async function reviewsAsked(s: Session): Promise<void> {
  const as = { user: { username: `asker-${s.ns}`, groups: ['system:authenticated'] } }
  const api = 'authorization.k8s.io/v1'
  const resource = { namespace: s.ns, verb: 'get', resource: 'pods' }
  for (const [kind, plural, specs] of [
    [
      'SelfSubjectAccessReview',
      'selfsubjectaccessreviews',
      [
        { resourceAttributes: resource },
        { resourceAttributes: {} },
        { nonResourceAttributes: { path: '/healthz', verb: 'get' } },
        { nonResourceAttributes: { path: '/odd', verb: 'post' } },
        { nonResourceAttributes: {} },
        { resourceAttributes: resource, nonResourceAttributes: { path: '/', verb: 'get' } },
        {},
        { resourceAttributes: { ...resource, fieldSelector: { rawSelector: 'metadata.name=x' } } },
        {
          resourceAttributes: {
            ...resource,
            fieldSelector: { rawSelector: 'a', requirements: [{ key: 'a', operator: 'In', values: ['b'] }] },
          },
        },
        { resourceAttributes: { ...resource, labelSelector: { requirements: [{ key: 'a', operator: 'Odd' }] } } },
        { resourceAttributes: { ...resource, labelSelector: {} } },
        { user: 'x', resourceAttributes: resource },
      ],
    ],
    [
      'SubjectAccessReview',
      'subjectaccessreviews',
      [
        { resourceAttributes: resource },
        { user: 'x', resourceAttributes: resource },
        { user: 'x', groups: ['system:masters'], resourceAttributes: resource },
        { groups: ['system:masters'], resourceAttributes: resource },
        { uid: 'x', resourceAttributes: resource },
        { user: 'x' },
        { user: 'x', extra: { a: 'b' }, resourceAttributes: resource },
        { user: 'x', extra: { a: ['b'] }, nonResourceAttributes: { path: '/livez', verb: 'get' } },
      ],
    ],
    ['SelfSubjectRulesReview', 'selfsubjectrulesreviews', [{}, { namespace: '' }]],
    ['SelfSubjectReview', 'selfsubjectreviews', [{}]],
  ] as const)
    for (const spec of specs) {
      const group = kind === 'SelfSubjectReview' ? 'authentication.k8s.io/v1' : api
      const review = json({ apiVersion: group, kind, spec })
      await s.post(`/apis/${group}/${plural}`, review)
      if (kind !== 'SelfSubjectRulesReview') await s.post(`/apis/${group}/${plural}`, review, { as })
    }
  const local = (namespace: string, spec: object): Json =>
    json({ apiVersion: api, kind: 'LocalSubjectAccessReview', metadata: { namespace }, spec })
  const at = s.path(`localsubjectaccessreviews.${api}`)
  await s.post(at, local(s.ns, { user: 'x', resourceAttributes: resource }))
  await s.post(at, local(s.ns, { user: 'x', resourceAttributes: { ...resource, namespace: 'other' } }))
  await s.post(at, local('other', { user: 'x', resourceAttributes: resource }))
  await s.post(at, local(s.ns, { user: 'x', nonResourceAttributes: { path: '/', verb: 'get' } }))
  for (const method of ['GET', 'PUT', 'DELETE', 'PATCH']) await s.send(method, `/apis/${api}/selfsubjectaccessreviews`)
  await s.post(
    `/apis/${api}/selfsubjectaccessreviews?dryRun=All`,
    json({ apiVersion: api, kind: 'SelfSubjectAccessReview', spec: { resourceAttributes: resource } }),
  )
  await s.post(
    `/apis/${api}/selfsubjectaccessreviews`,
    json({
      apiVersion: api,
      kind: 'SelfSubjectAccessReview',
      metadata: { name: 'x', labels: { a: 'b' } },
      spec: { resourceAttributes: resource },
    }),
  )
}

async function tokensAsked(s: Session): Promise<void> {
  await s.post(s.path('serviceaccounts'), json({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'a' } }))
  await s.post(s.path('secrets'), secret('s'))
  const at = `${s.path('serviceaccounts', 'a')}/token`
  const request = (spec: unknown, more: Loose = {}): Json =>
    json({ apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec, ...more })
  for (const spec of [
    { expirationSeconds: 599 },
    { expirationSeconds: 4_294_967_297 },
    { expirationSeconds: -1 },
    { boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name: 'missing' } },
    { boundObjectRef: { kind: 'Secret', apiVersion: 'v1', name: 's', uid: 'other' } },
    { boundObjectRef: { kind: 'ConfigMap', apiVersion: 'v1', name: 'x' } },
    { boundObjectRef: { kind: 'Node', apiVersion: 'v1', name: 'missing' } },
    { boundObjectRef: { kind: 'Secret', apiVersion: 'v2', name: 's' } },
    { boundObjectRef: { kind: 'Secret', name: 's' } },
    { boundObjectRef: {} },
    { audiences: 'x' },
  ])
    await s.post(at, request(spec))
  await s.post(`${s.path('serviceaccounts', 'missing')}/token`, request({}))
  await s.post(at, request({}, { metadata: { name: 'other' } }))
  await s.post(at, request({}, { metadata: { namespace: 'other' } }))
  await s.send('GET', at)
  const review = (spec: unknown): Json => json({ apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', spec })
  for (const spec of [{}, { token: '' }, { token: 'x' }, { token: 'a.b.c' }, { token: 'x', audiences: ['a'] }, { token: 5 }])
    await s.post('/apis/authentication.k8s.io/v1/tokenreviews', review(spec))
}
