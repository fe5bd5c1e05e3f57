import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AwsError } from '#aws'
import { clusterProfileKind } from '#fleet'
import { serviceAccounts } from '#kube'
import { KubeError } from '#kube/client'
import { configKind, propertyNames, roleKind } from '#operators/identity/api'
import type { RemoteProviderOptions } from './options.ts'
import { RemoteCredentialsError, type RemoteReason } from './remote-error.ts'
import {
  configKey,
  type RemoteWorld,
  reader,
  readyCondition,
  readyStatus,
  remoteWorld,
  roleArn,
  roleKey,
  stsAnswer,
} from './testing/remote-world.ts'

async function reasonOf(world: RemoteWorld, change: Partial<RemoteProviderOptions> = {}): Promise<RemoteReason> {
  try {
    await world.retrieve(change)
  } catch (error) {
    assert.ok(error instanceof RemoteCredentialsError, String(error))
    return error.reason
  }
  throw new Error('credentials were given')
}

test('from the hub to credentials: the token of the ServiceAccount for the role that the Role has [11.2]', async () => {
  await using world = await remoteWorld()
  assert.deepEqual(await world.retrieve(), {
    accessKeyId: 'ASIAEXAMPLE',
    secretAccessKey: 'example-secret',
    sessionToken: 'example-session',
    expiration: new Date(world.clock.now() + 3_600_000),
    accountId: '123456789012',
    source: 'RemoteIRSAAssumeRoleWithWebIdentity',
  })
  const [call] = world.stsCalls
  const { WebIdentityToken, ...input } = call?.input ?? {}
  assert.deepEqual([call?.region, input], ['eu-west-1', { RoleArn: roleArn, RoleSessionName: 'test' }])
  const claims = JSON.parse(Buffer.from(String(WebIdentityToken).split('.')[1] ?? '', 'base64url').toString()) as {
    readonly aud: unknown
    readonly sub: unknown
    readonly iat: number
    readonly exp: number
  }
  assert.deepEqual(
    [claims.aud, claims.sub, claims.exp - claims.iat],
    [['sts.amazonaws.com'], 'system:serviceaccount:apps:reader', 900],
  )
})

test('the token and the session last as long as was asked for, and each retrieval asks anew [11.2]', async () => {
  await using world = await remoteWorld()
  for (const round of [1, 2]) {
    await world.retrieve({ tokenExpirationMs: 1_200_000, sessionDurationMs: 900_000 })
    assert.equal(world.stsCalls.length, round)
  }
  assert.equal(world.stsCalls[0]?.input['DurationSeconds'], 900)
  assert.notEqual(world.stsCalls[0]?.input['WebIdentityToken'], undefined)
})

test('a config that cannot be read, and one of a delivery without tokens [11.2]', async () => {
  await using world = await remoteWorld()
  assert.equal(await reasonOf(world, { namespace: 'nowhere' }), 'ConfigNotFound')
  assert.equal(await reasonOf(world, { hub: () => Promise.reject(new Error('no hub')) }), 'ConfigNotFound')
  const get = async (): Promise<never> => ({ spec: { type: 'EKSPodIdentity' }, metadata: {} }) as never
  assert.equal(await reasonOf(world, { hub: { ...world.hub, get, listAll: world.hub.listAll } }), 'UnsupportedDeliveryType')
})

const lags: readonly (readonly [what: string, status: (ready: object) => object])[] = [
  ['a status behind the generation', () => ({ observedGeneration: 0 })],
  ['no condition Ready', () => ({ conditions: [] })],
  ['Ready False', ready => ({ conditions: [{ ...ready, status: 'False', reason: 'Broken' }] })],
  ['a Ready of an older generation', ready => ({ conditions: [{ ...ready, observedGeneration: 0 }] })],
]

for (const [what, status] of lags)
  test(`${what} is no readiness, of a config as of a Role [13.11 #247]`, async () => {
    for (const [type, key, reason] of [
      [configKind.type, configKey, 'ConfigNotReady'],
      [roleKind.type, roleKey, 'RoleARNNotReady'],
    ] as const) {
      await using world = await remoteWorld()
      await world.change(type, key, { status: status(readyCondition(world.clock)) })
      assert.equal(await reasonOf(world), reason)
      assert.deepEqual(world.stsCalls, [])
    }
  })

