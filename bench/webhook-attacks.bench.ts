// `npm run bench -- webhook-attacks`: one client that means harm, on one address, and an API server on another that goes on asking. Printed are
// what the API server sees meanwhile, and what the webhook holds in memory at most, which a container of the manifests has 256 MiB for.
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { systemClock } from '#base'
import { servingPair } from '../src/base/x509/serving-pair.fixture.ts'
import { accountsApi } from './webhook/accounts-api.ts'
import { closedLoop, coldLoop } from './webhook/client.ts'
import { rendered, reviewOf, samplePod } from './webhook/review.ts'
import { bundle, type Files, startOurs, writePair } from './webhook/servers.ts'

const kinds = {
  'slow-large': '2,000 connections that announce 262,145 bytes with ?timeout=600s and send one every six seconds',
  'slow-small': '2,000 connections that announce 1,000 bytes and send one every six seconds',
  'slow-headers': '2,000 connections that send a header line every six seconds',
  silent: '5,000 connections over TLS that say nothing',
  bodies: '60 connections that each send all but one byte of 7 MiB',
  parsed: '60 connections that each send 7 MiB with 160,000 objects in it',
} as const

const request = rendered(reviewOf(samplePod()))

export async function run(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: { seconds: { type: 'string', default: '15' }, only: { type: 'string' } },
  })
  const folder = mkdtempSync(join(tmpdir(), 'vouch-bench-attacks-'))
  const files = writePair(folder, servingPair())
  bundle()
  try {
    for (const [kind, what] of Object.entries(kinds))
      if (values.only === undefined || values.only === kind)
        console.log(`${what}\n    ${await suffer(kind, files, Number(values.seconds))}`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function suffer(kind: string, files: Files, seconds: number): Promise<string> {
  const api = await accountsApi(1_000)
  const program = await startOurs(files, api)
  await closedLoop(program.port, request, 4, 1_000)
  const before = program.residentMiB()
  const attacker = spawn(
    process.execPath,
    [join(import.meta.dirname, 'webhook/attacker.ts'), kind, String(program.port), '127.0.0.2'],
    {
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  )
  try {
    await systemClock.sleep(3_000)
    // A connection for each request: whoever is connected already might be let alone.
    const seen = await coldLoop(program.port, request, 4, seconds * 1_000)
    const during = program.residentMiB()
    attacker.kill('SIGKILL')
    await systemClock.sleep(15_000)
    const peak = Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${program.pid}/status`, 'utf8'))?.[1] ?? 0) / 1_024
    const [p50, p99, max] = [seen.p50, seen.p99, seen.max].map(ms => ms.toFixed(1))
    return `${seen.count} reviews, ${seen.failures} without a patch, p50 ${p50} ms, p99 ${p99} ms, max ${max} ms; resident ${[before, during, peak, program.residentMiB()].map(mib => mib.toFixed(0)).join(', ')} MiB (before, during, at most, 15 s after)`
  } finally {
    attacker.kill('SIGKILL')
    await program.stop()
    await api.close()
  }
}
