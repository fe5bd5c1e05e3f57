// The clusters that are engaged, as facts: who leads where, and which names lead to one and the same cluster. No I/O.
import type { Instant } from '#base'
import type { KubeClient } from '#kube/client'
import { bySeniority } from './choose.ts'
import type { ClusterProfile } from './cluster-profile.ts'
import type { EngagementState } from './engagement.ts'

export interface MemberConnection {
  readonly fingerprint: string
  readonly client: KubeClient
  /** Ours to close: made here, not handed in. */
  readonly isOurs: boolean
}

export interface FleetMember {
  readonly profile: ClusterProfile
  readonly way: MemberConnection
  readonly clusterUid: string
  readonly verifiedAt: Instant
}

export class Members {
  readonly #engaged = new Map<string, FleetMember>()
  readonly #away = new Map<string, string>()
  /** Of those that are away since another name leads to their cluster, that name. */
  readonly #rivals = new Map<string, string>()
  readonly #failing = new Map<string, { readonly since: Instant; readonly message: string; readonly tries: number }>()
  readonly #patienceMs: number

  constructor(patienceMs: number) {
    this.#patienceMs = patienceMs
  }

  get(cluster: string): FleetMember | undefined {
    return this.#engaged.get(cluster)
  }

  get names(): readonly string[] {
    return [...this.#engaged.keys()].sort()
  }

  /** Names that are known and not engaged, with why. */
  get away(): ReadonlyMap<string, string> {
    return new Map([...this.#away, ...[...this.#failing].map(([name, { message }]) => [name, message] as const)])
  }

  state(cluster: string, now: Instant): EngagementState {
    const member = this.#engaged.get(cluster)
    if (member !== undefined) return { kind: 'engaged', clusterUid: member.clusterUid }
    const message = this.#away.get(cluster)
    if (message !== undefined) return { kind: 'away', message }
    const failing = this.#failing.get(cluster)
    if (failing === undefined) return { kind: 'starting' }
    // A provider that is slow after a restart is no reason to turn anything off; one that goes on is.
    return now - failing.since < this.#patienceMs
      ? { kind: 'starting', message: failing.message }
      : { kind: 'away', message: failing.message }
  }

  /** Another name that leads to the cluster already, and who comes first (M12). */
  rivalOf(cluster: string, clusterUid: string): readonly [string, FleetMember] | undefined {
    return [...this.#engaged].find(([name, member]) => name !== cluster && member.clusterUid === clusterUid)
  }

  engage(cluster: string, member: FleetMember): void {
    this.forget(cluster)
    this.#engaged.set(cluster, member)
  }

  /** Not to be used, for a reason that more tries do not change. */
  refuse(cluster: string, message: string, rival?: string): void {
    this.forget(cluster)
    this.#away.set(cluster, message)
    if (rival !== undefined) this.#rivals.set(cluster, rival)
  }

  /** For whose sake it was refused, as long as that one is engaged. */
  refusedFor(cluster: string): string | undefined {
    const rival = this.#rivals.get(cluster)
    return rival !== undefined && this.#engaged.has(rival) ? rival : undefined
  }

  /** A try failed; returns how many did in a row. */
  fail(cluster: string, message: string, now: Instant): number {
    const { since = now, tries = 0 } = this.#failing.get(cluster) ?? {}
    this.#away.delete(cluster)
    this.#rivals.delete(cluster)
    this.#failing.set(cluster, { since, message, tries: tries + 1 })
    return tries + 1
  }

  /** As if it had never been heard of. */
  forget(cluster: string): void {
    this.#engaged.delete(cluster)
    this.#away.delete(cluster)
    this.#failing.delete(cluster)
    this.#rivals.delete(cluster)
  }
}

/** Whether `one` comes before `other` where both lead to one cluster. */
export function isSenior(one: ClusterProfile, other: ClusterProfile): boolean {
  return bySeniority(one, other) < 0
}
