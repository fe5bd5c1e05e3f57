// What the author of an operator needs, and no more: outside this repository this is `vouch/runtime`. A kind and its schema, a controller
// (observe, decide), a manager with its client and seams, and a world to test it in. docs/guides/write-an-operator.md uses all of it.
// Whoever builds an engine of another shape finds the parts behind `vouch/runtime/parts`.

// Kinds: those that every cluster serves, and one's own with its schema, written once.
// The world outside: the seams of this machine, and a client for a cluster.
export { ManualClock, type Seams, systemSeams } from '#base'
export {
  builtinKinds as kinds,
  type Condition,
  defineKind,
  type KubeObject,
  type ObjectOf,
  type ResourceType,
  renderCrd,
  type StoredObject,
  schema,
} from '#kube'
export { connect, type KubeClient } from '#kube/client'
// A controller: what it watches, what it reads, what it wants done.
export type { ClaimKey } from './claim-key.ts'
export { type AnyController, defineController } from './controller/definition.ts'
export { healthHandler } from './health.ts'
export type { Reads } from './informer/reads.ts'
export { indexBy } from './informer/source.ts'
// A process, and the world of its tests.
export { createManager, type Manager } from './manager/manager.ts'
export type { Action, Plan } from './plan/plan.ts'
export { printPlan, summarizeAction } from './plan/print.ts'
export { type TestWorld, testWorld } from './test-world/test-world.ts'
