// Bodies of every form for every verb: what is no JSON, what is no object, what is of another kind; nulls that are posted and applied; scales.
import { deployment, widgetsReady } from '../fixtures.ts'
import type { Script } from '../record.ts'
import { patchTypes, type Session, sharedGroup } from '../session.ts'
import type { Json } from '../transcript.ts'

export const bodyScripts: readonly Script[] = [
  { id: 'bodies-builtin', title: 'bodies of a built-in kind', run: s => bodies(s, 'configmaps', 'v1', 'ConfigMap') },
  {
    id: 'bodies-custom',
    title: 'bodies of a custom kind',
    run: s => bodies(s, `widgets.${sharedGroup}/v1`, `${sharedGroup}/v1`, 'Widget'),
  },
  { id: 'bodies-null', title: 'nulls that are posted and applied', run: nulls },
  { id: 'bodies-scale', title: 'bodies for a scale', run: scales },
]

const texts = [
  '',
  '{',
  '[]',
  'null',
  '"x"',
  '{}',
  '{"a" 1}',
  '{"a":1,}',
  '[1 2]',
  '{"kind":1}',
  '{"kind":"ConfigMap"}',
  '{"apiVersion":"v1"}',
  '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","name":"b"}}',
  '{"apiVersion":"v1","kind":"Nope","metadata":{"name":"a"}}',
  '{"apiVersion":"v1","kind":"ConfigMap","metadata":[]}',
  '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":1}}',
  '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"labels":{"a":null}},"data":{"a":null}}',
  'a: b\n',
  'a: b\na: c\n',
  '\u0000',
] as const

async function bodies(s: Session, resource: string, apiVersion: string, kind: string): Promise<void> {
  await s.post(s.path(resource), { apiVersion, kind, metadata: { name: 'a' } })
  for (const type of ['application/json', 'application/yaml', 'text/plain']) {
    for (const raw of texts) await s.send('POST', `${s.path(resource)}?dryRun=All`, { raw, type })
    for (const raw of texts) await s.send('PUT', `${s.path(resource, 'a')}?dryRun=All`, { raw, type })
    for (const raw of texts) await s.send('DELETE', s.path(resource, 'missing'), { raw, type })
  }
  for (const type of Object.values(patchTypes)) {
    const query = type === patchTypes.apply ? '?dryRun=All&fieldManager=m1' : '?dryRun=All'
    for (const raw of texts) await s.send('PATCH', `${s.path(resource, 'a')}${query}`, { raw, type })
  }
}

async function nulls(s: Session): Promise<void> {
  await widgetsReady(s)
  const resource = `widgets.${sharedGroup}/v1`
  const parts = ['any', 'nested', 'list', 'size', 'color', 'tags', 'items']
  const specs: readonly Json[] = [...parts.map(part => ({ [part]: null })), { any: { a: null } }, { nested: { x: null } }]
  for (const [index, spec] of specs.entries()) {
    const named = (name: string): Json => ({ apiVersion: `${sharedGroup}/v1`, kind: 'Widget', metadata: { name }, spec })
    await s.post(`${s.path(resource)}?dryRun=All`, named(`p${index}`))
    for (const _ of [1, 2]) await s.patch(`${s.path(resource, `a${index}`)}?fieldManager=m1`, 'apply', named(`a${index}`))
  }
}

async function scales(s: Session): Promise<void> {
  const resource = 'deployments.apps/v1'
  const at = (name: string, query = ''): string => `${s.path(resource, name)}/scale${query}`
  const scale = (metadata: object, spec: object): Json =>
    ({ apiVersion: 'autoscaling/v1', kind: 'Scale', metadata, spec }) as Json
  await s.patch(at('none'), 'apply', scale({ name: 'none' }, { replicas: 1 }))
  for (const query of ['?force=true', '?dryRun=x', '']) await s.patch(at('none', query), 'merge', { spec: { replicas: 1 } })
  await s.post(s.path(resource), deployment('web'))
  await s.patch(at('web', '?fieldManager=m1'), 'apply', scale({ name: 'web' }, { replicas: 4 }))
  await s.patch(at('web', '?fieldManager=m1&force=true'), 'apply', scale({ name: 'web' }, { replicas: 4 }))
  await s.get(s.path(resource, 'web'))
  await s.patch(at('web', '?fieldManager=m2'), 'apply', scale({ name: 'web' }, { replicas: 5 }))
  await s.patch(at('web'), 'strategic', { spec: { replicas: 5 } })
  const bodies: readonly Json[] = [
    scale({ name: 'web' }, { replicas: 6 }),
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'web' } },
    scale({ name: 'other' }, { replicas: 6 }),
    { spec: { replicas: 6 } },
    scale({ name: 'web' }, { replicas: -1 }),
    scale({ name: 'web' }, { replicas: 'x' }),
    scale({ name: 'web' }, {}),
  ]
  for (const body of bodies) await s.put(at('web'), body)
  await s.get(s.path(resource, 'web'))
}
