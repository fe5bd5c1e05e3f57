// The process: the cluster that kubectl would talk to (or the one that it runs in), one leader among its replicas, probes and metrics.
import { hostname } from 'node:os'
import { connect, createManager, healthHandler, systemSeams } from 'vouch/runtime'
import { configMapMirror } from './mirror.ts'

const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stop.abort(new Error(signal)))

const seams = systemSeams(process.env)
const { client, namespace } = await connect(seams)
const manager = createManager({
  client,
  seams,
  controllers: [configMapMirror],
  identity: `${hostname()}_${process.pid}`,
  election: { lease: { namespace, name: 'configmap-mirror' } },
})
const probes = await seams.net.listen(
  { host: '127.0.0.1', port: Number(process.env['HEALTH_PORT'] ?? 8081) },
  healthHandler({ live: manager.live, ready: manager.ready, metrics: manager.metrics }),
)
seams.log.info('serving', { port: probes.port })
await manager.run(stop.signal)
await probes.close()
await client.close()
