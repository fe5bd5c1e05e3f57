// Keeps the fleet in step with the ClusterProfiles: one controller whose claims are the profiles, and whose actions are to connect, to
// make sure which cluster answers, and to join or leave. Many at once, each bounded, so that a cluster or a provider that hangs delays no
// other (B28). It writes nothing anywhere.
import { type Clock, given, type Instant, invariant, type Log } from '#base'
import { namespaces } from '#kube'
import { type Connected, type ConnectSeams, connect, type KubeClient } from '#kube/client'
import {
  type AnyController,
  type ClaimKey,
  defineController,
  type HealthCheck,
  type Manager,
  type OwnAction,
  type Plan,
  renderClaimKey,
  type Source,
  Trouble,
  targetPatienceMs,
} from '#runtime'
import { type Access, accessOf } from './access.ts'
import { type Choice, chooseProfile } from './choose.ts'
import { type ClusterProfile, clusterNameOf, clusterProfileKind } from './cluster-profile.ts'
import { describeFailure } from './describe-failure.ts'
import type { Engagements, Waiter } from './engagement.ts'
import { type FleetMember, isSenior, type MemberConnection, Members } from './members.ts'
import type { NameRule } from './name-rule.ts'
import type { ClusterProvider } from './provider-file.ts'
import { Waiters } from './waiters.ts'

export interface EngagementOptions {
  readonly seams: ConnectSeams & { readonly clock: Clock; readonly log: Log }
  readonly providers: readonly ClusterProvider[]
  /** Where profiles are looked for; all namespaces when absent. */
  readonly namespaces?: readonly string[]
  /** Which names a profile may have; any when absent. */
  readonly mayName?: NameRule
  /** A client for worlds in one process; `undefined` leaves it to the provider file. */
  readonly clientOf?: (profile: ClusterProfile) => KubeClient | undefined
  /** For everything until it is known which cluster answers. */
  readonly timeoutMs?: number
}

export interface Engagement {
  readonly controller: AnyController
  readonly engagements: Engagements
  /** Once the manager is there: its fleet is the one that is kept. */
  attach(manager: Manager): void
  /** Says which clusters are engaged; fails while some were not even tried. */
  readonly ready: HealthCheck
  /** Closes the connections that were made. */
  close(): Promise<void>
}

/** Of every controller that watches profiles: one copy, one scope. */
export function clusterProfileSource(namespaces?: readonly string[]): Source {
  return { type: clusterProfileKind.type, ...given({ namespaces }) }
}

const engagementControllerName = 'cluster-engagement'
/** Plugins of clouds take seconds; one that takes longer than this is taken for hung. */
const timeoutMsDefault = 20_000
/** Each waits and does nothing else, so that many dead clusters keep no living one waiting; a bound for the programs that may run at once. */
const workers = 128
/** A cluster that is engaged is asked who it is this often, and whenever its profile changes. */
const verifyEveryMs = 1_800_000
const retryMsMin = 500
const retryMsMax = 60_000

type EngageAction =
  | (OwnAction & {
      readonly kind: 'act:engage'
      readonly cluster: string
      readonly choice: Extract<Choice, { kind: 'profile' }>
    })
  | (OwnAction & { readonly kind: 'act:disengage'; readonly cluster: string; readonly message: string; readonly absent: boolean })

interface Seen {
  readonly names: readonly { readonly cluster: string; readonly choice: Choice; readonly member: FleetMember | undefined }[]
}

export function createEngagement(options: EngagementOptions): Engagement {
  const engager = new Engager(options)
  const controller = defineController<Seen, EngageAction>({
    name: engagementControllerName,
    claims: clusterProfileSource(options.namespaces),
    watches: [
      {
        ...clusterProfileSource(options.namespaces),
        // A profile that changes or goes concerns the others of its name.
        toClaims: (object, world) =>
          world
            .list<ClusterProfile>(clusterProfileKind.type)
            .filter(other => clusterNameOf(other) === clusterNameOf(object))
            .map(({ metadata }) => ({ namespace: metadata.namespace ?? '', name: metadata.name })),
      },
    ],
    status: { kind: 'none' },
    // Where replicas share the work each has to know all names, or two that lead to one cluster would be with two replicas and not meet.
    sharing: 'everyone',
    workers,
    deadlineMs: (options.timeoutMs ?? timeoutMsDefault) + 5_000,
    driftMs: verifyEveryMs,
    reconciler: {
      observe: (key, world) => {
        const profiles = world.list<ClusterProfile>(clusterProfileKind.type)
        return { names: engager.namesOf(key, profiles).map(cluster => engager.look(cluster, profiles)) }
      },
      decide: (seen, now) => decideEngagement(seen, now),
      act: async (action, { signal }) => ({
        changed: action.kind === 'act:disengage' ? engager.disengage(action) : await engager.engage(action, signal),
      }),
    },
  })
  return {
    controller,
    engagements: engager,
    attach: manager => engager.attach(manager),
    ready: { name: 'clusters', check: () => engager.health() },
    close: () => engager.close(),
  }
}