test('a Role without an ARN, for another ServiceAccount, missing, or one of several [11.2]', async () => {
  await using world = await remoteWorld()
  assert.equal(await reasonOf(world, { serviceAccount: { namespace: 'apps', name: 'nobody' } }), 'RoleNotFound')
  assert.equal(await reasonOf(world, { roleName: 'nothing' }), 'RoleNotFound')
  await world.makeRole('other', { namespace: 'other', name: 'reader' })
  assert.equal(await reasonOf(world, { roleName: 'other' }), 'RoleServiceAccountMismatch')
  await world.makeRole('second')
  assert.equal(await reasonOf(world), 'MultipleRoles')
  await world.retrieve({ roleName: 'second' })
  await world.change(roleKind.type, { namespace: 'edge', name: 'second' }, { status: { roleARN: null } })
  assert.equal(await reasonOf(world, { roleName: 'second' }), 'RoleARNNotReady')
})

test('a Role on its way out does not count beside one that stays, and is none alone; by its name it serves to its end [13.11 #246]', async () => {
  await using world = await remoteWorld()
  await world.change(roleKind.type, roleKey, { metadata: { finalizers: ['example.com/held'] } })
  await world.hub.delete(roleKind.type, roleKey)
  assert.equal(await reasonOf(world), 'RoleNotFound')
  const named = await reasonOf(world, { roleName: 'reader' })
  assert.equal(named, 'RoleARNNotReady', 'its deletion is a change that the operator has not looked at')
  await world.change(roleKind.type, roleKey, { status: readyStatus(world.clock, 2) })
  await world.retrieve({ roleName: 'reader' })
  await world.makeRole('active')
  await world.retrieve()
  assert.equal(world.stsCalls.length, 2)
})

test('the region: as was asked, else of the profile, else of the config [13.11 #248]', async () => {
  await using world = await remoteWorld()
  await world.retrieve()
  const key = { namespace: 'inventory', name: 'edge' }
  await world.change(clusterProfileKind.type, key, {
    status: { properties: [{ name: propertyNames.region, value: 'eu-north-1' }] },
  })
  await world.retrieve()
  await world.retrieve({ region: 'ap-south-1' })
  assert.deepEqual(
    world.stsCalls.map(({ region }) => region),
    ['eu-west-1', 'eu-north-1', 'ap-south-1'],
  )
  const get: typeof world.hub.get = async (type, at) => {
    const found = await world.hub.get(type, at)
    return type === configKind.type ? ({ ...found, spec: { type: 'EKSIRSA', region: '' } } as never) : (found as never)
  }
  const hub = { get, listAll: world.hub.listAll.bind(world.hub) }
  assert.equal(await reasonOf(world, { hub }), 'RegionNotReady')
})

test('no profile, one that offers no way in, several, and no access at all [11.2]', async () => {
  await using world = await remoteWorld()
  assert.equal(await reasonOf(world, { access: undefined as never }), 'MissingInventoryAccess')
  assert.equal(await reasonOf(world, { access: () => Promise.reject(new Error('no such file')) }), 'MissingInventoryAccess')
  assert.equal(await reasonOf(world, { access: { seams: {} as never, providers: [] } }), 'MissingInventoryAccess')
  assert.equal(await reasonOf(world, { profileNamespaces: ['edge'] }), 'MissingInventoryAccess')
  await world.retrieve({ profileNamespaces: [' inventory ', '', 'edge'] })
  await world.retrieve({ profileNamespaces: ['edge', '*'] })
  await world.publish('second')
  assert.equal(await reasonOf(world), 'MultipleClusterProfiles')
  for (const name of ['edge', 'second']) {
    await world.change(clusterProfileKind.type, { namespace: 'inventory', name }, { status: { accessProviders: [] } })
  }
  assert.equal(await reasonOf(world), 'MissingInventoryAccess')
})

