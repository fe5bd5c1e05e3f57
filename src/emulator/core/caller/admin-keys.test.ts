import assert from 'node:assert/strict'
import { test } from 'node:test'
import { adminAccountOf, adminKey, adminPrincipal } from './admin-keys.ts'

for (const account of ['000000000000', '000000000001', '123456789012', '210987654321', '999999999999']) {
  test(`the key of the administrator of ${account} tells its account`, () => {
    const { accessKeyId, secretAccessKey } = adminKey('seed', 'aws', account)
    assert.match(accessKeyId, /^AKIA[A-Z2-7]{16}$/)
    assert.match(secretAccessKey, /^[A-Za-z0-9+/]{40}$/)
    assert.equal(adminAccountOf('seed', 'aws', accessKeyId), account)
    assert.equal(adminAccountOf('other', 'aws', accessKeyId), undefined)
    assert.equal(adminAccountOf('seed', 'aws-cn', accessKeyId), undefined)
  })
}

test('an account is written in eight letters, the highest first', () => {
  const letters = (account: string): string => adminKey('seed', 'aws', account).accessKeyId.slice(4, 12)
  assert.deepEqual(['000000000000', '000000000001', '000000000033', '123456789012'].map(letters), [
    'AAAAAAAA',
    'AAAAAAAB',
    'AAAAAABB',
    'DS7JSGQU',
  ])
})

test('a seed has one key for each account of each partition, the same every time', () => {
  const made = [
    adminKey('seed', 'aws', '123456789012'),
    adminKey('other', 'aws', '123456789012'),
    adminKey('seed', 'aws-cn', '123456789012'),
    adminKey('seed', 'aws', '210987654321'),
  ]
  assert.equal(new Set(made.map(key => key.accessKeyId)).size, 4)
  assert.equal(new Set(made.map(key => key.secretAccessKey)).size, 4)
  assert.deepEqual(adminKey('seed', 'aws', '123456789012'), made[0])
})

test('what has not the form of a key is none', () => {
  const { accessKeyId } = adminKey('seed', 'aws', '123456789012')
  for (const text of [
    '',
    accessKeyId.toLowerCase(),
    `${accessKeyId}A`,
    accessKeyId.replace('AKIA', 'ASIA'),
    accessKeyId.replace(/.$/, '1'),
  ])
    assert.equal(adminAccountOf('seed', 'aws', text), undefined, text)
})

test('an administrator is a user of his account, with an id of its form', () => {
  const { arn, userId, managed } = adminPrincipal('aws', '123456789012', 'AKIA')
  assert.deepEqual([arn, managed], ['arn:aws:iam::123456789012:user/emulator-admin', false])
  assert.match(userId, /^AIDA[A-Z2-7]{8}ADMINADM0$/)
})
