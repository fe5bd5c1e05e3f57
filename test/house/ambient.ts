// What counts as ambient, and who may touch it: data for the lint rule, the run-time traps and their tests.

/** Node's modules that reach outside the process. */
export const ambientModules: ReadonlySet<string> = new Set([
  'child_process',
  'cluster',
  'dgram',
  'dns',
  'dns/promises',
  'fs',
  'fs/promises',
  'http',
  'http2',
  'https',
  'net',
  'os',
  'process',
  'readline',
  'timers',
  'timers/promises',
  'tls',
  'worker_threads',
])

/** Globals and members by the text that reaches for them. */
export const ambientNames: readonly string[] = [
  'Date.now',
  'Math.random',
  'performance.now',
  'process.env',
  'process.hrtime',
  'process.exit',
  'crypto.randomUUID',
  'crypto.getRandomValues',
]
export const ambientGlobals: readonly string[] = ['setTimeout', 'setInterval', 'fetch', 'WebSocket', 'EventSource']
/** From node:crypto: the rest of it is pure given its inputs. */
export const ambientCrypto: readonly string[] = [
  'randomBytes',
  'randomUUID',
  'randomInt',
  'randomFillSync',
  'generateKeyPair',
  'generateKeyPairSync',
]

export interface Exemption {
  readonly path: string
  readonly reason: string
}

export const exemptions: readonly Exemption[] = [
  { path: 'src/base/system/', reason: 'the ports themselves' },
  { path: 'src/cli/', reason: 'the front door wires the ports and talks to the terminal' },
]

export function isExempt(file: string): boolean {
  return exemptions.some(({ path }) => file.startsWith(path))
}
