// The dns operator as a process of its own, so that its memory and its time are its own. Argument: one JSON of `Access`.
import { systemClock as clock, keepHeapSmall, systemRandom as random, silentLog } from '#base'
import { createDnsOperator, plainKubernetes } from '#operators/dns'
import { createManager, Metrics } from '#runtime'
import { settings } from '../../src/operators/dns/testing/dns-world.ts'
import { type Access, openClient } from '../identity/access.ts'
import { Tally, type TallyOrder } from '../identity/tally.ts'

// As `vouch operator` does.
keepHeapSmall()
const tally = new Tally()
const client = openClient(JSON.parse(process.argv[2] ?? '{}') as Access, tally.hub)
const operator = createDnsOperator({
  surroundings: { settings, platform: plainKubernetes, hasRoutes: false },
  client,
  log: silentLog,
  metrics: new Metrics(),
  clock,
})
const manager = createManager({
  client,
  seams: { clock, random, log: silentLog },
  identity: 'bench',
  controllers: operator.controllers,
  companions: operator.companions ?? [],
  onPass: record => tally.take(record),
})
const stop = new AbortController()
process.on('message', order => process.send?.(tally.answer(order as TallyOrder)))
process.on('disconnect', () => stop.abort(new Error('the bench is over')))
await manager.run(stop.signal)
process.exit(0)
