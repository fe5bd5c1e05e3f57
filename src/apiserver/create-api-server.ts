// An API server as its users hold it.
import { type Files, type HttpExchange, type HttpListener, type Net, systemNet } from '#base'
import type { ApiServer, ApiServerOptions, Faults, ListenWhere } from './api-server.ts'
import { authenticate } from './auth/authenticate.ts'
import { authorize } from './auth/authorize.ts'
import { impersonate } from './auth/impersonate.ts'
import { chooseControllers } from './controllers/all.ts'
import { bootstrap } from './controllers/bootstrap.ts'
import { serveDefinitions } from './controllers/definitions.ts'
import { findObject } from './controllers/look.ts'
import { ControllerRunner } from './controllers/runner.ts'
import { AggregatedDiscovery } from './discovery/discovery.ts'
import { DataFolder } from './journal/journal.ts'
import { readState, renderSnapshot, storeFrom } from './journal/snapshot.ts'
import { identityOf, makeParts, type Parts, type Past } from './make-parts.ts'
import { OpenApiDocuments } from './openapi/served-documents.ts'
import { renderKubeconfig } from './pki/kubeconfig.ts'
import { answerPath } from './serving/paths.ts'
import { makeHandler, type RequestGate } from './serving/pipeline.ts'
import { RequestCounts } from './serving/request-counts.ts'
import { Restartable } from './serving/restartable.ts'
import type { TokenIssuer } from './tokens/token-issuer.ts'
import type { UserInfo } from './users.ts'
import { adminUser } from './users.ts'

/** A new API server, ready when it returns. */
export function createApiServer(options: ApiServerOptions = {}): ApiServer {
  const saved = options.data?.saved ?? (options.snapshot === undefined ? undefined : readState(options.snapshot))
  if (saved === undefined) return new EmbeddedServer(options)
  return new EmbeddedServer(options, { store: nowMs => storeFrom(saved, nowMs), identity: saved.identity })
}

/** Like `createApiServer`, with its state in a folder: what a write was answered for is there after the process is killed. */
export async function openApiServer(
  options: ApiServerOptions & { files: Files; folder: string; sync?: boolean },
): Promise<ApiServer> {
  const { files, folder, sync, ...rest } = options
  const data = await DataFolder.open(files, folder, sync === undefined ? {} : { sync })
  const server = createApiServer({ ...rest, data })
  await data.begin(() => server.snapshot())
  return server
}

class EmbeddedServer implements ApiServer {
  readonly handle: HttpExchange
  readonly #options: ApiServerOptions
  readonly #parts: Parts
  readonly #gate: RequestGate
  readonly #listeners: Restartable[] = []
  readonly #controllers: ControllerRunner | undefined

