// A small world for tests of the engine: the embedded API server and a clock that stands still, both driven until nothing moves.

import { type ApiServer, createApiServer } from '#apiserver'
import { type Clock, type HttpExchange, ManualClock, seededRandom, silentLog, sleepWith } from '#base'
import type { KubeObject } from '#kube'
import { createKubeClient, type KubeClient } from '#kube/client'
import type { AnyController } from '../controller/definition.ts'
import type { PassRecord } from '../controller/pass.ts'
import { createManager, type ManagerOptions } from '../manager.ts'
import { advanceTo, type Running, Runs, runManager } from './drive.ts'

export interface EngineWorld extends AsyncDisposable {
  readonly clock: ManualClock
  readonly server: ApiServer
  /** As the admin, for the test itself. */
  readonly client: KubeClient
  /** Timers of the engine that are pending; 0 after a clean stop (L5). */
  timersLeft(): number
  /** Lets everything that can happen now happen; time stands still. */
  settle(): Promise<void>
  /** Moves time on, letting everything happen on the way. */
  advance(ms: number): Promise<void>
  start(options: StartOptions): Running
}

export interface StartOptions extends Partial<Omit<ManagerOptions, 'controllers'>> {
  readonly controllers: readonly AnyController[]
  /** Gets between the engine and the server. */
  readonly through?: (exchange: HttpExchange) => HttpExchange
}

export function engineWorld(options: { objects?: readonly KubeObject[]; seed?: number } = {}): EngineWorld {
  const clock = new ManualClock()
  const server = createApiServer({
    seed: options.seed ?? 1,
    clock,
    ...(options.objects === undefined ? {} : { objects: options.objects }),
  })
  const client = createKubeClient({ clock, address: 'test', exchange: server.as() })
  const running = new Runs()
  // The server has timers of its own on the same clock, which are not the engine's to take along.
  const engineClock = countingClock(clock)
  const settle = async (): Promise<void> => {
    // Promise reactions and the server's own macrotasks alternate; a bounded number of rounds outlasts both.
    for (let round = 0; round < 30; round++) {
      await server.settle()
      await clock.advance(0)
    }
  }
  return {
    clock,
    server,
    client,
    settle,
    timersLeft: () => engineClock.pending.size,
    advance: ms => advanceTo(clock, clock.monotonicMs() + ms, { settle, between: () => server.settle() }),
    start: ({ through, ...startOptions }) => {
      const passes: PassRecord[] = []
      const exchange = through === undefined ? server.as() : through(server.as())
      const manager = createManager({
        identity: 'engine-test',
        ...startOptions,
        client: startOptions.client ?? createKubeClient({ clock: engineClock, address: 'test', exchange }),
        seams: startOptions.seams ?? { clock: engineClock, random: seededRandom(options.seed ?? 1), log: silentLog },
        onPass: record => {
          passes.push(record)
          startOptions.onPass?.(record)
        },
      })
      return running.add({ manager, passes, stop: runManager(manager, clock, settle) })
    },
    [Symbol.asyncDispose]: async () => {
      await running.stopAll()
      await server.close()
    },
  }
}

/** A clock that knows which of its timers are pending. */
function countingClock(clock: Clock): Clock & { readonly pending: ReadonlySet<object> } {
  const pending = new Set<object>()
  const counting: Clock & { readonly pending: ReadonlySet<object> } = {
    pending,
    now: () => clock.now(),
    monotonicMs: () => clock.monotonicMs(),
    sleep: (delayMs, signal) => sleepWith(counting, delayMs, signal),
    timer: (delayMs, fire) => {
      const token = {}
      pending.add(token)
      const timer = clock.timer(delayMs, () => {
        pending.delete(token)
        fire()
      })
      return {
        cancel: () => {
          pending.delete(token)
          timer.cancel()
        },
      }
    },
  }
  return counting
}
