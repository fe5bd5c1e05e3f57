// The list of all deviations. A kind that is not here needs none.
import { type Deviation, noDeviation } from './deviation.ts'
import { iamRole } from './iam-role.ts'

const deviations: Readonly<Record<string, Deviation>> = {
  'iam/Role': iamRole,
}

export function deviationOf(id: string): Deviation {
  return Object.hasOwn(deviations, id) ? (deviations[id] as Deviation) : noDeviation
}
