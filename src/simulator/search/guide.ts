// What happens next in a run: the plain order, unless the schedule departs from it on purpose or by chance.
import { seededRandom } from '#base'
import { faultOf } from '../faults/faults.ts'
import type { Picker, ScheduledAction } from '../world/scheduler.ts'
import type { Departure, Schedule } from './schedule.ts'

/** Decides each step: the first in line, unless the schedule departs. */
export class Guide {
  readonly departures: Departure[] = []
  readonly offers: string[][] = []
  readonly pendingWrites: string[][] = []
  readonly pick: Picker = (regular, faults, step) => this.#choose(regular, faults, step)
  readonly #fixed: Map<number, string>
  readonly #random
  readonly #chances: Schedule['random']
  readonly #listOffers: boolean
  #faultsLeft: number
  #resting = false

  constructor(schedule: Schedule, listOffers: boolean) {
    this.#fixed = new Map(schedule.departures.map(departure => [departure.step, departure.label]))
    this.#random = seededRandom(`${schedule.seed}/schedule`)
    this.#chances = schedule.random
    this.#faultsLeft = schedule.random?.faultsMax ?? 0
    this.#listOffers = listOffers
  }

  /** Ends all departures: from here on the world goes on in the plain order. */
  rest(): void {
    this.#resting = true
  }

  #choose(regular: readonly ScheduledAction[], faults: () => readonly ScheduledAction[], step: number): ScheduledAction {
    const first = regular[0] as ScheduledAction
    if (this.#resting) return first
    if (this.#listOffers) {
      this.offers[step] = [...faults(), ...regular.slice(1)].map(action => action.label)
      this.pendingWrites[step] = regular
        .map(action => action.label)
        .filter(label => /^apply \S+ \S+ (POST|PUT|PATCH|DELETE) /.test(label))
    }
    const fixed = this.#fixed.get(step)
    const chosen =
      fixed === undefined ? this.#draw(regular, faults) : [...regular, ...faults()].find(action => action.label === fixed)
    if (chosen === undefined || chosen === first) return first
    this.departures.push({ step, label: chosen.label })
    return chosen
  }

  #draw(regular: readonly ScheduledAction[], faults: () => readonly ScheduledAction[]): ScheduledAction | undefined {
    if (this.#chances === undefined) return undefined
    const draw = this.#random.float()
    if (draw < this.#chances.faultChance && this.#faultsLeft > 0) {
      const offered = faults()
      if (offered.length === 0) return undefined
      this.#faultsLeft--
      // First the kind of fault, then its place: otherwise faults with many places crowd out the others.
      const codes = [...new Set(offered.map(action => faultOf(action.label)))]
      const code = codes[this.#random.integer(codes.length)]
      const strikes = offered.filter(action => faultOf(action.label) === code)
      return strikes[this.#random.integer(strikes.length)]
    }
    if (draw > 1 - this.#chances.reorderChance) return regular[this.#random.integer(regular.length)]
    return undefined
  }
}
