// The same on a cloud that limits calls as IAM does, in virtual time: how long it takes is the cloud's doing, and counted to the second on
// any machine. Beside it the least that the limits allow.
import { createApiServer } from '#apiserver'
import { AwsClients, inProcessTransport, staticCredentials } from '#aws/client'
import { drain, ManualClock, seededRandom, silentLog } from '#base'
import { createAws } from '#emulator'
import { createKubeClient } from '#kube/client'
import { createResourcesOperator } from '#operators/resources'
import { createManager } from '#runtime'
import { Counted } from './counted.ts'
import { account, region, roleManifest } from './role.ts'

export interface Limited {
  readonly virtualSeconds: number
  /** Until the first of them could be used. */
  readonly firstSeconds: number
  /** By the limit that was hit first. */
  readonly leastSeconds: number
  readonly calls: number
  readonly throttled: number
  readonly writes: number
}

/** As the emulator limits IAM: reads and writes per second. */
const limits = { reads: 20, writes: 5, readBurst: 60, writeBurst: 20 }

export async function onLimitedCloud(count: number): Promise<Limited> {
  const clock = new ManualClock()
  const aws = createAws({
    seed: 1,
    clock,
    accounts: [account],
    region,
    profile: 'instant',
    signatures: 'parse',
    knobs: { throttling: 'all', quotas: { roles: 100_000 } },
  })
  const counted = new Counted()
  const operator = createResourcesOperator({
    services: ['iam'],
    kinds: ['Role', 'Policy'],
    // At the rates that are shipped.
    aws: new AwsClients({
      credentials: staticCredentials(aws.adminCredentials()),
      transport: counted.over(inProcessTransport(aws.handle), () => clock.now()),
      clock,
      random: seededRandom(1),
    }),
    home: { account, partition: 'aws', region },
    nowMs: () => clock.now(),
    workers: 16,
    fieldExport: false,
  })
  const server = createApiServer({ seed: 1, clock, objects: operator.crds })
  const kube = createKubeClient({ clock, address: 'bench', exchange: server.as() })
  const ready = new Set<string>()
  let writes = 0
  const manager = createManager({
    client: createKubeClient({ clock, address: 'bench', exchange: server.as() }),
    seams: { clock, random: seededRandom(1), log: silentLog },
    controllers: operator.controllers,
    companions: operator.companions,
    identity: 'bench',
    onPass: ({ key, plan, trouble, writes: done }) => {
      writes += done.filter(({ type }) => type.kind !== 'Event').length
      const said = trouble === undefined ? plan?.conditions : undefined
      if (said?.some(({ type, status }) => type === 'Ready' && status === 'True') === true) ready.add(key.name)
    },
  })
  const stop = new AbortController()
  const running = manager.run(stop.signal)
  const type = operator.kinds.find(({ kind }) => kind.kind === 'Role')?.type
  if (type === undefined) throw new Error('no Role among the kinds')
  for (let index = 0; index < count; index++) await kube.create(type, roleManifest(type, `role-${index}`))
  const startedMs = clock.monotonicMs()
  const turn = async (): Promise<void> => {
    for (let calls = -1, quiet = 0; quiet < 3; quiet++) {
      await server.settle()
      await clock.advance(0)
      await drain()
      if (counted.calls !== calls) quiet = 0
      calls = counted.calls
    }
  }
  let firstSeconds = Number.NaN
  while (ready.size < count) {
    await turn()
    if (Number.isNaN(firstSeconds) && ready.size > 0) firstSeconds = (clock.monotonicMs() - startedMs) / 1_000
    const due = clock.nextDueMs()
    if (ready.size < count && due !== undefined) await clock.advance(Math.max(0, due - clock.monotonicMs()))
  }
  const virtualSeconds = (clock.monotonicMs() - startedMs) / 1_000
  const leastSeconds = Math.max(
    (counted.reads - limits.readBurst) / limits.reads,
    (counted.writes - limits.writeBurst) / limits.writes,
  )
  const { calls, throttled } = counted
  stop.abort(new Error('the bench ends'))
  await turn()
  await clock.advance(2_000)
  await running
  await Promise.all([server.close(), aws.close()])
  return { virtualSeconds, firstSeconds, leastSeconds, calls, throttled, writes }
}
