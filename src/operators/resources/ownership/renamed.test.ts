import assert from 'node:assert/strict'
import { test } from 'node:test'
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
