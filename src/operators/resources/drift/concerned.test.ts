import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ObjectKey, ResourceType, StoredObject } from '#kube'
import type { Reads } from '#runtime'
import { kindModel } from '../model/kind-model.ts'
import { shippedService } from '../services/shipped.ts'
import { claimsConcerned, eventIndex } from './concerned.ts'
import { namesIn } from './names.ts'

const { service } = shippedService('route53')
const kind = service.kinds['RecordSet']
if (kind === undefined) throw new Error('no RecordSet is shipped')
const model = kindModel(service, kind)

function record(name: string, hostedZoneID: string): StoredObject {
  const metadata = { namespace: 'apps', name, uid: name, resourceVersion: '1' }
  const status = { ackResourceMetadata: { ownerAccountID: '111122223333', region: 'eu-west-1' } }
  return { apiVersion: 'v1', kind: 'RecordSet', metadata, spec: { name, hostedZoneID }, status } as StoredObject
}

const held = [record('www', 'Z1'), record('mail', 'Z1'), record('www2', 'Z2')]
const world: Pick<Reads, 'byIndex' | 'isSynced'> = {
  isSynced: () => true,
  byIndex: ((_type: ResourceType, _index: string, value: string) =>
    held.filter(object => eventIndex(model).of(object).includes(value))) as Reads['byIndex'],
}

function concerned(named: readonly unknown[], account = '111122223333'): readonly ObjectKey[] {
  const source = 'route53.amazonaws.com'
  const notice = { source, account, region: 'us-east-1', requestId: undefined, isHarmless: false, names: namesIn(named) }
  return claimsConcerned(model, notice, world)
}

test('an event concerns what is known by several names only when it says all of them [9.7]', () => {
  assert.deepEqual(concerned(['/hostedzone/Z1', 'www.example.com.']), [{ namespace: 'apps', name: 'www', uid: 'www' }])
  assert.deepEqual(concerned(['/hostedzone/Z1']), [])
  assert.deepEqual(concerned(['/hostedzone/Z1', 'ftp.example.com.']), [])
})

test('an event of another account concerns nothing of ours [9.7]', () => {
  assert.deepEqual(concerned(['/hostedzone/Z1', 'www.example.com.'], '999900001111'), [])
})
