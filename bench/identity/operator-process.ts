// The identity operator as a process of its own, so that its memory and its time are its own. Argument: one JSON of `OperatorStart`.
import { readFileSync } from 'node:fs'
import { AwsClients, netTransport, staticCredentials } from '#aws/client'
import {
  systemClock as clock,
  giveBackMemory,
  given,
  keepHeapSmall,
  memoryFiles,
  systemRandom as random,
  silentLog,
  systemKeys,
  systemNet,
  systemPrograms,
} from '#base'
import type { KubeClient } from '#kube/client'
import { createIdentityOperator, S3IssuerStore } from '#operators/identity'
import { createManager, leaseTimes } from '#runtime'
import { type Access, openClient } from './access.ts'
import type { CloudUp } from './cloud-process.ts'
import { region } from './contents.ts'
import { Tally, type TallyOrder } from './tally.ts'

export interface OperatorStart {
  readonly hub: Access
  /** Of every cluster; or of each, by name. */
  readonly target: Access | Readonly<Record<string, Access>>
  readonly aws: CloudUp
  /** `--aws-writer direct`. */
  readonly direct: boolean
  /** What is counted of a stream costs memory for as long as the stream stands, and is none of the operator's. */
  readonly uncounted?: boolean
  /** One of several; alone, and without a lease, where it is absent. */
  readonly replica?: Replica
}

export interface Replica {
  readonly name: string
  /** Absent: one of them leads. */
  readonly shards?: number
}

const {
  hub,
  target,
  aws,
  direct,
  replica,
  uncounted = false,
} = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as OperatorStart
// As `vouch operator` does.
keepHeapSmall()
const tally = new Tally()
const clients = new AwsClients({
  credentials: staticCredentials(aws),
  transport: netTransport(systemNet),
  clock,
  random,
  endpointOf: () => aws.origin,
  // The cloud is unlimited here: what is measured is ours, and not how long an account of AWS makes us wait.
  rates: { iam: undefined, s3: undefined, eks: undefined, sts: undefined },
})
const remotes = new Map<string, KubeClient>()
/** One client for each cluster, as long as we live. */
const remoteOf = (name: string): KubeClient | undefined => {
  const access = isAccess(target) ? target : target[name]
  const id = isAccess(target) ? '' : name
  const held = remotes.get(id)
  if (held !== undefined || access === undefined) return held
  const client = openClient(access, uncounted ? undefined : tally.target)
  remotes.set(id, client)
  return client
}

function isAccess(one: OperatorStart['target']): one is Access {
  return typeof one['origin'] === 'string'
}

function electionOf({ shards }: Replica) {
  const lease = { namespace: 'platform', name: shards === undefined ? 'one-leads' : 'all-share' }
  return { lease, ...leaseTimes, ...given({ shards }) }
}

const seams = { clock, random, log: silentLog }
const operator = createIdentityOperator({
  seams: { ...seams, keys: systemKeys, net: systemNet, files: memoryFiles(), programs: systemPrograms, env: {} },
  store: new S3IssuerStore({ clients, clock }),
  providers: [],
  clientOf: ({ metadata }) => remoteOf(metadata.name),
  ...(direct ? { direct: { clients, region } } : {}),
})
const manager = createManager({
  client: openClient(hub, tally.hub),
  seams,
  controllers: operator.controllers,
  identity: replica?.name ?? 'bench',
  ...(replica === undefined ? {} : { election: electionOf(replica) }),
  onPass: pass => tally.take(pass),
})
operator.attach(manager)
const stop = new AbortController()
process.on('message', (order: TallyOrder) => process.send?.(tally.answer(order)))
process.on('disconnect', () => stop.abort(new Error('enough')))
giveBackMemory()
await manager.run(stop.signal)
await operator.close()
process.exit(0)
