// The parts of one server, put together around a store.
import { seededRandom, silentLog, systemClock, systemRandom } from '#base'
import { builtinKind } from '#schema'
import { AdmissionChain } from './admission/chain.ts'
import { pluginsInOrder } from './admission/plugins.ts'
import { Webhooks } from './admission/webhooks/webhooks.ts'
import type { ApiServerOptions } from './api-server.ts'
import { authorize } from './auth/authorize.ts'
import { Authorizer } from './auth/authorizer.ts'
import { Callouts } from './callouts/callouts.ts'
import { type RemovalPorts, removeDefinition } from './controllers/definition-removal.ts'
import type { ServingPorts } from './controllers/definitions.ts'
import { RepeatedWork, type WorkPorts } from './controllers/repeated-work.ts'
import type { ControllerPorts } from './controllers/runner.ts'
import { Converter } from './conversion/converter.ts'
import { FaultPlan } from './faults/fault-plan.ts'
import { renderSnapshot, type ServerIdentity } from './journal/snapshot.ts'
import { CertificateAuthority } from './pki/authority.ts'
import { tooLargeResourceVersion } from './refusals.ts'
import { builtinBehaviours } from './registry/builtin-behaviour.ts'
import { builtinResources } from './registry/builtin-table.ts'
import { openSchema } from './registry/open-schema.ts'
import { Registry } from './registry/registry.ts'
import { TaskScheduler } from './scheduler.ts'
import type { PipelinePorts } from './serving/pipeline.ts'
import { Store } from './store/store.ts'
import { PodLogs } from './subresources/pod-logs.ts'
import { review } from './subresources/reviews.ts'
import { ServiceAccountIssuer } from './tokens/issuer.ts'
import { ServiceAccountTokens } from './tokens/service-account-tokens.ts'
import { adminUser } from './users.ts'
import { readProtobuf, strategicMerge } from './verbs/strategic.ts'
import { Watches } from './watch/watches.ts'

export const issuerDefault = 'https://kubernetes.default.svc.cluster.local'

/** How long a read waits for a revision that is not there yet. */
const futureWaitMs = 3_000

/** All that requests and controllers use, each through as many of these as its ports name. */
export interface ServerParts extends PipelinePorts, ControllerPorts, RemovalPorts, ServingPorts, WorkPorts {
  snapshot(): string
  readonly definitionRemovals: RepeatedWork
}

export interface Parts {
  readonly ports: ServerParts
  readonly authority: CertificateAuthority
  readonly issuer: ServiceAccountIssuer
  readonly tokens: ServiceAccountTokens
  readonly authorizer: Authorizer
  readonly adminToken: string
  readonly callouts: Callouts
  /** host:port of the first listener. */
  address: string
}

export interface Past {
  readonly store: (nowMs: () => number) => Store
  readonly identity: ServerIdentity
}

export function makeParts(options: ApiServerOptions, past?: Past): Parts {
  const { clock, random, log, emulate } = surroundings(options)
  const nowMs = (): number => clock.monotonicMs()
  const store = past?.store(nowMs) ?? new Store(nowMs)
  const authority = new CertificateAuthority(random.fork('pki'), clock, past?.identity.authority)
  const issuer = new ServiceAccountIssuer(
    random.fork('tokens'),
    options.issuer ?? issuerDefault,
    () => parts.address,
    past?.identity.issuer,
  )
  const adminToken = past?.identity.adminToken ?? Buffer.from(random.fork('admin-token').bytes(24)).toString('base64url')
  const scheduler = new TaskScheduler(options.stepped ?? false, (error, label) =>
    log.error('a task inside the API server failed', { label, error }),
  )
  const authorizer = new Authorizer(store)
  const callouts = new Callouts({ clock, store }, options.net)
  const converter = new Converter(random, callouts)
  const behaviour = builtinBehaviours({ clock, store, random, emulate })
  const tokens = new ServiceAccountTokens({ clock, store }, issuer, new Map([[adminToken, adminUser]]))
  const reviewToken = (token: string, audiences: readonly string[]): ReturnType<ServiceAccountTokens['review']> =>
    tokens.review(token, audiences)
  const registry = new Registry(builtinResources({ schema: schemaOf, behaviour, emulate }))
  const ports: ServerParts = {
    clock,
    random,
    log,
    data: options.data,
    emulate,
    store,
    registry,
    watches: new Watches(scheduler),
    scheduler,
    issuer,
    logs: new PodLogs(),
    faults: new FaultPlan(clock, random.fork('faults'), options.faults ?? []),
    definitionRemovals: new RepeatedWork(name => removeDefinition(ports, name), { scheduler, clock, log }, 'definition removal'),
    converter,
    admission: new AdmissionChain(
      pluginsInOrder.map(make => make({ store, random, authorizer, registry })),
      new Webhooks({ store, random, converter, callouts, authorizer }),
    ),
    decodeProtobuf: readProtobuf,
    strategicMerge,
    review: call => review(ports, { authorizer, apiAudiences: () => issuer.apiAudiences, reviewToken }, call),
    snapshot: () => renderSnapshot(store, identityOf(parts), clock.now()),
    waitForRevision: revision => waitForRevision({ store, clock }, revision),
    allow: (call, verb) => authorize(authorizer, call, verb),
  }
  const parts: Parts = { ports, authority, issuer, tokens, authorizer, adminToken, callouts, address: 'localhost:6443' }
  connectWatches(ports)
  return parts
}

function surroundings(options: ApiServerOptions): Pick<ServerParts, 'clock' | 'random' | 'log' | 'emulate'> {
  return {
    clock: options.clock ?? systemClock,
    random: options.random ?? (options.seed === undefined ? systemRandom : seededRandom(options.seed)),
    log: options.log ?? silentLog,
    emulate: options.emulate ?? '1.32',
  }
}

export function identityOf({ authority, issuer, adminToken }: Parts): ServerIdentity {
  return { authority: authority.state, issuer: issuer.state, adminToken }
}

function schemaOf(group: string, version: string, kind: string): ReturnType<typeof builtinKind> & object {
  return builtinKind(group, version, kind) ?? openSchema
}

/** Watchers learn of a commit when it is kept: with a data folder that is after its line is written. */
function connectWatches({ store, watches, data, snapshot }: ServerParts): void {
  store.onCommit((event, table) => {
    if (data === undefined) return watches.committed(table)
    data.append(event, table)
    void data.flushed().then(async () => {
      watches.committed(table)
      if (data.wantsCompaction) await data.begin(snapshot)
    })
  })
}

/** Waits for a revision that somebody else has seen, or has been told; refuses when it does not come. */
function waitForRevision({ store, clock }: Pick<ServerParts, 'store' | 'clock'>, revision: number): Promise<void> | undefined {
  if (store.revision >= revision) return undefined
  return new Promise((resolve, reject) => {
    const stop = store.onCommit(event => {
      if (event.revision < revision) return
      stop()
      timer.cancel()
      resolve()
    })
    const timer = clock.timer(futureWaitMs, () => {
      stop()
      reject(tooLargeResourceVersion(revision, store.revision))
    })
  })
}
