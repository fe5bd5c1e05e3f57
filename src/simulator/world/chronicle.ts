// What happened in a run, and what is remembered of it for the invariants: the effects in order, who leads, what users released by hand, and
// the first invariant that broke.
import type { Effect } from '../effects.ts'

/** A broken invariant ends its run. */
export class Violation extends Error {
  readonly code: string
  constructor(code: string, message: string) {
    super(`${code}: ${message}`)
    this.name = 'Violation'
    this.code = code
  }
}

/** Who leads by the lease, and whether it has acted since. */
export interface Leader {
  readonly holder: string
  readonly process: string
  readonly epoch: number
  readonly hasActed: boolean
}

const nobody: Leader = { holder: '', process: '', epoch: 0, hasActed: false }

/** What a process was told of a claim by its server, and when. */
interface Look {
  readonly uid: string
  /** `namespace/name`. */
  readonly claim: string
  readonly step: number
}

export class Chronicle {
  readonly #effects: Effect[] = []
  readonly #released = new Set<string>()
  /** Whose it was, of what a claim that goes leaves to its users. */
  readonly #leftBy = new Map<string, string>()
  readonly #leaders = new Map<string, Leader>()
  readonly #looks = new Map<string, Look>()
  readonly #passes = new Map<string, Map<string, number[]>>()
  #violation: Violation | undefined

  get effects(): readonly Effect[] {
    return this.#effects
  }

  /** Uids of claims whose finalizer somebody took off by hand: what they leave behind is nobody's any more (F20). */
  get released(): ReadonlySet<string> {
    return this.#released
  }

  /** By the lease of that name; there is one only where replicas do not share the work. */
  leader(lease = ''): Leader {
    return this.#leaders.get(lease) ?? nobody
  }

  /** The first one only: what breaks after it may be its consequence. */
  get violation(): Violation | undefined {
    return this.#violation
  }

  add(effect: Effect): void {
    this.#effects.push(effect)
  }

  fail(code: string, message: string): void {
    this.#violation ??= new Violation(code, message)
  }

  release(uid: string): void {
    this.#released.add(uid)
  }

  /** What a claim keeps when it goes is nobody's from its deletion on: the owner that stands for it. */
  leave(uid: string): string {
    const owner = `left by ${uid}`
    this.#leftBy.set(owner, uid)
    this.release(owner)
    return owner
  }

  /** A process put the finalizer back: what the claim made is its own again. */
  takeBack(uid: string): void {
    this.#released.delete(uid)
  }

  passBegan(process: string, controller: string, claim: string, step: number): void {
    const of = `${process} ${claim}`
    const passes = this.#passes.get(of) ?? new Map<string, number[]>()
    this.#passes.set(of, passes)
    passes.set(controller, [...(passes.get(controller) ?? []), step])
  }

  /** A server answered a process about this very object, which was there with the finalizer; `undefined` where it was not. */
  looked(process: string, path: string, look: Look | undefined): void {
    const key = `${process} ${path}`
    if (look === undefined) this.#looks.delete(key)
    else this.#looks.set(key, look)
  }

  /**
   * Whether what was sent in that step followed a look in the same pass that found the claim held: no later word of the server had told
   * the process otherwise.
   */
  sawHeld(process: string, owner: string, sentStep: number): boolean {
    const uid = this.#leftBy.get(owner) ?? owner
    for (const [key, look] of this.#looks) {
      if (look.uid !== uid || !key.startsWith(`${process} `)) continue
      const passes = [...(this.#passes.get(`${process} ${look.claim}`)?.values() ?? [])]
      const began = passes.map(steps => steps.findLast(step => step <= sentStep)).filter(step => step !== undefined)
      return began.length > 0 && look.step >= Math.min(...began) && look.step <= sentStep
    }
    return false
  }

  /** The lease has another holder. The same one again is no later term. */
  lead(holder: string, { by, epoch }: Effect, lease = ''): void {
    if (holder !== '' && holder !== this.leader(lease).holder)
      this.#leaders.set(lease, { holder, process: by, epoch, hasActed: false })
  }

  leaderActed(lease = ''): void {
    this.#leaders.set(lease, { ...this.leader(lease), hasActed: true })
  }
}