function decideEngagement({ names }: Seen, now: Instant): Plan<EngageAction> {
  return { actions: names.flatMap(one => actionsFor(one, now)), conditions: [], next: { kind: 'await-change' } }
}

function actionsFor({ cluster, choice, member }: Seen['names'][number], now: Instant): readonly EngageAction[] {
  if (choice.kind === 'none') {
    return [
      {
        kind: 'act:disengage',
        cluster,
        message: choice.message,
        absent: choice.absent,
        summary: `leave ${cluster}: ${choice.message}`,
      },
    ]
  }
  const isCurrent = member !== undefined && member.way.fingerprint === choice.access.fingerprint
  if (isCurrent && member.profile.metadata.uid === choice.profile.metadata.uid && now - member.verifiedAt < verifyEveryMs)
    return []
  return [{ kind: 'act:engage', cluster, choice, summary: `engage ${cluster} through ${choice.access.provider}` }]
}

class Engager implements Engagements {
  readonly #options: EngagementOptions
  readonly #members = new Members(targetPatienceMs)
  /** What was tried and not engaged: kept for the next try, so that a hung plugin runs once at a time. */
  readonly #ways = new Map<string, MemberConnection>()
  readonly #nameOf = new Map<string, string>()
  readonly #waiting = new Waiters()
  readonly #busy = new Map<string, Promise<unknown>>()
  readonly #known = new Set<string>()
  readonly #clientIds = new WeakMap<KubeClient, number>()
  #clients = 0
  #manager: Manager | undefined

  constructor(options: EngagementOptions) {
    this.#options = options
  }

