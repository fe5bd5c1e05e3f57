// `npm run bench -- webhook [--starts]`: the pod webhooks of AWS, of Azure, and both in one process that is asked for either in turn, each as a process
// of its own over TLS, on one core, beside a plain Go webhook (the patch of AWS) that is built in the same run, and a server of Node's own that
// answers as many bytes and looks at nothing. The pod is the one of the specification (one init and three regular containers). What the caller costs is in the times and
// not in the processor time per review, which is what to compare. Slices of both programs take turns, and the best counts: other programs
// on the machine only make one worse.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { servingPair } from '../src/base/x509/serving-pair.fixture.ts'
import { accountsApi } from './webhook/accounts-api.ts'
import { answerBytes, burst, Caller, closedLoop, coldLoop, type Latencies, openLoop, type Ports } from './webhook/client.ts'
import { rendered, reviewOf, samplePod } from './webhook/review.ts'
import {
  bundle,
  type Files,
  type FirstReview,
  firstReview,
  isPinned,
  type Program,
  startGo,
  startOurs,
  startPlainNode,
  startWithAzure,
  writePair,
} from './webhook/servers.ts'

const slices = 6
const sliceMs = 1_000
const warmUpMs = 3_000
const plainNode = 'plain Node'

export async function run(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: { starts: { type: 'boolean', default: false } } })
  const folder = mkdtempSync(join(tmpdir(), 'vouch-bench-webhook-'))
  try {
    const files = writePair(folder, servingPair())
    bundle()
    console.log(isPinned ? 'each server is pinned to one core' : 'servers are not pinned: there is no taskset')
    if (!values.starts) await compare(files)
    await starts(files)
    if (!values.starts) await memory(files)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

type Measurable = Program & { readonly ports: Ports }

interface Measured extends Latencies {
  readonly processorMs: number
}

async function compare(files: Files): Promise<void> {
  const api = await accountsApi(20)
  const ours = await startOurs(files, api)
  const go = await startGo(files)
  const azure = await startWithAzure('azure', files, api)
  const both = await startWithAzure('both', files, api)
  const body = reviewOf(samplePod())
  const plain = await startPlainNode(files, await answerBytes(ours.port, body))
  const programs = new Map<string, Measurable>([
    ['vouch', { ...ours, ports: ours.port }],
    ['azure', azure],
    ['mixed', both],
    [plainNode, { ...plain, ports: plain.port }],
    ...(go === undefined ? [] : [['plain Go', { ...go, ports: go.port }] as const]),
  ])
  if (go === undefined) console.log('skipped: a plain Go webhook beside it; there is no Go here')
  const keptAlive = rendered(body, true)
  const once = rendered(body, false)
  for (const { ports } of programs.values()) await closedLoop(ports, keptAlive, 16, warmUpMs)
  const rows: (readonly [string, (ports: Ports) => Promise<Latencies>])[] = [
    ['B-01: one after the other, kept alive', ports => closedLoop(ports, keptAlive, 1, sliceMs)],
    ['B-02: 16 in flight, kept alive', ports => closedLoop(ports, keptAlive, 16, sliceMs)],
    ['B-03: 8 in flight, a connection each', ports => coldLoop(ports, once, 8, sliceMs)],
    ['1,000 a second', ports => openLoop(ports, keptAlive, 1_000, sliceMs)],
    ['B-04: burst of 2,000 over 50 connections', ports => burst(ports, keptAlive, 50, 2_000)],
  ]
  console.log(
    `review of ${body.length} bytes; resident: ${[...programs].map(([name, { residentMiB }]) => `${name} ${residentMiB().toFixed(0)} MiB`).join(', ')}`,
  )
  for (const [what, measure] of rows) {
    const best = new Map<string, Measured>()
    for (let slice = 0; slice < slices; slice++)
      for (const [name, program] of programs) {
        const before = program.processorMs()
        const found = await measure(program.ports)
        const measured = { ...found, processorMs: (program.processorMs() - before) / found.count }
        const held = best.get(name)
        const calmest = held === undefined || measured.p99 < held.p99 ? measured : held
        // The processor's time is best where others took least of its caches, which need not be the slice with the best times.
        best.set(name, { ...calmest, processorMs: Math.min(measured.processorMs, held?.processorMs ?? measured.processorMs) })
      }
    print(what, best)
  }
  for (const program of programs.values()) await program.stop()
  await api.close()
}

function print(what: string, best: ReadonlyMap<string, Measured>): void {
  console.log(`\n${what}`)
  for (const [name, one] of best) {
    const perCore =
      one.processorMs === 0
        ? 'too little to tell'
        : `${one.processorMs.toFixed(3)} ms of processor each, ${(1_000 / one.processorMs).toFixed(0)} a second and core`
    console.log(
      `  ${name.padEnd(9)} ${one.perSecond.toFixed(0).padStart(6)}/s  p50 ${one.p50.toFixed(2)} ms  p99 ${one.p99.toFixed(2)} ms  p99.9 ${one.p999.toFixed(2)} ms  max ${one.max.toFixed(1)} ms  ${perCore}  (${one.count} reviews, ${one.failures} failed)`,
    )
  }
  const go = best.get('plain Go')
  const ratios = [...best].filter(([name, { processorMs }]) => name !== 'plain Go' && processorMs > 0)
  if (go !== undefined)
    console.log(
      `  ratio     ${ratios.map(([name, one]) => `${name} ${(go.processorMs / one.processorMs).toFixed(2)}x`).join(', ')} of the Go program's reviews per second and core`,
    )
  const floor = best.get(plainNode)?.processorMs ?? 0
  const ours = ratios.filter(([name]) => name !== plainNode)
  console.log(
    `  ours      ${ours.map(([name, one]) => `${name} ${(one.processorMs - floor).toFixed(3)} ms`).join(', ')} above a server of Node that answers as many bytes and looks at nothing`,
  )
}

const startRounds = 8

/** They take turns, and the best of each counts: the caller and other programs only make one worse. */
async function starts(files: Files): Promise<void> {
  console.log(
    '\nStart to the first patched review, with 1,200 ServiceAccounts and nothing compiled before; resident a second later',
  )
  const api = await accountsApi(1_200)
  const request = rendered(reviewOf(samplePod()), false)
  const isPatched = async (port: number): Promise<boolean> => {
    const caller = await Caller.open(port)
    const isGood = await caller.ask(request)
    caller.close()
    return isGood
  }
  const best = new Map<string, FirstReview>()
  for (let round = 0; round < startRounds; round++)
    for (const who of ['vouch', 'plain Node', 'plain Go'] as const) {
      const found = await firstReview(who, files, api, isPatched)
      const held = best.get(who) ?? found
      if (found === undefined || held === undefined) continue
      best.set(who, {
        ms: Math.min(found.ms, held.ms),
        processorMs: Math.min(found.processorMs, held.processorMs),
        residentMiB: Math.min(found.residentMiB, held.residentMiB),
      })
    }
  await api.close()
  for (const [who, { ms, processorMs, residentMiB }] of best)
    console.log(
      `  ${who.padEnd(10)} ${ms.toFixed(0).padStart(5)} ms, ${processorMs.toFixed(0)} ms of processor, resident ${residentMiB.toFixed(0)} MiB`,
    )
}

async function memory(files: Files): Promise<void> {
  console.log(
    '\nB-05, B-06: ServiceAccounts, one in ten with a role: start to ready, and resident after the list and a thousand reviews',
  )
  const who = ['vouch', 'azure', 'mixed'] as const
  for (const [count, name] of [1, 10_000, 50_000].flatMap(each => who.map(one => [each, one] as const))) {
    const api = await accountsApi(count)
    const program: Measurable =
      name === 'vouch'
        ? await startOurs(files, api).then(one => ({ ...one, ports: one.port }))
        : await startWithAzure(name === 'mixed' ? 'both' : 'azure', files, api)
    const listed = program.residentMiB()
    await burst(program.ports, rendered(reviewOf(samplePod()), true), 10, 1_000)
    console.log(
      `  ${count.toLocaleString('en-US').padStart(6)}  ${name.padEnd(6)} ready in ${program.readyMs.toFixed(0)} ms, resident ${listed.toFixed(0)} MiB, then ${program.residentMiB().toFixed(0)} MiB`,
    )
    await program.stop()
    await api.close()
  }
}
