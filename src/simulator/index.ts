// simulator: drives any controller through seeded schedules against the embedded API server: every call through a seam parks, one seeded
// pick decides what happens next, faults strike on purpose, invariants are checked after each effect, and a failure is a seed. It holds no
// model of an API server of its own: the worlds are forks of the real embedded one. Start with subject.ts (what is put in), then run.ts.

export type { CacheChange, Effect, Probe } from './effects.ts'
export { allFaults, type FaultCode, faultNames } from './faults/faults.ts'
export { safetyInvariants } from './invariants.ts'
export type { ProcessContext } from './process-context.ts'
export { addTallies, type ExploreOptions, explore, type Failure, randomSchedule, replay, type Tally } from './search/explore.ts'
export { Arena, type RunResult } from './search/run.ts'
export type { Departure, Schedule } from './search/schedule.ts'
export { type ShrinkLimits, shrink } from './search/shrink.ts'
export type { Deed, Invariant, ObjectRole, RestWindow, Subject } from './subject.ts'
export { Violation } from './world/chronicle.ts'
export {
  type Cloud,
  type CloudBeside,
  type CloudCall,
  type CloudStore,
  type CloudStores,
  type CloudSubject,
  cloudName,
} from './world/cloud.ts'
export { World } from './world/world.ts'
