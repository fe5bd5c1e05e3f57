// The platform of `npm start` without its story: hub, clusters, AWS and the operators in this process, and nothing declared yet.
import { publishInventory } from '../../src/cli/dev/inventory.ts'
import { startOperators } from '../../src/cli/dev/operators.ts'
import { startWebhooks } from '../../src/cli/dev/webhooks.ts'
import { type DevWorld, openDevWorld } from '../../src/cli/dev/world.ts'

export interface DevPlatform extends AsyncDisposable {
  readonly world: DevWorld
}

export async function openDevPlatform(): Promise<DevPlatform> {
  const world = await openDevWorld()
  const stop = new AbortController()
  const operators = await startOperators(world, stop.signal)
  await publishInventory(world)
  const webhooks = startWebhooks(world, stop.signal)
  await webhooks.ready
  return {
    world,
    [Symbol.asyncDispose]: async () => {
      stop.abort(new Error('enough'))
      await Promise.all([operators.stopped, webhooks.stopped])
      await world[Symbol.asyncDispose]()
    },
  }
}
