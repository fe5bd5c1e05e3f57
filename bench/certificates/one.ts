// One Cert on a cloud that answers at once: what of the time from apply to Ready is ours.
import { createApiServer } from '#apiserver'
import { systemClock as clock, systemRandom as random, silentLog } from '#base'
import { renderCrd } from '#kube'
import { createKubeClient } from '#kube/client'
import { type Cert, certKind, createCertificatesOperator, Zones } from '#operators/certificates'
import { createManager } from '#runtime'
import { certOf } from './ready-certs.ts'
import { readyCloud, zone } from './ready-cloud.ts'

/** In place of a minute and of five: what is waited for AWS is no time of ours. */
const pollMs = 1

export async function measureOne(rounds: number): Promise<void> {
  const server = createApiServer({ clock, objects: [renderCrd(certKind)] })
  const client = createKubeClient({ clock, address: 'bench', exchange: server.as() })
  const seams = { clock, random, log: silentLog }
  const { clients } = readyCloud(clock, clock.now())
  const soon = { baseMs: pollMs, maxMs: pollMs }
  const intervals = { pending: soon, created: soon, validatedMs: pollMs, readyMs: 3_600_000, failedMs: 300_000 }
  const layers = { rates: undefined }
  const settings = { intervals, requestsPerDayMax: rounds, sharesRequests: false }
  const options = { seams, clients, region: 'eu-west-1', zones: new Zones([zone]), layers, settings }
  const { controllers } = createCertificatesOperator(options)
  const manager = createManager({ client, seams, controllers, identity: 'bench' })
  const stop = new AbortController()
  const running = manager.run(stop.signal)
  const times: number[] = []
  const cpuBefore = process.cpuUsage()
  for (let index = 0; index < rounds; index++) {
    const began = performance.now()
    const ready = untilReady(client, `cert-${index}`)
    await client.create(certKind.type, certOf(index))
    await ready
    times.push(performance.now() - began)
  }
  const { user, system } = process.cpuUsage(cpuBefore)
  stop.abort(new Error('the bench is over'))
  await running
  await server.close()
  times.sort((a, b) => a - b)
  const at = (share: number): string => `${(times[Math.floor(share * (rounds - 1))] ?? Number.NaN).toFixed(1)} ms`
  console.log(
    `\none Cert from apply to Ready, on a cloud that takes no time and looks ${pollMs} ms apart, ${rounds} times: p50 ${at(0.5)}, p99 ${at(0.99)} (50 ms is the goal for p50); ${((user + system) / 1_000 / rounds).toFixed(1)} ms of a processor each, the API server included`,
  )
}

/** Hears of it as an application would, by a watch. */
async function untilReady(client: ReturnType<typeof createKubeClient>, name: string): Promise<void> {
  const stop = new AbortController()
  try {
    for await (const event of client.watch<Cert>(certKind.type, { signal: stop.signal }))
      if (event.type === 'MODIFIED' && event.object.metadata.name === name && event.object.status?.certReady === true) return
  } finally {
    stop.abort(new Error('it is Ready'))
  }
}
