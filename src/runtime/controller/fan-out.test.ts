import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualClock, seededRandom, silentLog } from '#base'
import type { StoredObject } from '#kube'
import type { Change } from '../informer/change.ts'
import type { Reads } from '../informer/reads.ts'
import type { Watch } from './definition.ts'
import { FanOut } from './fan-out.ts'

const type = { group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps', namespaced: true }

function configMap(value: string): StoredObject {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { namespace: 'default', name: 'settings', uid: 'u', resourceVersion: value, annotations: { value } },
  } as StoredObject
}

/** With what it added, by name and lane. */
function fanningOut() {
  const added: string[] = []
  const fanOut = new FanOut({
    clock: new ManualClock(),
    random: seededRandom('fan-out'),
    log: silentLog,
    world: {} as Reads,
    add: ({ name }, lane) => added.push(`${name} ${lane}`),
  })
  return { fanOut, added }
}

test('what a claim can wait for comes after new and changed claims, and all else does not wait', () => {
  const { fanOut, added } = fanningOut()
  const watch: Watch = {
    type,
    toClaims: () => [
      { namespace: 'default', name: 'writer' },
      { namespace: 'default', name: 'reader' },
    ],
    canWait: (change: Change, { name }) => name === 'writer' && change.object.metadata.annotations?.['value'] === 'ours',
  }
  fanOut.change(watch, '', { kind: 'changed', previous: configMap('old'), object: configMap('theirs') })
  assert.deepEqual([...new Set(added.splice(0))], ['writer fresh', 'reader fresh'])
  fanOut.change(watch, '', { kind: 'changed', previous: configMap('old'), object: configMap('ours') })
  assert.deepEqual([...new Set(added)], ['writer drift', 'reader fresh'])
  fanOut.close()
})

test('what a restart finds can wait, and what comes later cannot; of what changed both sides are followed', () => {
  const { fanOut, added } = fanningOut()
  const watch: Watch = {
    type,
    toClaims: ({ metadata }) => [{ namespace: 'default', name: metadata.annotations?.['value'] ?? '' }],
  }
  fanOut.change(watch, '', { kind: 'added', initial: true, object: configMap('a') })
  fanOut.change(watch, '', { kind: 'added', initial: false, object: configMap('b') })
  fanOut.change(watch, '', { kind: 'changed', previous: configMap('c'), object: configMap('d') })
  fanOut.change(watch, '', { kind: 'removed', object: configMap('e') })
  assert.deepEqual(added, ['a drift', 'b fresh', 'c fresh', 'd fresh', 'e fresh'])
  assert.equal(fanOut.pending, 0)
  fanOut.close()
})
