import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Alone, type Given } from './alone.fixture.ts'
import { nodeLifecycle } from './node-lifecycle.ts'

const taint = (name: string, effect: string): object => ({ key: `node.kubernetes.io/${name}`, effect })
const notReady = [taint('not-ready', 'NoSchedule'), taint('not-ready', 'NoExecute')]
const unreachable = [taint('unreachable', 'NoSchedule'), taint('unreachable', 'NoExecute')]
const foreign = { key: 'a.b/c', effect: 'NoSchedule' }

function node(ready: string | undefined, taints: readonly object[] | undefined): Given {
  const conditions =
    ready === undefined
      ? []
      : [
          { type: 'Other', status: 'Unknown' },
          { type: 'Ready', status: ready },
        ]
  return { kind: 'Node', metadata: { name: 'n' }, ...(taints && { spec: { taints } }), status: { conditions } }
}

type Row = readonly [
  ready: string | undefined,
  present: readonly object[] | undefined,
  wanted: readonly object[] | null | undefined,
]
const rows: readonly Row[] = [
  ['True', undefined, undefined],
  ['True', [foreign], undefined],
  ['True', notReady, null],
  ['True', [foreign, ...unreachable], [foreign]],
  ['True', [taint('not-ready', 'PreferNoSchedule')], undefined],
  ['False', undefined, notReady],
  ['False', notReady, undefined],
  ['False', [foreign, ...unreachable], [foreign, ...notReady]],
  ['False', notReady.slice(1), [...notReady.slice(1), ...notReady.slice(0, 1)]],
  ['Unknown', notReady, unreachable],
  ['Unknown', [...notReady, ...unreachable], unreachable],
  ['Other', notReady, undefined],
  [undefined, notReady, undefined],
]

for (const [ready, present, wanted] of rows)
  test(`a node that says ${ready ?? 'nothing'} with ${present?.length ?? 'no'} taints ${wanted === undefined ? 'is left' : `gets ${wanted?.length ?? 'none'}`}`, async () => {
    const world = new Alone(nodeLifecycle)
    world.put(node(ready, present))
    const { asked, again } = await world.look('n')
    assert.equal(again, undefined)
    const { resourceVersion } = world.get('nodes', 'n').metadata
    const body = { metadata: { resourceVersion }, spec: { taints: wanted } }
    assert.deepEqual(asked, wanted === undefined ? [] : [{ what: 'PATCH /api/v1/nodes/n', body }])
  })

test('a node is looked at until it is gone', async () => {
  const world = new Alone(nodeLifecycle)
  assert.deepEqual(await world.requests('n'), [])
  assert.deepEqual(world.put(node('True', [])), ['n'])
  assert.deepEqual(
    world.change('nodes', 'n', object => void (object.status = {})),
    ['n'],
  )
  assert.deepEqual(world.remove('nodes', 'n'), [])
  assert.deepEqual(world.put({ kind: 'Pod', metadata: { name: 'n' } }), [])
})
