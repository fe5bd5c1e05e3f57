// The operator as a process of its own, driven over IPC, so that its memory and its time are its own. Arguments: one JSON of `Start`.
import { AwsClients, netTransport, staticCredentials } from '#aws/client'
import { silentLog, systemClock, systemNet, systemRandom } from '#base'
import { createKubeClient } from '#kube/client'
import { createResourcesOperator } from '#operators/resources'
import { createManager } from '#runtime'

export interface Start {
  readonly account: string
  readonly region: string
  readonly server: { readonly origin: string; readonly ca: string; readonly token: string }
  readonly aws: { readonly origin: string; readonly accessKeyId: string; readonly secretAccessKey: string }
}

/** What may be asked for. */
export type Order = { readonly ask: 'figures' } | { readonly ask: 'forget' } | { readonly ask: 'look'; readonly count: number }

export interface Figures {
  readonly rssMb: number
  readonly heapMb: number
  readonly cpuMs: number
  readonly writes: number
  /** Calls to AWS since `forget`; counted here, since AWS remembers the latest few thousand. */
  readonly calls: number
  /** When the first of them came that names the newcomer. */
  readonly newcomerAtMs: number | undefined
  /** Claims that were last found ready since `forget`. */
  readonly ready: number
  /** Passes that ended in trouble, by reason. */
  readonly troubles: Readonly<Record<string, number>>
}

const { account, region, server, aws } = JSON.parse(process.argv[2] ?? '{}') as Start
const cluster = systemNet.dial({ origin: server.origin, tls: { ca: server.ca } })
const authorised: typeof cluster.exchange = request =>
  cluster.exchange({ ...request, headers: { ...request.headers, authorization: `Bearer ${server.token}` } })
let calls = 0
let newcomerAtMs: number | undefined
const cloud = netTransport(systemNet)
const counted: typeof cloud = {
  ...cloud,
  to: origin => {
    const exchange = cloud.to(origin)
    return request => {
      calls++
      if (
        newcomerAtMs === undefined &&
        request.body instanceof Uint8Array &&
        Buffer.from(request.body).includes('RoleName=newcomer')
      )
        newcomerAtMs = systemClock.now()
      return exchange(request)
    }
  },
}
const operator = createResourcesOperator({
  services: ['iam'],
  kinds: ['Role', 'Policy'],
  aws: new AwsClients({
    credentials: staticCredentials(aws),
    transport: counted,
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
    calls = 0
    newcomerAtMs = undefined
    troubles = {}
  }
  if (order.ask === 'look')
    for (let index = 0; index < order.count; index++) roles?.add({ namespace: 'default', name: `role-${index}` }, 'drift')
  process.send?.(figures())
})
process.on('disconnect', () => process.exit(0))
void manager.run(new AbortController().signal)

function figures(): Figures {
  const { rss, heapUsed } = process.memoryUsage()
  const { user, system } = process.cpuUsage()
  return {
    rssMb: rss / 1_048_576,
    heapMb: heapUsed / 1_048_576,
    cpuMs: (user + system) / 1_000,
    writes,
    calls,
    newcomerAtMs,
    ready: ready.size,
    troubles,
  }
}