  attach(manager: Manager): void {
    invariant(this.#manager === undefined, 'the engagement was attached twice')
    this.#manager = manager
    manager.targets.onBack(cluster => this.#onBack(cluster))
    manager.onShareChanged(() => this.#followShare())
  }

  /** What is in a cluster is followed by whoever works on it, and by nobody else. */
  #followShare(): void {
    for (const cluster of this.#members.names) this.#enter(cluster)
  }

  #enter(cluster: string): void {
    const { targets, isOurs } = this.#manager ?? {}
    const way = this.#members.get(cluster)?.way
    if (targets === undefined || way === undefined) return
    if (isOurs?.(cluster) === true) targets.join(cluster, way.client)
    else targets.leave(cluster)
  }

  stateOf(cluster: string): ReturnType<Engagements['stateOf']> {
    const state = this.#members.state(cluster, this.#options.seams.clock.now())
    if (state.kind !== 'starting' || this.#known.has(cluster)) return state
    // Of a name that no profile has there is nothing to wait for, once all profiles are known.
    const { world } = this.#manager ?? {}
    if (world === undefined || !world.isSynced(clusterProfileKind.type)) return state
    const choice = this.#choose(cluster, world.list<ClusterProfile>(clusterProfileKind.type))
    return choice.kind === 'none' ? { kind: 'away', message: choice.message } : state
  }

  sameClusterAs(cluster: string): string | undefined {
    return this.#members.refusedFor(cluster)
  }

  awaitBack(cluster: string, waiter?: Waiter): void {
    this.#waiting.add(cluster, waiter)
  }

  /** The name that a profile has, and the one it had before. */
  namesOf(key: ClaimKey, profiles: readonly ClusterProfile[]): readonly string[] {
    const id = renderClaimKey(key)
    const profile = profiles.find(({ metadata }) => metadata.namespace === key.namespace && metadata.name === key.name)
    const before = this.#nameOf.get(id)
    const now = profile === undefined ? undefined : clusterNameOf(profile)
    if (now === undefined) this.#nameOf.delete(id)
    else this.#nameOf.set(id, now)
    return [...new Set([before, now].filter(name => name !== undefined))]
  }

  look(cluster: string, profiles: readonly ClusterProfile[]): Seen['names'][number] {
    this.#known.add(cluster)
    return {
      cluster,
      choice: chooseProfile(cluster, profiles, profile => this.#accessOf(profile), this.#options.mayName),
      member: this.#members.get(cluster),
    }
  }

  /** One at a time for each name: two profiles may have it. */
  async engage(action: Extract<EngageAction, { kind: 'act:engage' }>, signal: AbortSignal): Promise<boolean> {
    const before = this.#busy.get(action.cluster)
    const mine = (async () => {
      await before?.catch(() => undefined)
      return this.#engage(action.cluster, action.choice, signal)
    })()
    this.#busy.set(action.cluster, mine)
    try {
      return await mine
    } finally {
      if (this.#busy.get(action.cluster) === mine) this.#busy.delete(action.cluster)
    }
  }

  disengage(from: {
    readonly cluster: string
    readonly message: string
    readonly absent: boolean
    readonly rival?: string
  }): boolean {
    const { cluster, message, absent, rival } = from
    const before = this.stateOf(cluster)
    this.#leave(cluster)
    if (absent) this.#forget(cluster)
    else this.#members.refuse(cluster, message, rival)
    if (before.kind === 'away' && before.message === message) return false
    this.#changed(cluster)
    return true
  }

  health(): ReturnType<HealthCheck['check']> {
    const away = this.#members.away
    const untried = [...this.#known].filter(name => this.#members.get(name) === undefined && !away.has(name))
    if (untried.length > 0) return { ok: false, why: `being connected: ${untried.sort().join(', ')}` }
    const left = [...away.keys()].sort()
    const engaged = this.#members.names
    return { ok: true, note: `engaged: ${engaged.join(', ') || 'none'}${left.length === 0 ? '' : `; away: ${left.join(', ')}`}` }
  }

  async close(): Promise<void> {
    const ways = [...this.#ways.values(), ...this.#members.names.flatMap(name => this.#members.get(name)?.way ?? [])]
    this.#ways.clear()
    await Promise.allSettled(ways.filter(({ isOurs }) => isOurs).map(({ client }) => client.close()))
  }

  async #engage(cluster: string, choice: Extract<Choice, { kind: 'profile' }>, signal: AbortSignal): Promise<boolean> {
    const { clock } = this.#options.seams
    const { access, profile } = choice
    const held = this.#members.get(cluster)
    let clusterUid: string
    let way: MemberConnection
    try {
      way = held?.way.fingerprint === access.fingerprint ? held.way : await this.#wayTo(cluster, choice)
      clusterUid = await this.#whoAnswers(way.client, signal)
    } catch (error) {
      // One that is engaged and does not answer is its caches' business: they know, tell, and notice first when it is back.
      if (held?.way.fingerprint === access.fingerprint) return false
      throw this.#failed(cluster, access.provider, error)
    }
    const rival = this.#members.rivalOf(cluster, clusterUid)
    if (rival !== undefined && !isSenior(profile, rival[1].profile)) return this.#refuseFor(cluster, rival[0])
    if (rival !== undefined) this.#giveWay(rival[0], cluster)
    const isSame = held?.way === way && held.clusterUid === clusterUid
    this.#ways.delete(cluster)
    if (!isSame && held !== undefined) this.#leave(cluster, way)
    this.#members.engage(cluster, { profile, way, clusterUid, verifiedAt: clock.now() })
    if (isSame) return false
    this.#options.seams.log.info('cluster engaged', { cluster, provider: access.provider })
    this.#enter(cluster)
    return true
  }

  async #wayTo(cluster: string, { access, profile }: Extract<Choice, { kind: 'profile' }>): Promise<MemberConnection> {
    const tried = this.#ways.get(cluster)
    if (tried?.fingerprint === access.fingerprint) return tried
    if (tried?.isOurs === true) await tried.client.close().catch(() => undefined)
    const handed = this.#options.clientOf?.(profile)
    const client = handed ?? (await this.#connect(access)).client
    const way = { fingerprint: access.fingerprint, client, isOurs: handed === undefined }
    this.#ways.set(cluster, way)
    return way
  }

  /** A plugin has no business with our environment, which has credentials of a cloud in it: it sees what the provider file names. */
  #connect({ kubeconfig, passedEnv }: Extract<Access, { kind: 'access' }>): Promise<Connected> {
    return connect(this.#options.seams, { kubeconfig: { text: kubeconfig }, pluginEnvironment: passedEnv })
  }

  /** The uid of kube-system: it is as old as the cluster, and no two clusters share it. The time bounds the plugin as well. */
  async #whoAnswers(client: KubeClient, signal: AbortSignal): Promise<string> {
    const timeoutMs = this.#options.timeoutMs ?? timeoutMsDefault
    const { metadata } = await client.get(namespaces, { namespace: '', name: 'kube-system' }, { signal, timeoutMs })
    return metadata.uid
  }

  #choose(cluster: string, profiles: readonly ClusterProfile[]): Choice {
    return chooseProfile(cluster, profiles, profile => this.#accessOf(profile), this.#options.mayName)
  }

  /** A client from this process needs no provider; which one it is stands for the way. */
  #accessOf(profile: ClusterProfile): Access {
    const handed = this.#options.clientOf?.(profile)
    if (handed === undefined) return accessOf(profile, this.#options.providers)
    const id = this.#clientIds.get(handed) ?? this.#clientIds.set(handed, ++this.#clients).get(handed)
    return { kind: 'access', provider: 'in-process', kubeconfig: '', passedEnv: [], fingerprint: `in-process ${id ?? 0}` }
  }

  #failed(cluster: string, provider: string, error: unknown): Trouble {
    const { clock, log } = this.#options.seams
    const message = describeFailure(cluster, provider, error)
    const before = this.stateOf(cluster)
    const held = this.#members.get(cluster)
    if (held !== undefined) this.#leave(cluster)
    const tries = this.#members.fail(cluster, message, clock.now())
    const after = this.stateOf(cluster)
    if (before.kind !== after.kind || ('message' in before && before.message) !== ('message' in after && after.message)) {
      log.warn('cluster cannot be engaged', { cluster, provider, why: message, error: String(error) })
      this.#changed(cluster)
    }
    const retryAfterMs = Math.min(retryMsMax, retryMsMin * 2 ** Math.min(tries - 1, 10))
    return new Trouble({ kind: 'wait', reason: 'RemoteClusterUnavailable', message, retryAfterMs, cause: error })
  }

  /** M12: what two names would do to one cluster is undone by each other. */
  #refuseFor(cluster: string, rival: string): boolean {
    const message = `cluster ${cluster} is the same cluster as ${rival}, which came first; let one ClusterProfile lead there`
    return this.disengage({ cluster, message, absent: false, rival })
  }

  #giveWay(cluster: string, senior: string): void {
    this.#refuseFor(cluster, senior)
  }

  #leave(cluster: string, next?: MemberConnection): void {
    const held = this.#members.get(cluster)
    if (held === undefined) return
    this.#manager?.targets.leave(cluster)
    if (held.way.isOurs && held.way !== next) void held.way.client.close().catch(() => undefined)
    // Whoever was refused for its sake may come in now.
    this.#members.forget(cluster)
    this.#wakeAway()
  }

  /** Nothing is kept of a name that no profile has any more (B29). */
  #forget(cluster: string): void {
    this.#members.forget(cluster)
    this.#known.delete(cluster)
    this.#waiting.take(cluster)
    const tried = this.#ways.get(cluster)
    this.#ways.delete(cluster)
    if (tried?.isOurs === true) void tried.client.close().catch(() => undefined)
  }

