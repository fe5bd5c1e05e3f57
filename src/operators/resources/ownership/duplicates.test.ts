import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseAccountId } from '#aws'
import type { ResourceType } from '#kube'
import type { Reads } from '#runtime'
import type { Resource } from '../api.ts'
import { type KindModel, kindModel } from '../model/kind-model.ts'
import { shippedService } from '../services/shipped.ts'
import { madeUpKind } from '../testing/made-up-kind.ts'
import { holderOf, isOfAnother, olderOwner, ownerIndex } from './duplicates.ts'

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

/** Known by a name in a region. */
const regional = madeUpKind({ spec: { Name: { primaryKey: true }, Zone: { primaryKey: true } } })

function made(
  name: string,
  more: { readonly at?: object; readonly spec?: object; readonly note?: object; readonly of?: KindModel } = {},
): Resource {
  const { at = {}, spec = { name: 'one', zone: 'z' }, note, of = regional } = more
  const metadata = { namespace: 'apps', name, uid: `uid-${name}`, creationTimestamp: name, finalizers: [of.finalizer] }
  const conditions =
    note === undefined ? [] : [{ type: 'ACK.Ownership', status: 'True', reason: 'Made', message: JSON.stringify({ is: note }) }]
  return { metadata, spec, status: { ackResourceMetadata: at, conditions } } as unknown as Resource
}

function owner(asking: Resource, other: Resource, of = regional): string | undefined {
  const { of: keysOf } = ownerIndex({ model: of, deviation: {} })
  const byIndex = (_type: ResourceType, _index: string, key: string): readonly Resource[] =>
    [asking, other].filter(each => keysOf(each as never).includes(key))
  const place = { account: parseAccountId('111122223333'), partition: 'aws', region: 'eu-west-1' }
  const content = { spec: asking.spec ?? {}, status: {} }
  return olderOwner({ model: of, deviation: {}, claim: asking, place, content }, { byIndex } as unknown as Reads)
}

test('what has no ARN is found by all that identifies it, in one account and region', () => {
  const asking = made('2')
  for (const [other, found] of [
    [made('1'), 'apps/1'],
    [made('3'), undefined],
    [made('1', { spec: { zone: 'z', name: 'one' } }), 'apps/1'],
    [made('1', { spec: { zone: 'y', name: 'one' } }), undefined],
    [made('1', { spec: {}, note: { zone: 'z', name: 'one' } }), 'apps/1'],
    [made('1', { note: { zone: 'y', name: 'one' } }), undefined],
    [made('1', { at: { ownerAccountID: '111122223333', region: 'eu-west-1' } }), 'apps/1'],
    [made('1', { at: { ownerAccountID: '444455556666', region: 'eu-west-1' } }), undefined],
    [made('1', { at: { ownerAccountID: '111122223333', region: 'us-east-1' } }), undefined],
    [made('1', { at: { ownerAccountID: '111122223333' } }), 'apps/1'],
    [made('1', { at: { region: 'eu-west-1' } }), 'apps/1'],
  ] as const)
    assert.equal(owner(asking, other), found, JSON.stringify(other))
  const named = madeUpKind({ spec: { Name: { primaryKey: true } } })
  const renamed = made('1', { spec: { name: 'new' }, note: { name: 'one' }, of: named })
  assert.equal(owner(made('2', { spec: { name: 'one' }, of: named }), renamed, named), 'apps/1')
  assert.equal(owner(asking, { ...made('1'), spec: undefined } as unknown as Resource), undefined)
})

test('what belongs to a service without regions is the same, whatever region is recorded', () => {
  const at = (ownerAccountID: string | undefined, region: string): Resource =>
    made('1', { at: { arn: 'arn:aws:iam::111122223333:role/one', ownerAccountID, region }, of: model })
  const asking = { ...at('111122223333', 'eu-west-1'), metadata: made('2', { of: model }).metadata }
  assert.equal(owner(asking, at('111122223333', 'us-east-1'), model), 'apps/1')
  assert.equal(owner(asking, at(undefined, 'us-east-1'), model), 'apps/1')
  assert.equal(owner(asking, at('444455556666', 'eu-west-1'), model), undefined)
})

test('an id that is no ARN is that of its kind alone', () => {
  const keys = ownerIndex({ model: regional, deviation: {} }).of(made('1', { at: { arn: 'i-1' }, spec: {} }) as never)
  assert.deepEqual(keys, ['uid-1', 'arn i-1'])
})

test('who bears the mark is another claim that lives', () => {
  const [one, two] = [made('1'), made('2')]
  const holder = (uid: string): string | undefined =>
    holderOf(regional, one, uid, {
      byIndex: (_type: ResourceType, _index: string, key: string) => [one, two].filter(({ metadata }) => metadata.uid === key),
    } as unknown as Reads)
  assert.deepEqual(['uid-1', 'uid-2', 'uid-3'].map(holder), [undefined, 'apps/2', undefined])
})

test('a record is of another resource when a field of it is another, and both are known', () => {
  const of = (is: Readonly<Record<string, string>>, seen: Readonly<Record<string, string>>): boolean =>
    isOfAnother({ kind: 'made', identity: is }, seen)
  assert.equal(of({ name: 'a', zone: 'z' }, { name: 'a', zone: 'y' }), true)
  assert.equal(of({ name: 'a', zone: 'z' }, { zone: 'z', name: 'a' }), false)
  assert.equal(of({ name: 'a' }, { zone: 'z' }), true)
  assert.deepEqual([of({}, { name: 'a' }), of({ name: 'a' }, {})], [false, false])
  assert.equal(isOfAnother({ kind: 'none' }, { name: 'a' }), false)
})
