// Catalogue 156-174: definitions, schemas, versions. Rules in CEL have vectors of their own (scripts/cel.ts).
import assert from 'node:assert/strict'
import { crds, definition, establish, isEstablished, ok, refused, widget, widgets, widgetsReady } from '../fixtures.ts'
import type { Reply } from '../session.ts'
import type { Json } from '../transcript.ts'
import type { Case } from './case.ts'

const specOf = (properties: Readonly<Record<string, Json>>, rest: object = {}): Json => ({
  type: 'object',
  properties: { spec: { type: 'object', properties, ...rest } },
})
const version = (name: string, rest: object = {}): Json => ({
  name,
  served: true,
  storage: name === 'v1',
  schema: { openAPIV3Schema: specOf({ a: { type: 'string' } }) },
  ...rest,
})

/** Schemas that are refused, and some that look as if they should be; what is wrong is told by the real server. */
const schemas: Readonly<Record<string, Json>> = {
  'no type at the root': { properties: { spec: { type: 'object' } } },
  'no type within': { type: 'object', properties: { spec: { properties: { a: { type: 'string' } } } } },
  'a root that is no object': { type: 'string' },
  'additionalProperties at the root': { type: 'object', additionalProperties: { type: 'string' } },
  'properties and additionalProperties': specOf({
    a: { type: 'object', properties: { b: { type: 'string' } }, additionalProperties: { type: 'string' } },
  }),
  'items missing': specOf({ a: { type: 'array' } }),
  'type in allOf': specOf({ a: { type: 'string', allOf: [{ type: 'string' }] } }),
  'junctor about an undeclared field': specOf({
    a: { type: 'object', anyOf: [{ required: ['b'] }, { properties: { b: { minimum: 1 } } }] },
  }),
  uniqueItems: specOf({ a: { type: 'array', uniqueItems: true, items: { type: 'string' } } }),
  'a reference': specOf({ a: { $ref: '#/definitions/x' } }),
  'metadata with a label schema': {
    type: 'object',
    properties: {
      metadata: { type: 'object', properties: { labels: { type: 'object', additionalProperties: { type: 'string' } } } },
    },
  },
  'metadata with a name pattern': {
    type: 'object',
    properties: { metadata: { type: 'object', properties: { name: { type: 'string', pattern: '^a' } } } },
  },
  'map list without keys': specOf({
    a: { type: 'array', 'x-kubernetes-list-type': 'map', items: { type: 'object', properties: { k: { type: 'string' } } } },
  }),
  'map list with an optional key': specOf({
    a: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['k'],
      items: { type: 'object', properties: { k: { type: 'string' } } },
    },
  }),
  'map list with an unknown key': specOf({
    a: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['z'],
      items: { type: 'object', properties: { k: { type: 'string' } } },
    },
  }),
  'set of objects': specOf({
    a: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'object', properties: { k: { type: 'string' } } } },
  }),
  'list type on a string': specOf({ a: { type: 'string', 'x-kubernetes-list-type': 'atomic' } }),
  'unknown list type': specOf({ a: { type: 'array', 'x-kubernetes-list-type': 'bag', items: { type: 'string' } } }),
  'map type on a list': specOf({ a: { type: 'array', 'x-kubernetes-map-type': 'atomic', items: { type: 'string' } } }),
  'a default that is invalid': specOf({ a: { type: 'integer', maximum: 3, default: 5 } }),
  'a default of the wrong type': specOf({ a: { type: 'integer', default: 'x' } }),
  'a default with unknown fields': specOf({ a: { type: 'object', properties: { b: { type: 'string' } }, default: { c: 'x' } } }),
  'a null default': specOf({ a: { type: 'string', default: null } }),
  'a pattern that does not compile': specOf({ a: { type: 'string', pattern: '(' } }),
  'a pattern only JavaScript knows': specOf({ a: { type: 'string', pattern: '(?<=a)b' } }),
  'an unknown format': specOf({ a: { type: 'string', format: 'nonsense' } }),
  'an unknown type': specOf({ a: { type: 'text' } }),
  'int-or-string with a type': specOf({ a: { type: 'integer', 'x-kubernetes-int-or-string': true } }),
  'int-or-string as usual': specOf({
    a: { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] },
  }),
  'embedded without properties': specOf({ a: { type: 'object', 'x-kubernetes-embedded-resource': true } }),
  'preserve-unknown false': specOf({ a: { type: 'object', 'x-kubernetes-preserve-unknown-fields': false } }),
  'enum twice the same': specOf({ a: { type: 'string', enum: ['x', 'x'] } }),
  'nullable root': { type: 'object', nullable: true },
}

