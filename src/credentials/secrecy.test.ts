// What servers say may repeat what they were sent. Who asks for credentials is told one reason, and neither the token nor a key is in its
// words, wherever an error can be printed from.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inspect } from 'node:util'
import { AwsError } from '#aws'
import { KubeError } from '#kube/client'
import { renderTrouble } from './process/render.ts'
import { RemoteCredentialsError, type RemoteReason } from './remote-error.ts'
import { type RemoteWorld, remoteWorld } from './testing/remote-world.ts'

const planted = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJtYWxsb3J5In0.c2lnbmF0dXJl'
const bearer = 'Bearer hub-token-0123456789abcdef'

const refusals: Readonly<Record<string, readonly [RemoteReason, (world: RemoteWorld) => Promise<unknown>]>> = {
  'STS that repeats the token': ['ExpiredOrInvalidToken', world => refusedBySts(world, 'InvalidIdentityToken')],
  'STS that repeats it and refuses the role': ['STSAccessDenied', world => refusedBySts(world, 'AccessDenied')],
  'an address of STS that repeats what it got': [
    'STSAssumeRoleWithWebIdentityFailed',
    world => {
      world.sts = ({ input }) => {
        throw new Error(`cannot parse ${String(input['WebIdentityToken'])} and ${bearer}`)
      }
      return world.retrieve()
    },
  ],
  'a cluster that repeats the credentials of who asks': [
    'RemoteTokenRequestForbidden',
    world => refusedByCluster(world, new KubeError('refused', `no right for ${bearer} ${planted}`, { httpStatus: 403 })),
  ],
  'a cluster whose answer is no token but holds one': [
    'RemoteTokenRequestFailed',
    world => refusedByCluster(world, new Error(`no JSON: {"status":{"token":"${planted}"}}`)),
  ],
  'a provider file that cannot be used, told with its contents': [
    'MissingInventoryAccess',
    world => world.retrieve({ access: () => Promise.reject(new Error(`bad entry token: ${planted}`)) }),
  ],
  'a hub that repeats the credentials of who asks': [
    'ConfigNotFound',
    world => world.retrieve({ hub: () => Promise.reject(new Error(`401 for ${bearer} ${planted}`)) }),
  ],
}

function refusedBySts(world: RemoteWorld, code: string): Promise<unknown> {
  world.sts = ({ input }) => {
    const message = `the token ${String(input['WebIdentityToken'])} of ${bearer} is no good`
    throw new AwsError({ service: 'STS', operation: 'AssumeRoleWithWebIdentity', code, message })
  }
  return world.retrieve()
}

function refusedByCluster(world: RemoteWorld, error: Error): Promise<unknown> {
  return world.retrieve({
    access: { seams: {} as never, providers: [], clientOf: () => ({ requestToken: () => Promise.reject(error) }) },
  })
}

/** What STS got; where it was not asked, what there is to leak is planted. */
function sentTo({ stsCalls }: RemoteWorld): string {
  const token = stsCalls.at(-1)?.input['WebIdentityToken']
  return typeof token === 'string' ? token : planted
}

for (const [what, [reason, ask]] of Object.entries(refusals))
  test(`${what}: one reason, and no secret in any of its words [11.2, 13.11 #245]`, async () => {
    await using world = await remoteWorld()
    const error = await ask(world).then(
      () => assert.fail('credentials were given'),
      (found: unknown) => found,
    )
    assert.ok(error instanceof RemoteCredentialsError)
    assert.equal(error.reason, reason)
    const token = sentTo(world)
    const shown = [error.message, error.stack, JSON.stringify(error), inspect(error, { depth: 9 }), renderTrouble(error, 'vague')]
    for (const text of shown)
      for (const secret of [token, planted, bearer]) assert.ok(!text?.includes(secret), `${secret} is in ${text}`)
  })
