// The parts of one server, put together around a store.
import { type Clock, type Random, seededRandom, silentLog, systemClock, systemRandom } from '#base'
import { builtinKind } from '#schema'
import { Callouts } from './admission/callouts.ts'
import { AdmissionChain } from './admission/chain.ts'
import type { ApiServerOptions } from './api-server.ts'
import { authorize } from './auth/authorize.ts'
import { Authorizer } from './auth/authorizer.ts'
import { review } from './auth/reviews.ts'
import { adminUser } from './auth/users.ts'
import { removeDefinition } from './controllers/definition-removal.ts'
import { PodLogs } from './controllers/pod-logs.ts'
import { RepeatedWork } from './controllers/repeated-work.ts'
import { Converter } from './conversion/converter.ts'
import type { Core } from './core.ts'
import { FaultPlan } from './faults/fault-plan.ts'
import { renderSnapshot } from './journal/snapshot.ts'
import { Authority, type AuthorityState } from './pki/authority.ts'
import { tooLargeResourceVersion } from './refusals.ts'
import { builtinBehaviours } from './registry/builtin-behaviour.ts'
import { builtinResources } from './registry/builtin-table.ts'
import { openSchema } from './registry/open-schema.ts'
import { Registry } from './registry/registry.ts'
import { Scheduler } from './scheduler.ts'
import { Store } from './store/store.ts'
import { type IssuerState, ServiceAccountIssuer } from './tokens/issuer.ts'
import { ServiceAccountTokens } from './tokens/service-account-tokens.ts'
import { readProtobuf, strategicMerge } from './verbs/strategic.ts'
import { Watches } from './watch/watches.ts'

export const issuerDefault = 'https://kubernetes.default.svc.cluster.local'

/** How long a read waits for a revision that is not there yet. */
const futureWaitMs = 3_000

/** What a server is besides its objects; a snapshot keeps it, a fork takes it along. */
export interface Identity {
  readonly authority: AuthorityState
  readonly issuer: IssuerState
  readonly adminToken: string
}

export interface Parts {
  readonly core: Core
  readonly authority: Authority
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
  readonly identity: Identity
}

export function makeParts(options: ApiServerOptions, past?: Past): Parts {
  const clock: Clock = options.clock ?? systemClock
  const random: Random = options.random ?? (options.seed === undefined ? systemRandom : seededRandom(options.seed))
  const log = options.log ?? silentLog
  const nowMs = (): number => clock.monotonicMs()
  const store = past?.store(nowMs) ?? new Store(nowMs)
  const authority = new Authority(random.fork('pki'), clock, past?.identity.authority)
  const issuer = new ServiceAccountIssuer(
    random.fork('tokens'),
    options.issuer ?? issuerDefault,
    () => parts.address,
    past?.identity.issuer,
  )
  const adminToken = past?.identity.adminToken ?? Buffer.from(random.fork('admin-token').bytes(24)).toString('base64url')
  const scheduler = new Scheduler(options.stepped ?? false, (error, label) =>
    log.error('a task inside the API server failed', { label, error }),
  )
  const authorizer = new Authorizer(store)
  const emulate = options.emulate ?? '1.32'
  const kinds = { schema: schemaOf, behaviour: builtinBehaviours(() => core), warns: emulate !== '1.32' }
  const core: Core = {
    clock,
    random,
    log,
    data: options.data,
    emulate,
    store,
    registry: new Registry(builtinResources(kinds)),
    watches: new Watches(scheduler),
    scheduler,
    issuer,
    logs: new PodLogs(),
    faults: new FaultPlan(clock, random.fork('faults'), options.faults ?? []),
    definitionRemovals: new RepeatedWork(
      (name: string) => removeDefinition(core, name),
      { scheduler, clock, log },
      'definition removal',
    ),
    get admission() {
      return admission
    },
    get converter() {
      return converter
    },
    decodeProtobuf: readProtobuf,
    strategicMerge,
    review: call =>
      review(
        core,
        {
          authorizer,
          apiAudiences: () => issuer.apiAudiences,
          reviewToken: (token, audiences) => parts.tokens.review(token, audiences),
        },
        call,
      ),
    snapshot: () => renderSnapshot(store, identityOf(parts), clock.now()),
    waitForRevision: revision => waitForRevision(core, revision),
    allow: (call, verb) => authorize(authorizer, call, verb),
  }
  const callouts = new Callouts(core, options.net)
  const converter = new Converter(core, callouts)
  const admission = new AdmissionChain(core, callouts, { authorizer })
  const tokens = new ServiceAccountTokens(core, issuer, new Map([[adminToken, adminUser]]))
  const parts: Parts = { core, authority, issuer, tokens, authorizer, adminToken, callouts, address: 'localhost:6443' }
  connectWatches(core)
  return parts
}

export function identityOf({ authority, issuer, adminToken }: Parts): Identity {
  return { authority: authority.state, issuer: issuer.state, adminToken }
}

function schemaOf(group: string, version: string, kind: string): ReturnType<typeof builtinKind> & object {
  return builtinKind(group, version, kind) ?? openSchema
}

/** Watchers learn of a commit when it is kept: with a data folder that is after its line is written. */
function connectWatches({ store, watches, data, snapshot }: Core): void {
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
