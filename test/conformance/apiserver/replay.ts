// Sends a recorded sequence to a server and compares what it answers, in normal form.

import { assertNever, given } from '#base'
import { differences } from './differences.ts'
import { canonical } from './lossless.ts'
import { type Ask, type Reply, Session, type Watch } from './session.ts'
import type { Target } from './target.ts'
import { Normaliser, type RecordedReply, type RecordedRequest, type Step } from './transcript.ts'
import type { Sequence } from './vectors.ts'

export interface Outcome {
  /** Counted from 1. */
  readonly step: number
  readonly what: string
  /** Absent when the step went as recorded. */
  readonly difference?: string
  /** Entries of the table of differences that were needed. */
  readonly forgiven: readonly string[]
}

export async function replay(target: Target, sequence: Sequence): Promise<Outcome[]> {
  const session = await new Session(target, sequence.id).open()
  const normaliser = new Normaliser(() => target.now())
  const watches = new Map<number, Watch>()
  const outcomes: Outcome[] = []
  try {
    for (const [index, expected] of sequence.steps.entries()) {
      const before = session.steps.length
      const failure = await perform(session, normaliser, watches, expected).catch((error: unknown) => (error as Error).message)
      const raw = session.steps[before]
      const actual = raw === undefined ? normaliser.step({ kind: 'pass', ms: 0 }) : normaliser.step(raw)
      const { difference, forgiven } = compare(sequence.id, expected, actual)
      const found = difference ?? (typeof failure === 'string' ? failure : undefined)
      outcomes.push({
        step: index + 1,
        what: describeStep(expected),
        forgiven,
        ...given({ difference: found }),
      })
    }
  } finally {
    await session.close()
  }
  return outcomes
}

async function perform(session: Session, normaliser: Normaliser, watches: Map<number, Watch>, step: Step): Promise<void> {
  const resolved = <T>(value: T): T => JSON.parse(normaliser.resolveJson(JSON.stringify(value))) as T
  switch (step.kind) {
    case 'request': {
      const { method, target, ask } = asked(resolved(step.request))
      if (step.reply.body === notServed || !isCustom(target)) {
        await session.send(method, target, ask)
        return
      }
      // A real server serves a kind in its own time after its definition; a request that came too early had no effect, and is sent again.
      await session.retry(method, target, (reply: Reply<unknown>) => reply.body !== notServed, ask)
      const last = session.steps.at(-1)
      if (last?.kind === 'until') session.steps[session.steps.length - 1] = { ...last, kind: 'request' }
      return
    }
    case 'until': {
      const { method, target, ask } = asked(resolved(step.request))
      await session.retry(method, target, reply => looksLike(reply, step.reply), ask)
      return
    }
    case 'watch': {
      const { target, ask } = asked(resolved(step.request))
      watches.set(step.id, await session.watch(target.replace(/[?&]watch=true$/, ''), ask))
      return
    }
    case 'events': {
      const watch = watches.get(step.id)
      if (watch === undefined) throw new Error('the watch did not open')
      if (step.count === 'all') await watch.rest()
      else await watch.next(step.count)
      return
    }
    case 'pass':
      return session.pass(step.ms)
    case 'compact':
      return session.compact(resolved(step.revision))
  }
}

/** Kinds that the sequences define themselves. */
function isCustom(target: string): boolean {
  return /^\/apis\/[^/]*example\.com\//.test(target)
}

/** What is said of a path that no kind is served under. */
const notServed = '404 page not found\n'

function asked(request: RecordedRequest): { method: string; target: string; ask: Ask } {
  const { method, target, as, headers, type, body, raw, base64 } = request
  const ask: Ask = {
    ...given({ as, headers, type, body, raw }),
    ...(base64 === undefined ? {} : { raw: Buffer.from(base64, 'base64') }),
  }
  return { method, target, ask }
}

/**
 * Same status, a warning where there was one, the same fields of the spec and, where the object has conditions, the same ones: what an
 * `until` waits for.
 */
function looksLike(reply: Reply, { body: expected, headers, status }: RecordedReply): boolean {
  if ((reply.headers.warning === undefined) !== (headers.warning === undefined)) return false
  const features = (body: unknown): string => {
    const { spec, status: state } = (body ?? {}) as Partial<Record<'spec' | 'status', Record<string, unknown> | null>>
    const conditions = (state?.['conditions'] ?? []) as { type: string; status: string; reason?: string }[]
    return canonical([Object.keys(spec ?? {}).sort(), conditions.map(one => [one.type, one.status, one.reason ?? ''])])
  }
  return reply.status === status && features(reply.body) === features(expected) && isPrepared(reply.body) === isPrepared(expected)
}

/** A real server knows a policy some time before the parameters that it names, and refuses everything until then. */
function isPrepared(body: unknown): boolean {
  return !JSON.stringify(body ?? '').includes('failed to configure binding')
}

/** Two steps in normal form, less what the table of differences forgives. */
export function compare(sequence: string, expected: Step, actual: Step): { difference?: string; forgiven: string[] } {
  const forgiven: string[] = []
  let [left, right] = [expected, actual]
  for (const entry of differences) {
    if (canonical(left) === canonical(right)) break
    const next = [entry.forgive(left, { sequence, expected }), entry.forgive(right, { sequence, expected })] as const
    if (canonical(next[0]) === canonical(left) && canonical(next[1]) === canonical(right)) continue
    forgiven.push(entry.id)
    ;[left, right] = next
  }
  const difference = firstDifference(left, right, '')
  return difference === undefined ? { forgiven } : { difference, forgiven: [] }
}

/** Where two values part, as `path: expected … got …`, up to a few places. */
export function firstDifference(expected: unknown, actual: unknown, path: string): string | undefined {
  const found = differencesOf(expected, actual, path)
  return found.length === 0
    ? undefined
    : found.slice(0, 4).join('\n') + (found.length > 4 ? `\n(and ${found.length - 4} more)` : '')
}

function differencesOf(expected: unknown, actual: unknown, path: string): string[] {
  if (canonical(expected) === canonical(actual)) return []
  if (Array.isArray(expected) && Array.isArray(actual) && expected.length === actual.length) {
    return expected.flatMap((item, index) => differencesOf(item, actual[index], `${path}[${index}]`))
  }
  if (isRecord(expected) && isRecord(actual)) {
    const keys = [...new Set([...Object.keys(expected), ...Object.keys(actual)])]
    return keys.flatMap(key => differencesOf(expected[key], actual[key], `${path}.${key}`))
  }
  return [`${path}: expected ${brief(expected)}, got ${brief(actual)}`]
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function brief(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 400 ? `${text.slice(0, 400)}…` : text
}

export function describeStep(step: Step): string {
  switch (step.kind) {
    case 'request':
    case 'until':
    case 'watch':
      return `${step.request.method} ${step.request.target}`
    case 'events':
      return `${step.count} events of watch ${step.id}`
    case 'pass':
      return `${step.ms} ms pass`
    case 'compact':
      return 'compaction'
    default:
      return assertNever(step)
  }
}
