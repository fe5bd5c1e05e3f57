// IAM's state of one account, and the ways in which it changes. Objects that consumers see late are kept as timelines; tables are
// keyed by lower-case name, because names are unique without regard to case while the stored case is kept.
import type { Instant } from '#base'
import { SortedMap } from '../state/sorted-map.ts'
import { newestOf, type Timeline, written } from '../state/timeline.ts'

export interface Tag {
  readonly Key: string
  readonly Value: string
}

/** What roles, users and groups have in common. */
export interface Entity {
  readonly name: string
  readonly path: string
  /** `AROA…`, `AIDA…`, `AGPA…`: never used twice. */
  readonly id: string
  readonly arn: string
  readonly createdAtMs: Instant
  readonly inline: Readonly<Record<string, string>>
  /** ARNs in the order in which they were attached. */
  readonly attached: readonly string[]
  readonly boundary: string | undefined
  readonly tags: readonly Tag[]
  readonly writtenBy: { readonly atMs: Instant; readonly key: string }
}

export interface Role extends Entity {
  /** Principals bound to ids. */
  readonly trustPolicy: string
  readonly description: string | undefined
  readonly maxSessionDurationS: number
  readonly serviceLinked: string | undefined
}

export interface User extends Entity {
  readonly groups: readonly string[]
}

export type Group = Entity

export interface PolicyVersion {
  readonly id: string
  readonly document: string
  readonly createdAtMs: Instant
}

export interface ManagedPolicy {
  readonly name: string
  readonly path: string
  readonly id: string
  readonly arn: string
  readonly createdAtMs: Instant
  readonly updatedAtMs: Instant
  readonly description: string | undefined
  readonly tags: readonly Tag[]
  readonly versions: readonly PolicyVersion[]
  readonly defaultVersion: string
  /** Versions are never numbered twice. */
  readonly nextVersion: number
  readonly writtenBy: { readonly atMs: Instant; readonly key: string }
}

export interface OidcProvider {
  /** Without scheme; a trailing slash is significant. */
  readonly url: string
  readonly arn: string
  readonly clientIds: readonly string[]
  readonly thumbprints: readonly string[]
  readonly createdAtMs: Instant
  readonly tags: readonly Tag[]
}

export interface InstanceProfile {
  readonly name: string
  readonly path: string
  readonly id: string
  readonly arn: string
  readonly createdAtMs: Instant
  /** Lower-case names. */
  readonly roles: readonly string[]
  readonly tags: readonly Tag[]
}

export interface AccessKey {
  readonly id: string
  readonly secret: string
  /** Lower-case name. */
  readonly user: string
  readonly active: boolean
  readonly createdAtMs: Instant
  readonly lastUsed: { readonly atMs: Instant; readonly service: string; readonly region: string } | undefined
}

export interface DeletionTask {
  readonly id: string
  readonly role: string
  readonly done: boolean
}

export interface IamState {
  readonly roles: SortedMap<Timeline<Role>>
  readonly users: SortedMap<Timeline<User>>
  readonly groups: SortedMap<Timeline<Group>>
  readonly policies: SortedMap<Timeline<ManagedPolicy>>
  readonly providers: SortedMap<Timeline<OidcProvider>>
  readonly profiles: SortedMap<InstanceProfile>
  readonly keys: SortedMap<AccessKey>
  /** Unique id to `role/<lower-case name>` or `user/<…>`. */
  readonly ids: SortedMap<string>
  /** How often each policy ARN is attached, and used as boundary. */
  readonly attachments: SortedMap<number>
  readonly boundaries: SortedMap<number>
  readonly lastUsed: SortedMap<{ readonly atMs: Instant; readonly region: string }>
  readonly aliases: readonly string[]
  readonly deletions: SortedMap<DeletionTask>
}

export const emptyState: IamState = {
  roles: SortedMap.empty(),
  users: SortedMap.empty(),
  groups: SortedMap.empty(),
  policies: SortedMap.empty(),
  providers: SortedMap.empty(),
  profiles: SortedMap.empty(),
  keys: SortedMap.empty(),
  ids: SortedMap.empty(),
  attachments: SortedMap.empty(),
  boundaries: SortedMap.empty(),
  lastUsed: SortedMap.empty(),
  aliases: [],
  deletions: SortedMap.empty(),
}

/** Tables whose objects are timelines. */
export type TimedTable = 'roles' | 'users' | 'groups' | 'policies' | 'providers'
type Held<T extends TimedTable> = IamState[T] extends SortedMap<Timeline<infer V>> ? V : never

export interface When {
  readonly now: Instant
  readonly keepMs: number
}

export function newest<T extends TimedTable>(state: IamState, table: T, key: string): Held<T> | undefined {
  return newestOf(state[table].get(key) as Timeline<Held<T>> | undefined)
}

/** A new version of an object, or its deletion; forgotten when no late reader can see it. */
export function put<T extends TimedTable>(
  state: IamState,
  table: T,
  key: string,
  value: Held<T> | undefined,
  when: When,
): IamState {
  const map = state[table] as unknown as SortedMap<Timeline<Held<T>>>
  const timeline = written(map.get(key), value, when)
  return { ...state, [table]: timeline === undefined ? map.delete(key) : map.set(key, timeline) }
}

/** Living objects in name order. */
export function* living<T extends TimedTable>(state: IamState, table: T, after?: string): Generator<readonly [string, Held<T>]> {
  const map = state[table] as unknown as SortedMap<Timeline<Held<T>>>
  for (const [key, timeline] of map.entries(after === undefined ? {} : { after })) {
    const value = newestOf(timeline)
    if (value !== undefined) yield [key, value]
  }
}

export function countLiving(state: IamState, table: TimedTable): number {
  let count = 0
  for (const _ of living(state, table)) count++
  return count
}

/** Keeps the two indices of policy uses in step with what entities hold. */
export function withUses(state: IamState, before: Entity | undefined, after: Entity | undefined): IamState {
  let { attachments, boundaries } = state
  for (const arn of before?.attached ?? []) attachments = counted(attachments, arn, -1)
  for (const arn of after?.attached ?? []) attachments = counted(attachments, arn, 1)
  if (before?.boundary !== undefined) boundaries = counted(boundaries, before.boundary, -1)
  if (after?.boundary !== undefined) boundaries = counted(boundaries, after.boundary, 1)
  return { ...state, attachments, boundaries }
}

function counted(counts: SortedMap<number>, key: string, by: number): SortedMap<number> {
  const next = (counts.get(key) ?? 0) + by
  return next <= 0 ? counts.delete(key) : counts.set(key, next)
}
