// Catalogue 118-129: the three patches that are not apply.
import assert from 'node:assert/strict'
import type { Answer } from '../../../../src/apiserver/ask.fixture.ts'
import { configMap, deployment, ok, refused, widget, widgets, widgetsReady } from '../fixtures.ts'
import type { Reply, Session } from '../session.ts'
import type { Case } from './case.ts'

const deployments = (s: Session, name = ''): string => s.path('deployments.apps/v1', name)

export const cases: readonly Case[] = [
  {
    number: 118,
    title: 'a JSON patch appends; a failing test refuses',
    run: async s => {
      await widgetsReady(s)
      ok(await s.post(widgets(s), widget(s, 'w', { tags: ['a'] })), 201)
      const { body } = ok(await s.patch(widgets(s, 'w'), 'json', [{ op: 'add', path: '/spec/tags/-', value: 'b' }]))
      assert.deepEqual(body.spec.tags, ['a', 'b'])
      refused(await s.patch(widgets(s, 'w'), 'json', [{ op: 'test', path: '/spec/tags/0', value: 'z' }]), 422, 'Invalid')
    },
  },
  {
    number: 119,
    title: 'a JSON patch that points nowhere is refused',
    run: async s => {
      ok(await s.post(s.path('configmaps'), configMap('a')), 201)
      for (const operation of [
        { op: 'remove', path: '/data/missing' },
        { op: 'add', path: '/missing/deep/path', value: 'x' },
        { op: 'move', from: '/data/missing', path: '/data/b' },
      ]) {
        refused(await s.patch(s.path('configmaps', 'a'), 'json', [operation]), 422, 'Invalid')
      }
      // Not by the RFC, but what the real server's library does.
      const replaced = ok(
        await s.patch(s.path('configmaps', 'a'), 'json', [{ op: 'replace', path: '/data/missing', value: 'x' }]),
      )
      assert.deepEqual(replaced.body.data, { a: '1', missing: 'x' })
      ok(await s.patch(s.path('configmaps', 'a'), 'json', [{ op: 'move', from: '/data/a', path: '/data/b' }]))
      // The key "c/d" is no ConfigMap key, so the patched object is invalid: escapes were understood.
      const escaped = await s.patch(s.path('configmaps', 'a'), 'json', [{ op: 'copy', from: '/data/b', path: '/data/c~1d' }])
      refused(escaped, 422, 'Invalid', /data\[c\/d\]/)
    },
  },
  {
    number: 120,
    title: 'null in a merge patch removes',
    run: async s => {
      ok(await s.post(s.path('configmaps'), configMap('a', { a: '1', b: '2' })), 201)
      assert.deepEqual(ok(await s.patch(s.path('configmaps', 'a'), 'merge', { data: { a: null } })).body.data, { b: '2' })
      refused(await s.patch(s.path('configmaps', 'a'), 'merge', [1, 2]), 400, 'BadRequest')
      refused(
        await s.send('PATCH', s.path('configmaps', 'a'), { raw: '{"data":', type: 'application/merge-patch+json' }),
        400,
        'BadRequest',
      )
    },
  },
  {
    number: 121,
    title: 'a stale resourceVersion in a merge patch is a Conflict; without one it is unconditional',
    run: async s => {
      await widgetsReady(s)
      const { body } = ok(await s.post(widgets(s), widget(s, 'w')), 201)
      ok(await s.patch(widgets(s, 'w'), 'merge', { spec: { size: 2 } }))
      const stale = { metadata: { resourceVersion: body.metadata.resourceVersion }, spec: { size: 3 } }
      refused(await s.patch(widgets(s, 'w'), 'merge', stale), 409, 'Conflict')
      ok(await s.patch(widgets(s, 'w'), 'merge', { spec: { size: 3 } }))
    },
  },
  {
    number: 122,
    title: 'a strategic patch changes one container by name',
    run: async s => {
      await twoContainers(s)
      const { body } = ok(await strategic(s, { containers: [{ name: 'b', image: 'example.com/b:2' }] }))
      assert.deepEqual(images(body), ['a=example.com/a:1', 'b=example.com/b:2'])
      const unnamed = await strategic(s, { containers: [{ image: 'no-name' }] })
      refused(unnamed, 500, undefined, 'map: map[image:no-name] does not contain declared merge key: name')
    },
  },
  {
    number: 123,
    title: 'a strategic patch deletes one container by name',
    run: async s => {
      await twoContainers(s)
      assert.deepEqual(images(ok(await strategic(s, { containers: [{ name: 'a', $patch: 'delete' }] })).body), [
        'b=example.com/b:1',
      ])
      const replaced = ok(await strategic(s, { containers: [{ $patch: 'replace' }, { name: 'c', image: 'example.com/c:1' }] }))
      assert.deepEqual(images(replaced.body), ['c=example.com/c:1'])
      assert.equal((await strategic(s, { containers: [{ name: 'c', $patch: 'nonsense' }] })).status, 500)
    },
  },
  {
    number: 124,
    title: 'a strategic patch orders a merged list',
    run: async s => {
      await twoContainers(s)
      const patch = {
        '$setElementOrder/containers': [{ name: 'b' }, { name: 'a' }],
        containers: [{ name: 'a', image: 'example.com/a:2' }],
      }
      assert.deepEqual(images(ok(await strategic(s, patch)).body), ['b=example.com/b:1', 'a=example.com/a:2'])
      const inserted = {
        '$setElementOrder/containers': [{ name: 'b' }, { name: 'c' }, { name: 'a' }],
        containers: [{ name: 'c', image: 'example.com/c:1' }],
      }
      assert.deepEqual(images(ok(await strategic(s, inserted)).body), [
        'b=example.com/b:1',
        'c=example.com/c:1',
        'a=example.com/a:2',
      ])
    },
  },
  {
    number: 125,
    title: 'a strategic patch deletes from a set of strings',
    run: async s => {
      ok(await s.post(s.path('configmaps'), configMap('a', {}, { finalizers: ['example.com/a', 'example.com/b'] })), 201)
      const at = s.path('configmaps', 'a')
      const merged = ok(await s.patch(at, 'strategic', { metadata: { finalizers: ['example.com/c'] } }))
      assert.deepEqual(merged.body.metadata.finalizers, ['example.com/c', 'example.com/a', 'example.com/b'])
      const { body } = ok(
        await s.patch(at, 'strategic', { metadata: { '$deleteFromPrimitiveList/finalizers': ['example.com/a'] } }),
      )
      assert.deepEqual(body.metadata.finalizers, ['example.com/c', 'example.com/b'])
    },
  },
  {
    number: 126,
    title: 'a strategic patch with retainKeys drops what the other strategy had',
    run: async s => {
      ok(await s.post(deployments(s), deployment('d')), 201)
      const { body } = ok(
        await s.patch(deployments(s, 'd'), 'strategic', { spec: { strategy: { $retainKeys: ['type'], type: 'Recreate' } } }),
      )
      assert.deepEqual(body.spec.strategy, { type: 'Recreate' })
    },
  },
  {
    number: 127,
    title: 'a custom resource takes no strategic patch',
    run: async s => {
      await widgetsReady(s)
      ok(await s.post(widgets(s), widget(s, 'w')), 201)
      refused(await s.patch(widgets(s, 'w'), 'strategic', { spec: { size: 2 } }), 415, 'UnsupportedMediaType')
    },
  },
  {
    number: 128,
    title: 'PATCH with plain JSON is refused',
    run: async s => {
      ok(await s.post(s.path('configmaps'), configMap('a')), 201)
      refused(
        await s.send('PATCH', s.path('configmaps', 'a'), { body: {}, type: 'application/json' }),
        415,
        'UnsupportedMediaType',
      )
    },
  },
  {
    number: 129,
    title: 'force goes with apply only',
    run: async s => {
      ok(await s.post(s.path('configmaps'), configMap('a')), 201)
      refused(await s.patch(`${s.path('configmaps', 'a')}?force=true`, 'merge', {}), 422, 'Invalid')
    },
  },
]

async function twoContainers(s: Session): Promise<void> {
  const containers = [
    { name: 'a', image: 'example.com/a:1' },
    { name: 'b', image: 'example.com/b:1' },
  ]
  const labels = { app: 'd' }
  ok(await s.post(deployments(s), deployment('d', { template: { metadata: { labels }, spec: { containers } } })), 201)
}

interface DeploymentSpec {
  readonly template: { readonly spec: { readonly containers: readonly { readonly name: string; readonly image: string }[] } }
}
type Deployment = Answer<DeploymentSpec>

function strategic(s: Session, podSpec: object): Promise<Reply<Deployment>> {
  return s.patch(deployments(s, 'd'), 'strategic', { spec: { template: { spec: podSpec as never } } })
}

function images(body: Deployment): string[] {
  return body.spec.template.spec.containers.map(({ name, image }) => `${name}=${image}`)
}
