// A restart with many objects of many zones. How long it takes with two hundred, and in how much memory, `npm run bench -- dns` says.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pods } from '#kube'
import { awsKeys, awsSpec, dnsWorld, operandNamespace } from './testing/dns-world.ts'

const [objects, zonesOfEach] = [20, 10]

function specOf(index: number): object {
  const name = `n${index}.example.com`
  const zones = Array.from({ length: zonesOfEach }, (_, zone) => `Z${index}A${zone}`)
  return awsSpec({ domains: [{ filterType: 'Include', matchType: 'Exact', name }], zones })
}

test('while the operator is away operands go on, and on its return every object is looked at once, without waiting, and nothing is written [17.13, 20.9]', async () => {
  await using world = dnsWorld()
  const first = world.start()
  await world.secret('dns-creds', awsKeys)
  for (let index = 0; index < objects; index++) await world.create(specOf(index), `o${index}`)
  await world.settle()
  await world.advance(60_000)
  assert.equal((await world.said(`o${objects - 1}`)).Available, 'True/Available')
  world.writes()
  await first.stop()
  await world.advance(3_600_000)
  // Operands need no operator to go on.
  const pod = { namespace: operandNamespace, labelSelector: 'app.kubernetes.io/name=external-dns' }
  const { items } = await world.client.listAll(pods, pod)
  assert.equal(items.length, objects)
  const second = world.start()
  await world.settle()
  const looked = second.passes.filter(({ controller }) => controller === 'externaldns').map(({ key }) => key.name)
  assert.deepEqual([looked.length, new Set(looked).size], [objects, objects])
  assert.deepEqual(world.writes(), [])
})
