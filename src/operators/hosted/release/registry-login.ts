// How a registry is convinced: by what a pull secret says of its host, as it is or for a token of whoever the registry names.
import { isRecord } from '#base'

/** The credential of a host as HTTP's Basic scheme takes it; `undefined` where the pull secret has none. */
export function credentialFor(host: string, pullSecret: string): string | undefined {
  const auths = pullSecret === '' ? undefined : recordIn(parsedSecret(pullSecret), 'auths')
  const auth = recordIn(auths, host)?.['auth']
  return typeof auth === 'string' && auth !== '' ? auth : undefined
}

function parsedSecret(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // What a parser says repeats what it read.
    throw new Error('the pull secret is no JSON')
  }
}

function recordIn(value: unknown, name: string): Readonly<Record<string, unknown>> | undefined {
  const held = isRecord(value) ? value[name] : undefined
  return isRecord(held) ? held : undefined
}

export interface Challenge {
  readonly scheme: 'basic' | 'bearer'
  /** Where a token is to be had, with what the registry wants it for. */
  readonly address?: URL
}

/** What the header `www-authenticate` asks for; `undefined` for what nobody here can give. */
export function parseChallenge(header: string): Challenge | undefined {
  const [, scheme = '', rest = ''] = /^(\w+)\s*(.*)$/.exec(header) ?? []
  if (scheme.toLowerCase() === 'basic') return { scheme: 'basic' }
  if (scheme.toLowerCase() !== 'bearer') return undefined
  const values = new Map([...rest.matchAll(/(\w+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]))
  const address = URL.parse(values.get('realm') ?? '')
  if (address === null || address.protocol !== 'https:') return undefined
  for (const name of ['service', 'scope']) {
    const value = values.get(name)
    if (value !== undefined) address.searchParams.set(name, value)
  }
  return { scheme: 'bearer', address }
}

/** Out of the answer of whoever gives tokens. */
export function tokenIn(text: string): string {
  const answer: unknown = JSON.parse(text)
  const token = isRecord(answer) ? (answer['token'] ?? answer['access_token']) : undefined
  if (typeof token !== 'string' || token === '') throw new Error('the registry’s token service gave no token')
  return token
}
