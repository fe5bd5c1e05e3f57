// `npm run bench -- webhook-roleless`: pods whose ServiceAccount has no role, which are most pods. Four programs take turns in the same run:
// the cache alone is believed, which is upstream's way; the cache is believed and confirmed behind the answer, which is ours; confirmed before
// the answer, which is ours for ServiceAccounts that changed a moment ago; and a plain Go webhook. Each review is of another of 900
// ServiceAccounts, over connections that stand. The best round of each counts: other programs on the machine only make one worse. So does
// what a review costs the processor, which no neighbour changes.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { servingPair } from '../src/base/x509/serving-pair.fixture.ts'
import { type AccountsApi, accountName, accountsApi } from './webhook/accounts-api.ts'
import { type Latencies, openLoop } from './webhook/client.ts'
import { rendered, reviewOf, samplePod } from './webhook/review.ts'
import { bundle, type Program, startGo, startOurs, writePair } from './webhook/servers.ts'

const accounts = 1_000
const rates = [40, 100, 1_000]
/** After a start none is steady for so long: shorter than the warming up. */
const steadyAfterMs = 1_000
const ways: readonly (readonly [string, readonly string[]])[] = [
  ['cache alone', ['--confirm-missing-role=false']],
  ['confirmed behind', [`--steady-after=${steadyAfterMs}ms`]],
  ['confirmed before', ['--steady-after=0s']],
]
/** One in ten of the accounts has a role: those are left out. */
const requests = Array.from({ length: accounts }, (_, index) => index)
  .filter(index => index % 10 !== 0)
  .map(accountName)
  .map(({ name, namespace }) => rendered(reviewOf(samplePod(name), namespace)))

interface Contender {
  readonly name: string
  readonly program: Program
  readonly api?: AccountsApi
}

interface Round {
  readonly seen: Latencies
  readonly reads: number
  readonly pages: number
  readonly processorMs: number
}

export async function run(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: { seconds: { type: 'string', default: '3' }, rounds: { type: 'string', default: '4' } },
  })
  const folder = mkdtempSync(join(tmpdir(), 'vouch-bench-roleless-'))
  bundle()
  const contenders = await startAll(folder)
  try {
    for (const { program } of contenders) await openLoop(program.port, requests, 1_000, 3_000)
    for (const rate of rates) {
      const rounds = new Map<string, Round[]>(contenders.map(({ name }) => [name, []]))
      for (let round = 0; round < Number(values.rounds); round++)
        for (const one of contenders) rounds.get(one.name)?.push(await measure(one, rate, Number(values.seconds) * 1_000))
      print(rate, rounds)
    }
  } finally {
    for (const { program, api } of contenders) {
      await program.stop()
      await api?.close()
    }
    rmSync(folder, { recursive: true, force: true })
  }
}

async function startAll(folder: string): Promise<readonly Contender[]> {
  const files = writePair(folder, servingPair())
  const contenders: Contender[] = []
  for (const [name, flags] of ways) {
    const api = await accountsApi(accounts)
    contenders.push({ name, api, program: await startOurs(files, api, flags) })
  }
  const go = await startGo(files)
  return go === undefined ? contenders : [...contenders, { name: 'plain Go', program: go }]
}

async function measure({ program, api }: Contender, rate: number, ms: number): Promise<Round> {
  const [readsBefore, pagesBefore, processorBefore] = [api?.reads ?? 0, api?.pages ?? 0, program.scheduledMs()]
  const seen = await openLoop(program.port, requests, rate, ms)
  const pages = (api?.pages ?? 0) - pagesBefore
  return { seen, reads: (api?.reads ?? 0) - readsBefore, pages, processorMs: program.scheduledMs() - processorBefore }
}

function print(rate: number, all: ReadonlyMap<string, readonly Round[]>): void {
  const bests = new Map([...all].map(([name, rounds]) => [name, bestOf(rounds)]))
  const base = bests.get('cache alone')
  console.log(`\n${rate} a second`)
  for (const [name, { p50, p99, processorMs, reads, pages }] of bests)
    console.log(
      `  ${name.padEnd(17)} p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms, ${processorMs.toFixed(3)} ms of processor a review, ${reads.toFixed(2)} reads and ${pages.toFixed(3)} pages of a list a review; p50 ${(p50 / (base?.p50 ?? 1)).toFixed(2)}x, processor ${(processorMs / (base?.processorMs ?? 1)).toFixed(2)}x of the cache alone`,
    )
}

interface Best {
  readonly p50: number
  readonly p99: number
  readonly processorMs: number
  readonly reads: number
  readonly pages: number
}

function bestOf(rounds: readonly Round[]): Best {
  const least = (of: (round: Round) => number): number => Math.min(...rounds.map(of))
  return {
    p50: least(({ seen }) => seen.p50),
    p99: least(({ seen }) => seen.p99),
    processorMs: least(({ seen, processorMs }) => processorMs / seen.count),
    reads: least(({ seen, reads }) => reads / seen.count),
    pages: least(({ seen, pages }) => pages / seen.count),
  }
}
