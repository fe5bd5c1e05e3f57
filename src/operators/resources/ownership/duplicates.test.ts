import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseAccountId } from '#aws'
import type { ResourceType } from '#kube'
import type { Reads } from '#runtime'
import type { Resource } from '../api.ts'
import { kindModel } from '../model/kind-model.ts'
import { shippedService } from '../services/shipped.ts'
import { olderOwner, ownerIndex } from './duplicates.ts'

const { service } = shippedService('iam')
const kind = service.kinds['Role']
if (kind === undefined) throw new Error('no Role is shipped')
const model = kindModel(service, kind)

function claim(name: string, creationTimestamp: string, finalizers: readonly string[] = [model.finalizer]): Resource {
  const metadata = { namespace: 'apps', name, uid: `uid-${name}`, resourceVersion: '1', creationTimestamp, finalizers }
  const status = { ackResourceMetadata: { arn: 'arn:aws:iam::111122223333:role/one' } }
  return { apiVersion: 'iam.services.k8s.aws/v1alpha1', kind: 'Role', metadata, spec: {}, status } as unknown as Resource
}

function ownerOf(asking: Resource, ...others: readonly Resource[]): string | undefined {
  const reads = {
    byIndex: (_type: ResourceType, _index: string, arn: string) =>
      [asking, ...others].filter(each =>
        ownerIndex({ model, deviation: {} })
          .of(each as never)
          .includes(arn),
      ),
  } as unknown as Reads
  const place = { account: parseAccountId('111122223333'), partition: 'aws', region: 'eu-west-1' }
  return olderOwner({ model, deviation: {}, claim: asking, place, content: { spec: {}, status: {} } }, reads)
}

const [older, younger] = [claim('old', '2026-01-01T00:00:00Z'), claim('new', '2026-01-02T00:00:00Z')]

test('of two claims of one resource the older one has it, whoever asks', () => {
  assert.equal(ownerOf(younger, older), 'apps/old')
  assert.equal(ownerOf(older, younger), undefined)
})

test('claims of the same second agree on who has the resource', () => {
  const [a, b] = [claim('a', '2026-01-01T00:00:00Z'), claim('b', '2026-01-01T00:00:00Z')]
  assert.equal(ownerOf(b, a), 'apps/a')
  assert.equal(ownerOf(a, b), undefined)
})

test('who has it on record comes before who has not, however old that one is', () => {
  const without = { ...older, status: {} } as Resource
  assert.equal(ownerOf(without, younger, older), undefined, 'nothing is known by which it could be found')
  const looking = { ...older, status: { conditions: [], ackResourceMetadata: older.status?.ackResourceMetadata } } as Resource
  const onlyRead = { type: 'ACK.Ownership', status: 'False', reason: 'OnlyRead', message: '', lastTransitionTime: '' }
  const reader = { ...looking, status: { ...looking.status, conditions: [onlyRead] } } as Resource
  assert.equal(ownerOf(reader, younger), 'apps/new')
  assert.equal(ownerOf(younger, reader), undefined)
})

test('a claim that has let its resource go has it no more', () => {
  assert.equal(ownerOf(younger, claim('old', '2026-01-01T00:00:00Z', [])), undefined)
})
