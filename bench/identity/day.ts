// A converged cluster with its bindings for one day of a clock that is moved by hand, in one process.
import { roomWorld } from '../../src/operators/identity/testing/room-world.ts'
import { cluster, region } from './contents.ts'
import { ms } from './print.ts'

export async function day(bindings: number): Promise<void> {
  await using world = roomWorld()
  await world.addCluster(cluster)
  await world.makeConfig(cluster, { type: 'SelfHostedIRSA', region })
  const running = world.start()
  for (let index = 0; index < bindings; index++) await world.makeRole(cluster, `app-${index}`)
  await world.advance(60_000)
  running.passes.length = 0
  world.aws.calls.clear()
  for (const kind of ['Bucket', 'OpenIDConnectProvider', 'Role', 'Policy']) world.ack.down.add(kind)
  const began = performance.now()
  await world.advance(24 * 3_600_000)
  const writes = running.passes.flatMap(pass => pass.writes).length
  const calls = new Set(world.aws.calls.all().map(({ operation }) => operation))
  console.log(
    `\na virtual day at rest, ${bindings} bindings: ${running.passes.length} passes, ${writes} writes (goal 0), ${world.aws.calls.count()} AWS calls (${[...calls].join(', ')}; budget two an hour and cluster) in ${ms(performance.now() - began)}`,
  )
}
