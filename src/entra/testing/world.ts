// A world for tests: Entra in process, an issuer of ServiceAccount tokens, a managed identity with a federated credential, and a vault that it
// may read.
import { createPublicKey, type KeyObject, sign } from 'node:crypto'
import { type Clock, collectBody, given, type HttpResponse, ManualClock, rsaPrime, rsaPrivateKey, seededRandom } from '#base'
import { createEntra } from '../create-entra.ts'
import type { Entra, EntraOptions } from '../entra.ts'
import { bodyBytesMax } from '../wire/call.ts'

export const issuer = 'https://issuer.example.com/cluster-a/'
export const subject = 'system:serviceaccount:apps:orders'
export const audience = 'api://AzureADTokenExchange'
export const secretsUser = '4633458b-17de-408a-b874-0445c86b69e6'

export interface Answer {
  readonly status: number
  readonly headers: HttpResponse['headers']
  readonly body: Readonly<Record<string, unknown>>
  readonly text: string
}

export interface EntraWorld extends AsyncDisposable {
  readonly entra: Entra
  readonly clock: ManualClock
  readonly issuer: TestIssuer
  ask(method: string, target: string, options?: AskOptions): Promise<Answer>
  /** As the administrator, of the resource manager. */
  arm(method: string, target: string, body?: object): Promise<Answer>
  graph(method: string, target: string, body?: object): Promise<Answer>
  /** The token endpoint, with the usual fields unless others are given; `undefined` leaves one out. */
  exchange(fields?: Readonly<Record<string, string | undefined>>, tenant?: string): Promise<Answer>
}

export interface AskOptions {
  readonly host?: string
  readonly token?: string
  readonly body?: object | string
  readonly headers?: Readonly<Record<string, string>>
}

