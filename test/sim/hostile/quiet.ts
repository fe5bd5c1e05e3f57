// What holds while the others are quiet: nobody of them wants anything new, so whatever a process of ours changes of theirs, in the hub, in
// a target or in AWS, it changes because of what the hostile tenant did.
import type { KubeObject } from '#kube'
import { cloudName, type Deed, type Effect, type Invariant, type World } from '#simulator'
import { canary, isOfOthers, uidsOfLair } from './lair.ts'

export interface Others {
  /** When the last of what they do has happened. */
  readonly fromMs: number
  /** What still has to come of that. */
  readonly unfinished: (world: World) => string | undefined
  /** By its mark: the uid of the claim that a thing in AWS was made for. */
  readonly ownerUidOf: (external: KubeObject, world: World) => string | undefined
}

interface Memory {
  /** By server and key, what stood there when they had become quiet. */
  held: ReadonlyMap<string, string> | undefined
}

const memories = new WeakMap<World, Memory>()

function memoryOf(world: World): Memory {
  const memory = memories.get(world) ?? { held: undefined }
  memories.set(world, memory)
  return memory
}

/** A deed that waits until the others are quiet. */
export function onceQuiet(others: Others, deed: Deed): Deed {
  const run = async (world: World): Promise<void> => {
    if (heldOf(others, world) !== undefined) return deed.run(world)
    world.parkDeed({ label: `${deed.label} later`, afterMs: 10_000, run })
  }
  return { ...deed, run }
}

export const quietInvariants: readonly Invariant[] = [
  { code: 'S25', check: changed },
  { code: 'S25', check: leaked },
]

/** What stood there when they had become quiet; undefined until they are. */
function heldOf(others: Others, world: World): Memory['held'] {
  const memory = memoryOf(world)
  if (memory.held === undefined && world.scheduler.nowMs >= others.fromMs && others.unfinished(world) === undefined)
    memory.held = thingsOf(others, world)
  return memory.held
}

/** S25: nothing of theirs changes. */
function changed(effect: Effect, world: World): string | undefined {
  const { held } = memoryOf(world)
  const object = effect.after ?? effect.before
  if (effect.by === 'user' || held === undefined || object === undefined) return undefined
  const text = held.get(placeOf(effect.server, effect.key))
  // What was there from the start, and what nobody asked for, was in no effect before.
  if (text === undefined)
    return effect.server !== cloudName && isOfOthers(object) ? `${effect.by} writes what is another's: ${effect.key}` : undefined
  const is = effect.after === undefined ? 'gone' : textOf(effect.after)
  return is === text ? undefined : `${effect.by} changes what is another's: ${effect.key} was ${text} and is ${is}`
}

function thingsOf(others: Others, world: World): ReadonlyMap<string, string> {
  const ours = uidsOfLair(world)
  const found: [string, string][] = []
  for (const [server, { objects }] of world.shadows) {
    for (const [key, object] of objects) {
      const owner = server === cloudName ? others.ownerUidOf(object, world) : undefined
      const isTheirs = server === cloudName ? owner === undefined || !ours.has(owner) : isOfOthers(object)
      if (isTheirs) found.push([placeOf(server, key), textOf(object)])
    }
  }
  return new Map(found)
}

function placeOf(server: string, key: string): string {
  return `${server} ${key}`
}

/** Without what says how it is, and what is counted of it: somebody else's role may well use a policy of theirs. */
function textOf(object: KubeObject): string {
  const { status: _, metadata, ...rest } = object as KubeObject & { readonly status?: unknown }
  const { resourceVersion: _r, managedFields: _m, generation: _g, ...kept } = metadata as Readonly<Record<string, unknown>>
  return JSON.stringify({ ...rest, metadata: kept }, (name, value: unknown) => (isCounted(name) ? undefined : value))
}

function isCounted(name: string): boolean {
  return /count$|lastused|serial|^revision$/i.test(name)
}

/** S25: what stands in a Secret of theirs comes out nowhere else. */
function leaked({ by, after, key, server }: Effect): string | undefined {
  if (by === 'user' || after === undefined || (isOfOthers(after) && after.kind === 'Secret' && server !== cloudName))
    return undefined
  return holdsCanary(JSON.stringify(after)) ? `${by} writes what is in another's Secret into ${key} of ${server}` : undefined
}

export function holdsCanary(text: string): boolean {
  return text.includes(canary) || text.includes(Buffer.from(canary).toString('base64').slice(0, 16))
}
