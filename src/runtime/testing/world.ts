// The world of the engine's own tests: the embedded API server in a test world.
import { type ApiServer, createApiServer } from '#apiserver'
import type { KubeObject } from '#kube'
import { type TestWorld, testWorld } from '../test-world/test-world.ts'

export type EngineWorld = TestWorld<ApiServer>

export function engineWorld({ objects = [], seed = 1 }: { objects?: readonly KubeObject[]; seed?: number } = {}): EngineWorld {
  return testWorld(clock => createApiServer({ seed, clock, objects }), { seed })
}
