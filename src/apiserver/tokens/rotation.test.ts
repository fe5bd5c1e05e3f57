// The same stories are told to kube-apiserver in test/real/token-rotation.real.test.ts.
import { test } from 'node:test'
import type { ApiServer } from '../api-server.ts'
import { answerTo, ask, tokenOf } from '../ask.fixture.ts'
import { createApiServer } from '../create-api-server.ts'
import { changeIssuer, type Rotating, rotateKey } from './rotation.fixture.ts'

function rotating(server: ApiServer): Rotating {
  const keys = async (): Promise<string[]> =>
    (await answerTo<{ keys: { kid: string }[] }>(server, 'GET', '/openid/v1/jwks')).keys.map(key => key.kid)
  return {
    token: () => tokenOf(server),
    statusOf: async token => (await ask(server, 'GET', '/api', undefined, { token })).status,
    keys,
    issuer: async () => (await answerTo(server, 'GET', '/.well-known/openid-configuration')).issuer,
    publish: async () => void (await server.tokens.rotate()),
    activate: async () => server.tokens.activate((await keys())[1] ?? ''),
    retire: async () => server.tokens.retire((await keys())[0] ?? ''),
    setIssuers: async issuers => server.tokens.setIssuers(issuers),
  }
}

for (const [title, story] of [
  ['a new signing key leaves old tokens valid until the old key is dropped [#194]', rotateKey],
  ['a new issuer signs while tokens of the old one are accepted, and the discovery document names the new [#195]', changeIssuer],
] as const)
  test(title, async () => {
    const server = createApiServer({ seed: 1 })
    await server.settle()
    await story(rotating(server))
    await server.close()
  })
