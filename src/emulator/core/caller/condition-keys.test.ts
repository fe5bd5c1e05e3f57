import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Principal } from '../../principal.ts'
import { conditionKeys, type KeyInputs, requestTagKeys } from './condition-keys.ts'

const account = '123456789012'
const arn = `arn:aws:iam::${account}:user/u`
const user = { kind: 'user', account, arn, userId: 'AIDA1', userName: 'u' } as Principal
const session = {
  kind: 'session',
  account,
  arn: `arn:aws:sts::${account}:assumed-role/r/s`,
  roleArn: `arn:aws:iam::${account}:role/r`,
  userId: 'AROA1:s',
  tags: { team: 'b' },
  sourceIdentity: 'me',
  federatedProvider: undefined,
  issuedAtMs: 0,
} as unknown as Principal

function keys(
  caller: Principal,
  more: Partial<KeyInputs> = {},
  question: object = {},
): Readonly<Record<string, readonly string[]>> {
  const inputs = { caller, tags: {}, request: undefined, region: 'r', now: 1_999, organization: () => undefined, ...more }
  return Object.fromEntries(conditionKeys({ action: 'a', resource: '*', ...question }, inputs))
}
const always = { 'aws:currenttime': ['1970-01-01T00:00:01.999Z'], 'aws:epochtime': ['1'], 'aws:requestedregion': ['r'] }
const ofUser = {
  ...always,
  'aws:principalisawsservice': ['false'],
  'aws:viaawsservice': ['false'],
  'aws:principalarn': [arn],
  'aws:principalaccount': [account],
  'aws:userid': ['AIDA1'],
  'aws:principaltype': ['User'],
  'aws:username': ['u'],
  'aws:resourceaccount': [account],
}

test('a user is known by name, and what he asks for is his own unless it is said to be of others', () => {
  assert.deepEqual(keys(user), ofUser)
  assert.deepEqual(keys(user, {}, { resourceAccount: '1' })['aws:resourceaccount'], ['1'])
})

test('strangers and services are no accounts', () => {
  assert.deepEqual(keys({ kind: 'anonymous' }), {
    ...always,
    'aws:principaltype': ['Anonymous'],
    'aws:userid': ['anonymous'],
    'aws:principalisawsservice': ['false'],
  })
  assert.deepEqual(keys({ kind: 'service', service: 'eks.amazonaws.com' }), {
    ...always,
    'aws:principalisawsservice': ['true'],
    'aws:principalservicename': ['eks.amazonaws.com'],
  })
})

test('a session is its role, with its own tags before those of the role', () => {
  const found = keys(session, { tags: { team: 'a', more: 'c' } })
  const told = [
    'principalarn',
    'principaltype',
    'principaltag/team',
    'principaltag/more',
    'sourceidentity',
    'tokenissuetime',
    'username',
  ]
  assert.deepEqual(
    told.map(name => found[`aws:${name}`]?.[0]),
    [`arn:aws:iam::${account}:role/r`, 'AssumedRole', 'b', 'c', 'me', '1970-01-01T00:00:00.000Z', undefined],
  )
  assert.deepEqual(found['aws:multifactorauthpresent'], ['false'])
  const federated = keys({ ...session, federatedProvider: 'p' } as Principal)
  assert.deepEqual([federated['aws:federatedprovider'], federated['aws:multifactorauthpresent']], [['p'], undefined])
})

test('the root user is its account', () => {
  const root = { kind: 'root', account, arn: `arn:aws:iam::${account}:root`, userId: account } as Principal
  const found = keys(root)
  assert.deepEqual([found['aws:principaltype'], found['aws:username']], [['Account'], undefined])
})

test('of a request is told what came with it', () => {
  const request = { secure: true, sourceIp: '10.0.0.1', userAgent: 'agent' }
  assert.deepEqual(keys(user, { request }), {
    ...ofUser,
    'aws:securetransport': ['true'],
    'aws:sourceip': ['10.0.0.1'],
    'aws:useragent': ['agent'],
  })
  assert.equal(keys(user, { request: { ...request, userAgent: '' } })['aws:useragent'], undefined)
})

test('organizations of caller and resource are told where there are any', () => {
  const organization = (of: string): { id: string; paths: string[] } | undefined =>
    of === account ? { id: 'o', paths: ['o/r'] } : undefined
  const found = keys(user, { organization }, { resourceAccount: account })
  assert.deepEqual(
    [found['aws:principalorgid'], found['aws:principalorgpaths'], found['aws:resourceorgid']],
    [['o'], ['o/r'], ['o']],
  )
  assert.equal(keys(user, { organization }, { resourceAccount: '1' })['aws:resourceorgid'], undefined)
  assert.equal(keys({ kind: 'anonymous' }, { organization })['aws:resourceorgid'], undefined)
})

test('a key of a question is there when it has a value', () => {
  const found = keys(
    user,
    {},
    { context: { 'S3:Prefix': 'p', none: undefined, empty: [], 'aws:TagKeys': ['a', 'b'] }, resourceTags: { k: 'v' } },
  )
  assert.deepEqual(
    ['s3:prefix', 'none', 'empty', 'aws:tagkeys', 'aws:resourcetag/k'].map(name => found[name]),
    [['p'], undefined, undefined, ['a', 'b'], ['v']],
  )
})

test('tags on a request bring their names and values, and no names where there are none', () => {
  assert.deepEqual(requestTagKeys({}), { 'aws:TagKeys': undefined })
  assert.deepEqual(requestTagKeys({ a: '1' }), { 'aws:TagKeys': ['a'], 'aws:RequestTag/a': '1' })
})
