// Writing IAM objects: late visibility, the rule against two writers at once, and the indices that go along.

import { listDelay } from '../delays.ts'
import type { Context } from '../service.ts'
import { type IamCall, keyOf } from './ask.ts'
import { iamDelays } from './delays.ts'
import { concurrentModification } from './errors.ts'
import {
  type Entity,
  type Group,
  type IamState,
  type InstanceProfile,
  type ManagedPolicy,
  type OidcProvider,
  put,
  type Role,
  type TimedTable,
  type User,
  type When,
  withUses,
} from './model.ts'

type EntityTable = 'roles' | 'users' | 'groups'
type EntityIn<T extends EntityTable> = T extends 'roles' ? Role : T extends 'users' ? User : Group

export function whenOf(call: Context<IamState>): When {
  return { now: call.now, keepMs: keptMs(call) }
}

/** As long as the latest reader may see an older version: who decides by it, or who lists. */
function keptMs(call: Context<IamState>): number {
  return Math.max(call.keepMs(iamDelays.iam), call.keepMs(listDelay))
}

/** `after` undefined deletes. Everything of an entity is one object, so that consumers see its parts change together. */
export function saveEntity<T extends EntityTable>(
  call: IamCall,
  table: T,
  before: EntityIn<T> | undefined,
  after: EntityIn<T> | undefined,
): void {
  if (before !== undefined) checkWriters(call, before)
  const name = keyOf((after ?? before)?.name ?? '')
  const stamped = after === undefined ? undefined : { ...after, writtenBy: writerOf(call) }
  let state = withUses(call.store.get(), before, after)
  state = put(state, table, name, stamped as never, whenOf(call))
  if (table !== 'groups') state = withId(state, table === 'roles' ? 'role' : 'user', before, after)
  call.store.set(state)
  if (after === undefined) forgetLater(call, table, name)
}

export function savePolicy(call: IamCall, before: ManagedPolicy | undefined, after: ManagedPolicy | undefined): void {
  if (before !== undefined) checkWriters(call, before)
  const name = keyOf((after ?? before)?.name ?? '')
  const stamped = after === undefined ? undefined : { ...after, writtenBy: writerOf(call) }
  call.store.set(put(call.store.get(), 'policies', name, stamped, whenOf(call)))
  if (after === undefined) forgetLater(call, 'policies', name)
}

export function saveProvider(call: IamCall, url: string, provider: OidcProvider | undefined): void {
  call.store.set(put(call.store.get(), 'providers', url, provider, whenOf(call)))
  if (provider === undefined) forgetLater(call, 'providers', url)
}

export function saveProfile(call: IamCall, name: string, profile: InstanceProfile | undefined): void {
  const state = call.store.get()
  call.store.set({
    ...state,
    profiles: profile === undefined ? state.profiles.delete(keyOf(name)) : state.profiles.set(keyOf(name), profile),
  })
}

export function writerOf(call: IamCall): Entity['writtenBy'] {
  const { caller } = call
  return { atMs: call.now, key: caller.kind === 'anonymous' || caller.kind === 'service' ? caller.kind : caller.accessKeyId }
}

/** §5.2: two writers of one entity within the knob's time; one client's own writes in a row are none. */
function checkWriters(call: IamCall, { writtenBy }: Pick<Entity, 'writtenBy'>): void {
  const { atMs, key } = writerOf(call)
  if (writtenBy.key !== key && atMs - writtenBy.atMs < call.knobs.concurrentModificationMs) throw concurrentModification()
}

/** Deleted objects stay as long as a late reader may see them; a timer sweeps them out. */
export function forgetLater(call: Context<IamState>, table: TimedTable, key: string): void {
  const keepMs = keptMs(call)
  if (keepMs > 0) call.schedule({ kind: 'forget', id: `${table}/${key}`, atMs: call.now + keepMs, class: 'limit' })
}

function withId(state: IamState, kind: 'role' | 'user', before: Entity | undefined, after: Entity | undefined): IamState {
  let { ids } = state
  if (before !== undefined && after === undefined) ids = ids.delete(before.id)
  if (after !== undefined) ids = ids.set(after.id, `${kind}/${keyOf(after.name)}`)
  return { ...state, ids }
}
