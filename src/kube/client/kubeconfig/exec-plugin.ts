// Credentials from a helper program, as kubeconfigs define them. Runs at most once at a time, keeps what it got until that expires,
// and is not run again and again when the server refuses what it gives.
import { redactText, type Seams } from '#base'
import { KubeError } from '../client.ts'
import type { ClusterEntry, ExecEntry, Placed } from './kubeconfig.ts'
import { besides } from './load.ts'

export interface ExecCredential {
  readonly token?: string
  readonly certificate?: string
  readonly key?: string
  readonly expiresAtMs?: number
}

/** Plugins of clouds wait for browsers and second factors at times, but a controller must not wait with them. */
const timeoutMs = 60_000
const outputBytesMax = 1_048_576
/** A credential that the server refused is not asked for more often than this. */
const rerunMs = 10_000
/** Taken as expired so early, for the sake of clocks that differ and calls that take time. */
const earlyMs = 10_000

/**
 * What plugins are let see of our environment, beside their own `env`: where they find their own configuration and how they get out.
 * Everything else stays here: a helper program has no business with the rest.
 */
const passedOn =
  /^(PATH|HOME|USER|LOGNAME|LANG|LC_.*|TZ|TMPDIR|XDG_.*|SSL_CERT_(FILE|DIR)|(HTTPS?|NO|ALL)_PROXY|KUBECONFIG|AWS_.*|AZURE_.*|AAD_.*|GOOGLE_.*|CLOUDSDK_.*|OCI_.*|DIGITALOCEAN_.*)$/i

/** Our environment as plugins see it: `PATH`, `HOME` and the names that were given, or what is known to be theirs. */
export function pluginEnvironment(env: Seams['env'], names?: readonly string[]): Seams['env'] {
  const isTheirs = (name: string): boolean =>
    names === undefined ? passedOn.test(name) : name === 'PATH' || name === 'HOME' || names.includes(name)
  return Object.fromEntries(Object.entries(env).filter(([name, value]) => value !== undefined && isTheirs(name)))
}

export class ExecPlugin {
  readonly #seams: Pick<Seams, 'programs' | 'clock' | 'env'>
  readonly #exec: ExecEntry
  readonly #file: string
  readonly #cluster: ClusterEntry
  readonly #caPem: string | undefined
  #held: ExecCredential | undefined
  #running: Promise<ExecCredential> | undefined
  #ranMs = Number.NEGATIVE_INFINITY

  constructor(
    seams: Pick<Seams, 'programs' | 'clock' | 'env'>,
    from: { readonly exec: Placed<ExecEntry>; readonly cluster: ClusterEntry; readonly caPem?: string | undefined },
  ) {
    this.#seams = seams
    this.#exec = from.exec.entry
    this.#file = from.exec.file
    this.#cluster = from.cluster
    this.#caPem = from.caPem
  }

  credential(): Promise<ExecCredential> {
    const held = this.#held
    if (held !== undefined && (held.expiresAtMs === undefined || held.expiresAtMs - earlyMs > this.#seams.clock.now())) {
      return Promise.resolve(held)
    }
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined
    })
    return this.#running
  }

  /** False when the plugin ran a moment ago: running it again would give the same. */
  refused(): boolean {
    if (this.#seams.clock.monotonicMs() - this.#ranMs < rerunMs) return false
    this.#held = undefined
    return true
  }

  async #run(): Promise<ExecCredential> {
    this.#ranMs = this.#seams.clock.monotonicMs()
    const { command, args, installHint } = this.#exec
    let stdout: Uint8Array
    try {
      const result = await this.#seams.programs.run({
        // A bare name is looked for in PATH; anything with a slash counts from the kubeconfig's folder.
        command: command.includes('/') ? besides(this.#file, command) : command,
        args,
        env: this.#environment(),
        outputBytesMax,
        timeoutMs,
      })
      if (result.code !== 0)
        throw new Error(`it ended with ${result.code}: ${new TextDecoder().decode(result.stderr).slice(0, 500)}`)
      stdout = result.stdout
    } catch (error) {
      const detail = redactText(error instanceof Error ? error.message : String(error))
      throw this.#failure(`${detail}${installHint === undefined ? '' : `; ${installHint}`}`, error)
    }
    return (this.#held = this.#parse(stdout))
  }

  #parse(stdout: Uint8Array): ExecCredential {
    let answer: { kind?: unknown; apiVersion?: unknown; status?: Record<string, unknown> }
    try {
      answer = JSON.parse(new TextDecoder().decode(stdout)) as typeof answer
    } catch (error) {
      throw this.#failure('its output is no JSON', error)
    }
    if (answer?.kind !== 'ExecCredential' || answer.apiVersion !== this.#exec.apiVersion) {
      throw this.#failure(`its output is no ExecCredential of ${this.#exec.apiVersion}`)
    }
    const { token, clientCertificateData, clientKeyData, expirationTimestamp } = answer.status ?? {}
    const expiresAtMs = typeof expirationTimestamp === 'string' ? Date.parse(expirationTimestamp) : undefined
    if (Number.isNaN(expiresAtMs)) throw this.#failure('its expirationTimestamp is no time')
    const hasPair = typeof clientCertificateData === 'string' && typeof clientKeyData === 'string'
    if (typeof token !== 'string' && !hasPair)
      throw this.#failure('its output holds neither a token nor a certificate with its key')
    return {
      ...(typeof token === 'string' && { token }),
      ...(hasPair && { certificate: clientCertificateData, key: clientKeyData }),
      ...(expiresAtMs !== undefined && { expiresAtMs }),
    }
  }

  #environment(): Record<string, string> {
    const env = Object.entries(this.#seams.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]))
    return { ...Object.fromEntries(env), ...this.#exec.env, KUBERNETES_EXEC_INFO: JSON.stringify(this.#info()) }
  }

  #info(): unknown {
    const { server, tlsServerName, insecureSkipVerify, proxyUrl, execConfig } = this.#cluster
    const cluster = {
      server,
      ...(tlsServerName !== undefined && { 'tls-server-name': tlsServerName }),
      ...(insecureSkipVerify && { 'insecure-skip-tls-verify': true }),
      ...(this.#caPem !== undefined && { 'certificate-authority-data': Buffer.from(this.#caPem).toString('base64') }),
      ...(proxyUrl !== undefined && { 'proxy-url': proxyUrl }),
      config: execConfig ?? null,
    }
    return {
      apiVersion: this.#exec.apiVersion,
      kind: 'ExecCredential',
      spec: { interactive: false, ...(this.#exec.provideClusterInfo && { cluster }) },
    }
  }

  #failure(detail: string, cause?: unknown): KubeError {
    const message = `the exec plugin ${JSON.stringify(this.#exec.command)} of kubeconfig ${this.#file} gave no credentials: ${detail}`
    return new KubeError('unauthenticated', message, cause === undefined ? {} : { cause })
  }
}
