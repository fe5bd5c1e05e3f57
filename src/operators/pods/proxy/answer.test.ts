// What the proxy answers, with an Entra and a metadata service that are functions. Over real sockets, proxy.test.ts says.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type HttpRequest, type HttpResponse, ManualClock, memoryFiles } from '#base'
import { answerText } from '../serve/answer-text.ts'
import { metadataAnswers } from './answer.ts'

const tokenFile = '/token'
const identity = { clientId: 'client', tenantId: 'tenant', authorityHost: 'https://login.example/', tokenFile }

interface Said {
  readonly status: number
  readonly type: unknown
  readonly value: unknown
  /** What Entra was asked, and what the metadata service was. */
  readonly entra: readonly HttpRequest[]
  readonly machine: readonly HttpRequest[]
}

async function ask(
  target: string,
  entraSays: { readonly status?: number; readonly text: string },
  request: Partial<HttpRequest> = {},
): Promise<Said> {
  const entra: HttpRequest[] = []
  const machine: HttpRequest[] = []
  const from =
    (asked: HttpRequest[], status: number, text: string) =>
    (one: HttpRequest): Promise<HttpResponse> => {
      asked.push(one)
      return Promise.resolve({ status, headers: {}, body: Buffer.from(text) })
    }
  const exchange = metadataAnswers({
    identity,
    files: memoryFiles({ [tokenFile]: ' federated\n' }, () => 0),
    clock: new ManualClock(1_700_000_000_999),
    authority: from(entra, entraSays.status ?? 200, entraSays.text),
    metadata: from(machine, 404, 'the machine'),
  })
  const { status, headers, body } = await exchange({
    method: 'GET',
    target,
    headers: { metadata: 'true' },
    body: null,
    ...request,
  })
  const text = await answerText(body)
  return { status, type: headers['content-type'], value: text.startsWith('{') ? JSON.parse(text) : text, entra, machine }
}

const path = '/metadata/identity/oauth2/token?resource=https://vault.azure.net'
const issued = { text: JSON.stringify({ access_token: 'secret', expires_in: 3_599 }) }
const fault = (error: string, error_description: string): object => ({ error, error_description })

test('times are whole seconds, as texts [3.9.4]', async () => {
  const { status, type, value } = await ask(path, issued)
  assert.deepEqual([status, type], [200, 'application/json'])
  assert.deepEqual(value, {
    access_token: 'secret',
    refresh_token: '',
    expires_in: '3599',
    expires_on: '1700003599',
    not_before: '1700000000',
    resource: 'https://vault.azure.net',
    token_type: 'Bearer',
  })
})

test('Entra is asked with the token without the blanks around it, and for the resource as a scope [3.9.4]', async () => {
  const formOf = async (resource: string): Promise<Readonly<Record<string, string>>> => {
    const { entra } = await ask(`/metadata/identity/oauth2/token?resource=${resource}&client_id=`, issued)
    assert.deepEqual([entra.length, entra[0]?.method, entra[0]?.target], [1, 'POST', '/tenant/oauth2/v2.0/token'])
    return Object.fromEntries(new URLSearchParams(await answerText(entra[0]?.body ?? null)))
  }
  const { client_id, scope, client_assertion } = await formOf('https://vault.azure.net')
  assert.deepEqual([client_id, scope, client_assertion], ['client', 'https://vault.azure.net/.default', 'federated'])
  assert.equal((await formOf('https://vault.azure.net/.default'))['scope'], 'https://vault.azure.net/.default')
})

for (const [what, target, headers, description] of [
  ['without its header', path, {}, 'Required metadata header not specified'],
  ['whose header says something else', path, { metadata: 'yes' }, 'Required metadata header not specified'],
  [
    'without a resource',
    '/metadata/identity/oauth2/token',
    { metadata: 'true' },
    "Required query variable 'resource' is missing",
  ],
  [
    'with an empty resource',
    '/metadata/identity/oauth2/token?resource=',
    { metadata: 'true' },
    "Required query variable 'resource' is missing",
  ],
] as const)
  test(`a call ${what} is refused [3.9.4]`, async () => {
    const { status, value, entra } = await ask(target, issued, { headers })
    assert.deepEqual([status, value, entra.length], [400, fault('invalid_request', description), 0])
  })

for (const text of [
  JSON.stringify({ access_token: 'secret' }),
  JSON.stringify({ expires_in: 3_599 }),
  JSON.stringify({ access_token: 'secret', expires_in: '3599' }),
  JSON.stringify({ access_token: 1, expires_in: 3_599 }),
  '[]',
  'no JSON',
])
  test(`an answer of ${text} is no token`, async () => {
    const { status, value } = await ask(path, { text })
    assert.deepEqual([status, value], [500, fault('server_error', 'the answer of Entra is no token')])
  })

for (const status of [201, 401, 503])
  test(`what Entra says with ${status} is told as it stands`, async () => {
    const said = await ask(path, { status, text: '{"error":"x"}' })
    assert.deepEqual([said.status, said.value], [status, { error: 'x' }])
  })

for (const target of [
  '/',
  '/metadata/instance',
  '/metadata/identity/oauth2/token/',
  '/other/identity/oauth2/token',
  '/metadata/identity/oauth2/Token',
])
  test(`${target} is for the metadata service of the machine, without the name of this host [3.9.4]`, async () => {
    const headers = { metadata: 'true', host: 'here', connection: 'close', 'x-more': 'y' }
    const { status, value, entra, machine } = await ask(target, issued, { headers })
    assert.deepEqual([status, value, entra.length], [404, 'the machine', 0])
    const passed = Object.entries(machine[0]?.headers ?? {}).filter(([, said]) => said !== undefined)
    assert.deepEqual(
      [machine[0]?.target, passed],
      [
        target,
        [
          ['metadata', 'true'],
          ['x-more', 'y'],
        ],
      ],
    )
  })

test('readiness is told in plain text, whoever asks', async () => {
  const { status, type, value } = await ask('/readyz', issued, { headers: {} })
  assert.deepEqual([status, type, value], [200, 'text/plain', 'ok'])
})