export async function entraWorld(options: Partial<EntraOptions> = {}): Promise<EntraWorld> {
  const clock = (options.clock as ManualClock | undefined) ?? new ManualClock()
  const entra = createEntra({ seed: 'test', clock, ...options })
  const made = testIssuer(issuer, clock)
  entra.registerHost('issuer.example.com', made.handle)
  const ask: EntraWorld['ask'] = async (
    method,
    target,
    { host = 'login.microsoftonline.com', token, body, headers = {} } = {},
  ) => {
    const text = typeof body === 'object' ? JSON.stringify(body) : body
    const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` }
    const request = {
      method,
      target,
      headers: { host, ...authorization, ...headers },
      body: text === undefined ? null : Buffer.from(text),
    }
    const response = await entra.handle(request)
    const answered = Buffer.from(await collectBody(response.body, bodyBytesMax)).toString('utf8')
    return { status: response.status, headers: response.headers, text: answered, body: objectOf(answered) }
  }
  const { tenant, clientId, clientSecret } = entra.administrator
  const asAdministrator = async (resource: string): Promise<string> => {
    const form = {
      client_id: clientId,
      client_secret: clientSecret,
      grant_type: 'client_credentials',
      scope: `${resource}/.default`,
    }
    const { body } = await ask('POST', `/${tenant}/oauth2/v2.0/token`, { body: String(new URLSearchParams(form)) })
    return String(body['access_token'])
  }
  return {
    entra,
    clock,
    issuer: made,
    ask,
    arm: async (method, target, body) =>
      ask(method, `${target}${target.includes('?') ? '&' : '?'}api-version=2023-01-31`, {
        token: await asAdministrator('https://management.azure.com'),
        ...given({ body }),
      }),
    graph: async (method, target, body) =>
      ask(method, `/v1.0/${target}`, {
        token: await asAdministrator('https://graph.microsoft.com'),
        ...given({ body }),
      }),
    exchange: (fields = {}, of = tenant) => {
      const form = {
        grant_type: 'client_credentials',
        scope: 'https://vault.azure.net/.default',
        client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
        ...('client_secret' in fields ? {} : { client_assertion: made.token() }),
        ...fields,
      }
      const pairs = Object.entries(form).filter((pair): pair is [string, string] => pair[1] !== undefined)
      return ask('POST', `/${of}/oauth2/v2.0/token`, { body: String(new URLSearchParams(pairs)) })
    },
    [Symbol.asyncDispose]: () => entra.close(),
  }
}

function objectOf(text: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(text) as Readonly<Record<string, unknown>>
  } catch {
    return {}
  }
}

export interface TestIssuer {
  readonly handle: Entra['handle']
  /** A ServiceAccount token; claims and header fields replace the usual ones, `undefined` leaves one out. */
  token(claims?: Readonly<Record<string, unknown>>, header?: Readonly<Record<string, unknown>>, key?: KeyObject): string
  readonly privateKey: KeyObject
  readonly publicKey: KeyObject
  /** Addresses that were asked for. */
  readonly asked: string[]
  /** From now on another key signs, and is published. */
  rotate(): void
  /** Answers with this instead, while it is set. */
  answer: ((target: string) => HttpResponse | undefined) | undefined
}

interface Drawn {
  readonly id: string
  readonly privateKey: KeyObject
  readonly publicKey: KeyObject
}

/** Keys of issuers, in the order in which they are drawn: making one takes long, and every issuer may have the same. */
const drawn: Drawn[] = []

function keyNumbered(number: number): Drawn {
  const random = seededRandom(`issuer key ${number}`)
  const privateKey =
    drawn[number]?.privateKey ?? rsaPrivateKey(rsaPrime(random.fork('p'), 1_024), rsaPrime(random.fork('q'), 1_024))
  drawn[number] ??= {
    id: `key-${number}`,
    privateKey,
    publicKey: createPublicKey(privateKey.export({ type: 'pkcs8', format: 'pem' })),
  }
  return drawn[number]
}

export function testIssuer(url: string, clock: Clock): TestIssuer {
  let count = 0
  const draw = (): Drawn => keyNumbered(++count)
  let pair = draw()
  const asked: string[] = []
  const base = new URL(url).pathname.replace(/\/$/, '')
  const self: TestIssuer = {
    asked,
    answer: undefined,
    get privateKey() {
      return pair.privateKey
    },
    get publicKey() {
      return pair.publicKey
    },
    rotate: () => void (pair = draw()),
    token: (claims = {}, header = {}, key = pair.privateKey) => {
      const nowS = Math.floor(clock.now() / 1_000)
      const usual = { iss: url, sub: subject, aud: [audience], iat: nowS, nbf: nowS, exp: nowS + 3_600 }
      return signed({ alg: 'RS256', typ: 'JWT', kid: pair.id, ...header }, { ...usual, ...claims }, key)
    },
    handle: async ({ target }) => {
      asked.push(target)
      const instead = self.answer?.(target)
      if (instead !== undefined) return instead
      const jwk = {
        ...createPublicKey(pair.publicKey.export({ type: 'spki', format: 'pem' })).export({ format: 'jwk' }),
        kid: pair.id,
        use: 'sig',
        alg: 'RS256',
      }
      if (target === `${base}/.well-known/openid-configuration`)
        return document({ issuer: url, jwks_uri: `${new URL(url).origin}/keys` })
      return target === '/keys' ? document({ keys: [jwk] }) : { status: 404, headers: {}, body: null }
    },
  }
  return self
}

export function document(value: object): HttpResponse {
  return { status: 200, headers: { 'content-type': 'application/json' }, body: Buffer.from(JSON.stringify(value)) }
}

export function signed(header: object, claims: object, key: KeyObject): string {
  const text = [header, claims].map(part => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
  return `${text}.${sign('sha256', Buffer.from(text), key).toString('base64url')}`
}

export interface Orders {
  readonly clientId: string
  readonly principalId: string
  /** Of the resource manager. */
  readonly id: string
  readonly group: string
  readonly vault: string
}

/** The identity `orders` with a federated credential for the ServiceAccount, and a vault whose secrets it may read. */
export async function makeOrders(world: EntraWorld, credential: object = {}): Promise<Orders> {
  const { subscription } = world.entra.administrator
  const group = `/subscriptions/${subscription}/resourceGroups/apps`
  const id = `${group}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/orders`
  const { body } = await world.arm('PUT', id, { location: 'westeurope' })
  const { clientId, principalId } = body['properties'] as { clientId: string; principalId: string }
  const properties = { issuer, subject, audiences: [audience], ...credential }
  await world.arm('PUT', `${id}/federatedIdentityCredentials/cluster-a`, { properties })
  const vault = `${group}/providers/Microsoft.KeyVault/vaults/orders-vault`
  await world.arm('PUT', vault, { location: 'westeurope' })
  await allow(world, vault, principalId, secretsUser)
  return { clientId, principalId, id, group, vault }
}

let assignments = 0

export async function allow(world: EntraWorld, scope: string, principalId: string, role: string): Promise<Answer> {
  const { subscription } = world.entra.administrator
  const name = `00000000-0000-4000-8000-${String(++assignments).padStart(12, '0')}`
  const roleDefinitionId = `/subscriptions/${subscription}/providers/Microsoft.Authorization/roleDefinitions/${role}`
  return world.arm('PUT', `${scope}/providers/Microsoft.Authorization/roleAssignments/${name}`, {
    properties: { principalId, roleDefinitionId },
  })
}

export function codeOf({ body }: Answer): unknown {
  return (body['error_codes'] as readonly number[] | undefined)?.[0]
}
