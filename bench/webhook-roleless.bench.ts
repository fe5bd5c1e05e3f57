// `npm run bench -- webhook-roleless`: pods whose ServiceAccount has no role, which are most pods. Beside them the same pods with confirmation
// off, which is upstream's way: the cache alone is believed. Each review is of another of 900 ServiceAccounts, over connections that stand.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { servingPair } from '../src/base/x509/serving-pair.fixture.ts'
import { accountName, accountsApi } from './webhook/accounts-api.ts'
import { type Latencies, openLoop } from './webhook/client.ts'
import { rendered, reviewOf, samplePod } from './webhook/review.ts'
import { bundle, type Files, startOurs, writePair } from './webhook/servers.ts'

const accounts = 1_000
const rates = [40, 100, 1_000]
/** One in ten of the accounts has a role: those are left out. */
const requests = Array.from({ length: accounts }, (_, index) => index)
  .filter(index => index % 10 !== 0)
  .map(accountName)
  .map(({ name, namespace }) => rendered(reviewOf(samplePod(name), namespace)))

export async function run(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: { seconds: { type: 'string', default: '8' } } })
  const folder = mkdtempSync(join(tmpdir(), 'vouch-bench-roleless-'))
  const files = writePair(folder, servingPair())
  bundle()
  try {
    for (const rate of rates) {
      const believed = await measure(files, rate, Number(values.seconds), ['--confirm-missing-role=false'])
      const confirmed = await measure(files, rate, Number(values.seconds), [])
      const ratio = (confirmed.seen.p50 / believed.seen.p50).toFixed(2)
      console.log(
        `${rate} a second: p50 ${ratio}x of what the cache alone takes\n  cache alone ${told(believed)}\n  confirmed   ${told(confirmed)}`,
      )
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

interface Measured {
  readonly seen: Latencies
  readonly reads: number
}

async function measure(files: Files, rate: number, seconds: number, flags: readonly string[]): Promise<Measured> {
  const api = await accountsApi(accounts)
  const program = await startOurs(files, api, flags)
  try {
    await openLoop(program.port, requests, rate, 1_000)
    const before = api.reads
    const seen = await openLoop(program.port, requests, rate, seconds * 1_000)
    return { seen, reads: api.reads - before }
  } finally {
    await program.stop()
    await api.close()
  }
}

function told({ seen, reads }: Measured): string {
  return `p50 ${seen.p50.toFixed(2)} ms, p99 ${seen.p99.toFixed(2)} ms, max ${seen.max.toFixed(1)} ms; ${reads} reads for ${seen.count} reviews`
}
