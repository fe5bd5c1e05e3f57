import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isTemporary, isTemporaryReason, RemoteCredentialsError, type RemoteReason, remoteReasonOf } from './remote-error.ts'

test('which reasons may go by themselves, and which somebody has to mend [11.2]', () => {
  const reasons = Object.keys(isTemporaryReason) as RemoteReason[]
  const temporary = reasons.filter(reason => new RemoteCredentialsError(reason, 'x').isTemporary)
  assert.deepEqual(temporary.toSorted(), [
    'ConfigNotReady',
    'ExpiredOrInvalidToken',
    'MissingInventoryAccess',
    'RegionNotReady',
    'RemoteTokenRequestFailed',
    'RemoteTokenRequestForbidden',
    'RoleARNNotReady',
    'STSAccessDenied',
    'STSAssumeRoleWithWebIdentityFailed',
    'STSCredentialsUnavailable',
  ])
  assert.deepEqual(reasons.filter(reason => !temporary.includes(reason)).toSorted(), [
    'ConfigNotFound',
    'InvalidOptions',
    'MultipleClusterProfiles',
    'MultipleRoles',
    'RoleNotFound',
    'RoleServiceAccountMismatch',
    'UnsupportedDeliveryType',
  ])
})

test('the text has the reason, the words, the known fields in their order, and the cause [11.2]', () => {
  const key = (name: string): { namespace: string; name: string } => ({ namespace: 'n', name })
  const way = {
    provider: 'p',
    clusterProfile: key('c'),
    role: key('r'),
    serviceAccount: key('s'),
    workloadNamespace: 'w',
  }
  assert.equal(new RemoteCredentialsError('RoleNotFound', 'none').message, 'remoteirsa RoleNotFound: none')
  assert.equal(
    new RemoteCredentialsError('RoleNotFound', 'none', { way, cause: new Error('why') }).message,
    'remoteirsa RoleNotFound: none (workloadNamespace=w serviceAccount=n/s role=n/r clusterProfile=n/c provider=p): why',
  )
  assert.equal(
    new RemoteCredentialsError('RoleNotFound', 'none', { cause: 'text' }).message,
    'remoteirsa RoleNotFound: none: text',
  )
})

test('the reason is found in what was wrapped around it, and nowhere else [11.2]', () => {
  const error = new RemoteCredentialsError('RegionNotReady', 'none')
  const wrapped = new Error('outer', { cause: new Error('inner', { cause: error }) })
  assert.deepEqual([remoteReasonOf(wrapped), isTemporary(wrapped)], ['RegionNotReady', true])
  assert.deepEqual([remoteReasonOf(new Error('x')), isTemporary(new Error('x')), isTemporary('x')], [undefined, false, false])
  const endless = new Error('x')
  endless.cause = endless
  assert.equal(remoteReasonOf(endless), undefined)
})
