// Hub and workload cluster, ours, in a process of their own: over TLS, as a cluster is reached.
import { createApiServer } from '#apiserver'
import { systemClock as clock } from '#base'
import type { Access } from './access.ts'
import type { ServerContents } from './contents.ts'

export interface ServersUp {
  readonly hub: Access
  readonly target: Access
}

process.once('message', ({ hub, target }: ServerContents) => {
  const hubServer = createApiServer({ seed: 1, clock, name: 'hub', objects: hub })
  const targetServer = createApiServer({ seed: 2, clock, name: 'target', objects: target })
  const open = async (server: typeof hubServer): Promise<Access> => {
    const { port } = await server.listen()
    return { origin: `https://127.0.0.1:${port}`, ca: server.ca, token: server.adminToken }
  }
  void Promise.all([open(hubServer), open(targetServer)]).then(([hubUp, targetUp]) =>
    process.send?.({ hub: hubUp, target: targetUp } satisfies ServersUp),
  )
})
process.on('disconnect', () => process.exit(0))
