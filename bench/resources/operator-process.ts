// The operator as a process of its own, driven over IPC, so that its memory and its time are its own. Arguments: one JSON of `Start`.
import { AwsClients, netTransport, staticCredentials } from '#aws/client'
import { giveBackMemory, keepHeapSmall, silentLog, systemClock, systemNet, systemRandom } from '#base'
import { createKubeClient } from '#kube/client'
import { createResourcesOperator } from '#operators/resources'
import { createManager } from '#runtime'
import { heapAfterCollection } from '../identity/heap.ts'
import { Counted } from './counted.ts'

export interface Start {
  readonly account: string
  readonly region: string
  readonly server: { readonly origin: string; readonly ca: string; readonly token: string }
  readonly aws: { readonly origin: string; readonly accessKeyId: string; readonly secretAccessKey: string }
}

/** What may be asked for. */
export type Order =
  | { readonly ask: 'figures' }
  /** Only how many are ready: what is asked often must cost nothing. */
  | { readonly ask: 'ready' }
  | { readonly ask: 'forget' }
  | { readonly ask: 'look'; readonly count: number }
  /** Throws away what nobody holds any more, so that `heapMb` is what is needed. */
  | { readonly ask: 'collect' }

export interface Figures {
  readonly rssMb: number
  readonly heapMb: number
  /** The most that it ever had. */
  readonly peakRssMb: number
  readonly cpuMs: number
  readonly writes: number
  /** Calls to AWS since `forget`. */
  readonly calls: number
  /** When the first of them came that names the newcomer. */
  readonly newcomerAtMs: number | undefined
  /** Passes that ended in trouble, by reason. */
  readonly troubles: Readonly<Record<string, number>>
}

// As `vouch operator` does.
keepHeapSmall()
const { account, region, server, aws } = JSON.parse(process.argv[2] ?? '{}') as Start
const cluster = systemNet.dial({ origin: server.origin, tls: { ca: server.ca } })
const authorised: typeof cluster.exchange = request =>
  cluster.exchange({ ...request, headers: { ...request.headers, authorization: `Bearer ${server.token}` } })
const counted = new Counted()
const operator = createResourcesOperator({
  services: ['iam'],
  kinds: ['Role', 'Policy'],
  aws: new AwsClients({
    credentials: staticCredentials(aws),
    transport: counted.over(netTransport(systemNet), () => systemClock.now()),
    clock: systemClock,
    random: systemRandom,
    endpointOf: () => aws.origin,
    rates: { iam: undefined },
  }),
  home: { account, partition: 'aws', region },
  nowMs: () => systemClock.now(),
  workers: 16,
  fieldExport: false,
})
const ready = new Set<string>()
let writes = 0
let troubles: Record<string, number> = {}
const manager = createManager({
  client: createKubeClient({ clock: systemClock, address: server.origin, exchange: authorised }),
  seams: { clock: systemClock, random: systemRandom, log: silentLog },
  controllers: operator.controllers,
  companions: operator.companions,
  identity: 'bench',
  onPass: ({ key, plan, trouble, writes: done }) => {
    writes += done.filter(({ type }) => type.kind !== 'Event').length
    if (trouble !== undefined) troubles[trouble.reason] = (troubles[trouble.reason] ?? 0) + 1
    else if (plan?.conditions.some(({ type, status }) => type === 'Ready' && status === 'True') === true) ready.add(key.name)
  },
})
const roles = manager.controllers.find(({ definition }) => definition.claims.type.kind === 'Role')
process.on('message', (order: Order) => {
  if (order.ask === 'forget') {
    ready.clear()
    writes = 0
    counted.forget()
    troubles = {}
  }
  if (order.ask === 'look')
    for (let index = 0; index < order.count; index++) roles?.add({ namespace: 'default', name: `role-${index}` }, 'drift')
  if (order.ask === 'collect') heapAfterCollection()
  process.send?.(order.ask === 'ready' ? ready.size : figures())
})
process.on('disconnect', () => process.exit(0))
giveBackMemory()
void manager.run(new AbortController().signal)

function figures(): Figures {
  const { rss, heapUsed } = process.memoryUsage()
  const { user, system } = process.cpuUsage()
  return {
    rssMb: rss / 1_048_576,
    heapMb: heapUsed / 1_048_576,
    peakRssMb: process.resourceUsage().maxRSS / 1_024,
    cpuMs: (user + system) / 1_000,
    writes,
    calls: counted.calls,
    newcomerAtMs: counted.newcomerAtMs,
    troubles,
  }
}
