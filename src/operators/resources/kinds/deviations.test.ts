// What all kinds have in common to say of themselves.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sameText, tagsFromList } from './calls.ts'
import { isLookedAfter } from './deviation.ts'
import { deviationOf, isDeviating } from './deviations.ts'

const kinds = [
  'acm/Certificate',
  'eks/PodIdentityAssociation',
  'rds/DBParameterGroup',
  'rds/DBClusterParameterGroup',
  'dynamodb/Table',
  'iam/Group',
  'iam/InstanceProfile',
  'iam/OpenIDConnectProvider',
  'iam/Policy',
  'iam/Role',
  'iam/ServiceLinkedRole',
  'iam/User',
  'route53/HealthCheck',
  'route53/HostedZone',
  'route53/RecordSet',
  's3/Bucket',
]

test('a create call goes out a second time without a look where a second resource cannot come of it', () => {
  const repeatable = ['iam/ServiceLinkedRole', 'route53/HealthCheck', 'route53/HostedZone', 'route53/RecordSet', 's3/Bucket']
  assert.deepEqual(
    kinds.filter(id => deviationOf(id).repeatable === true),
    repeatable,
  )
})

test('what cannot be tagged by its create call is known by our record until its mark is set', () => {
  const later = ['route53/HealthCheck', 'route53/HostedZone', 's3/Bucket']
  assert.deepEqual(
    kinds.filter(id => deviationOf(id).tagsAtCreate === false),
    later,
  )
})

test('a kind that nobody wrote code for has none, whatever it is called', () => {
  assert.deepEqual([isDeviating('s3/Bucket'), isDeviating('constructor')], [true, false])
  assert.deepEqual([deviationOf('constructor'), deviationOf('s3/None')], [{}, {}])
})

test('an empty text is none, and two texts are compared as they are', () => {
  assert.deepEqual([sameText(undefined, ''), sameText('', null), sameText('a', 'a')], [true, true, true])
  assert.deepEqual([sameText('a', 'b'), sameText('a', undefined), sameText(undefined, 'b')], [false, false, false])
})

test('a tag without a value has an empty one', () =>
  assert.deepEqual(tagsFromList([{ Key: 'a', Value: 'b' }, { Key: 'c' }]), { a: 'b', c: '' }))

test('a field is looked after by a kind that has calls or a comparison of its own for it', () => {
  const deviation = { own: ['Tags'], same: { Path: () => true } }
  assert.deepEqual(
    ['Tags', 'Path', 'Name', 'toString'].map(name => isLookedAfter(deviation, name)),
    [true, true, false, false],
  )
  assert.equal(isLookedAfter({}, 'Name'), false)
})
