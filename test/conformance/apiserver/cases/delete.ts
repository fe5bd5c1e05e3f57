// Catalogue 65-87: deletion, finalizers, garbage collection, namespaces.
import assert from 'node:assert/strict'
import { configMap, ok, pod, refused, widget, widgets, widgetsReady } from '../fixtures.ts'
import type { Reply, Session } from '../session.ts'
import type { Case } from './case.ts'

const finalizer = 'example.com/hold'
const held = { finalizers: [finalizer] }

export const cases: readonly Case[] = [
  {
    number: 65,
    title: 'DELETE of a ConfigMap answers success with the uid, and it is gone',
    run: async s => {
      const { body } = ok(await s.post(s.path('configmaps'), configMap('a')), 201)
      const deleted = ok(await s.delete(s.path('configmaps', 'a')))
      assert.deepEqual(deleted.body, {
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Success',
        details: { name: 'a', kind: 'configmaps', uid: body.metadata.uid },
      })
      refused(await s.get(s.path('configmaps', 'a')), 404, 'NotFound', 'configmaps "a" not found')
      refused(await s.delete(s.path('configmaps', 'a')), 404, 'NotFound')
    },
  },
  {
    number: 66,
    title: 'an unscheduled Pod is gone at once, and is the answer',
    run: async s => {
      ok(await s.post(s.path('pods'), pod('p')), 201)
      assert.equal(ok(await s.delete(s.path('pods', 'p'))).body.kind, 'Pod')
      refused(await s.get(s.path('pods', 'p')), 404, 'NotFound')
    },
  },
  {
    number: 67,
    title: 'a scheduled Pod has its grace; a second DELETE with none ends it',
    run: async s => {
      ok(await s.post(s.path('pods'), pod('p', { nodeName: 'node-of-nobody' })), 201)
      const { body } = ok(await s.delete(s.path('pods', 'p')))
      assert.equal(body.metadata.deletionGracePeriodSeconds, 30)
      const graceMs = Date.parse(body.metadata.deletionTimestamp) - s.target.now()
      assert.ok(graceMs > 25_000 && graceMs < 32_000, `${graceMs}`)
      ok(await s.get(s.path('pods', 'p')))
      ok(await s.delete(s.path('pods', 'p'), { gracePeriodSeconds: 0 }))
      refused(await s.get(s.path('pods', 'p')), 404, 'NotFound')
    },
  },
  {
    number: 68,
    title: 'with a finalizer the object stays, deleting, one generation on',
    run: async s => {
      await widgetsReady(s)
      ok(await s.post(widgets(s), widget(s, 'w', {}, {}, held)), 201)
      const { body } = ok(await s.delete(widgets(s, 'w')))
      assert.ok(body.metadata.deletionTimestamp)
      assert.deepEqual([body.metadata.generation, body.metadata.deletionGracePeriodSeconds], [2, 0])
      ok(await s.get(widgets(s, 'w')))
    },
  },
  {
    number: 69,
    title: 'removing the last finalizer removes the object with one DELETED event of a new revision',
    run: async s => {
      await widgetsReady(s)
      ok(await s.post(widgets(s), widget(s, 'w', {}, {}, held)), 201)
      const { body } = ok(await s.delete(widgets(s, 'w')))
      const watch = await s.watch(`${widgets(s)}?resourceVersion=${body.metadata.resourceVersion}`)
      ok(await s.patch(widgets(s, 'w'), 'merge', { metadata: { finalizers: null } }))
      const event = await watch.one()
      assert.equal(event.type, 'DELETED')
      assert.notEqual(event.object.metadata.resourceVersion, body.metadata.resourceVersion)
      refused(await s.get(widgets(s, 'w')), 404, 'NotFound')
    },
  },
  {
    number: 70,
    title: 'no finalizer can be added while deleting',
    run: async s => {
      const deleting = await deletingConfigMap(s)
      const finalizers = [finalizer, 'example.com/more']
      const reply = await s.patch(deleting, 'merge', { metadata: { finalizers } })
      refused(reply, 422, 'Invalid', /no new finalizers can be added if the object is being deleted, found new finalizers/)
    },
  },
  {
    number: 71,
    title: 'the rest can be edited while deleting',
    run: async s => {
      const deleting = await deletingConfigMap(s)
      assert.deepEqual(ok(await s.patch(deleting, 'merge', { data: { b: '2' } })).body.data, { a: '1', b: '2' })
    },
  },
  {
    number: 72,
    title: 'the name of an object being deleted is taken, and the refusal says why',
    run: async s => {
      await deletingConfigMap(s)
      refused(await s.post(s.path('configmaps'), configMap('a')), 409, 'AlreadyExists', /^object is being deleted: /)
    },
  },
  {
    number: 73,
    title: 'DELETE preconditions',
    run: async s => {
      const { body } = ok(await s.post(s.path('configmaps'), configMap('a')), 201)
      const uid = '11111111-2222-4333-8444-555555555555'
      refused(await s.delete(s.path('configmaps', 'a'), { preconditions: { uid } }), 409, 'Conflict')
      refused(await s.delete(s.path('configmaps', 'a'), { preconditions: { resourceVersion: '1' } }), 409, 'Conflict')
      const { uid: right, resourceVersion } = body.metadata
      ok(await s.delete(s.path('configmaps', 'a'), { preconditions: { uid: right, resourceVersion } }))
    },
  },
  {
    number: 74,
    title: 'a bogus propagation policy, or one together with orphanDependents, is refused',
    run: async s => {
      ok(await s.post(s.path('configmaps'), configMap('a')), 201)
      refused(await s.delete(s.path('configmaps', 'a'), { propagationPolicy: 'Bogus' }), 422, 'Invalid')
      refused(await s.delete(s.path('configmaps', 'a'), { propagationPolicy: 'Orphan', orphanDependents: true }), 422, 'Invalid')
    },
  },
  {
    number: 75,
    title: 'delete options in the query count when there is no body',
    run: async s => {
      ok(await s.post(s.path('pods'), pod('p', { nodeName: 'node-of-nobody' })), 201)
      ok(await s.delete(`${s.path('pods', 'p')}?gracePeriodSeconds=0`))
      refused(await s.get(s.path('pods', 'p')), 404, 'NotFound')
      ok(await s.post(s.path('configmaps'), configMap('a')), 201)
      const { body } = ok(await s.delete(`${s.path('configmaps', 'a')}?propagationPolicy=Foreground`))
      assert.deepEqual(body.metadata.finalizers, ['foregroundDeletion'])
    },
  },
  {
    number: 76,
    title: 'background deletion takes the owner first, the dependent later',
    needsControllers: true,
    run: async s => {
      const owner = await ownerAndDependent(s)
      ok(await s.delete(s.path('configmaps', owner), { propagationPolicy: 'Background' }))
      refused(await s.get(s.path('configmaps', owner)), 404, 'NotFound')
      await gone(s, s.path('configmaps', 'dependent'))
    },
  },
  {
    number: 77,
    title: 'foreground deletion keeps the owner until the dependent is gone',
    needsControllers: true,
    run: async s => {
      const owner = await ownerAndDependent(s, { finalizers: [finalizer] })
      const { body } = ok(await s.delete(s.path('configmaps', owner), { propagationPolicy: 'Foreground' }))
      assert.deepEqual(body.metadata.finalizers, ['foregroundDeletion'])
      await s.until(s.path('configmaps', 'dependent'), reply => reply.body.metadata.deletionTimestamp !== undefined)
      ok(await s.get(s.path('configmaps', owner)))
      ok(await s.patch(s.path('configmaps', 'dependent'), 'merge', { metadata: { finalizers: null } }))
      await gone(s, s.path('configmaps', owner))
    },
  },
  {
    number: 78,
    title: 'orphaning leaves the dependent without its owner reference',
    needsControllers: true,
    run: async s => {
      const owner = await ownerAndDependent(s)
      ok(await s.delete(s.path('configmaps', owner), { propagationPolicy: 'Orphan' }))
      await gone(s, s.path('configmaps', owner))
      assert.equal(ok(await s.get(s.path('configmaps', 'dependent'))).body.metadata.ownerReferences, undefined)
    },
  },
  {
    number: 79,
    title: 'a dependent of two owners outlives one of them, without the dangling reference',
    needsControllers: true,
    run: async s => {
      const references = []
      for (const name of ['one', 'two']) {
        const { body } = ok(await s.post(s.path('configmaps'), configMap(name)), 201)
        references.push({ apiVersion: 'v1', kind: 'ConfigMap', name, uid: body.metadata.uid })
      }
      ok(await s.post(s.path('configmaps'), configMap('dependent', {}, { ownerReferences: references })), 201)
      ok(await s.delete(s.path('configmaps', 'one')))
      const has = (reply: Reply): boolean => reply.body.metadata.ownerReferences?.length === 1
      const { body } = await s.until(s.path('configmaps', 'dependent'), has)
      assert.equal(body.metadata.ownerReferences[0]?.name, 'two')
    },
  },
  {
    number: 80,
    title: 'a dependent of an owner that never was is collected',
    needsControllers: true,
    run: async s => {
      const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'never', uid: '11111111-2222-4333-8444-555555555555' }
      ok(await s.post(s.path('configmaps'), configMap('a', {}, { ownerReferences: [owner] })), 201)
      await gone(s, s.path('configmaps', 'a'))
    },
  },
  {
    number: 81,
    title: 'an owner in another namespace is no owner: the dependent goes, with an Event',
    needsControllers: true,
    run: async s => {
      const other = `${s.ns}-other`
      ok(await s.post('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: other } }), 201)
      const { body } = ok(await s.post(s.path('configmaps', '', other), configMap('owner')), 201)
      const reference = { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: body.metadata.uid }
      ok(await s.post(s.path('configmaps'), configMap('a', {}, { ownerReferences: [reference] })), 201)
      await gone(s, s.path('configmaps', 'a'))
      await s.until(s.path('events'), reply =>
        reply.body.items.some((event: { reason: string }) => event.reason === 'OwnerRefInvalidNamespace'),
      )
    },
  },
  {
    number: 82,
    title: 'a collection is deleted by label selector',
    run: async s => {
      for (const [name, app] of [
        ['a', 'x'],
        ['b', 'x'],
        ['c', 'y'],
      ] as const) {
        ok(await s.post(s.path('configmaps'), configMap(name, {}, { labels: { app } })), 201)
      }
      const { body } = ok(await s.delete(`${s.path('configmaps')}?labelSelector=app%3Dx`))
      assert.equal(body.kind, 'ConfigMapList')
      assert.deepEqual(await namesIn(s), ['c'])
    },
  },
  {
    number: 83,
    title: 'a dry run of deleting a collection deletes nothing',
    run: async s => {
      ok(await s.post(s.path('configmaps'), configMap('a')), 201)
      ok(await s.delete(`${s.path('configmaps')}?dryRun=All`))
      assert.deepEqual(await namesIn(s), ['a'])
    },
  },
  {
    number: 84,
    title: 'a namespace with a held object stays Terminating and says why, then goes',
    needsControllers: true,
    run: async s => {
      await widgetsReady(s)
      ok(await s.post(widgets(s), widget(s, 'w', {}, {}, held)), 201)
      const namespace = `/api/v1/namespaces/${s.ns}`
      const { body } = ok(await s.delete(namespace))
      assert.equal(body.status.phase, 'Terminating')
      const remains = (reply: Reply): boolean =>
        ['NamespaceContentRemaining', 'NamespaceFinalizersRemaining'].every(type =>
          reply.body.status.conditions?.some(one => one.type === type && one.status === 'True'),
        )
      const { body: waiting } = await s.until(namespace, remains)
      const reasons = waiting.status.conditions.map(one => one.reason)
      assert.ok(reasons.includes('SomeResourcesRemain') && reasons.includes('SomeFinalizersRemain'), reasons.join())
      ok(await s.patch(widgets(s, 'w'), 'merge', { metadata: { finalizers: null } }))
      await gone(s, namespace)
    },
  },
  {
    number: 85,
    title: 'nothing can be created in a namespace that is terminating',
    run: async s => {
      ok(await s.post(s.path('configmaps'), configMap('held', {}, held)), 201)
      ok(await s.delete(`/api/v1/namespaces/${s.ns}`))
      const reply = await s.post(s.path('configmaps'), configMap('late'))
      refused(reply, 403, 'Forbidden', /unable to create new content in namespace .* because it is being terminated/)
      const cause = reply.body.details.causes.find(one => one.reason === 'NamespaceTerminating')
      assert.equal(cause?.field, 'metadata.namespace')
      ok(await s.patch(s.path('configmaps', 'held'), 'merge', { data: { still: 'editable' } }))
    },
  },
  {
    number: 86,
    title: 'the default namespace cannot be deleted',
    run: async s => {
      for (const name of ['default', 'kube-system', 'kube-public']) {
        refused(await s.delete(`/api/v1/namespaces/${name}`), 403, 'Forbidden', /this namespace may not be deleted/)
      }
    },
  },
  {
    number: 87,
    title: 'who waits for a deletion sees the same object until it is gone, and 404 from then on',
    run: async s => {
      ok(await s.post(s.path('configmaps'), configMap('a', {}, { finalizers: ['example.com/hold'] })), 201)
      const options = { propagationPolicy: 'Background' }
      const { body } = ok(await s.delete(s.path('configmaps', 'a'), options))
      // What kubectl compares: an object of another uid would be a new one, and the wait over.
      const uid = body.metadata.uid as string
      assert.equal(ok(await s.get(s.path('configmaps', 'a'))).body.metadata.uid, uid)
      const list = ok(await s.get(`${s.path('configmaps')}?fieldSelector=metadata.name%3Da`))
      const query = `fieldSelector=metadata.name%3Da&resourceVersion=${list.body.metadata.resourceVersion}`
      const watch = await s.watch(`${s.path('configmaps')}?${query}`)
      ok(await s.patch(s.path('configmaps', 'a'), 'merge', { metadata: { finalizers: null } }))
      const event = await watch.one()
      assert.deepEqual([event.type, event.object.metadata.uid], ['DELETED', uid])
      refused(await s.get(s.path('configmaps', 'a')), 404, 'NotFound')
      ok(await s.post(s.path('configmaps'), configMap('b')), 201)
      const gone = ok(await s.delete(s.path('configmaps', 'b'), options))
      assert.equal(gone.body.status, 'Success')
      assert.ok(gone.body.details.uid)
    },
  },
]

async function deletingConfigMap(s: Session): Promise<string> {
  ok(await s.post(s.path('configmaps'), configMap('a', { a: '1' }, held)), 201)
  ok(await s.delete(s.path('configmaps', 'a')))
  return s.path('configmaps', 'a')
}

async function ownerAndDependent(s: Session, dependentMeta: Record<string, never[] | string[]> = {}): Promise<string> {
  const { body } = ok(await s.post(s.path('configmaps'), configMap('owner')), 201)
  const reference = { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: body.metadata.uid, blockOwnerDeletion: true }
  ok(await s.post(s.path('configmaps'), configMap('dependent', {}, { ownerReferences: [reference], ...dependentMeta })), 201)
  return 'owner'
}

function gone(s: Session, target: string): Promise<Reply> {
  return s.until(target, reply => reply.status === 404)
}

async function namesIn(s: Session): Promise<string[]> {
  const { body } = ok(await s.get(`${s.path('configmaps')}?fieldSelector=metadata.name!%3Dkube-root-ca.crt`))
  return body.items.map((item: { metadata: { name: string } }) => item.metadata.name)
}