  #wakeAway(): void {
    const controller = this.#controllerOf(engagementControllerName)
    for (const profile of this.#manager?.world.list<ClusterProfile>(clusterProfileKind.type) ?? []) {
      const { namespace = '', name } = profile.metadata
      if (this.#members.away.has(clusterNameOf(profile))) controller?.add({ namespace, name }, 'retry')
    }
  }

  /** What can be said of a cluster is not what it was: those whom it concerns look again. */
  #changed(cluster: string): void {
    for (const controller of this.#manager?.controllers ?? []) controller.onClusterChanged(cluster)
  }

  /** Its caches are whole and follow: an event for everything that waits for the cluster (M7). */
  #onBack(cluster: string): void {
    if (!this.#waiting.has(cluster)) return
    const informers = [...(this.#manager?.targets.caches(cluster)?.informers() ?? [])]
    if (!informers.every(({ cache, state }) => cache.synced && state.kind === 'live')) return
    const waiters = this.#waiting.take(cluster)
    if (waiters === 'everyone') this.#changed(cluster)
    else for (const { controller, key } of waiters) this.#controllerOf(controller)?.add(key)
  }

  #controllerOf(name: string): Manager['controllers'][number] | undefined {
    return this.#manager?.controllers.find(({ definition }) => definition.name === name)
  }
}
