// Fields that a kind's own code looks after: the general rules leave them to it.
import type { Deviation } from './deviation.ts'

export function isLookedAfter({ own = [], same = {} }: Deviation, camel: string): boolean {
  return own.includes(camel) || Object.hasOwn(same, camel)
}
