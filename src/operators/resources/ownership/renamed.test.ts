import assert from 'node:assert/strict'
import { test } from 'node:test'
import { madeUpKind } from '../testing/made-up-kind.ts'
import { at, modelOf } from '../testing/parts.ts'
import { renamedFrom } from './renamed.ts'

function renamed(arn: string): string | undefined {
  const { claim } = at({}, { status: { ackResourceMetadata: { arn, ownerAccountID: '111122223333', region: 'eu-west-1' } } })
  return renamedFrom(modelOf('iam', 'Role'), claim, { name: 'between' })?.was
}

test('an ARN that ends with an id of AWS says nothing of a name; one that ends with a name does', () => {
  assert.equal(renamed('arn:aws:rds:eu-west-1:111122223333:db-proxy:prx-hdsf0wtxq2c93kypb'), undefined)
  assert.equal(renamed('arn:aws:rds:eu-west-1:111122223333:db-proxy:prx-ntihzxlremmfbmshy'), undefined)
  assert.equal(renamed('arn:aws:iam::111122223333:role/between'), undefined)
  assert.equal(renamed('arn:aws:iam::111122223333:role/before'), 'before')
  assert.equal(renamed('arn:aws:iam::111122223333:role/app-controller'), 'app-controller')
})

test('a name is another one when the ARN does not hold it in any case, and the kind goes by a name alone', () => {
  const read = { operations: { create: 'CreateThing', readOne: 'DescribeThing' } }
  const named = madeUpKind({ ...read, spec: { Name: { primaryKey: true } } })
  const twice = madeUpKind({ ...read, spec: { Name: { primaryKey: true }, Zone: { primaryKey: true } } })
  const byDefault = madeUpKind({ spec: { Name: 'string' } })
  const byArn = madeUpKind({ spec: { Name: 'string' }, settings: { arnIsPrimaryKey: true } })
  const was = (
    name: unknown,
    model = named,
    arn: string | undefined = 'arn:aws:madeup:eu-west-1:111122223333:thing/Before',
  ): string | undefined => {
    const { claim } = at({}, { status: { ackResourceMetadata: { arn, ownerAccountID: '111122223333', region: 'eu-west-1' } } })
    return renamedFrom(model, claim, { name, zone: 'z' })?.was
  }
  assert.deepEqual(
    ['after', 'BEFORE', '/before', '/after', '', undefined].map(name => was(name)),
    ['Before', undefined, undefined, 'Before', undefined, undefined],
  )
  assert.deepEqual([was('after', twice), was('after', byDefault), was('after', byArn)], [undefined, 'Before', undefined])
  assert.deepEqual(
    [was('after', named, 'no ARN'), was('after', named, 'arn:aws:madeup:eu-west-1:111122223333:thing/')],
    [undefined, undefined],
  )
  assert.equal(renamedFrom(named, at({}, {}).claim, { name: 'after' }), undefined)
})
