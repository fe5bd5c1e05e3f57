// The clients of the API server: one of the process, and one of each operator, which works as the ServiceAccount that it was given and has
// no other rights. The account of the process may ask for the tokens of those accounts, and needs no more.
import type { Seams } from '#base'
import { type Connected, connect, type KubeClient, requestedToken } from '#kube/client'
import type { OperatorSettings } from './flags.ts'
import type { PartClients } from './part.ts'

/** The process's own client also reviews who asks for metrics. */
export interface ProcessClients extends PartClients {
  close(): Promise<void>
}

export interface ProcessClientsOptions {
  readonly settings: OperatorSettings
  readonly seams: Seams
  readonly version: string
}

export async function openClients({ settings, seams, version }: ProcessClientsOptions): Promise<ProcessClients> {
  const { kubeconfig, accounts } = settings.process
  const chosen = kubeconfig === undefined ? {} : { kubeconfig: [kubeconfig] }
  const { client: own, namespace }: Connected = await connect(seams, { ...chosen, userAgent: `vouch-operator/${version}` })
  const clients = new Map<string, KubeClient>()
  for (const [operator, name] of Object.entries(accounts)) {
    const credentials = requestedToken({ client: own, account: { namespace, name }, clock: seams.clock })
    const userAgent = `vouch-operator-${operator}/${version}`
    clients.set(operator, (await connect(seams, { ...chosen, userAgent, credentials })).client)
  }
  return {
    own,
    namespace,
    of: operator => clients.get(operator) ?? own,
    close: async () => {
      for (const client of clients.values()) await client.close()
      await own.close()
    },
  }
}
