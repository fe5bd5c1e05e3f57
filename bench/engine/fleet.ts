// A fleet of a thousand target clusters in a process of its own, some of them dead: what each costs, and whether the dead delay the living.
// Arguments: the port of a stand-in that answers, the port of one that takes connections and never answers, how many of each.

import { silentLog, systemClock, systemNet, systemRandom } from '#base'
import { configMaps } from '#kube'
import { createKubeClient } from '#kube/client'
import { TargetClusters } from '#runtime'

const [livingPort = 0, deadPort = 0, living = 0, dead = 0] = process.argv.slice(2).map(Number)
const heard = new Map<string, number>()
const fleet = new TargetClusters({
  clock: systemClock,
  random: systemRandom,
  log: silentLog,
  fieldManagers: ['bench'],
})
fleet.want({ source: { type: configMaps }, listener: cluster => heard.set(cluster, performance.now()) })
fleet.start(new AbortController().signal)
const before = memory()
const cpuFrom = process.cpuUsage()
const fromMs = performance.now()
// In turns, as they would come: whoever waits for a dead one waits for all.
const deadEvery = dead === 0 ? Number.POSITIVE_INFINITY : Math.floor((living + dead) / dead)
for (let index = 0; index < living + dead; index++) {
  const isDead = index % deadEvery === deadEvery - 1
  const origin = `http://127.0.0.1:${isDead ? deadPort : livingPort}`
  const name = `${isDead ? 'dead' : 'living'}-${index}`
  fleet.join(name, createKubeClient({ clock: systemClock, address: origin, exchange: systemNet.dial({ origin }).exchange }))
}
const livingNames = fleet.names().filter(name => name.startsWith('living'))
const isSynced = (name: string): boolean => fleet.reads(name)?.isSynced(configMaps) === true
while (!livingNames.every(isSynced)) await systemClock.sleep(5)
const syncedMs = performance.now() - fromMs
const joinCpuMs = process.cpuUsage(cpuFrom).user / 1_000
await systemClock.sleep(1_000)
const after = memory()
heard.clear()
const sentMs = performance.now()
await (await fetch(`http://127.0.0.1:${livingPort}/control?burst=1`)).text()
while (heard.size < livingNames.length) await systemClock.sleep(1)
const lastHeardMs = Math.max(...heard.values()) - sentMs
const idleFrom = process.cpuUsage()
await systemClock.sleep(3_000)
const idle = process.cpuUsage(idleFrom)
process.send?.({
  living: livingNames.length,
  dead: fleet.names().length - livingNames.length,
  syncedMs,
  joinCpuMs,
  lastHeardMs,
  idleCpuMsPerSecond: (idle.user + idle.system) / 3_000,
  heapKbEach: (after.heap - before.heap) / fleet.names().length / 1_024,
  rssKbEach: (after.rss - before.rss) / fleet.names().length / 1_024,
})
process.exit(0)

function memory(): { heap: number; rss: number } {
  globalThis.gc?.()
  globalThis.gc?.()
  const { heapUsed, rss } = process.memoryUsage()
  return { heap: heapUsed, rss }
}
