// The whole state behind the emulator, as one immutable root: the stores of all services by place, timers, and counters. A fork is
// another `AwsState` on the same root.
import type { Instant, Random } from '#base'
import type { ServicePlace, StateCell, StateScope } from '../service.ts'
import { SortedMap } from './sorted-map.ts'
import { PlainState, parseState, renderState, type StoredState } from './state-json.ts'

export interface TimerRecord {
  readonly atMs: Instant
  readonly service: string
  readonly place: ServicePlace
  readonly kind: string
  readonly id: string
  readonly class: 'progress' | 'limit'
}

interface Root {
  /** By `service|partition|account|region`; parts that the service's scope has not are empty. */
  readonly stores: SortedMap<unknown>
  /** The timers by the time at which they are due, and then in the order in which they were set. */
  readonly timers: SortedMap<TimerRecord>
  readonly counters: SortedMap<number>
}

/** A state that was saved, before it is known what it goes on with. */
export interface SavedAwsState {
  readonly seed: string
  resume(random: Random): AwsState
}

interface Saved extends Root {
  readonly format: string
  readonly seed: string
  readonly requests: number
}

/** Of snapshots. A service that keeps its things in another way from now on makes another one of it. */
const format = 'vouch-aws/2'

const timersMax = 1_000_000
/** Roots share almost everything, so remembering many is cheap. */
const pastMax = 2_000

export class AwsState {
  #root: Root
  /** Beside the root: a counter in it would make a new root, and a past one to remember, of every read. */
  #requests: number
  /** Shared with forks: most of what they hold is the same. */
  readonly #plain: PlainState
  readonly #past: { readonly atMs: Instant; readonly root: Root }[] = []
  readonly random: Random
  /** Told of each write: who polls for long looks again. */
  readonly onChange: Set<() => void> = new Set()

  constructor(random: Random, root?: Root, requests = 0, plain: PlainState = new PlainState()) {
    this.random = random
    this.#plain = plain
    this.#requests = requests
    this.#root = root ?? { stores: SortedMap.empty(), timers: SortedMap.empty(), counters: SortedMap.empty() }
  }

  fork(random: Random = this.random): AwsState {
    return new AwsState(random, this.#root, this.#requests, this.#plain)
  }

  /** The seed goes along: ids, keys and page tokens that clients hold are made from it. */
  render(seed: string): string {
    return renderState({ format, seed, requests: this.#requests, ...this.#root })
  }

  /** What a service keeps, by place. A state that did not change is the very same value as before. */
  stored(service: string): readonly StoredState[] {
    const prefix = `${service}|`
    const stored: StoredState[] = []
    for (const [key, held] of this.#root.stores.entries({ from: prefix })) {
      if (!key.startsWith(prefix)) break
      const [, account = '', region = ''] = key.slice(prefix.length).split('|')
      stored.push({ account, region, state: this.#plain.of(held) })
    }
    return stored
  }

  static parse(text: string): SavedAwsState {
    const saved = savedOf(text)
    if (saved?.format !== format) throw new TypeError('the saved state is none of an emulator, or one of another version')
    const { seed, requests, stores, timers, counters } = saved
    return { seed, resume: random => new AwsState(random, { stores, timers, counters }, requests) }
  }

  /** Remembers the state as of now, for stale reads; called after each request that changed it. */
  remember(now: Instant): void {
    const last = this.#past.at(-1)
    if (last?.root === this.#root) return
    // Of one instant only the end can be asked for, and what is not kept need not outlive its request: a busy second has ten thousand.
    if (last?.atMs === now) this.#past.pop()
    this.#past.push({ atMs: now, root: this.#root })
    if (this.#past.length > pastMax * 2) this.#past.splice(0, pastMax)
  }

  /** The state as it was at that time, as far back as we remember; a mark for `restore`. */
  markAt(at: Instant): unknown {
    return (this.#past.findLast(entry => entry.atMs <= at) ?? this.#past[0])?.root ?? this.#root
  }

  /** What `restore` takes back: undoing a failed operation. */
  mark(): unknown {
    return this.#root
  }

  restore(mark: unknown): void {
    this.#root = mark as Root
  }

  store<S>(service: string, scope: StateScope, place: ServicePlace, initial: (place: ServicePlace) => S): StateCell<S> {
    const key = storeKey(service, scope, place)
    return {
      get: () => {
        const held = this.#root.stores.get(key)
        return held === undefined ? initial(place) : (held as S)
      },
      set: next => {
        this.#root = { ...this.#root, stores: this.#root.stores.set(key, next) }
        for (const told of this.onChange) told()
      },
    }
  }

  /** Places of a service in a partition that were ever written, in a fixed order. */
  places(service: string, partition: string): readonly { readonly account: string; readonly region: string }[] {
    const prefix = `${service}|${partition}|`
    const places: { account: string; region: string }[] = []
    for (const [key] of this.#root.stores.entries({ from: prefix })) {
      if (!key.startsWith(prefix)) break
      const [account = '', region = ''] = key.slice(prefix.length).split('|')
      places.push({ account, region })
    }
    return places
  }

  /** 1, 2, 3 … per name. */
  count(name: string): number {
    const next = (this.#root.counters.get(name) ?? 0) + 1
    this.#root = { ...this.#root, counters: this.#root.counters.set(name, next) }
    return next
  }

  /** 0, 1, 2 … for the requests that came. */
  nextRequest(): number {
    return this.#requests++
  }

  schedule(timer: TimerRecord): void {
    if (this.#root.timers.size >= timersMax) throw new Error(`more than ${timersMax} timers wait`)
    const order = this.count('timers')
    this.#root = { ...this.#root, timers: this.#root.timers.set(timerKey(timer.atMs, order), timer) }
  }

  /** Takes the earliest timer that is due; they come in the order (time, creation). */
  takeDue(now: Instant): TimerRecord | undefined {
    const first = this.#root.timers.first()
    if (first === undefined || first[1].atMs > now) return undefined
    this.#root = { ...this.#root, timers: this.#root.timers.delete(first[0]) }
    return first[1]
  }

  nextDeadline(wanted: (timer: TimerRecord) => boolean = () => true): Instant | undefined {
    for (const timer of this.#root.timers.values()) {
      if (wanted(timer)) return timer.atMs
    }
    return undefined
  }
}

/** Text that is no JSON holds no state either. */
function savedOf(text: string): Saved | undefined {
  try {
    return parseState(text) as Saved
  } catch {
    return undefined
  }
}

function storeKey(service: string, scope: StateScope, { partition, account, region }: ServicePlace): string {
  switch (scope) {
    case 'partition':
      return `${service}|${partition}||`
    case 'account':
      return `${service}|${partition}|${account}|`
    default:
      return `${service}|${partition}|${account}|${region}`
  }
}

/** Text order must be numeric order: 16 digits hold any instant and any count. */
function timerKey(atMs: Instant, order: number): string {
  return `${String(Math.max(0, Math.ceil(atMs))).padStart(16, '0')}/${String(order).padStart(16, '0')}`
}
