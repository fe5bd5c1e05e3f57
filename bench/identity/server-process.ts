// Hub and workload cluster, ours, in a process of their own: over TLS, as a cluster is reached.
import { type ApiServer, createApiServer } from '#apiserver'
import { systemClock as clock } from '#base'
import type { Access } from './access.ts'
import type { ServerContents } from './contents.ts'
import { type Multiply, multiplied } from './multiply.ts'

/** Begins, or begins anew with copies of a binding. */
export type ServerOrder = { readonly begin: ServerContents } | { readonly multiply: Multiply }

export interface ServersUp {
  readonly hub: Access
  readonly target: Access
}

let servers: readonly ApiServer[] = []

async function open(server: ApiServer): Promise<Access> {
  const { port } = await server.listen()
  return { origin: `https://127.0.0.1:${port}`, ca: server.ca, token: server.adminToken }
}

async function begin(order: ServerOrder): Promise<void> {
  const before = servers
  const make = (which: 'hub' | 'target', seed: number): ApiServer =>
    createApiServer({
      seed,
      clock,
      name: which,
      ...('begin' in order
        ? { objects: order.begin[which] }
        : { snapshot: multiplied(before[seed - 1]?.snapshot() ?? '', order.multiply) }),
    })
  servers = [make('hub', 1), make('target', 2)]
  for (const server of before) await server.close()
  const [hub, target] = await Promise.all(servers.map(open))
  process.send?.({ hub, target } as ServersUp)
}

process.on('message', (order: ServerOrder) => void begin(order))
process.on('disconnect', () => process.exit(0))