test('a cluster that does not give the token: forbidden is one thing, all else another [11.2]', async () => {
  await using world = await remoteWorld()
  const giving = (requestToken: () => Promise<never>): Partial<RemoteProviderOptions> => ({
    access: { seams: {} as never, providers: [], clientOf: () => ({ requestToken }) },
  })
  const forbidden = new KubeError('refused', 'forbidden', { httpStatus: 403 })
  assert.equal(
    await reasonOf(
      world,
      giving(() => Promise.reject(forbidden)),
    ),
    'RemoteTokenRequestForbidden',
  )
  assert.equal(
    await reasonOf(
      world,
      giving(() => Promise.reject(new Error('reset'))),
    ),
    'RemoteTokenRequestFailed',
  )
  assert.equal(
    await reasonOf(
      world,
      giving(() => Promise.resolve({ token: '' } as never)),
    ),
    'RemoteTokenRequestFailed',
  )
  await world.target.delete(serviceAccounts, reader)
  assert.equal(await reasonOf(world), 'RemoteTokenRequestFailed')
})

const codes: readonly (readonly [code: string, reason: RemoteReason])[] = [
  ['AccessDenied', 'STSAccessDenied'],
  ['AccessDeniedException', 'STSAccessDenied'],
  ['ExpiredToken', 'ExpiredOrInvalidToken'],
  ['ExpiredTokenException', 'ExpiredOrInvalidToken'],
  ['InvalidIdentityToken', 'ExpiredOrInvalidToken'],
  ['InvalidIdentityTokenException', 'ExpiredOrInvalidToken'],
  ['IDPRejectedClaim', 'ExpiredOrInvalidToken'],
  ['Throttling', 'STSAssumeRoleWithWebIdentityFailed'],
]

test('what STS refuses, by its code, and what is no answer at all [11.2]', async () => {
  await using world = await remoteWorld()
  for (const [code, reason] of codes) {
    world.sts = () => {
      throw new AwsError({ service: 'STS', operation: 'AssumeRoleWithWebIdentity', code, message: 'no' })
    }
    assert.equal(await reasonOf(world), reason, code)
  }
  world.sts = () => {
    throw new Error('reset')
  }
  assert.equal(await reasonOf(world), 'STSAssumeRoleWithWebIdentityFailed')
})

test('credentials of which a part is missing are none; without an account they are whole [11.2]', async () => {
  await using world = await remoteWorld()
  const whole = stsAnswer(world.clock)
  const { Credentials } = whole as { readonly Credentials: Readonly<Record<string, unknown>> }
  for (const name of Object.keys(Credentials)) {
    world.sts = () => ({ ...whole, Credentials: { ...Credentials, [name]: undefined } })
    assert.equal(await reasonOf(world), 'STSCredentialsUnavailable', name)
  }
  world.sts = () => ({ ...whole, Credentials: { ...Credentials, Expiration: new Date('soon') } })
  assert.equal(await reasonOf(world), 'STSCredentialsUnavailable', 'an end that is no time')
  world.sts = () => ({ Credentials, AssumedRoleUser: { Arn: 'arn:aws:iam::1:user/x' } })
  assert.equal((await world.retrieve()).accountId, '')
})

test('what is wrong is told with the way as far as it was known, and with no token [11.2]', async () => {
  await using world = await remoteWorld()
  let token = ''
  world.sts = ({ input }) => {
    token = String(input['WebIdentityToken'])
    throw new AwsError({
      service: 'STS',
      operation: 'AssumeRoleWithWebIdentity',
      code: 'AccessDenied',
      message: 'Not authorized',
    })
  }
  const error = await world.retrieve().then(
    () => assert.fail('credentials were given'),
    (found: unknown) => found as RemoteCredentialsError,
  )
  assert.equal(
    error.message,
    'remoteirsa STSAccessDenied: STS does not let the ServiceAccount have the role (workloadNamespace=edge serviceAccount=apps/reader role=edge/reader clusterProfile=inventory/edge): Not authorized',
  )
  assert.notEqual(token, '')
  assert.ok(!JSON.stringify([error.message, error.detail, error.way, error.stack]).includes(token))
})
