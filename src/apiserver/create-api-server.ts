// Puts the parts together: one store, one registry, one pipeline in front, small controllers behind.
import {
  type Clock,
  type HttpExchange,
  type HttpListener,
  type Random,
  seededRandom,
  silentLog,
  systemClock,
  systemNet,
  systemRandom,
} from '#base'
import { admitEverything } from './admission/admission.ts'
import type { ApiServer, ApiServerOptions, Faults, TokenIssuer, UserInfo } from './api-server.ts'
import { bootstrap } from './controllers/bootstrap.ts'
import { serveDefinitions } from './controllers/definitions.ts'
import type { Core } from './core.ts'
import { AggregatedDiscovery } from './discovery/discovery.ts'
import { answerPath, type PathsContext } from './http/paths.ts'
import { type Gate, makeHandler } from './http/pipeline.ts'
import { noFieldManagement } from './metadata/field-management.ts'
import { forbidden, methodNotAllowed, tooLargeResourceVersion, unauthorized } from './refusals.ts'
import { builtinResources } from './registry/builtin-table.ts'
import { openSchema } from './registry/open-schema.ts'
import { Registry } from './registry/registry.ts'
import { Store } from './store/store.ts'
import { Watches } from './watch/watches.ts'

export const adminUser: UserInfo = { username: 'kubernetes-admin', groups: ['system:masters', 'system:authenticated'] }

/** How long a read waits for a revision that is not there yet. */
const futureWaitMs = 3_000

/** A new API server, ready when it returns. */
export function createApiServer(options: ApiServerOptions = {}): ApiServer {
  const clock = options.clock ?? systemClock
  const random = options.random ?? (options.seed === undefined ? systemRandom : seededRandom(options.seed))
  const store = new Store(() => clock.monotonicMs())
  return assemble(options, clock, random, store)
}

function assemble(options: ApiServerOptions, clock: Clock, random: Random, store: Store): ApiServer {
  const registry = new Registry(builtinResources({ schema: () => openSchema, behaviour: () => ({}) }))
  const watches = new Watches()
  const core: Core = {
    clock,
    random,
    log: options.log ?? silentLog,
    emulate: options.emulate ?? '1.32',
    store,
    registry,
    watches,
    admission: admitEverything,
    fields: noFieldManagement,
    decodeProtobuf: () => {
      throw new Error('protobuf bodies are not decoded yet')
    },
    strategicMerge: () => {
      throw new Error('strategic merge patches are not carried out yet')
    },
    subresource: call => {
      throw methodNotAllowed(call.info.verb, call.kind.resource)
    },
    review: call => {
      throw methodNotAllowed(call.info.verb, call.kind.resource)
    },
    apply: call => {
      throw methodNotAllowed('apply', call.kind.resource)
    },
    waitForRevision: revision => waitForRevision(core, revision),
    allow: () => undefined,
  }
  store.onCommit((_event, table) => watches.committed(table))
  serveDefinitions(core)
  bootstrap(core, options.objects ?? [])
  const adminToken = Buffer.from(random.fork('admin-token').bytes(24)).toString('base64url')
  let address = 'localhost:0'
  const paths: PathsContext = {
    registry,
    discovery: new AggregatedDiscovery(registry),
    emulate: core.emulate,
    address: () => address,
    isReady: () => true,
  }
  const gate: Gate = {
    authenticate: request => {
      const { authorization } = request.headers
      if (authorization === `Bearer ${adminToken}`) return adminUser
      if (authorization !== undefined) throw unauthorized()
      return { username: 'system:anonymous', groups: ['system:unauthenticated'] }
    },
    impersonate: (_request, user) => user,
    authorize: call => {
      if (call.user.groups.includes('system:masters')) return
      throw forbidden({ group: '', plural: 'requests' }, '', 'only the admin may do anything yet')
    },
    path: call => answerPath(paths, call),
  }
  const handle = makeHandler(core, gate, undefined)
  return {
    handle,
    as: (user?: UserInfo): HttpExchange => makeHandler(core, gate, user ?? adminUser),
    listen: async (where = {}): Promise<HttpListener> => {
      const listener = await (options.net ?? systemNet).listen({ host: where.host ?? '127.0.0.1', port: where.port ?? 0 }, handle)
      address = `${listener.host}:${listener.port}`
      return listener
    },
    kubeconfig: () => '',
    ca: '',
    adminToken,
    tokens: undefined as unknown as TokenIssuer,
    serve: () => {},
    faults: undefined as unknown as Faults,
    snapshot: () => '',
    fork: more =>
      assemble(
        { ...options, ...more },
        more?.clock ?? clock,
        random,
        store.fork(() => clock.monotonicMs()),
      ),
    step: () => Promise.resolve(false),
    settle: () => Promise.resolve(),
    get revision() {
      return store.revision
    },
    close: () => {
      watches.end()
      return Promise.resolve()
    },
  }
}

/** Waits for a revision that somebody else has seen, or has been told; refuses when it does not come. */
function waitForRevision(core: Core, revision: number): Promise<void> | undefined {
  if (core.store.revision >= revision) return undefined
  return new Promise((resolve, reject) => {
    const stop = core.store.onCommit(event => {
      if (event.revision < revision) return
      stop()
      timer.cancel()
      resolve()
    })
    const timer = core.clock.timer(futureWaitMs, () => {
      stop()
      reject(tooLargeResourceVersion(revision, core.store.revision))
    })
  })
}
