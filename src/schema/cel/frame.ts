// What a run of an expression carries along.
import { BudgetExceeded, type CelValue } from './values.ts'

export interface Frame {
  readonly slots: CelValue[]
  cost: number
  readonly costMax: number
}

export type CompiledExpression = (frame: Frame) => CelValue

/** Which slot each variable in sight has. */
export interface VariableSlots {
  readonly slots: ReadonlyMap<string, number>
  readonly next: number
}

export function charge(frame: Frame, cost: number): void {
  frame.cost += cost
  if (frame.cost > frame.costMax) throw new BudgetExceeded('operation cancelled: actual cost limit exceeded')
}
