// What an answer of the webhook rests on, and that it rests on nothing that is not whole.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { certSeen } from '../testing/cert-seen.fixture.ts'
import { Zones } from '../zones/zones.ts'
import { lookAtOthers } from './look.ts'

const own = certSeen({ spec: { subjectAlternativeNames: ['B.example.com', 'b.example.org'] } }).claim ?? assert.fail()
const other = certSeen({ metadata: { uid: 'uid-2' } }).claim ?? assert.fail()
const zones = new Zones([{ name: 'k8s.example.com', id: 'Z1' }])

test('before every Cert is known nothing is judged', () => {
  const look = (world: object | undefined) => lookAtOthers(own, { zones, world: () => world as never, hasPolicies: false })
  for (const world of [undefined, { isSynced: () => false }]) assert.throws(() => look(world), /is not complete yet/)
})

test('others are found by the first label of each name, each once, and without policies nothing is forbidden', () => {
  const asked: string[] = []
  const byIndex = (_: unknown, __: string, label: string): readonly unknown[] => (asked.push(label), [other])
  const seen = lookAtOthers(own, { zones, world: () => ({ isSynced: () => true, byIndex }) as never, hasPolicies: false })
  assert.deepEqual(asked, ['api-prod', 'b'])
  assert.deepEqual([seen.others, seen.registry, seen.forbidden(own, {} as never)], [[other], zones.registry, []])
})
