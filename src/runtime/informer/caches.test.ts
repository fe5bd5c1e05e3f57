import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualClock, seededRandom, silentLog } from '#base'
import type { StoredObject } from '#kube'
import { Caches } from './caches.ts'

const type = { group: '', version: 'v1', kind: 'Secret', plural: 'secrets', namespaced: true }
const names = (object: StoredObject): StoredObject => object
const others = (object: StoredObject): StoredObject => object

for (const [what, wants, isPartial] of [
  ['nobody', [], false],
  ['one who needs it whole', [{}], false],
  ['one who needs a part', [{ project: names }], true],
  ['two who need the same part', [{ project: names }, { project: names }], true],
  ['two who need different parts', [{ project: names }, { project: others }], false],
  ['one who needs a part and one who needs it whole', [{ project: names }, {}], false],
  ['one who needs its metadata', [{ metadataOnly: true }], true],
] as const)
  test(`of a kind that is asked for by ${what} the cache keeps ${isPartial ? 'less than' : 'not less than'} the whole`, () => {
    const caches = new Caches({
      client: {} as never,
      clock: new ManualClock(),
      random: seededRandom(1),
      log: silentLog,
      fieldManagers: [],
    })
    for (const want of wants) caches.want({ type, ...want })
    assert.equal(caches.isPartial(type), isPartial)
  })
