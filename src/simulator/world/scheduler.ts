// The scheduler: the one place where a simulated world decides what happens next. Every call through a seam parks an action here;
// a step picks one enabled action, runs it, and lets all promise reactions settle before the next pick. Time moves only by picking
// the earliest timer. The same picks give the same run, to the byte.
import { drain } from '#base'

export type ActionKind =
  /** A request takes hold at the server: the instant of effect. */
  | 'apply'
  /** A response, or a piece of a stream, reaches its process. */
  | 'deliver'
  /** A process starts, or a user does something: the script of the run. */
  | 'script'
  /** Something goes wrong. Only picked on purpose, never by default. */
  | 'fault'

export interface ScheduledAction {
  readonly kind: ActionKind
  /** Stable across runs with the same past: it is what traces and scripts name. */
  readonly label: string
  /** The process that would notice; a paused process keeps its deliveries waiting. */
  readonly process?: string
  run(): void
}

interface SimTimer {
  readonly dueMs: number
  readonly order: number
  readonly process: string
  readonly fire: () => void
  cancelled: boolean
}

/** Picks the next action: one of the regular ones (in the order they were parked, the timer last) or one of the faults, which are only
 * listed when asked for. */
export type Picker = (
  regular: readonly ScheduledAction[],
  faults: () => readonly ScheduledAction[],
  step: number,
) => ScheduledAction

export class WorldScheduler {
  /** Virtual world time, from which each process's clocks are derived. */
  nowMs = 0
  steps = 0
  /** FNV-1a over all labels: two runs are equal when their hashes are. */
  hash = 0x811c9dc5
  readonly trace: string[] = []
  /** What a server has queued for itself belongs to the step that caused it; ends when no promise reaction is left. */
  afterStep: () => Promise<void> = () => Promise.resolve()
  #parked: ScheduledAction[] = []
  #timers: SimTimer[] = []
  #order = 0
  readonly #held: (action: ScheduledAction) => boolean
  readonly #faults: () => readonly ScheduledAction[]

  /** `held` says which parked actions cannot happen now (their process is paused); `faults` lists what could go wrong now. */
  constructor(options: { held: (action: ScheduledAction) => boolean; faults: () => readonly ScheduledAction[] }) {
    this.#held = options.held
    this.#faults = options.faults
  }

  /** Parks an action. The returned function takes it back. */
  park(action: ScheduledAction): () => void {
    this.#parked.push(action)
    return () => this.remove(action)
  }

  remove(action: ScheduledAction): void {
    const index = this.#parked.indexOf(action)
    if (index >= 0) this.#parked.splice(index, 1)
  }

  get parked(): readonly ScheduledAction[] {
    return this.#parked
  }

  timer(process: string, delayMs: number, fire: () => void): { cancel(): void } {
    const timer: SimTimer = { dueMs: this.nowMs + Math.max(0, delayMs), order: this.#order++, process, fire, cancelled: false }
    this.#timers.push(timer)
    return {
      cancel: () => {
        timer.cancelled = true
      },
    }
  }

  /** Timers of a dead process never fire. */
  dropTimers(process: string): void {
    this.#timers = this.#timers.filter(timer => timer.process !== process)
  }

  timersOf(process: string): number {
    return this.#timers.filter(timer => timer.process === process && !timer.cancelled).length
  }

  /** When the next timer that could fire is due. */
  nextDueMs(): number | undefined {
    return this.#nextTimer()?.dueMs
  }

  /** One step. False when nothing is enabled: not even a timer before `horizonMs`. */
  async step(pick: Picker, horizonMs: number): Promise<boolean> {
    const regular = this.#parked.filter(action => !this.#held(action))
    const timer = this.#nextTimer()
    if (timer !== undefined && timer.dueMs <= horizonMs) regular.push(this.#timerAction(timer))
    if (regular.length === 0) return false
    const action = pick(regular, this.#faults, this.steps)
    this.steps++
    this.#note(action.label)
    this.remove(action)
    action.run()
    await drain()
    await this.afterStep()
    return true
  }

  #timerAction(timer: SimTimer): ScheduledAction {
    return {
      kind: 'deliver',
      label: `timer ${timer.process}`,
      process: timer.process,
      run: () => {
        this.#timers.splice(this.#timers.indexOf(timer), 1)
        this.nowMs = Math.max(this.nowMs, timer.dueMs)
        timer.fire()
      },
    }
  }

  #nextTimer(): SimTimer | undefined {
    let next: SimTimer | undefined
    let cancelled = 0
    for (const timer of this.#timers) {
      if (timer.cancelled) {
        cancelled++
        continue
      }
      const isNext = next === undefined || timer.dueMs < next.dueMs || (timer.dueMs === next.dueMs && timer.order < next.order)
      if (isNext && !this.#held({ kind: 'deliver', label: '', process: timer.process, run: () => {} })) next = timer
    }
    if (cancelled > 32) this.#timers = this.#timers.filter(timer => !timer.cancelled)
    return next
  }

  #note(label: string): void {
    this.trace.push(label)
    let hash = this.hash
    for (let index = 0; index < label.length; index++) hash = Math.imul(hash ^ label.charCodeAt(index), 0x01000193)
    this.hash = Math.imul(hash ^ 0x0a, 0x01000193) >>> 0
  }
}
