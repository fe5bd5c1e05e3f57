// AWS, and the resources operator in the place of ACK, in a process of their own. Argument: one JSON of `CloudStart`.
import { readFileSync } from 'node:fs'
import { AwsClients, inProcessTransport, staticCredentials } from '#aws/client'
import { systemClock as clock, systemRandom as random, silentLog } from '#base'
import { createAws } from '#emulator'
import { createResourcesOperator } from '#operators/resources'
import { createManager } from '#runtime'
import { type Access, openClient } from './access.ts'
import { account, region } from './contents.ts'
import { Tally, type TallyOrder } from './tally.ts'

export interface CloudStart {
  readonly hub: Access
  /** Without it there is AWS only. */
  readonly operator: boolean
}

export interface CloudUp {
  readonly origin: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

const { hub, operator } = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as CloudStart
// An account of AWS that asked for more than any gets: a thousand roles and a hundred providers are the default.
const knobs = { quotas: { roles: 1_000_000, policies: 1_000_000, openIdConnectProviders: 10_000 } }
const aws = createAws({ clock, seed: 1, accounts: [account], region, profile: 'instant', signatures: 'parse', knobs })
const tally = new Tally()
if (operator) {
  // The cloud is unlimited here: what is measured is ours, and not how long an account of AWS makes us wait.
  const rates = { iam: undefined, s3: undefined }
  const credentials = staticCredentials(aws.adminCredentials())
  const clients = new AwsClients({ credentials, transport: inProcessTransport(aws.handle), clock, random, rates })
  const { controllers, companions } = createResourcesOperator({
    services: ['iam', 's3'],
    aws: clients,
    home: { account, region, partition: 'aws' },
    nowMs: () => clock.now(),
    fieldExport: false,
    workers: 10,
  })
  const manager = createManager({
    client: openClient(hub, tally.hub),
    seams: { clock, random, log: silentLog },
    controllers,
    companions,
    identity: 'ack',
    onPass: pass => tally.take(pass),
  })
  void manager.run(new AbortController().signal)
}
process.on('message', (order: TallyOrder) => process.send?.(tally.answer(order)))
process.on('disconnect', () => process.exit(0))
void aws
  .listen()
  .then(({ port }) => process.send?.({ origin: `http://127.0.0.1:${port}`, ...aws.adminCredentials() } satisfies CloudUp))
