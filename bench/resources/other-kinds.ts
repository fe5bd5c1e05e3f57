// Queues, tables and keys on moto, with the config that upstream ships: the calls that one takes to be Ready, and those of a look at it. moto
// answers one call after the other, so that seconds would be its own.
import { createApiServer } from '#apiserver'
import { AwsClients, netTransport, staticCredentials } from '#aws/client'
import { silentLog, systemClock, systemNet, systemRandom } from '#base'
import { findCondition, type KubeObject, type ResourceType } from '#kube'
import { createKubeClient } from '#kube/client'
import { createResourcesOperator, type Resource } from '#operators/resources'
import { createManager } from '#runtime'
import { startMoto } from '../../test/real/programs/moto.ts'
import { pythonEnvironment } from '../../test/real/programs/python.ts'
import { missingData, provenService } from '../../test/real/proven/services.ts'
import { Counted } from './counted.ts'

interface Kind {
  readonly service: string
  readonly kind: string
  readonly spec: (name: string) => object
}

const kinds: readonly Kind[] = [
  { service: 'sqs', kind: 'Queue', spec: queueName => ({ queueName, visibilityTimeout: '40' }) },
  {
    service: 'dynamodb',
    kind: 'Table',
    spec: tableName => ({
      tableName,
      billingMode: 'PAY_PER_REQUEST',
      attributeDefinitions: [{ attributeName: 'id', attributeType: 'S' }],
      keySchema: [{ attributeName: 'id', keyType: 'HASH' }],
    }),
  },
  { service: 'kms', kind: 'Key', spec: description => ({ description, enableKeyRotation: true }) },
]

/** A full look comes every ten hours. */
const looksPerDay = 2.4

/** One line for each kind, or why there is none. */
export async function onOtherKinds(count: number): Promise<readonly string[]> {
  const python = await pythonEnvironment()
  const missing = missingData ?? ('missing' in python ? python.missing : undefined)
  if (missing !== undefined || 'missing' in python) return [`queues, tables and keys: ${missing}`]
  const moto = await startMoto(python)
  try {
    const lines: string[] = []
    for (const kind of kinds) lines.push(await measure(kind, moto.url, count))
    return lines
  } finally {
    await moto.stop()
  }
}

async function measure({ service: alias, kind, spec }: Kind, url: string, count: number): Promise<string> {
  const service = provenService(alias)
  const server = createApiServer({ objects: service.crds })
  const kube = createKubeClient({ clock: systemClock, address: 'bench', exchange: server.as() })
  const counted = new Counted()
  const transport = netTransport(systemNet)
  const aws = new AwsClients({
    credentials: staticCredentials({ accessKeyId: 'bench', secretAccessKey: 'bench' }),
    transport: counted.over(transport, () => systemClock.now()),
    clock: systemClock,
    random: systemRandom,
    endpointOf: () => url,
  })
  const process = (): { type: ResourceType; stop: () => Promise<void> } => {
    const operator = createResourcesOperator({
      services: [service.service],
      kinds: [kind],
      aws,
      home: { account: '123456789012', partition: 'aws', region: 'us-east-1' },
      nowMs: () => systemClock.now(),
      fieldExport: false,
    })
    const { controllers, companions } = operator
    const seams = { clock: systemClock, random: systemRandom, log: silentLog }
    const end = new AbortController()
    const run = createManager({ client: kube, seams, controllers, companions, identity: 'bench' }).run(end.signal)
    const type = operator.kinds[0]?.type
    if (type === undefined) throw new Error(`${alias} has no kind ${kind}`)
    return {
      type,
      stop: async () => {
        end.abort(new Error('enough'))
        await run
      },
    }
  }
  try {
    const first = process()
    const { type } = first
    for (let index = 0; index < count; index++) {
      const name = `one-${index}`
      const metadata = { namespace: 'default', name }
      await kube.create(type, { apiVersion: `${type.group}/${type.version}`, kind, metadata, spec: spec(name) } as KubeObject)
    }
    const isReady = async (): Promise<boolean> =>
      (await kube.list<Resource>(type, {})).items.every(
        ({ status }) => findCondition(status?.conditions, 'Ready')?.status === 'True',
      )
    while (!(await isReady())) await systemClock.sleep(200)
    await quiet(counted)
    const made = counted.calls / count
    await first.stop()
    counted.forget()
    // A new process looks at everything once.
    const second = process()
    await quiet(counted)
    const look = counted.calls / count
    await second.stop()
    const perDay = (look * looksPerDay).toFixed(1)
    return `${count} of ${alias} ${kind} on moto: ${made.toFixed(1)} calls each to Ready, ${look.toFixed(1)} for a look, ${perDay} a day`
  } finally {
    await server.close()
    await transport.close()
  }
}

/** Until nothing was called for two seconds. */
async function quiet(counted: Counted): Promise<void> {
  for (let before = -1; before !== counted.calls || counted.calls === 0; ) {
    before = counted.calls
    await systemClock.sleep(2_000)
  }
}
