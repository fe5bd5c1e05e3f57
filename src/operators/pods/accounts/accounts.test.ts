// What direct reads brought, beside a watch that has brought nothing yet.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualClock, seededRandom, silentLog } from '#base'
import type { StoredObject } from '#kube'
import { createKubeClient } from '#kube/client'
import { Accounts } from './accounts.ts'

const account = (name: string, resourceVersion = '1'): StoredObject => ({
  apiVersion: 'v1',
  kind: 'ServiceAccount',
  metadata: { namespace: 'ns', name, uid: name, resourceVersion, creationTimestamp: '2026-01-01T00:00:00Z' },
})

function accountsOf() {
  const clock = new ManualClock()
  const exchange = () => Promise.reject(new Error('nothing is asked'))
  const client = createKubeClient({ clock, address: 'test', exchange })
  const options = { client, clock, random: seededRandom(1), log: silentLog, annotationPrefixes: [], identityAnnotations: [] }
  const accounts = new Accounts(options)
  const found = (name: string): string | undefined => accounts.find({ namespace: 'ns', name })?.metadata.resourceVersion
  return { clock, accounts, found }
}

test('what a read brought is known for a minute', async () => {
  const { clock, accounts, found } = accountsOf()
  accounts.learn(account('a'))
  await clock.advance(59_999)
  assert.equal(found('a'), '1')
  await clock.advance(1)
  assert.equal(found('a'), undefined)
})

test('a later read takes the place of an earlier one', () => {
  const { accounts, found } = accountsOf()
  accounts.learn(account('a'))
  accounts.learn(account('a', '2'))
  assert.equal(found('a'), '2')
})

test('a thousand are known, and each further one takes the place of the oldest', () => {
  const { accounts, found } = accountsOf()
  for (let index = 0; index < 1_000; index++) accounts.learn(account(`a${index}`))
  assert.equal(found('a0'), '1')
  accounts.learn(account('b'))
  assert.deepEqual([found('a0'), found('a1'), found('a999'), found('b')], [undefined, '1', '1', '1'])
})
