// One replica of an operator that shares its work by shards, as a process of its own, so that it can be killed, and stopped by the system as a
// machine that sleeps is. Argument: one JSON of `ReplicaStart`. SIGTERM ends it in order.
import { silentLog, systemClock, systemRandom, systemSeams } from '#base'
import { connect } from '#kube/client'
import { createManager } from '#runtime'
import { greetingController } from '../../../src/runtime/testing/greeting.ts'

export interface ReplicaStart {
  readonly identity: string
  readonly kubeconfig: string
  readonly lease: { readonly namespace: string; readonly name: string }
  readonly shards: number
  readonly times: {
    readonly leaseDurationMs: number
    readonly fenceMs: number
    readonly renewMs: number
    readonly restMs: number
  }
}

const { identity, kubeconfig, lease, shards, times } = JSON.parse(process.argv[2] ?? '{}') as ReplicaStart
const { client } = await connect(systemSeams({}, { log: silentLog }), { kubeconfig: [kubeconfig], userAgent: identity })
const stop = new AbortController()
process.on('SIGTERM', () => stop.abort(new Error('told to stop')))
process.on('disconnect', () => process.exit(0))
const manager = createManager({
  client,
  seams: { clock: systemClock, random: systemRandom, log: silentLog },
  controllers: [greetingController()],
  identity,
  election: { lease, shards, ...times },
})
await manager.run(stop.signal)
await client.close()
process.exit(0)
