// How long nobody leads: from the leader's stop to the next one's first moment, over the embedded API server and real time.
import { createApiServer } from '#apiserver'
import { silentLog, systemClock, systemRandom } from '#base'
import { createKubeClient } from '#kube/client'
import { Election } from '#runtime'

export async function measureHandover(): Promise<number> {
  const server = createApiServer({ seed: 'handover' })
  const client = createKubeClient({ clock: systemClock, address: 'embedded', exchange: server.as() })
  const candidate = (identity: string) => {
    const stop = new AbortController()
    let lead = (): void => {}
    const leading = new Promise<number>(resolve => {
      lead = () => resolve(performance.now())
    })
    const lease = { namespace: 'default', name: 'bench' }
    const election = new Election({ client, clock: systemClock, random: systemRandom, log: silentLog, lease, identity })
    const run = election.run(stop.signal, async term => {
      lead()
      await new Promise<void>(resolve => term.addEventListener('abort', () => resolve(), { once: true }))
    })
    return { leading, stop: () => stop.abort(new Error('handover')), run }
  }
  const first = candidate('first')
  await first.leading
  const second = candidate('second')
  await systemClock.sleep(2_000)
  const fromMs = performance.now()
  first.stop()
  const ms = (await second.leading) - fromMs
  second.stop()
  await Promise.all([first.run, second.run])
  await server.close()
  return ms
}
