// What a process of the operator takes with thousands of Certs, and how many series a scrape gets. All of them end within ninety days, which
// is the most series that there can be.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { systemClock as clock } from '#base'
import { bundleFolder, bundleInto } from '../bundle.ts'
import type { OperatorFigures } from './operator-process.ts'
import { readyCerts, versionsOf } from './ready-certs.ts'

export async function measureMemory(count: number): Promise<void> {
  const folder = bundleFolder('certificates')
  await bundleInto(folder, { 'operator-process': 'certificates/operator-process.ts' })
  const { server, admin } = await readyCerts(count, clock)
  const listener = await server.listen()
  const beganMs = clock.now()
  const access = { beganMs, origin: `https://127.0.0.1:${listener.port}`, ca: server.ca, token: server.adminToken }
  const program = join(folder, 'operator-process.mjs')
  // The first life writes down what it finds in each of them, also in those that wait behind second looks at others; the second one is at rest.
  await life(program, access, count)
  const before = await versionsOf(admin)
  const { rssMb, heapMb, series } = await life(program, access, count)
  const after = await versionsOf(admin)
  const written = [...before].filter(([name, version]) => after.get(name) !== version).length
  await server.close()
  console.log(
    `\nwith ${count} Certs: ${rssMb.toFixed(0)} MB resident after all were looked at, ${heapMb.toFixed(0)} MB of heap after a collection (256 MiB is the contract); ${series} series in a scrape (2500 is the contract); ${written} objects written after the restart`,
  )
}

async function life(program: string, access: object, count: number): Promise<OperatorFigures> {
  const child = fork(program, [JSON.stringify(access)])
  const gone = once(child, 'exit')
  const ask = async (): Promise<OperatorFigures> => {
    child.send('figures')
    const heard = once(child, 'message') as Promise<[OperatorFigures]>
    const [figures] = await Promise.race([
      heard,
      gone.then(([code]) => Promise.reject(new Error(`it ended with ${String(code)}`))),
    ])
    return figures
  }
  let figures = await ask()
  for (; figures.lookedAt < count; figures = await ask()) await clock.sleep(1_000)
  child.disconnect()
  await gone
  return figures
}
