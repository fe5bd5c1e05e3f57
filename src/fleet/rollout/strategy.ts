// A rollout strategy as it stands in a resource, and as the planner takes it: read once, with what is wrong as a value.
import { parseGoDuration } from '#base'
import { type Amount, parseAmount } from './amount.ts'

/** As Open Cluster Management writes it; any text or number may stand in any field, since older objects were never validated. */
export interface StrategySpec {
  readonly type?: string
  readonly all?: StepSpec
  readonly progressive?: StepSpec & { readonly maxConcurrency?: number | string; readonly mandatoryDecisionGroups?: GroupSpecs }
  readonly progressivePerGroup?: StepSpec & { readonly mandatoryDecisionGroups?: GroupSpecs }
}

interface StepSpec {
  readonly maxFailures?: number | string
  readonly minSuccessTime?: string
  readonly progressDeadline?: string
}

type GroupSpecs = readonly MandatoryGroup[]

/** A name selects all groups that have it; without one the index counts, 0 where it is absent. */
export interface MandatoryGroup {
  readonly groupName?: string
  readonly groupIndex?: number
}

export type Strategy = AllStrategy | ProgressiveStrategy | PerGroupStrategy

interface Step {
  /** `undefined`: a cluster may take as long as it takes. */
  readonly deadlineMs: number | undefined
  /** How long a cluster has to be well until it counts as done. */
  readonly soakMs: number
}

export interface AllStrategy extends Step {
  readonly type: 'All'
}

export interface ProgressiveStrategy extends Step {
  readonly type: 'Progressive'
  readonly maxFailures: Amount | undefined
  /** Read only when it is needed: what is wrong with it is no trouble while a mandatory group holds everything up (§6.8 item 3). */
  readonly maxConcurrency: number | string | undefined
  readonly mandatory: readonly MandatoryGroup[]
}

export interface PerGroupStrategy extends Step {
  readonly type: 'ProgressivePerGroup'
  readonly maxFailures: Amount | undefined
  readonly mandatory: readonly MandatoryGroup[]
}

export type StrategyReading =
  | { readonly ok: true; readonly strategy: Strategy }
  | { readonly ok: false; readonly message: string }

/** As the schema has it, which anchors its two halves badly on purpose: old objects hold what it lets through (§2.1). */
const deadlinePattern = /^(([0-9])+[h|m|s])|None$/

export function readStrategy(spec: StrategySpec | undefined): StrategyReading {
  const type = spec?.type ?? 'All'
  switch (type) {
    case 'All': {
      const deadline = readDeadline(spec?.all?.progressDeadline)
      return deadline.ok ? { ok: true, strategy: { type, deadlineMs: deadline.ms, soakMs: 0 } } : deadline
    }
    case 'Progressive': {
      const { maxConcurrency, mandatoryDecisionGroups: mandatory = [], ...step } = spec?.progressive ?? {}
      const common = readStep(step)
      return common.ok ? { ok: true, strategy: { type, ...common.step, maxConcurrency, mandatory } } : common
    }
    case 'ProgressivePerGroup': {
      const { mandatoryDecisionGroups: mandatory = [], ...step } = spec?.progressivePerGroup ?? {}
      const common = readStep(step)
      return common.ok ? { ok: true, strategy: { type, ...common.step, mandatory } } : common
    }
    default:
      return { ok: false, message: `incorrect rollout strategy type ${type}` }
  }
}

type StepReading =
  | { readonly ok: true; readonly step: Step & { readonly maxFailures: Amount | undefined } }
  | { readonly ok: false; readonly message: string }

/** The deadline is looked at first, then the failures (§6.8 item 3). */
function readStep({ maxFailures, minSuccessTime = '0', progressDeadline }: StepSpec): StepReading {
  const deadline = readDeadline(progressDeadline)
  if (!deadline.ok) return deadline
  const failures = maxFailures === undefined ? undefined : parseAmount(maxFailures, 'maxFailures')
  if (failures?.kind === 'wrong') return { ok: false, message: failures.message }
  const soak = parseGoDuration(minSuccessTime)
  if (!soak.ok) return { ok: false, message: `failed to parse the provided minSuccessTime: ${soak.message}` }
  return { ok: true, step: { deadlineMs: deadline.ms, soakMs: soak.ms, maxFailures: failures } }
}

type DeadlineReading = { readonly ok: true; readonly ms: number | undefined } | { readonly ok: false; readonly message: string }

function readDeadline(text: string | undefined): DeadlineReading {
  if (text === undefined || text === '' || text === 'None') return { ok: true, ms: undefined }
  return deadlinePattern.test(text) ? parseGoDuration(text) : { ok: false, message: 'invalid timeout format' }
}
