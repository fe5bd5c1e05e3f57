import assert from 'node:assert/strict'
import { test } from 'node:test'
import { principalOf } from './simulate.ts'

for (const [what, caller, principal] of [
  ['a session', 'arn:aws:sts::111122223333:assumed-role/dns/session-1', 'arn:aws:iam::111122223333:role/dns'],
  ['a session of another partition', 'arn:aws-cn:sts::111122223333:assumed-role/dns/1', 'arn:aws-cn:iam::111122223333:role/dns'],
  ['a user', 'arn:aws:iam::111122223333:user/dns', 'arn:aws:iam::111122223333:user/dns'],
  ['a federated user', 'arn:aws:sts::111122223333:federated-user/dns', 'arn:aws:sts::111122223333:federated-user/dns'],
] as const)
  test(`of ${what} it is asked what ${principal} may do`, () => assert.equal(principalOf(caller), principal))
