// Catalogue 30-64: metadata and CRUD.
import assert from 'node:assert/strict'
import type { Answer } from '../../../../src/apiserver/ask.fixture.ts'
import {
  configMap,
  definition,
  deployment,
  establish,
  lease,
  ok,
  refused,
  role,
  roleBinding,
  secret,
  widget,
  widgets,
  widgetsReady,
} from '../fixtures.ts'
import type { Case } from './case.ts'

const madeUpUid = '11111111-2222-4333-8444-555555555555'

export const cases: readonly Case[] = [
  {
    number: 30,
    title: 'creating the same name twice is AlreadyExists, with details',
    run: async s => {
      ok(await s.post(s.path('configmaps'), configMap('a')), 201)
      const again = await s.post(s.path('configmaps'), configMap('a'))
      refused(again, 409, 'AlreadyExists', 'configmaps "a" already exists')
      assert.deepEqual(again.body.details, { name: 'a', kind: 'configmaps' })
    },
  },
  {
    number: 31,
    title: 'generateName gets five safe characters and stays in the object',
    run: async s => {
      const { body } = ok(
        await s.post(s.path('configmaps'), { apiVersion: 'v1', kind: 'ConfigMap', metadata: { generateName: 'x-' } }),
        201,
      )
      assert.match(body.metadata.name, /^x-[bcdfghjklmnpqrstvwxz2456789]{5}$/)
      assert.equal(body.metadata.generateName, 'x-')
    },
  },
  {
    number: 32,
    title: 'a generateName of 60 characters is cut to 58',
    run: async s => {
      const generateName = 'g'.repeat(60)
      const { body } = ok(
        await s.post(s.path('configmaps'), { apiVersion: 'v1', kind: 'ConfigMap', metadata: { generateName } }),
        201,
      )
      assert.match(body.metadata.name, /^g{58}[a-z0-9]{5}$/)
    },
  },
  {
    number: 33,
    title: 'uid and creationTimestamp of the client are replaced',
    run: async s => {
      const metadata = { uid: madeUpUid, creationTimestamp: '2001-01-01T00:00:00Z', generation: 7, deletionGracePeriodSeconds: 5 }
      const { body } = ok(await s.post(s.path('configmaps'), configMap('a', {}, metadata)), 201)
      assert.notEqual(body.metadata.uid, madeUpUid)
      assert.notEqual(body.metadata.creationTimestamp, '2001-01-01T00:00:00Z')
      assert.equal(body.metadata.deletionGracePeriodSeconds, undefined)
      // A kind that does not count generations keeps the client's number; the real server does.
      assert.equal(body.metadata.generation, 7)
    },
  },
  {
    number: 34,
    title: 'a resourceVersion on create is refused',
    run: async s => {
      const reply = await s.post(s.path('configmaps'), configMap('a', {}, { resourceVersion: '5' }))
      refused(reply, 500, undefined, 'resourceVersion should not be set on objects to be created')
    },
  },
  {
    number: 35,
    title: 'a namespace in the body that is not that of the URL is refused',
    run: async s => {
      refused(await s.post(s.path('configmaps'), configMap('a', {}, { namespace: 'other' })), 400, 'BadRequest')
    },
  },
  {
    number: 36,
    title: 'creating in a missing namespace says which',
    run: async s => {
      refused(
        await s.post(s.path('configmaps', '', 'missing-one'), configMap('a')),
        404,
        'NotFound',
        'namespaces "missing-one" not found',
      )
    },
  },
  {
    number: 37,
    title: 'a bad name is Invalid at metadata.name',
    run: async s => {
      const reply = await s.post(s.path('configmaps'), configMap('Bad_Name'))
      refused(reply, 422, 'Invalid')
      assert.deepEqual(causes(reply.body), [['FieldValueInvalid', 'metadata.name']])
    },
  },
  {
    number: 38,
    title: 'a label value of 64 characters is Invalid at metadata.labels',
    run: async s => {
      const reply = await s.post(s.path('configmaps'), configMap('a', {}, { labels: { l: 'v'.repeat(64) } }))
      refused(reply, 422, 'Invalid')
      assert.deepEqual(causes(reply.body), [['FieldValueInvalid', 'metadata.labels']])
      ok(await s.post(s.path('configmaps'), configMap('a', {}, { labels: { l: 'v'.repeat(63) } })), 201)
    },
  },
  {
    number: 39,
    title: 'annotations over 256 KiB are too long',
    noVector: 'its size',
    run: async s => {
      const reply = await s.post(s.path('configmaps'), configMap('a', {}, { annotations: { k: 'x'.repeat(262144) } }))
      refused(reply, 422, 'Invalid')
      assert.deepEqual(causes(reply.body), [['FieldValueTooLong', 'metadata.annotations']])
    },
  },
  {
    number: 40,
    title: 'owner references need a uid, and one controller at most',
    run: async s => {
      const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'o' }
      refused(await s.post(s.path('configmaps'), configMap('a', {}, { ownerReferences: [owner] })), 422, 'Invalid')
      const controllers = [1, 2].map(n => ({ ...owner, name: `o${n}`, uid: `${n}${madeUpUid.slice(1)}`, controller: true }))
      refused(await s.post(s.path('configmaps'), configMap('a', {}, { ownerReferences: controllers })), 422, 'Invalid')
    },
  },
  {
    number: 41,
    title: 'a repeated owner reference is stored once, with a warning',
    run: async s => {
      const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'o', uid: madeUpUid }
      const { body, headers } = ok(
        await s.post(s.path('configmaps'), configMap('a', {}, { ownerReferences: [owner, owner] })),
        201,
      )
      assert.equal(body.metadata.ownerReferences.length, 1)
      assert.match(String(headers['warning']), /contains duplicate entries/)
    },
  },
  {
    number: 42,
    title: 'PUT under another name is refused',
    run: async s => {
      ok(await s.post(s.path('configmaps'), configMap('a')), 201)
      refused(await s.put(s.path('configmaps', 'a'), configMap('b')), 400, 'BadRequest')
    },
  },
  {
    number: 43,
    title: 'PUT with a stale resourceVersion is a Conflict',
    run: async s => {
      const { body } = ok(await s.post(s.path('configmaps'), configMap('a')), 201)
      ok(await s.put(s.path('configmaps', 'a'), configMap('a', { a: '2' })))
      const stale = configMap('a', { a: '3' }, { resourceVersion: body.metadata.resourceVersion })
      const reply = await s.put(s.path('configmaps', 'a'), stale)
      refused(
        reply,
        409,
        'Conflict',
        /^Operation cannot be fulfilled on configmaps "a": the object has been modified; please apply/,
      )
    },
  },
  {
    number: 44,
    title: 'PUT of a ConfigMap without resourceVersion is unconditional',
    run: async s => {
      ok(await s.post(s.path('configmaps'), configMap('a')), 201)
      assert.deepEqual(ok(await s.put(s.path('configmaps', 'a'), configMap('a', { b: '2' }))).body.data, { b: '2' })
    },
  },
  {
    number: 45,
    title: 'PUT of a custom resource without resourceVersion is refused',
    run: async s => {
      await widgetsReady(s)
      ok(await s.post(widgets(s), widget(s, 'w')), 201)
      const reply = await s.put(widgets(s, 'w'), widget(s, 'w', { size: 2 }))
      refused(reply, 422, 'Invalid', /metadata\.resourceVersion: Invalid value: .*: must be specified for an update/)
    },
  },
  {
    number: 46,
    title: 'PUT with another uid is a Conflict',
    run: async s => {
      ok(await s.post(s.path('configmaps'), configMap('a')), 201)
      const reply = await s.put(s.path('configmaps', 'a'), configMap('a', {}, { uid: madeUpUid }))
      refused(reply, 409, 'Conflict', /Precondition failed: UID in precondition: /)
    },
  },
  {
    number: 47,
    title: 'PUT of a missing ConfigMap is NotFound, of a missing Lease creates it',
    run: async s => {
      refused(await s.put(s.path('configmaps', 'a'), configMap('a')), 404, 'NotFound', 'configmaps "a" not found')
      ok(await s.put(s.path('leases.coordination.k8s.io/v1', 'l'), lease('l')), 201)
    },
  },
  {
    number: 48,
    title: 'PUT of the same content keeps the resourceVersion and makes no event',
    run: async s => {
      const { body } = ok(await s.post(s.path('configmaps'), configMap('a')), 201)
      const watch = await s.watch(`${s.path('configmaps')}?resourceVersion=${body.metadata.resourceVersion}`)
      const again = ok(await s.put(s.path('configmaps', 'a'), configMap('a')))
      assert.equal(again.body.metadata.resourceVersion, body.metadata.resourceVersion)
      ok(await s.post(s.path('configmaps'), configMap('marker')), 201)
      assert.equal((await watch.one()).object.metadata.name, 'marker')
    },
  },
  {
    number: 49,
    title: 'PATCH that changes nothing keeps the resourceVersion',
    run: async s => {
      const { body } = ok(await s.post(s.path('configmaps'), configMap('a')), 201)
      const again = ok(await s.patch(s.path('configmaps', 'a'), 'merge', { data: { a: '1' } }))
      assert.equal(again.body.metadata.resourceVersion, body.metadata.resourceVersion)
    },
  },
  {
    number: 50,
    title: 'generation grows with the spec, not with labels or status',
    run: async s => {
      await widgetsReady(s)
      assert.equal(ok(await s.post(widgets(s), widget(s, 'w', { size: 1 })), 201).body.metadata.generation, 1)
      const generationAfter = async (target: string, patch: object): Promise<number> =>
        ok(await s.patch(target, 'merge', patch as never)).body.metadata.generation
      assert.equal(await generationAfter(widgets(s, 'w'), { spec: { size: 2 } }), 2)
      assert.equal(await generationAfter(widgets(s, 'w'), { metadata: { labels: { a: 'b' } } }), 2)
      assert.equal(await generationAfter(widgets(s, 'w/status'), { status: { phase: 'Up' } }), 2)
    },
  },
  {
    number: 51,
    title: 'PUT on the main endpoint leaves status alone',
    run: async s => {
      await widgetsReady(s)
      ok(await s.post(widgets(s), widget(s, 'w', {}, { status: { phase: 'New' } })), 201)
      const { body } = ok(await s.patch(widgets(s, 'w/status'), 'merge', { status: { phase: 'Up' } }))
      const { resourceVersion } = body.metadata
      const put = ok(
        await s.put(widgets(s, 'w'), widget(s, 'w', { size: 2 }, { status: { phase: 'Down' } }, { resourceVersion })),
      )
      assert.deepEqual([put.body.status, put.body.spec.size], [{ phase: 'Up' }, 2])
    },
  },
  {
    number: 52,
    title: 'PUT on status changes only status',
    run: async s => {
      await widgetsReady(s)
      const { body } = ok(await s.post(widgets(s), widget(s, 'w', { size: 1 })), 201)
      const { resourceVersion } = body.metadata
      const wanted = widget(s, 'w', { size: 9 }, { status: { phase: 'Up' } }, { resourceVersion, labels: { new: 'label' } })
      const put = ok(await s.put(widgets(s, 'w/status'), wanted))
      assert.deepEqual([put.body.spec.size, put.body.metadata.labels, put.body.status], [1, undefined, { phase: 'Up' }])
    },
  },
  {
    number: 53,
    title: 'scale reads and writes replicas',
    run: async s => {
      await widgetsReady(s)
      ok(await s.post(widgets(s), widget(s, 'w', { replicas: 2 })), 201)
      ok(await s.patch(widgets(s, 'w/status'), 'merge', { status: { replicas: 1, selector: 'a=b' } }))
      const scale = ok(await s.get(widgets(s, 'w/scale'))).body
      assert.deepEqual(
        [scale.kind, scale.apiVersion, scale.spec, scale.status],
        ['Scale', 'autoscaling/v1', { replicas: 2 }, { replicas: 1, selector: 'a=b' }],
      )
      ok(await s.put(widgets(s, 'w/scale'), { ...scale, spec: { replicas: 5 } }))
      const { body } = ok(await s.get(widgets(s, 'w')))
      assert.deepEqual([body.spec.replicas, body.metadata.generation], [5, 2])
      ok(await s.patch(widgets(s, 'w/scale'), 'merge', { spec: { replicas: 6 } }))
      assert.equal(ok(await s.get(widgets(s, 'w'))).body.spec.replicas, 6)
    },
  },
  {
    number: 54,
    title: 'without the subresource there is no status endpoint',
    run: async s => {
      await establish(s, definition(s))
      const { body } = ok(await s.post(widgets(s), widget(s, 'w')), 201)
      const put = await s.put(widgets(s, 'w/status'), body)
      assert.equal(put.status, 404)
    },
  },
  {
    number: 55,
    title: 'a dry run is answered but nothing is kept and nobody is told',
    run: async s => {
      const first = ok(await s.post(s.path('configmaps'), configMap('first')), 201)
      const watch = await s.watch(`${s.path('configmaps')}?resourceVersion=${first.body.metadata.resourceVersion}`)
      ok(await s.post(`${s.path('configmaps')}?dryRun=All`, configMap('a')), 201)
      refused(await s.get(s.path('configmaps', 'a')), 404, 'NotFound')
      ok(await s.patch(`${s.path('configmaps', 'first')}?dryRun=All`, 'merge', { data: { b: '2' } }))
      ok(await s.delete(`${s.path('configmaps', 'first')}?dryRun=All`))
      ok(await s.post(s.path('configmaps'), configMap('marker')), 201)
      assert.equal((await watch.one()).object.metadata.name, 'marker')
    },
  },
  {
    number: 56,
    title: 'dryRun takes only All',
    run: async s => {
      refused(await s.post(`${s.path('configmaps')}?dryRun=foo`, configMap('a')), 422, 'Invalid')
    },
  },
  {
    number: 57,
    title: 'unknown fields are refused, warned of or dropped in silence, as fieldValidation says',
    run: async s => {
      await widgetsReady(s)
      for (const [at, body] of [
        [s.path('configmaps'), { ...(configMap('a') as object), nonsense: 1 }],
        [widgets(s), widget(s, 'a', { nonsense: 1, nested: { more: 2 } })],
      ] as const) {
        const named = (name: string) => ({ ...(body as object), metadata: { name } }) as never
        refused(
          await s.post(`${at}?fieldValidation=Strict`, named('strict')),
          400,
          'BadRequest',
          /strict decoding error: unknown field/,
        )
        assert.match(
          String(ok(await s.post(`${at}?fieldValidation=Warn`, named('warn')), 201).headers['warning']),
          /unknown field/,
        )
        assert.equal(ok(await s.post(`${at}?fieldValidation=Ignore`, named('ignore')), 201).headers['warning'], undefined)
        const silent = ok(await s.post(at, named('default')), 201)
        assert.match(String(silent.headers['warning']), /unknown field/)
        assert.ok(!JSON.stringify([silent.body.spec, silent.body.nonsense]).includes('nonsense'))
        refused(await s.post(`${at}?fieldValidation=Bogus`, named('bogus')), 422, 'Invalid')
      }
    },
  },
  {
    number: 58,
    title: 'of a duplicate key the last value wins, with a warning or a refusal',
    run: async s => {
      const raw = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"d"},"data":{"a":"1","a":"2"}}'
      refused(
        await s.send('POST', `${s.path('configmaps')}?fieldValidation=Strict`, { raw }),
        400,
        'BadRequest',
        /duplicate field "data.a"/,
      )
      const { body, headers } = ok(await s.send('POST', s.path('configmaps'), { raw }), 201)
      assert.deepEqual(body.data, { a: '2' })
      assert.match(String(headers['warning']), /duplicate field/)
    },
  },
  {
    number: 59,
    title: 'a field manager of 129 characters is too long',
    run: async s => {
      refused(await s.post(`${s.path('configmaps')}?fieldManager=${'m'.repeat(129)}`, configMap('a')), 422, 'Invalid')
      ok(await s.post(`${s.path('configmaps')}?fieldManager=${'m'.repeat(128)}`, configMap('a')), 201)
    },
  },
  {
    number: 60,
    title: 'stringData is merged into data and not returned',
    run: async s => {
      const { body } = ok(await s.post(s.path('secrets'), secret('a', { data: { x: 'MQ==' }, stringData: { y: '2' } })), 201)
      assert.deepEqual([body.data, body.stringData, body.type], [{ x: 'MQ==', y: 'Mg==' }, undefined, 'Opaque'])
    },
  },
  {
    number: 61,
    title: 'a Secret’s type and an immutable ConfigMap cannot change',
    run: async s => {
      ok(await s.post(s.path('secrets'), secret('a')), 201)
      refused(await s.patch(s.path('secrets', 'a'), 'merge', { type: 'other/type' }), 422, 'Invalid')
      ok(await s.post(s.path('configmaps'), { ...(configMap('a') as object), immutable: true }), 201)
      refused(await s.patch(s.path('configmaps', 'a'), 'merge', { data: { a: '2' } }), 422, 'Invalid')
      refused(await s.patch(s.path('configmaps', 'a'), 'merge', { immutable: false }), 422, 'Invalid')
      ok(await s.patch(s.path('configmaps', 'a'), 'merge', { metadata: { labels: { still: 'editable' } } }))
    },
  },
  {
    number: 62,
    title: 'roleRef cannot change',
    run: async s => {
      const rbac = 'rbac.authorization.k8s.io/v1'
      ok(await s.post(s.path(`roles.${rbac}`), role('r')), 201)
      ok(await s.post(s.path(`rolebindings.${rbac}`), roleBinding('b', 'r', 'u')), 201)
      const reply = await s.patch(s.path(`rolebindings.${rbac}`, 'b'), 'merge', { roleRef: { name: 'other' } })
      refused(reply, 422, 'Invalid', /cannot change roleRef/)
    },
  },
  {
    number: 63,
    title: 'a Deployment’s selector cannot change',
    run: async s => {
      ok(await s.post(s.path('deployments.apps/v1'), deployment('d')), 201)
      const labels = { app: 'other' }
      const reply = await s.patch(s.path('deployments.apps/v1', 'd'), 'merge', {
        spec: { selector: { matchLabels: labels }, template: { metadata: { labels } } },
      })
      refused(reply, 422, 'Invalid', /field is immutable/)
    },
  },
  {
    number: 64,
    title: 'a 64-bit integer beyond 2^53 keeps every digit',
    run: async s => {
      await widgetsReady(s)
      const raw = JSON.stringify(widget(s, 'big', { any: { n: 'N' } })).replace('"N"', '9007199254740993')
      assert.equal(ok(await s.send<Numbered>('POST', widgets(s), { raw }), 201).body.spec.any.n, '<int 9007199254740993>')
      assert.equal(ok(await s.get<Numbered>(widgets(s, 'big'))).body.spec.any.n, '<int 9007199254740993>')
    },
  },
]

type Numbered = Answer<{ readonly any: { readonly n: unknown } }>

function causes(status: Answer): [string, string][] {
  return status.details.causes.map(({ reason, field }) => [reason, field])
}
