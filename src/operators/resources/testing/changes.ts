import type { ResourceWorld } from './world.ts'

/** Operations that changed something, since the calls were last forgotten. */
export function changes(world: ResourceWorld): readonly string[] {
  return world.calls().filter(operation => !/^(?:Get|List|Describe|Head)/.test(operation))
}
