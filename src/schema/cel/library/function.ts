// What a function of the language is: its overloads for the checker, its doing, and what a call of it costs.
import type { CelType } from '../types.ts'
import type { CelValue } from '../values.ts'

export interface Overload {
  readonly member: boolean
  readonly params: readonly CelType[]
  readonly result: CelType
}

export interface CelFunction {
  readonly name: string
  readonly overloads: readonly Overload[]
  /** The target of a member call is the first argument. Throws EvalError; `undefined` means that no overload fits. */
  readonly run: (args: readonly CelValue[]) => CelValue | undefined
  /** Cost units of a call; one unless said otherwise. */
  readonly cost?: (args: readonly CelValue[], result: CelValue) => number
}

/** Code points of a string, bytes, items of a list or map; one for all else. */
export type LibraryFunction = CelFunction['run']
export type Cost = NonNullable<CelFunction['cost']>
