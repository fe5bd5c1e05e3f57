// The resources operator as a process of the simulator, the same for every subject but for what it serves.
import { createResourcesOperator } from '#operators/resources'
import type { ProcessContext } from '#simulator'
import { processClients } from './aws/clients.ts'
import { runProbed } from './probed.ts'

export const account = '111122223333'
export const region = 'eu-west-1'
export const leaseMs = 240_000

type Wanted = Omit<Parameters<typeof createResourcesOperator>[0], 'aws' | 'home' | 'nowMs' | 'strictConditions'>

/** With `cloud`, what goes to AWS passes through it. */
export function runResources(
  process: ProcessContext,
  wanted: Wanted,
  { leaseNamespace = 'default', cloud = process }: { readonly leaseNamespace?: string; readonly cloud?: ProcessContext } = {},
): Promise<void> {
  const operator = createResourcesOperator({
    ...wanted,
    aws: processClients(cloud),
    home: { account, partition: 'aws', region },
    nowMs: () => process.seams.clock.now(),
    strictConditions: true,
  })
  return runProbed(process, {
    controllers: operator.controllers,
    companions: operator.companions,
    listing: 'stream',
    lease: { namespace: leaseNamespace, name: 'resources' },
    leaseMs,
    renewMs: 60_000,
  })
}
