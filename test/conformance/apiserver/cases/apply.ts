// Catalogue 130-155: server-side apply and field ownership.
import assert from 'node:assert/strict'
import type { Answer } from '../../../../src/apiserver/ask.fixture.ts'
import { configMap, deployment, ok, refused, widget, widgets, widgetsReady } from '../fixtures.ts'
import type { Ask, Reply, Session } from '../session.ts'
import type { Json } from '../transcript.ts'
import type { Case } from './case.ts'

type Spec = Readonly<Record<string, Json>>

export const cases: readonly Case[] = [
  {
    number: 130,
    title: 'applying a new object records exactly what was applied',
    run: async s => {
      await widgetsReady(s)
      const { body } = ok(
        await apply(s, 'm1', { size: 3, items: [{ name: 'a', value: '1' }], tags: ['t'], list: ['x'], any: { deep: { er: 1 } } }),
        201,
      )
      assert.equal(body.metadata.managedFields.length, 1)
      const [entry] = body.metadata.managedFields
      assert.deepEqual(
        [entry?.manager, entry?.operation, entry?.apiVersion, entry?.fieldsType],
        ['m1', 'Apply', `${s.widgetGroup}/v1`, 'FieldsV1'],
      )
      assert.deepEqual(entry?.fieldsV1, {
        'f:spec': {
          'f:size': {},
          'f:items': { 'k:{"name":"a"}': { '.': {}, 'f:name': {}, 'f:value': {} } },
          'f:tags': { 'v:"t"': {} },
          'f:list': {},
          // Without a schema the inner map is a field of its own.
          'f:any': { 'f:deep': { '.': {}, 'f:er': {} } },
        },
      })
    },
  },
  {
    number: 131,
    title: 'applying the same again changes nothing',
    run: async s => {
      await widgetsReady(s)
      const first = ok(await apply(s, 'm1', { size: 3 }), 201)
      const again = ok(await apply(s, 'm1', { size: 3 }))
      assert.equal(again.body.metadata.resourceVersion, first.body.metadata.resourceVersion)
    },
  },
  {
    number: 132,
    title: 'two managers may own the same value',
    run: async s => {
      await widgetsReady(s)
      ok(await apply(s, 'm1', { size: 3 }), 201)
      const { body } = ok(await apply(s, 'm2', { size: 3 }))
      assert.deepEqual(owners(body), { m1: ['size'], m2: ['size'] })
    },
  },
  {
    number: 133,
    title: 'a different value is a conflict that names field and manager',
    run: async s => {
      await widgetsReady(s)
      ok(await apply(s, 'm1', { size: 3 }), 201)
      const reply = await apply(s, 'm2', { size: 4 })
      refused(reply, 409, 'Conflict', 'Apply failed with 1 conflict: conflict with "m1": .spec.size')
      assert.deepEqual(reply.body.details.causes, [
        { reason: 'FieldManagerConflict', message: 'conflict with "m1"', field: '.spec.size' },
      ])
    },
  },
  {
    number: 134,
    title: 'force takes the field away',
    run: async s => {
      await widgetsReady(s)
      ok(await apply(s, 'm1', { size: 3, color: 'blue' }), 201)
      const { body } = ok(await apply(s, 'm2', { size: 4 }, '&force=true'))
      assert.equal(body.spec.size, 4)
      assert.deepEqual(owners(body), { m1: ['color'], m2: ['size'] })
    },
  },
  {
    number: 135,
    title: 'what its only owner no longer applies is removed, or falls back to its default',
    run: async s => {
      await widgetsReady(s)
      ok(await apply(s, 'm1', { size: 3, color: 'blue', any: { a: 1, b: 2 } }), 201)
      const { body } = ok(await apply(s, 'm1', { any: { a: 1 } }))
      assert.deepEqual(body.spec, { color: 'red', any: { a: 1 } })
    },
  },
  {
    number: 136,
    title: 'what another still owns stays',
    run: async s => {
      await widgetsReady(s)
      ok(await apply(s, 'm1', { size: 3 }), 201)
      ok(await apply(s, 'm2', { size: 3 }))
      const { body } = ok(await apply(s, 'm1', {}))
      assert.equal(body.spec.size, 3)
      assert.deepEqual(owners(body)['m2'], ['size'])
      assert.equal(owners(body)['m1']?.includes('size') ?? false, false)
    },
  },
  {
    number: 137,
    title: 'an update steals a field, and applying it again is then a conflict with the updater',
    run: async s => {
      await widgetsReady(s)
      ok(await apply(s, 'm1', { size: 3 }), 201)
      const { body } = ok(await s.patch(`${widgets(s, 'w')}?fieldManager=m3`, 'merge', { spec: { size: 5 } }))
      assert.deepEqual(owners(body), { m3: ['size'] })
      refused(
        await apply(s, 'm1', { size: 3 }),
        409,
        'Conflict',
        /^Apply failed with 1 conflict: conflict with "m3" using .*\/v1: \.spec\.size$/,
      )
    },
  },
  {
    number: 138,
    title: 'an update with the same value leaves ownership alone',
    run: async s => {
      await widgetsReady(s)
      const { body } = ok(await apply(s, 'm1', { size: 3 }), 201)
      const put = ok(await s.put(`${widgets(s, 'w')}?fieldManager=m3`, body))
      assert.deepEqual(owners(put.body), { m1: ['size'] })
      assert.equal(put.body.metadata.resourceVersion, body.metadata.resourceVersion)
    },
  },
  {
    number: 139,
    title: 'list items with keys belong to who applied them',
    run: async s => {
      await widgetsReady(s)
      ok(await apply(s, 'm1', { items: [{ name: 'a', value: '1' }] }), 201)
      ok(await apply(s, 'm2', { items: [{ name: 'b', value: '2' }] }))
      const { body } = ok(await apply(s, 'm1', { items: [] }))
      assert.deepEqual(body.spec.items, [{ name: 'b', value: '2' }])
    },
  },
  {
    number: 140,
    title: 'applied items keep their order among those that stay',
    run: async s => {
      await widgetsReady(s)
      ok(await apply(s, 'm1', { items: [{ name: 'a' }, { name: 'b' }] }), 201)
      const { body } = ok(await apply(s, 'm2', { items: [{ name: 'b' }, { name: 'c' }] }))
      assert.deepEqual(names(body.spec.items), ['a', 'b', 'c'])
      const turned = ok(await apply(s, 'm2', { items: [{ name: 'c' }, { name: 'b' }] }))
      assert.ok(names(turned.body.spec.items).indexOf('c') < names(turned.body.spec.items).indexOf('b'))
    },
  },
  {
    number: 141,
    title: 'sets are united; an owner takes out only its own',
    run: async s => {
      await widgetsReady(s)
      ok(await apply(s, 'm1', { tags: ['x', 'y'] }), 201)
      ok(await apply(s, 'm2', { tags: ['y', 'z'] }))
      assert.deepEqual(ok(await apply(s, 'm1', { tags: [] })).body.spec.tags, ['y', 'z'])
    },
  },
  {
    number: 142,
    title: 'an atomic list conflicts as a whole',
    run: async s => {
      await widgetsReady(s)
      ok(await apply(s, 'm1', { list: ['a'] }), 201)
      refused(await apply(s, 'm2', { list: ['a', 'b'] }), 409, 'Conflict', /: \.spec\.list$/)
    },
  },
  {
    number: 143,
    title: 'a key with a default may be left out of a Service port',
    run: async s => {
      const spec = { selector: { app: 'a' }, ports: [{ name: 'http', port: 80 }] }
      const body: Json = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'svc' }, spec }
      const reply = ok(await s.patch(`${s.path('services', 'svc')}?fieldManager=m1`, 'apply', body), 201)
      const [entry] = reply.body.metadata.managedFields
      const owned = entry?.fieldsV1['f:spec'] as { 'f:ports': object } | undefined
      assert.deepEqual(Object.keys(owned?.['f:ports'] ?? {}), ['k:{"port":80,"protocol":"TCP"}'])
    },
  },
  {
    number: 144,
    title: 'managedFields cannot be applied',
    run: async s => {
      await widgetsReady(s)
      const metadata = {
        managedFields: [{ manager: 'x', operation: 'Apply', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: {} }],
      }
      const reply = await s.patch(`${widgets(s, 'w')}?fieldManager=m1`, 'apply', widget(s, 'w', {}, {}, metadata))
      refused(reply, 400, 'BadRequest', /metadata.managedFields must be nil/)
    },
  },
  {
    number: 145,
    title: 'applying needs a field manager',
    run: async s => {
      await widgetsReady(s)
      refused(
        await s.patch(widgets(s, 'w'), 'apply', widget(s, 'w')),
        422,
        'Invalid',
        /fieldManager: Required value: is required for apply patch/,
      )
    },
  },
  {
    number: 146,
    title: 'the applied apiVersion must be that of the URL',
    run: async s => {
      await widgetsReady(s)
      const body = { ...(widget(s, 'w') as object), apiVersion: `${s.widgetGroup}/v2` } as Json
      refused(await s.patch(`${widgets(s, 'w')}?fieldManager=m1`, 'apply', body), 400, 'BadRequest')
      const other = { ...(widget(s, 'w') as object), kind: 'Gadget' } as Json
      refused(await s.patch(`${widgets(s, 'w')}?fieldManager=m1`, 'apply', other), 400, 'BadRequest')
      refused(await s.patch(`${widgets(s, 'w')}?fieldManager=m1`, 'apply', widget(s, 'other')), 400, 'BadRequest')
    },
  },
  {
    number: 147,
    title: 'an undeclared field or a wrong type is no typed patch',
    run: async s => {
      await widgetsReady(s)
      refused(
        await apply(s, 'm1', { nonsense: 1 }),
        500,
        undefined,
        /^failed to create typed patch object \(.*\): \.spec\.nonsense: field not declared in schema$/,
      )
      refused(await apply(s, 'm1', { size: 'three' }), 500, undefined, /^failed to create typed patch object/)
      refused(
        await s.patch(`${s.path('configmaps', 'a')}?fieldManager=m1`, 'apply', configMap('a', { k: 1 })),
        500,
        undefined,
        /failed to create typed/,
      )
      const raw = 'spec: [unclosed'
      const reply = await s.send('PATCH', `${widgets(s, 'w')}?fieldManager=m1`, { raw, type: 'application/apply-patch+yaml' })
      refused(reply, 400, 'BadRequest')
    },
  },
  {
    number: 148,
    title: 'the same key twice in an applied list is refused',
    run: async s => {
      await widgetsReady(s)
      refused(
        await apply(s, 'm1', { items: [{ name: 'a' }, { name: 'a' }] }),
        500,
        undefined,
        /duplicate entries for key \[name="a"\]/,
      )
      refused(await apply(s, 'm1', { tags: ['a', 'a'] }), 500, undefined, /duplicate entries/)
    },
  },
  {
    number: 149,
    title: 'applying to status owns status only, under the subresource',
    run: async s => {
      await widgetsReady(s)
      ok(await apply(s, 'm1', { size: 3 }), 201)
      const body = widget(s, 'w', { size: 9 }, { status: { phase: 'Up' } })
      const reply = ok(await s.patch(`${widgets(s, 'w/status')}?fieldManager=m1`, 'apply', body))
      assert.deepEqual([reply.body.spec.size, reply.body.status], [3, { phase: 'Up' }])
      const entry = reply.body.metadata.managedFields.find(one => one.subresource === 'status')
      assert.deepEqual([entry?.manager, entry?.fieldsV1], ['m1', { 'f:status': { 'f:phase': {} } }])
    },
  },
  {
    number: 150,
    title: 'what an object had before tracking belongs to before-first-apply',
    run: async s => {
      await widgetsReady(s)
      ok(await s.post(widgets(s), widget(s, 'w', { size: 3 })), 201)
      const cleared = ok(await s.patch(widgets(s, 'w'), 'merge', { metadata: { managedFields: [{}] } }))
      assert.equal(cleared.body.metadata.managedFields, undefined)
      const { body } = ok(await apply(s, 'm1', { tags: ['a'] }))
      const before = body.metadata.managedFields.find(one => one.manager === 'before-first-apply')
      assert.equal(before?.operation, 'Update')
      refused(await apply(s, 'm1', { size: 4 }), 409, 'Conflict', /conflict with "before-first-apply" using/)
    },
  },
  {
    number: 151,
    title: 'the eleventh updater makes the oldest one part of ancient-changes',
    noVector: 'which one is oldest depends on the second',
    run: async s => {
      ok(await s.post(`${s.path('configmaps')}?fieldManager=m0`, configMap('a', { k0: '0' })), 201)
      for (let index = 1; index < 12; index++) {
        ok(await s.patch(`${s.path('configmaps', 'a')}?fieldManager=m${index}`, 'merge', { data: { [`k${index}`]: '1' } }))
      }
      const { body } = ok(await s.get(s.path('configmaps', 'a')))
      const managers = body.metadata.managedFields.map(one => one.manager)
      assert.ok(managers.includes('ancient-changes'), managers.join())
      assert.ok(managers.length <= 11, managers.join())
    },
  },
  {
    number: 153,
    title: 'applying as a dry run answers and stores nothing',
    run: async s => {
      await widgetsReady(s)
      ok(await apply(s, 'm1', { size: 3 }, '&dryRun=All'), 201)
      refused(await s.get(widgets(s, 'w')), 404, 'NotFound')
      ok(await apply(s, 'm1', { size: 3 }), 201)
      assert.equal(ok(await apply(s, 'm1', { size: 4 }, '&dryRun=All')).body.spec.size, 4)
      assert.equal(ok(await s.get(widgets(s, 'w'))).body.spec.size, 3)
    },
  },
  {
    number: 154,
    title: 'applying what is not there needs the right to create',
    run: async s => {
      const rbac = 'rbac.authorization.k8s.io'
      const rules = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['patch', 'get'] }]
      ok(
        await s.post(s.path(`roles.${rbac}/v1`), {
          apiVersion: `${rbac}/v1`,
          kind: 'Role',
          metadata: { name: 'patcher' },
          rules,
        }),
        201,
      )
      const binding: Json = {
        apiVersion: `${rbac}/v1`,
        kind: 'RoleBinding',
        metadata: { name: 'patcher' },
        subjects: [{ kind: 'User', apiGroup: rbac, name: 'patricia' }],
        roleRef: { apiGroup: rbac, kind: 'Role', name: 'patcher' },
      }
      ok(await s.post(s.path(`rolebindings.${rbac}/v1`), binding), 201)
      const ask: Ask = { as: { user: { username: 'patricia' } } }
      const at = `${s.path('configmaps', 'a')}?fieldManager=m1`
      await s.until(s.path('configmaps', 'a'), reply => reply.status === 404, ask)
      refused(await s.patch(at, 'apply', configMap('a'), ask), 403, 'Forbidden')
      ok(await s.post(s.path('configmaps'), configMap('a', {})), 201)
      ok(await s.patch(at, 'apply', configMap('a', { mine: '1' }), ask))
    },
  },
  {
    number: 155,
    title: 'several conflicts are listed by manager',
    run: async s => {
      await widgetsReady(s)
      ok(await apply(s, 'm1', { size: 3, color: 'blue' }), 201)
      ok(await apply(s, 'm2', { list: ['a'] }))
      const reply = await apply(s, 'm3', { size: 4, color: 'red', list: ['b'] })
      refused(
        reply,
        409,
        'Conflict',
        /^Apply failed with 3 conflicts: conflicts with "m1":\n- \.spec\.color\n- \.spec\.size\nconflicts with "m2":\n- \.spec\.list$/,
      )
      assert.equal(reply.body.details.causes.length, 3)
    },
  },
  {
    number: 152,
    title: 'from client-side apply to server-side apply, as kubectl does it',
    run: async s => {
      const applied = JSON.stringify(deployment('d'))
      const annotations = { 'kubectl.kubernetes.io/last-applied-configuration': applied }
      const at = s.path('deployments.apps/v1')
      ok(await s.post(`${at}?fieldManager=kubectl-client-side-apply`, deployment('d', {}, { annotations })), 201)
      const { body } = ok(await s.patch(`${at}/d?fieldManager=kubectl&force=false`, 'apply', deployment('d')))
      const managers = body.metadata.managedFields.map(one => one.manager).sort()
      assert.deepEqual(managers, ['kubectl', 'kubectl-client-side-apply'])
      const migrated = body.metadata.managedFields.filter(one => one.manager === 'kubectl')
      ok(
        await s.patch(`${at}/d`, 'json', [
          { op: 'replace', path: '/metadata/managedFields', value: migrated as readonly object[] as readonly Json[] },
          { op: 'replace', path: '/metadata/resourceVersion', value: body.metadata.resourceVersion },
        ]),
      )
      const again = ok(await s.patch(`${at}/d?fieldManager=kubectl&force=false`, 'apply', deployment('d', { replicas: 3 })))
      assert.equal(again.body.spec.replicas, 3)
    },
  },
]

function apply(s: Session, manager: string, spec: Spec, query = ''): Promise<Reply> {
  return s.patch(`${widgets(s, 'w')}?fieldManager=${manager}${query}`, 'apply', widget(s, 'w', spec))
}

/** Which members of spec each manager owns. */
function owners(body: Answer): Record<string, string[]> {
  return Object.fromEntries(
    body.metadata.managedFields.map(({ manager, fieldsV1 }) => [
      manager,
      Object.keys(fieldsV1['f:spec'] ?? {})
        .filter(name => name.startsWith('f:'))
        .map(name => name.slice(2)),
    ]),
  )
}

function names(items: unknown): string[] {
  return (items as readonly { name: string }[]).map(item => item.name)
}