export const cases: readonly Case[] = [
  {
    number: 156,
    title: 'definitions that are refused, and for what',
    run: async s => {
      const post = (crd: Json): Promise<Reply> => s.post(`${crds}?dryRun=All`, crd)
      refused(
        await post(definition(s, { versions: [{ name: 'v1', served: true, storage: true }] })),
        422,
        'Invalid',
        /spec\.versions\[0\]\.schema\.openAPIV3Schema: Required value/,
      )
      refused(await post(definition(s, { versions: [version('v1'), version('v2', { storage: true })] })), 422, 'Invalid')
      refused(await post(definition(s, { versions: [version('v1', { storage: false })] })), 422, 'Invalid')
      refused(await post(definition(s, { versions: [] })), 422, 'Invalid')
      refused(await post(definition(s, { versions: [version('v1'), version('v1', { storage: false })] })), 422, 'Invalid')
      refused(await post(definition(s, { metadata: { name: 'wrong.example.com' } })), 422, 'Invalid', /metadata.name/)
      refused(await post(definition(s, { names: { plural: 'Widgets' } })), 422, 'Invalid')
      refused(await post(definition(s, { names: { kind: 'widget list' } })), 422, 'Invalid')
      refused(await post(definition(s, { spec: { scope: 'Galaxy' } })), 422, 'Invalid')
      refused(await post(definition(s, { spec: { preserveUnknownFields: true } })), 422, 'Invalid')
      refused(await post(definition(s, { spec: { conversion: { strategy: 'Webhook' } } })), 422, 'Invalid')
      refused(await post(definition(s, { spec: { group: 'x.k8s.io' }, metadata: { name: 'widgets.x.k8s.io' } })), 422, 'Invalid')
      refused(
        await post(definition(s, { version: { additionalPrinterColumns: [{ name: 'A', type: 'nonsense', jsonPath: '.a' }] } })),
        422,
        'Invalid',
      )
      refused(
        await post(definition(s, { version: { additionalPrinterColumns: [{ name: 'A', type: 'string', jsonPath: 'a[' }] } })),
        422,
        'Invalid',
      )
      refused(await post(definition(s, { version: { selectableFields: [{ jsonPath: '.spec.nope' }] } })), 422, 'Invalid')
      refused(await post(definition(s, { version: { selectableFields: [{ jsonPath: '.metadata.name' }] } })), 422, 'Invalid')
      refused(
        await post(
          definition(s, { version: { subresources: { scale: { specReplicasPath: '.nope', statusReplicasPath: '.status.r' } } } }),
        ),
        422,
        'Invalid',
      )
    },
  },
  {
    number: 157,
    title: 'schemas that are refused, and for what',
    run: async s => {
      for (const schema of Object.values(schemas)) await s.post(`${crds}?dryRun=All`, definition(s, { schema }))
      refused(await s.post(`${crds}?dryRun=All`, definition(s, { schema: schemas['no type within'] as Json })), 422, 'Invalid')
    },
  },
  {
    number: 158,
    title: 'a definition becomes established and says so',
    run: async s => {
      ok(await s.post(crds, definition(s)), 201)
      const { body } = await s.until(`${crds}/widgets.${s.group}`, isEstablished)
      const conditions = Object.fromEntries(body.status.conditions.map(one => [one.type, [one.status, one.reason]]))
      assert.deepEqual(conditions, { NamesAccepted: ['True', 'NoConflicts'], Established: ['True', 'InitialNamesAccepted'] })
      assert.deepEqual(body.status.acceptedNames, {
        plural: 'widgets',
        singular: 'widget',
        kind: 'Widget',
        listKind: 'WidgetList',
      })
      assert.deepEqual(body.status.storedVersions, ['v1'])
    },
  },
  {
    number: 159,
    title: 'a second definition with the same kind is not accepted',
    run: async s => {
      await establish(s, definition(s))
      ok(await s.post(crds, definition(s, { plural: 'widgetries', kind: 'Widget' })), 201)
      const denied = (reply: Reply): boolean =>
        reply.body.status?.conditions?.some(one => one.type === 'NamesAccepted' && one.status === 'False')
      const { body } = await s.until(`${crds}/widgetries.${s.group}`, denied)
      const names = body.status.conditions.find(one => one.type === 'NamesAccepted')
      assert.match(names?.reason ?? '', /Conflict/)
      assert.equal(isEstablished({ status: 200, headers: {}, body }), false)
      assert.equal((await s.get(s.path(`widgetries.${s.group}/v1`))).status, 404)
    },
  },
  {
    number: 160,
    title: 'an object can be created as soon as the definition says Established',
    run: async s => {
      const watch = await s.watch(`${crds}?fieldSelector=metadata.name%3Dwidgets.${s.group}`)
      ok(await s.post(crds, definition(s)), 201)
      for (;;) {
        const event = await watch.one()
        if (isEstablished({ status: 200, headers: {}, body: event.object })) break
      }
      const reply = await s.post(s.path(`widgets.${s.group}/v1`), {
        ...(widget(s, 'w') as object),
        apiVersion: `${s.group}/v1`,
      } as Json)
      assert.ok(reply.status === 201 || (s.target.name === 'real' && reply.status === 404), JSON.stringify(reply.body))
    },
    noVector: 'the real server may need a moment more',
  },
  {
    number: 161,
    title: 'unknown fields are pruned, except where they are preserved; embedded objects keep their metadata',
    run: async s => {
      const embedded: Json = {
        type: 'object',
        'x-kubernetes-embedded-resource': true,
        properties: { spec: { type: 'object', properties: { a: { type: 'string' } } } },
      }
      const known: Json = {
        type: 'object',
        'x-kubernetes-preserve-unknown-fields': true,
        properties: { inner: { type: 'object', properties: { a: { type: 'string' } } } },
      }
      await establish(
        s,
        definition(s, {
          schema: specOf({
            embedded,
            known,
            list: { type: 'array', items: { type: 'object', properties: { a: { type: 'string' } } } },
          }),
        }),
      )
      const spec = {
        unknown: 1,
        known: { extra: { deep: 1 }, inner: { a: '1', gone: 2 } },
        list: [{ a: '1', gone: 2 }],
        embedded: {
          apiVersion: 'v1',
          kind: 'X',
          metadata: { name: 'n', labels: { l: 'v' }, nonsense: 1 },
          spec: { a: '1', gone: 2 },
          gone: 3,
        },
      }
      const { body } = ok(await s.post(widgets(s), widget(s, 'w', spec, { gone: 1 })), 201)
      assert.deepEqual(body.spec, {
        known: { extra: { deep: 1 }, inner: { a: '1' } },
        list: [{ a: '1' }],
        embedded: { apiVersion: 'v1', kind: 'X', metadata: { name: 'n', labels: { l: 'v' } }, spec: { a: '1' } },
      })
      await s.post(`${widgets(s)}?fieldValidation=Strict`, widget(s, 'strict', spec, { gone: 1 }))
      await s.post(widgets(s), widget(s, 'bad', { embedded: { apiVersion: 'v1', kind: 'X', metadata: { name: 5 } } }))
      await s.post(widgets(s), widget(s, 'bare', { embedded: { spec: {} } }))
    },
  },
  {
    number: 162,
    title: 'defaults fill what is absent or null, in answers and for what was stored before',
    run: async s => {
      await widgetsReady(s)
      assert.equal(ok(await s.post(widgets(s), widget(s, 'omitted')), 201).body.spec.color, 'red')
      assert.equal(ok(await s.post(widgets(s), widget(s, 'null', { color: null, size: null })), 201).body.spec.color, 'red')
      await establish(s, definition(s, { schema: specOf({ a: { type: 'string' } }) }))
      ok(await s.post(widgets(s), widget(s, 'old')), 201)
      const path = '/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/b'
      const value = {
        type: 'object',
        default: { x: 1 },
        properties: { x: { type: 'integer' }, y: { type: 'integer', default: 2 } },
      }
      ok(await s.patch(`${crds}/widgets.${s.group}`, 'json', [{ op: 'add', path, value }]))
      const { body } = await s.until(widgets(s, 'old'), reply => reply.body.spec?.b !== undefined)
      assert.deepEqual(body.spec.b, { x: 1, y: 2 })
    },
  },
  {
    number: 163,
    title: 'values that are refused, and for what',
    run: async s => {
      await widgetsReady(s)
      const reply = await s.post(
        widgets(s),
        widget(s, 'w', {
          size: 11,
          color: 'green',
          tags: ['a', 'a'],
          items: [{ name: 'x' }, { name: 'x' }],
          nested: { x: 1, n: '1' },
        }),
      )
      refused(reply, 422, 'Invalid')
      for (const spec of [
        { size: 11 },
        { size: 0 },
        { size: 'x' },
        { size: 1.5 },
        { size: 1.0 },
        { color: 'green' },
        { color: 1 },
        { tags: ['a', 'a'] },
        { tags: 'a' },
        { items: [{ name: 'x' }, { name: 'x' }] },
        { items: [{ value: 'x' }] },
        { items: [{ name: null }] },
        { items: {} },
        { nested: [] },
        { nested: { x: 1 } },
        { list: [1] },
      ] as Record<string, Json>[]) {
        await s.post(`${widgets(s)}?dryRun=All`, widget(s, 'w', spec))
      }
      await s.post(`${widgets(s)}?dryRun=All`, { ...(widget(s, 'w') as object), spec: 'x' } as Json)
    },
  },
  {
    number: 171,
    title: 'two versions without conversion differ in apiVersion and schema only',
    run: async s => {
      const second = {
        storage: false,
        schema: { openAPIV3Schema: specOf({ a: { type: 'string' }, b: { type: 'string', default: 'two' } }) },
      }
      await establish(s, definition(s, { versions: [version('v1'), version('v2', second)] }))
      ok(await s.post(widgets(s), widget(s, 'w', { a: '1' })), 201)
      const { body } = await s.until(widgets(s, 'w', 'v2'), reply => reply.status === 200)
      // Defaults of the version asked for are not put into what was stored under another.
      assert.deepEqual([body.apiVersion, body.spec], [`${s.group}/v2`, { a: '1' }])
      const updated = ok(await s.patch(widgets(s, 'w', 'v2'), 'merge', { spec: { a: '2', b: 'x' } }))
      // What the stored version does not know is lost, also for the version that does.
      assert.deepEqual(updated.body.spec, { a: '2' })
      assert.deepEqual(ok(await s.get(widgets(s, 'w'))).body.spec, { a: '2' })
      const list = ok(await s.get(widgets(s, '', 'v2')))
      assert.deepEqual([list.body.apiVersion, list.body.items[0]?.apiVersion], [`${s.group}/v2`, `${s.group}/v2`])
    },
  },
  {
    number: 173,
    title: 'deleting a definition deletes its objects and then the resource',
    run: async s => {
      await establish(s, definition(s))
      ok(await s.post(widgets(s), widget(s, 'held', {}, {}, { finalizers: ['example.com/hold'] })), 201)
      ok(await s.post(widgets(s), widget(s, 'free')), 201)
      const { body } = ok(await s.delete(`${crds}/widgets.${s.group}`))
      assert.deepEqual(body.metadata.finalizers, ['customresourcecleanup.apiextensions.k8s.io'])
      const terminating = (reply: Reply): boolean =>
        reply.body.status.conditions.some(one => one.type === 'Terminating' && one.status === 'True')
      await s.until(`${crds}/widgets.${s.group}`, terminating)
      await s.until(widgets(s, 'free'), reply => reply.status === 404)
      refused(
        await s.post(widgets(s), widget(s, 'late')),
        403,
        'Forbidden',
        /create not allowed while custom resource definition is terminating/,
      )
      ok(await s.patch(widgets(s, 'held'), 'merge', { metadata: { finalizers: null } }))
      await s.until(`${crds}/widgets.${s.group}`, reply => reply.status === 404)
      await s.until(widgets(s), reply => reply.status === 404)
    },
  },
  {
    number: 174,
    title: 'a deprecated version warns',
    run: async s => {
      const deprecated = version('v1', { deprecated: true })
      const worded = version('v2', { storage: false, deprecated: true, deprecationWarning: 'use v3 instead' })
      await establish(s, definition(s, { versions: [deprecated, worded] }))
      assert.match(String((await s.get(widgets(s))).headers['warning']), /299 - ".*example.com\/v1 Widget is deprecated"/)
      const second = await s.until(widgets(s, '', 'v2'), reply => reply.status === 200)
      assert.equal(String(second.headers['warning']), '299 - "use v3 instead"')
    },
  },
]
