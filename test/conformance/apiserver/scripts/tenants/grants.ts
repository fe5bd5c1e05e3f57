// What tenants may give themselves and each other: pods and claims under a limit range, what is immutable, rights that nobody can give away.
import { configMap, json, pod, role, roleBinding, secret } from '../../fixtures.ts'
import type { Script } from '../../record.ts'
import type { Session } from '../../session.ts'
import type { Json } from '../../transcript.ts'

export const grantScripts: readonly Script[] = [
  { id: 'limits-kept', title: 'pods and claims under a limit range', run: limitsKept },
  { id: 'frozen', title: 'secrets and config maps that may not change', run: frozen },
  { id: 'grants-refused', title: 'rights that the giver does not have', run: grantsRefused },
]

const sized = (resources: unknown, more: object = {}): Json =>
  pod('p', json({ containers: [{ name: 'main', image: 'i', resources, ...more }] }) as never)

async function limitsKept(s: Session): Promise<void> {
  const limits = [
    {
      type: 'Container',
      max: { cpu: '2', memory: '1Gi' },
      min: { cpu: '100m' },
      default: { cpu: '500m' },
      defaultRequest: { cpu: '200m' },
      maxLimitRequestRatio: { cpu: '4' },
    },
    { type: 'Pod', max: { cpu: '3' } },
    { type: 'PersistentVolumeClaim', min: { storage: '1Gi' }, max: { storage: '5Gi' } },
  ]
  await s.post(s.path('limitranges'), json({ apiVersion: 'v1', kind: 'LimitRange', metadata: { name: 'l' }, spec: { limits } }))
  const token = { metadata: { name: 'default' }, apiVersion: 'v1', kind: 'ServiceAccount' }
  await s.post(s.path('serviceaccounts'), json(token))
  const known = await s.retry('POST', `${s.path('pods')}?dryRun=All`, ({ status }) => status === 403, {
    body: sized({ limits: { cpu: '9' } }),
  })
  if (known.status !== 403) throw new Error('the limits are not kept')
  for (const resources of [
    {},
    { requests: { cpu: '1' } },
    { limits: { cpu: '1' } },
    { limits: { cpu: '2500m', memory: '1Gi' } },
    { limits: { memory: '2Gi' } },
    { requests: { cpu: '50m' }, limits: { memory: '1Gi' } },
    { requests: { cpu: '100m' }, limits: { cpu: '1', memory: '1Gi' } },
    { requests: { cpu: '300m', memory: '1Mi' }, limits: { cpu: '1', memory: '1Gi' } },
    { limits: { cpu: '1', memory: '1Gi' } },
    { requests: { cpu: '2' }, limits: { cpu: '1', memory: '1Gi' } },
  ])
    await s.post(`${s.path('pods')}?dryRun=All`, sized(resources))
  const three = ['a', 'b', 'c'].map(name => ({ name, image: 'i', resources: { limits: { cpu: '1500m', memory: '1Mi' } } }))
  await s.post(`${s.path('pods')}?dryRun=All`, pod('p', json({ containers: three }) as never))
  await s.post(
    `${s.path('pods')}?dryRun=All`,
    pod('p', json({ containers: three.slice(1), initContainers: [three[0]] }) as never),
  )
  for (const storage of ['1Mi', '2Gi', '6Gi'])
    await s.post(
      `${s.path('persistentvolumeclaims')}?dryRun=All`,
      json({
        apiVersion: 'v1',
        kind: 'PersistentVolumeClaim',
        metadata: { name: 'c' },
        spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } } },
      }),
    )
}

async function frozen(s: Session): Promise<void> {
  await s.post(s.path('configmaps'), configMap('c', { a: '1' }))
  await s.post(s.path('secrets'), secret('s', { stringData: { a: '1' } }))
  for (const [resource, name] of [
    ['configmaps', 'c'],
    ['secrets', 's'],
  ] as const) {
    const at = s.path(resource, name)
    for (const change of [
      { immutable: null },
      { immutable: 'yes' },
      { immutable: false },
      { immutable: true, data: { b: 'Mg==' } },
      { immutable: true },
      { immutable: false },
      { immutable: null },
      { data: { a: 'Mw==' } },
      { data: null },
      { binaryData: { z: 'Mw==' } },
      { metadata: { labels: { a: 'b' } } },
      { metadata: { annotations: { a: 'b' } } },
      { data: { a: 'not base64!' } },
    ])
      await s.patch(at, 'merge', json(change))
    await s.patch(
      `${at}?fieldManager=m`,
      'apply',
      json({ apiVersion: 'v1', kind: name === 'c' ? 'ConfigMap' : 'Secret', immutable: false }),
    )
    await s.delete(at)
  }
}

