// §13 for the Azure webhook: where upstream is at fault, by the numbers of its faults. F-15, F-16, F-18, F-20 and F-26 to F-29 are rows of the
// matrix, F-21 and F-24 stand in rows.test.ts, F-19 and F-23 in ../serve/azure-program.test.ts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { container, envOf, mountsOf, podOf } from '../testing/azure-rows.ts'
import { ask, openAzure, patched } from '../testing/azure-world.ts'

const withClient = { 'azure.workload.identity/client-id': '11111111-2222-4333-8444-555555555555' }
const accounts = { 'ns1/app': withClient }

test('a mount of our name at another path is kept, with a warning and all the variables [F-17]', async t => {
  const world = await openAzure(t, { accounts, flags: { 'admission-warnings': 'true' } })
  const volumeMounts = [{ name: 'azure-identity-token', mountPath: '/elsewhere' }]
  const pod = podOf({ spec: { containers: [container('c0', { volumeMounts })] } })
  const reply = await ask(world, pod)
  const after = patched(pod, reply)
  assert.deepEqual(mountsOf(after), [['azure-identity-token', '/elsewhere']])
  assert.equal(Object.keys(envOf(after)).length, 4)
  const path = '/var/run/secrets/azure/tokens'
  assert.deepEqual(reply.response?.warnings, [`the token is mounted at another path than the variables name (c0, ${path})`])
})

test('ServiceAccounts are listed before anybody asks about a pod, and no pod waits for a list [F-22]', async t => {
  const world = await openAzure(t, { accounts })
  const { lists } = world.cluster
  assert.ok(lists > 0)
  const pod = podOf()
  assert.equal(envOf(patched(pod, await ask(world, pod)))['AZURE_CLIENT_ID'], withClient['azure.workload.identity/client-id'])
  assert.deepEqual([world.cluster.lists, world.cluster.reads], [lists, []])
})