  constructor(options: ApiServerOptions, past?: Past) {
    this.#options = options
    this.#parts = makeParts(options, past)
    this.#gate = this.#makeGate()
    this.handle = makeHandler(this.#parts.ports, this.#gate, undefined)
    serveDefinitions(this.#parts.ports)
    bootstrap(this.#parts.ports, options.objects ?? [])
    // Like a server that was just started: what happened before it answered is no history that a watch could begin in.
    if (past === undefined) this.#parts.ports.store.compact()
    const makers = chooseControllers(options.controllers)
    if (makers.length > 0)
      this.#controllers = new ControllerRunner(
        this.#parts.ports,
        user => this.as(user),
        () => this.ca,
        makers,
      )
  }

  as(user: UserInfo = adminUser): HttpExchange {
    return makeHandler(this.#parts.ports, this.#gate, user)
  }

  async listen({ host = '127.0.0.1', port = 0, limits = {} }: ListenWhere = {}): Promise<HttpListener> {
    const net: Net = this.#options.net ?? systemNet
    const tls = this.#parts.authority.serverTls(host === '0.0.0.0' || host === '::' ? 'localhost' : host)
    const listener = await Restartable.open(again => net.listen({ host, port: again ?? port, tls, limits }, this.handle))
    this.#parts.callouts.reachOver(net)
    if (this.#listeners.length === 0) this.#parts.address = `${listener.host}:${listener.port}`
    this.#listeners.push(listener)
    return listener
  }

  kubeconfig(user?: UserInfo): string {
    const [listener] = this.#listeners
    if (listener === undefined) throw new Error('a kubeconfig needs an address: call listen() first')
    const cluster = { name: this.#options.name ?? 'embedded', url: `https://${this.#parts.address}`, ca: this.ca }
    if (user === undefined) return renderKubeconfig(cluster, { name: adminUser.username, token: this.adminToken })
    return renderKubeconfig(cluster, { name: user.username, ...this.#parts.authority.clientCredential(user) })
  }

  get ca(): string {
    return this.#parts.authority.certificate
  }

  get adminToken(): string {
    return this.#parts.adminToken
  }

  get tokens(): TokenIssuer {
    return this.#parts.issuer
  }

  serve(address: { namespace: string; service: string } | { host: string }, handler: HttpExchange): void {
    this.#parts.callouts.register('host' in address ? address.host : `${address.namespace}/${address.service}`, handler)
  }

  printed({ namespace, name }: { readonly namespace: string; readonly name: string }, text: string): void {
    const { ports } = this.#parts
    const pod = findObject(ports, 'pods', `${namespace}/${name}`)
    if (pod !== undefined) ports.logs.append(pod.metadata.uid, text)
  }

  get faults(): Faults {
    const { store, faults } = this.#parts.ports
    return {
      add: rule => faults.add(rule),
      clear: () => faults.clear(),
      compact: revision => store.compact(revision),
      restart: () => this.#restart(),
      get trace() {
        return faults.trace
      },
    }
  }

  /** What a new process would do: no connection survives, the objects are those that were kept, the past before them is gone. */
  async #restart(): Promise<void> {
    const { ports } = this.#parts
    ports.watches.end()
    await Promise.all(this.#listeners.map(listener => listener.stop()))
    await ports.data?.flushed()
    ports.store.reload(storeFrom(readState(this.snapshot()), () => ports.clock.monotonicMs()))
    await Promise.all(this.#listeners.map(listener => listener.start()))
  }

  snapshot(): string {
    const { ports } = this.#parts
    return renderSnapshot(ports.store, identityOf(this.#parts), ports.clock.now())
  }

  fork(options: Pick<ApiServerOptions, 'clock' | 'seed' | 'log'> = {}): ApiServer {
    const { store } = this.#parts.ports
    return new EmbeddedServer(
      { ...withoutData(this.#options), ...options, objects: [] },
      { store: nowMs => store.fork(nowMs), identity: identityOf(this.#parts) },
    )
  }

  step(): Promise<boolean> {
    return this.#parts.ports.scheduler.step()
  }

  settle(): Promise<void> {
    return this.#parts.ports.scheduler.settle()
  }

  get revision(): number {
    return this.#parts.ports.store.revision
  }

  async close(): Promise<void> {
    const { watches, scheduler, definitionRemovals } = this.#parts.ports
    this.#controllers?.stop()
    definitionRemovals.stop()
    scheduler.clear()
    watches.end()
    await this.#parts.callouts.close()
    await this.#options.data?.close()
    await Promise.all(this.#listeners.splice(0).map(listener => listener.close(0)))
  }

  #makeGate(): RequestGate {
    const parts = this.#parts
    const { ports, tokens, authorizer } = parts
    const requests = new RequestCounts()
    const paths = {
      registry: ports.registry,
      discovery: new AggregatedDiscovery(ports.registry),
      issuer: parts.issuer,
      openApi: new OpenApiDocuments(ports.registry, ports.emulate, () => ports.clock.now()),
      emulate: ports.emulate,
      address: () => parts.address,
      isReady: () => true,
      requests,
      store: ports.store,
    }
    return {
      authenticate: request => authenticate(request, tokens),
      impersonate: (request, user) => impersonate(authorizer, request, user),
      authorize: call => authorize(authorizer, call),
      path: call => answerPath(paths, call),
      answered: (call, code, ms) => requests.add(call, code, ms),
    }
  }
}

/** A fork lives in memory only. */
function withoutData({ data: _data, snapshot: _snapshot, ...options }: ApiServerOptions): ApiServerOptions {
  return options
}
