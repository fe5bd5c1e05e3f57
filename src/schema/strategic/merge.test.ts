import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../json.ts'
import { builtinKind } from '../kinds/kind.ts'
import type { MergeShape } from '../shape.ts'
import { strategicMergePatch } from './merge.ts'

const podShape = builtinKind('', 'v1', 'Pod')?.shape as MergeShape
const deploymentShape = builtinKind('apps', 'v1', 'Deployment')?.shape as MergeShape

function pod(containers: JsonObject[], metadata: JsonObject = { name: 'p' }): JsonObject {
  return { metadata, spec: { containers } }
}

function patched(current: JsonObject, patch: JsonObject, shape: MergeShape = podShape): JsonObject {
  const result = strategicMergePatch(current, patch, shape)
  assert.equal(result.kind, 'patched')
  return result.kind === 'patched' ? result.object : {}
}

const a = { name: 'a', image: 'a:1' }
const b = { name: 'b', image: 'b:1' }

test('a container patched by name leaves the others alone [#122]', () => {
  assert.deepEqual(patched(pod([a, b]), pod([{ name: 'b', image: 'b:2' }])), pod([a, { name: 'b', image: 'b:2' }]))
})

test('$patch: delete removes an item [#123]', () => {
  assert.deepEqual(patched(pod([a, b]), pod([{ name: 'a', $patch: 'delete' }])), pod([b]))
})

test('$setElementOrder puts the merged items in order [#124]', () => {
  const patch = {
    spec: { '$setElementOrder/containers': [{ name: 'c' }, { name: 'b' }, { name: 'a' }], containers: [{ name: 'c' }] },
  }
  assert.deepEqual(patched(pod([a, b]), patch), pod([{ name: 'c' }, b, a]))
})

test('$deleteFromPrimitiveList removes plain values, and lists of plain values merge as sets [#125]', () => {
  const current = pod([], { name: 'p', finalizers: ['x/a', 'x/b'] })
  const fewer = patched(current, { metadata: { '$deleteFromPrimitiveList/finalizers': ['x/a'] } })
  assert.deepEqual(fewer, pod([], { name: 'p', finalizers: ['x/b'] }))
  const more = patched(current, { metadata: { finalizers: ['x/c'] } })
  // As the real server does it: see the vectors of case 125.
  assert.deepEqual(more, pod([], { name: 'p', finalizers: ['x/c', 'x/a', 'x/b'] }))
})

test('$retainKeys drops what the patch does not keep [#126]', () => {
  const current = { spec: { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1 } } } }
  const patch = { spec: { strategy: { $retainKeys: ['type'], type: 'Recreate' } } }
  assert.deepEqual(patched(current, patch, deploymentShape), { spec: { strategy: { type: 'Recreate' } } })
})

test('null removes, and lists without a merge rule are replaced', () => {
  const current = { metadata: { labels: { a: '1', b: '2' } }, spec: { containers: [{ name: 'a', args: ['x', 'y'] }] } }
  const patch = { metadata: { labels: { a: null } }, spec: { containers: [{ name: 'a', args: ['z'] }] } }
  assert.deepEqual(patched(current, patch), {
    metadata: { labels: { b: '2' } },
    spec: { containers: [{ name: 'a', args: ['z'] }] },
  })
})

test('an item without its merge key does not fit, nor does a directive that there is not', () => {
  assert.deepEqual(strategicMergePatch(pod([a]), pod([{ image: 'x' }]), podShape), {
    kind: 'unfit',
    message: 'map: map[image:x] does not contain declared merge key: name',
  })
  for (const wanted of ['what', 'merge'])
    assert.deepEqual(strategicMergePatch(pod([a]), { spec: { $patch: wanted } }, podShape), {
      kind: 'unfit',
      message: `unknown patch type: ${wanted} in map: map[$patch:${wanted}]`,
    })
})

test('$patch: replace in a map and in a list replaces all', () => {
  const labels = patched({ metadata: { labels: { a: '1' } } }, { metadata: { labels: { $patch: 'replace', b: '2' } } })
  assert.deepEqual(labels, { metadata: { labels: { b: '2' } } })
  assert.deepEqual(patched(pod([a, b]), pod([{ $patch: 'replace' }, { name: 'z' }])), pod([{ name: 'z' }]))
})
