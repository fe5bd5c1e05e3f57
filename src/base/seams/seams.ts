// The seams: every way in which our code can touch the world outside it. Production hands in `base/system`, tests and the
// simulator hand in clocks that stand still, seeded randomness and files in memory. Ambient time, timers, randomness, network,
// files and environment are forbidden elsewhere, by a lint rule and by traps in the tests: one forgotten `Date.now()` and a
// failure can no longer be replayed from its seed.
import type { Dns } from './dns.ts'
import type { Files } from './files.ts'
import type { Net } from './http.ts'
import type { Log } from './log.ts'
import type { Random } from './random.ts'

/** Milliseconds since 1970 by the wall clock. Comparable only with values of the same clock. */
export type Instant = number

export interface Timer {
  /** Stops the timer; harmless after it fired and when called twice. */
  cancel(): void
}

/** Time as seen by one process. */
export interface Clock {
  /** Wall time: for what people and other machines read. It may jump. */
  now(): Instant
  /** A clock that never goes back: for deadlines, ages and durations. Its zero means nothing. */
  monotonicMs(): number
  /** Calls `fire` once, when `delayMs` are over by `monotonicMs` and never before. Whoever starts a timer cancels it when it is no longer wanted. */
  timer(delayMs: number, fire: () => void): Timer
  /** Resolves after `delayMs`; rejects with the signal's reason, and cleans up, when the signal aborts first. */
  sleep(delayMs: number, signal?: AbortSignal): Promise<void>
}

/** Asymmetric keys, the one kind of randomness that `Random` cannot give: key generation is slow and cannot be seeded. */
export interface Keys {
  /** A new private key as PKCS#8 PEM. */
  generateRsa(modulusBits: number): Promise<string>
  /** A new P-256 private key as PKCS#8 PEM. */
  generateEc(): Promise<string>
}

export interface ProgramCall {
  readonly command: string
  readonly args: readonly string[]
  /** The whole environment of the program; nothing is inherited. */
  readonly env: Readonly<Record<string, string>>
  readonly input?: Uint8Array
  /** Output past this many bytes ends the program: helpers are not trusted to be brief. */
  readonly outputBytesMax: number
  readonly timeoutMs: number
  readonly signal?: AbortSignal
}

export interface ProgramResult {
  readonly code: number
  readonly stdout: Uint8Array
  readonly stderr: Uint8Array
}

/** Helper programs, such as a kubeconfig's exec plugin. */
export interface Programs {
  run(call: ProgramCall): Promise<ProgramResult>
}

/** What this process has taken of the machine. Bytes and seconds, as they are shown. */
export interface ProcessUsage {
  readonly cpuSeconds: number
  /** Seconds since 1970. */
  readonly startedSeconds: number
  readonly residentBytes: number
  readonly heapUsedBytes: number
  readonly heapTotalBytes: number
  readonly externalBytes: number
  /** Absent where the system does not tell. */
  readonly openFiles?: number
}

/** Variables of the environment by name. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Everything at once. Functions ask for the parts they use: `Pick<Seams, 'clock' | 'random'>`. */
export interface Seams {
  readonly clock: Clock
  readonly random: Random
  readonly keys: Keys
  readonly net: Net
  readonly files: Files
  readonly programs: Programs
  readonly env: Environment
  readonly log: Log
  /** Where it is missing nobody is asked. */
  readonly dns?: Dns
  /** For metrics; simulated processes have none. */
  readonly usage?: () => ProcessUsage
}
