// Reads what operands say: the end of the log of each container, every so often. A right that is missing is no trouble of anybody's; it is
// unknown then how records fare.
import type { Clock, Log } from '#base'
import { pods } from '#kube'
import { type KubeClient } from '#kube/client'
import { type Companion, type CompanionContext, pause } from '#runtime'
import type { PodLike } from '../external-dns/deployment-conditions.ts'
import { podLabels } from '../operand/deployment.ts'
import { claimType, type DnsSettings } from '../settings.ts'
import { readLine } from './classify.ts'
import type { LogFindings, OperandFinding } from './findings.ts'

export interface ScanOptions {
  readonly settings: DnsSettings
  readonly client: KubeClient
  readonly clock: Clock
  readonly log: Log
  readonly findings: LogFindings
  readonly controller: string
  /** At each look at which an operand was in trouble, by its reason. */
  onTrouble?(reason: string): void
}

const logBytesMax = 64 * 1024
/** A condition turns at most this often. */
const restMs = 30_000

export function logScan(options: ScanOptions): Companion {
  return {
    name: 'operand-logs',
    run: async (context, signal) => {
      while (await pause(options.clock, options.settings.logScanMs, signal))
        // Which objects there are is not known yet: the next look may find them.
        if (context.world.isSynced(claimType(options))) await scanAll(options, context, signal)
    },
  }
}

async function scanAll(options: ScanOptions, context: CompanionContext, signal: AbortSignal): Promise<void> {
  for (const { metadata } of context.world.list(claimType(options))) {
    const { name } = metadata
    const found = await scanOne(options, context, name, signal).catch((error: unknown) => {
      options.log.info('the log of an operand cannot be read', { name, error: String(error) })
      return undefined
    })
    if (found?.condition.status === 'False') options.onTrouble?.(found.condition.reason)
    if (found !== undefined && take(options, name, found)) context.add(options.controller, { namespace: '', name })
  }
}

/** True where what is known has changed. */
function take({ findings, clock }: ScanOptions, name: string, found: OperandFinding): boolean {
  const held = findings.operand.get(name)
  const isSame = held?.condition.status === found.condition.status && held.condition.reason === found.condition.reason
  if (isSame && held.condition.message === found.condition.message && held.fatal?.message === found.fatal?.message) return false
  const turnedMs = findings.turnedMs.get(name)
  if (!isSame && turnedMs !== undefined && clock.monotonicMs() - turnedMs < restMs) return false
  findings.turnedMs.set(name, clock.monotonicMs())
  findings.operand.set(name, isSame ? { ...found, turnedAt: held.turnedAt } : { ...found, turnedAt: clock.now() })
  return true
}

async function scanOne(
  options: ScanOptions,
  { world }: CompanionContext,
  name: string,
  signal: AbortSignal,
): Promise<OperandFinding | undefined> {
  const labels = podLabels(name)
  const own = world
    .list<PodLike>(pods, options.settings.operandNamespace)
    .filter(({ metadata }) => Object.entries(labels).every(([key, value]) => metadata.labels?.[key] === value))
  const said: string[] = []
  for (const pod of own) {
    const crash = crashOf(pod)
    if (crash !== undefined) return crash
    for (const { name: container, state } of pod.status?.containerStatuses ?? [])
      if (state?.running !== undefined) said.push(...(await readLog(options, pod.metadata.name, container, signal)))
  }
  return said.length === 0 ? undefined : judge(said, options.clock)
}

/** A container that ended says why at its end: the message is the tail of its log. */
function crashOf({ status }: PodLike): OperandFinding | undefined {
  for (const { state, lastState } of status?.containerStatuses ?? []) {
    if (state?.waiting?.reason !== 'CrashLoopBackOff') continue
    const ended = lastState?.terminated ?? state.terminated
    const lines = (ended?.message ?? '').trim().split('\n')
    const word = lines.at(-1) ?? ''
    const last =
      lines.map(readLine).findLast(line => line?.kind === 'fatal') ??
      (word === '' ? undefined : readLine(`level=fatal msg="${word}"`))
    const message = last?.message ?? `the operand ends with exit code ${ended?.exitCode ?? 'unknown'}`
    const reason = last?.reason ?? 'Other'
    // Operands up to 0.14.0 end at each refusal of their provider: that they end is no news then, what was refused is.
    const isOwnFault = reason === 'Other' || reason === 'InvalidSpec'
    return {
      condition: { type: 'RecordsSynced', status: 'False', reason: isOwnFault ? 'Crash' : reason, message },
      fatal: { reason, message },
    }
  }
  return undefined
}

/** The last line that says anything decides. */
export function judge(lines: readonly string[], clock: Pick<Clock, 'now'>): OperandFinding | undefined {
  const read = lines.map(readLine).filter(line => line !== undefined)
  const last = read.at(-1)
  if (last === undefined) return undefined
  const type = 'RecordsSynced'
  if (last.kind === 'good')
    return { condition: { type, status: 'True', reason: 'UpToDate', message: 'All records are up to date.' } }
  const { reason, message } = last
  const count = read.filter(line => line.reason === reason).length
  const time = `${new Date(clock.now()).toISOString().slice(0, 19)}Z`
  return { condition: { type, status: 'False', reason, message }, lastError: { reason, message, time, count } }
}

async function readLog(
  { client, settings }: ScanOptions,
  pod: string,
  container: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const query = new URLSearchParams({
    container,
    tailLines: String(settings.logScanLines),
    limitBytes: String(logBytesMax),
  })
  const target = `/api/v1/namespaces/${settings.operandNamespace}/pods/${pod}/log?${query.toString()}`
  const { status, body } = await client.exchange({ method: 'GET', target, headers: {}, body: null, signal })
  const text = await textOf(body)
  return status === 200 ? text.split('\n').filter(line => line !== '') : []
}

async function textOf(body: Uint8Array | AsyncIterable<Uint8Array> | null): Promise<string> {
  if (body === null) return ''
  if (body instanceof Uint8Array) return new TextDecoder().decode(body)
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}
