// Where telemetry goes, by the environment variables that OpenTelemetry has agreed on.
import { commaPairs, given, type Seams, type TlsClientOptions } from '#base'
import type { CollectorAddress } from './exporter.ts'

export type Signal = 'LOGS' | 'METRICS' | 'TRACES'

type Environment = Readonly<Record<string, string | undefined>>

const timeoutMsDefault = 10_000

/** Undefined when no address is named. Rejects when one is, and cannot be used. */
export async function readCollectorAddress(
  { env, files }: Pick<Seams, 'env' | 'files'>,
  signal: Signal,
): Promise<CollectorAddress | undefined> {
  const own = (name: string): string =>
    valueOf(env, `OTEL_EXPORTER_OTLP_${signal}_${name}`) || valueOf(env, `OTEL_EXPORTER_OTLP_${name}`)
  const url = addressOf(env, signal)
  if (url === '') return undefined
  const timeoutMs = Number(own('TIMEOUT') || timeoutMsDefault)
  if (!(timeoutMs > 0))
    throw new Error(`OTEL_EXPORTER_OTLP_TIMEOUT: ${JSON.stringify(own('TIMEOUT'))} is no number of milliseconds`)
  const read = async (name: string): Promise<string | undefined> => {
    const path = own(name)
    if (path === '') return undefined
    const bytes = await files.read(path)
    if (bytes === undefined) throw new Error(`OTEL_EXPORTER_OTLP_${name}: there is no file ${path}`)
    return new TextDecoder().decode(bytes)
  }
  const [ca, certificate, key] = await Promise.all(['CERTIFICATE', 'CLIENT_CERTIFICATE', 'CLIENT_KEY'].map(read))
  const tls: TlsClientOptions = given({ ca, certificate, key })
  return { url, headers: parseHeaders(own('HEADERS')), timeoutMs, ...(Object.keys(tls).length === 0 ? {} : { tls }) }
}

/** The general address gets the signal's path behind it; the signal's own is taken as it stands. */
function addressOf(env: Environment, signal: Signal): string {
  const own = addressIn(env, `OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`)
  const general = own === '' ? addressIn(env, 'OTEL_EXPORTER_OTLP_ENDPOINT') : ''
  return own || (general === '' ? '' : `${general.replace(/\/+$/, '')}/v1/${signal.toLowerCase()}`)
}

/** As it was written: with a path behind it, an address without a host would get one. */
function addressIn(env: Environment, name: string): string {
  const url = valueOf(env, name)
  if (url !== '' && !(/^https?:\/\/[^/]/.test(url) && URL.canParse(url)))
    throw new Error(`${name}: ${JSON.stringify(url)} is no http:// or https:// address`)
  return url
}

/** Headers are secrets: what is wrong with one is told without it. */
function parseHeaders(list: string): Readonly<Record<string, string>> {
  const wrong = (_header: string, why: string): Error => new Error(`OTEL_EXPORTER_OTLP_HEADERS: a header ${why}`)
  return Object.fromEntries(commaPairs(list, wrong).map(([name, value]) => [name.toLowerCase(), value]))
}

function valueOf(env: Environment, name: string): string {
  return (env[name] ?? '').trim()
}
