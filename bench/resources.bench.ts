// `npm run bench -- resources [COUNT...]`: Roles with a managed policy each, from their creation to Ready; what that takes of AWS and of the
// API server; what a look at everything takes; and how long a new object waits behind such looks. API server and AWS are in this process
// too, and so are their memory and time: the operator alone takes less.
import { createApiServer } from '#apiserver'
import { AwsClients, inProcessTransport, staticCredentials } from '#aws/client'
import { seededRandom, silentLog, systemClock } from '#base'
import { createAws } from '#emulator'
import type { KubeObject } from '#kube'
import { createKubeClient } from '#kube/client'
import { createResourcesOperator } from '#operators/resources'
import { createManager } from '#runtime'

const account = '111122223333'
const region = 'eu-west-1'
const trust = JSON.stringify({
  Version: '2012-10-17',
  Statement: [{ Effect: 'Allow', Principal: { Service: 'ec2.amazonaws.com' }, Action: 'sts:AssumeRole' }],
})
/** What the Go controllers took, measured on two cores: seconds for so many Roles, one worker and sixteen. */
const reference = { roles: 300, seconds: [22, 14], callsPerRole: 11 }

export async function run(args: readonly string[]): Promise<void> {
  const counts = args.map(Number).filter(count => Number.isInteger(count) && count > 0)
  console.log(
    'roles  create s  roles/s  calls/role  writes/role  look at all s  calls/look  writes at rest  new behind looks ms  RSS MB',
  )
  for (const count of counts.length === 0 ? [300, 1_000] : counts) await measure(count)
  const [one, many] = reference.seconds
  console.log(
    `beside it, measured elsewhere: Go, ${reference.roles} Roles in ${one} s (1 worker) and ${many} s (16), ${reference.callsPerRole} calls a Role`,
  )
}

async function measure(count: number): Promise<void> {
  const aws = createAws({
    seed: 1,
    accounts: [account],
    region,
    profile: 'instant',
    knobs: { throttling: 'off', quotas: { roles: 100_000 } },
  })
  const clients = new AwsClients({
    credentials: staticCredentials(aws.adminCredentials()),
    transport: inProcessTransport(aws.handle),
    clock: systemClock,
    random: seededRandom(1),
    rates: { iam: undefined },
  })
  const operator = createResourcesOperator({
    services: ['iam'],
    kinds: ['Role', 'Policy'],
    aws: clients,
    home: { account, partition: 'aws', region },
    nowMs: () => systemClock.now(),
    workers: 16,
    fieldExport: false,
  })
  const server = createApiServer({ objects: operator.crds })
  const kube = createKubeClient({ clock: systemClock, address: 'bench', exchange: server.as() })
  const stop = new AbortController()
  let writes = 0
  const ready = new Set<string>()
  const waiting = new Map<string, () => void>()
  const manager = createManager({
    client: createKubeClient({ clock: systemClock, address: 'bench', exchange: server.as() }),
    seams: { clock: systemClock, random: seededRandom(1), log: silentLog },
    controllers: operator.controllers,
    identity: 'bench',
    onPass: ({ key, plan, trouble, writes: done }) => {
      writes += done.length
      if (trouble !== undefined || plan?.conditions.some(({ type, status }) => type === 'Ready' && status === 'True') !== true)
        return
      ready.add(key.name)
      waiting.get(key.name)?.()
    },
  })
  const running = manager.run(stop.signal)
  const type = operator.kinds.find(({ kind }) => kind.kind === 'Role')?.type
  if (type === undefined) throw new Error('no Role among the kinds')
  const create = (name: string): Promise<unknown> =>
    kube.create(type, {
      apiVersion: `${type.group}/${type.version}`,
      kind: 'Role',
      metadata: { namespace: 'default', name },
      spec: { name, assumeRolePolicyDocument: trust, policies: ['arn:aws:iam::aws:policy/ReadOnlyAccess'] },
    } as KubeObject)
  const names = Array.from({ length: count }, (_, index) => `role-${index}`)

  let started = systemClock.monotonicMs()
  for (const name of names) await create(name)
  while (ready.size < count) await systemClock.sleep(5)
  const createdSeconds = (systemClock.monotonicMs() - started) / 1_000
  const callsToCreate = aws.calls.count() / count
  const writesToCreate = writes / count

  aws.calls.clear()
  writes = 0
  ready.clear()
  const controller = manager.controllers.find(one => one.definition.claims.type === type)
  started = systemClock.monotonicMs()
  for (const name of names) controller?.add({ namespace: 'default', name }, 'drift')
  const newcomer = new Promise<number>(resolve => waiting.set('newcomer', () => resolve(systemClock.monotonicMs())))
  const cameMs = systemClock.monotonicMs()
  await create('newcomer')
  const waitedMs = (await newcomer) - cameMs
  while (ready.size < count + 1) await systemClock.sleep(5)
  const lookSeconds = (systemClock.monotonicMs() - started) / 1_000
  const newcomerCalls = 6
  const callsToLook = (aws.calls.count() - newcomerCalls) / count
  const newcomerWrites = 3
  const rssMb = Math.round(process.memoryUsage().rss / 1_048_576)
  const cells = [
    count,
    createdSeconds.toFixed(1),
    (count / createdSeconds).toFixed(0),
    callsToCreate.toFixed(1),
    writesToCreate.toFixed(1),
  ]
  const more = [lookSeconds.toFixed(1), callsToLook.toFixed(1), String(writes - newcomerWrites), waitedMs.toFixed(0), rssMb]
  const widths = [5, 9, 8, 11, 12, 14, 11, 15, 20, 7]
  console.log([...cells, ...more].map((cell, index) => String(cell).padStart(widths[index] ?? 0)).join(' '))

  stop.abort(new Error('the bench ends'))
  await running
  await server.close()
  await aws.close()
}
