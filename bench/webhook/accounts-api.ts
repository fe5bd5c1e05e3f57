// An API server of ServiceAccounts alone, in pages and with a live watch, for benchmarks: it says what it is told to say, at once or not at all.
import { type HttpExchange, type HttpListener, type HttpResponse, systemClock, systemNet } from '#base'

export interface AccountsApi {
  readonly port: number
  /** Single ServiceAccounts that were asked for. */
  readonly reads: number
  /** Pages of lists that were asked for. */
  readonly pages: number
  /** Away: every connection hangs, as behind a network that is cut. */
  isAway: boolean
  /** Single reads never come. */
  holdsReads: boolean
  /** Stores a ServiceAccount of ns1; told to watchers unless `isSilent`. */
  put(name: string, hasRole: boolean, isSilent?: boolean): void
  close(): Promise<void>
}

/** API servers send one about every minute, and a watch that is silent for longer is not believed. */
const bookmarkMs = 20_000
const role = 'arn:aws:iam::111122223333:role/'

/** How the account of this number is called. */
export function accountName(index: number): { readonly name: string; readonly namespace: string } {
  return index === 0 ? { name: 'app', namespace: 'ns1' } : { name: `account-${index}`, namespace: `namespace-${index % 500}` }
}

/** As many as asked for, one in ten with a role; `app` of ns1 is the first. */
export async function accountsApi(count: number): Promise<AccountsApi> {
  const api = new Accounts(count)
  api.listener = await systemNet.listen({}, api.handle)
  return api
}

class Accounts implements AccountsApi {
  listener: HttpListener | undefined
  reads = 0
  pages = 0
  isAway = false
  holdsReads = false
  readonly #count: number
  readonly #made = new Map<string, object>()
  readonly #watchers = new Set<(line: Uint8Array) => void>()
  #revision: number

  constructor(count: number) {
    this.#count = count
    this.#revision = count + 1
    setInterval(() => this.#bookmark(), bookmarkMs).unref()
  }

  get port(): number {
    return this.listener?.port ?? 0
  }

  put(name: string, hasRole: boolean, isSilent = false): void {
    const type = this.#made.has(name) ? 'MODIFIED' : 'ADDED'
    const object = account({ name, namespace: 'ns1', version: ++this.#revision, role: hasRole ? name : undefined })
    this.#made.set(name, object)
    if (!isSilent) this.#tell({ type, object })
  }

  #bookmark(): void {
    const metadata = { resourceVersion: String(this.#revision), creationTimestamp: null }
    this.#tell({ type: 'BOOKMARK', object: { apiVersion: 'v1', kind: 'ServiceAccount', metadata } })
  }

  #tell(event: object): void {
    const line = Buffer.from(`${JSON.stringify(event)}\n`)
    for (const tell of this.#watchers) tell(line)
  }

  close(): Promise<void> {
    return this.listener?.close() ?? Promise.resolve()
  }

  readonly handle: HttpExchange = async ({ target, signal }) => {
    if (this.isAway) return hang(signal)
    const url = new URL(target, 'http://api')
    if (url.pathname === '/version') return json(200, { major: '1', minor: '34', gitVersion: 'v1.34.4' })
    const name = /\/serviceaccounts\/(.+)$/.exec(url.pathname)?.[1]
    if (name !== undefined) return this.#read(name, signal)
    if (url.searchParams.has('watch')) return { ...json(200, {}), body: this.#watch(signal) }
    return this.#list(url.searchParams)
  }

  #read(name: string, signal: AbortSignal | undefined): HttpResponse | Promise<HttpResponse> {
    this.reads++
    if (this.holdsReads) return hang(signal)
    const number = name === 'app' ? 0 : Number(/^account-(\d+)$/.exec(name)?.[1] ?? Number.NaN)
    const found = this.#made.get(name) ?? (number < this.#count ? numbered(number) : undefined)
    if (found !== undefined) return json(200, found)
    return json(404, { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', reason: 'NotFound', code: 404 })
  }

  #list(parameters: URLSearchParams): HttpResponse {
    this.pages++
    const from = Number(parameters.get('continue') ?? 0)
    const to = Math.min(this.#count, from + Number(parameters.get('limit') ?? this.#count))
    const items = Array.from({ length: to - from }, (_, index) => numbered(from + index))
    const isLast = to >= this.#count
    const metadata = { resourceVersion: String(this.#revision), ...(isLast ? {} : { continue: String(to) }) }
    const made = isLast ? [...this.#made.values()] : []
    return json(200, { apiVersion: 'v1', kind: 'ServiceAccountList', metadata, items: [...items, ...made] })
  }

  async *#watch(signal: AbortSignal | undefined): AsyncGenerator<Uint8Array> {
    const lines: Uint8Array[] = []
    let wake = (): void => {}
    const tell = (line: Uint8Array): void => {
      lines.push(line)
      wake()
    }
    this.#watchers.add(tell)
    signal?.addEventListener('abort', () => wake(), { once: true })
    try {
      while (signal?.aborted !== true) {
        if (lines.length > 0) yield Buffer.concat(lines.splice(0))
        else await new Promise<void>(resolve => (wake = resolve))
      }
    } finally {
      this.#watchers.delete(tell)
    }
  }
}

function numbered(index: number): object {
  return account({
    ...accountName(index),
    version: index + 1,
    role: index % 10 === 0 ? `app-${index}` : undefined,
  })
}

interface Named {
  readonly name: string
  readonly namespace: string
  readonly version: number
  readonly role: string | undefined
}

function account({ name, namespace, version, role: named }: Named): object {
  return {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: {
      name,
      namespace,
      uid: `00000000-0000-4000-8000-${String(version).padStart(12, '0')}`,
      resourceVersion: String(version),
      creationTimestamp: '2026-01-01T00:00:00Z',
      ...(named === undefined
        ? {}
        : { annotations: { 'eks.amazonaws.com/role-arn': `${role}${named}`, 'azure.workload.identity/client-id': named } }),
    },
  }
}

/** Until the caller leaves, or for as long as anybody waits. */
async function hang(signal: AbortSignal | undefined): Promise<HttpResponse> {
  await systemClock.sleep(86_400_000, signal).catch(() => {})
  return json(504, {})
}

function json(status: number, value: unknown): HttpResponse {
  return { status, headers: { 'content-type': 'application/json' }, body: Buffer.from(JSON.stringify(value)) }
}