async function grantsRefused(s: Session): Promise<void> {
  const rbac = 'rbac.authorization.k8s.io/v1'
  const as = { user: { username: `giver-${s.ns}`, groups: ['system:authenticated'] } }
  const read = { apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list'] }
  const manage = { apiGroups: ['rbac.authorization.k8s.io'], resources: ['roles', 'rolebindings'], verbs: ['*'] }
  await s.post(
    s.path(`roles.${rbac}`),
    role('giver', json([read, { ...manage, verbs: ['get', 'create', 'update', 'patch', 'delete'] }]) as never),
  )
  await s.post(s.path(`rolebindings.${rbac}`), roleBinding('giver', 'giver', as.user.username))
  await s.post(s.path(`roles.${rbac}`), role('strong', json([{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }]) as never))
  await s.post(s.path(`roles.${rbac}`), role('weak', json([read]) as never))
  await s.retry('POST', `${s.path(`roles.${rbac}`)}?dryRun=All`, ({ status }) => status === 201, {
    body: role('r', json([read]) as never),
    as,
  })
  for (const rule of [
    read,
    { ...read, verbs: ['get'] },
    { ...read, verbs: ['get', 'watch'] },
    { ...read, verbs: ['*'] },
    { ...read, resourceNames: ['only'] },
    { ...read, resources: ['configmaps', 'secrets'] },
    { ...read, resources: ['configmaps/status'] },
    { ...read, resources: ['*'] },
    { ...read, apiGroups: ['', 'apps'] },
    { ...read, apiGroups: ['*'] },
    { apiGroups: [''], resources: ['secrets', 'pods'], resourceNames: ['a', 'b'], verbs: ['get', 'delete'] },
    { ...read, apiGroups: [] },
    { ...read, verbs: [] },
    { ...read, resources: [] },
    { nonResourceURLs: ['/healthz'], verbs: ['get'] },
    { verbs: ['get'] },
  ])
    await s.post(`${s.path(`roles.${rbac}`)}?dryRun=All`, role('r', json([rule]) as never), { as })
  for (const target of ['giver', 'strong', 'weak', 'missing'])
    await s.post(`${s.path(`rolebindings.${rbac}`)}?dryRun=All`, roleBinding('b', target, 'somebody'), { as })
  await s.post(
    `${s.path(`rolebindings.${rbac}`)}?dryRun=All`,
    roleBinding(
      'b',
      'admin',
      'x',
      json({ roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' } }) as never,
    ),
    { as },
  )
  const weak = `${s.path(`roles.${rbac}`, 'weak')}?dryRun=All`
  await s.patch(weak, 'json', json([{ op: 'add', path: '/rules/0/verbs/-', value: 'delete' }]), { as })
  await s.patch(weak, 'json', json([{ op: 'remove', path: '/rules/0/verbs/1' }]), { as })
  await s.patch(weak, 'merge', json({ metadata: { labels: { a: 'b' } } }), { as })
  const strong = `${s.path(`roles.${rbac}`, 'strong')}?dryRun=All`
  await s.patch(strong, 'merge', json({ metadata: { labels: { a: 'b' } } }), { as })
  await s.patch(strong, 'merge', json({ rules: [{ apiGroups: ['*'], resources: ['pods'], verbs: ['get'] }] }), { as })
  for (const subjects of [
    [{ kind: 'User', name: 'x' }],
    [{ kind: 'User', name: 'x', namespace: 'y' }],
    [{ kind: 'ServiceAccount', name: 'x' }],
    [{ kind: 'ServiceAccount', name: 'Bad_Name', namespace: 'n' }],
    [{ kind: 'ServiceAccount', name: 'x', namespace: 'n', apiGroup: 'rbac.authorization.k8s.io' }],
    [{ kind: 'Odd', name: 'x' }],
    [{ kind: 'User', name: '' }],
    [{ kind: 'Group', name: 'x', apiGroup: 'odd' }],
    [],
  ])
    await s.post(`${s.path(`rolebindings.${rbac}`)}?dryRun=All`, roleBinding('b', 'weak', 'x', json({ subjects }) as never))
  for (const roleRef of [
    { apiGroup: 'odd', kind: 'Role', name: 'weak' },
    { apiGroup: 'rbac.authorization.k8s.io', kind: 'Odd', name: 'weak' },
    { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: '' },
    { kind: 'Role', name: 'weak' },
    { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'a/b' },
  ])
    await s.post(`${s.path(`rolebindings.${rbac}`)}?dryRun=All`, roleBinding('b', 'weak', 'x', json({ roleRef }) as never))
}
