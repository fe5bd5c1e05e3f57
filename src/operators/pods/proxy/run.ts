// The proxy as a process: a listener on loopback, where only the pod itself can reach it, until it is told to stop; and the question whether
// it answers, which the container's own hook asks.
import {
  type Flag,
  FlagError,
  flagOf,
  type HttpClient,
  HttpFailure,
  listenAnywhere,
  parseFlags,
  type Seams,
  untilAborted,
  withDeadline,
} from '#base'
import { quietListenLimits } from '#runtime'
import { proxyPortDefault } from '../azure/api.ts'
import { metadataAnswers, type ProxyIdentity } from './answer.ts'

const { text, boolean, integer } = flagOf

const proxyFlags: readonly Flag[] = [
  text('log-level', '', 'As the webhook was told; taken for compatibility'),
  boolean('probe', false, 'Ask whether the proxy answers, and end with 0 or 1'),
  integer('proxy-port', proxyPortDefault, 'Port on loopback that the pod’s calls of the metadata service are redirected to'),
]

export interface ProxyProgram {
  readonly port: number
  readonly probes: boolean
}

/** Throws `FlagError`. */
export function readProxyProgram(args: readonly string[]): ProxyProgram {
  const flags = parseFlags(proxyFlags, args, new Map())
  const port = Number(flags.integer('proxy-port'))
  if (port < 0 || port > 65_535) throw new FlagError(`--proxy-port is a port from 0 to 65535, not ${port}`)
  return { port, probes: flags.boolean('probe') }
}

/** From what the webhook put into the container. Throws where something is missing. */
export function readProxyIdentity(env: Readonly<Record<string, string | undefined>>): ProxyIdentity {
  const get = (name: string): string => {
    const value = env[name] ?? ''
    if (value === '') throw new FlagError(`${name} is not set: the Azure webhook sets it in containers that it gives an identity`)
    return value
  }
  return {
    clientId: env['AZURE_CLIENT_ID'] ?? '',
    tenantId: get('AZURE_TENANT_ID'),
    authorityHost: get('AZURE_AUTHORITY_HOST'),
    tokenFile: get('AZURE_FEDERATED_TOKEN_FILE'),
  }
}

const metadataOrigin = 'http://169.254.169.254'

export interface RunProxyOptions {
  readonly port: number
  readonly identity: ProxyIdentity
  readonly seams: Pick<Seams, 'net' | 'clock' | 'files' | 'log'>
  /** Default: the metadata service of the machine. */
  readonly metadata?: string
  readonly onListening?: (port: number) => void
}

/** Runs until the signal aborts; rejects when it cannot start. */
export async function runProxy(options: RunProxyOptions, signal: AbortSignal): Promise<void> {
  const { identity, seams, metadata = metadataOrigin, onListening } = options
  const { net, clock, files, log } = seams
  const dial = (origin: string): HttpClient => net.dial({ origin, protocol: 'http/1.1' })
  const [authority, machine] = [dial(new URL(identity.authorityHost).origin), dial(metadata)]
  const answers = metadataAnswers({ identity, files, clock, authority: authority.exchange, metadata: machine.exchange })
  const listener = await listenAnywhere(
    net,
    { host: '127.0.0.1', port: options.port, limits: quietListenLimits },
    async request => {
      try {
        return await answers(request)
      } catch (error) {
        if (!(error instanceof HttpFailure)) throw error
        log.warn('a call could not be passed on', { error: error.message })
        return { status: 502, headers: { 'content-type': 'text/plain' }, body: Buffer.from(`${error.message}\n`) }
      }
    },
  )
  try {
    log.info('serving', { port: listener.port })
    onListening?.(listener.port)
    await untilAborted(signal)
  } finally {
    await listener.close(1_000)
    await Promise.all([authority.close(), machine.close()])
  }
}

const triesMax = 7
const pauseMs = 1_000

/** Whether the proxy answers; asked seven times, a second apart. */
export async function probeProxy(port: number, { net, clock }: Pick<Seams, 'net' | 'clock'>): Promise<boolean> {
  const http = net.dial({ origin: `http://127.0.0.1:${port}`, protocol: 'http/1.1' })
  try {
    for (let tries = 1; ; tries++) {
      if (await isReady()) return true
      if (tries === triesMax) return false
      await clock.sleep(pauseMs)
    }
  } finally {
    await http.close()
  }

  async function isReady(): Promise<boolean> {
    try {
      const { status } = await withDeadline(clock, { timeoutMs: pauseMs }, signal =>
        http.exchange({ method: 'GET', target: '/readyz', headers: {}, body: null, signal }),
      )
      return status === 200
    } catch {
      return false
    }
  }
}
