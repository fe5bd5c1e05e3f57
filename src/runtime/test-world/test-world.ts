// A small world for tests of an operator: an API server in process and a clock that stands still, both driven until nothing moves. The
// server is given from outside (`createApiServer` of `vouch/apiserver`), since an engine does not contain a server.
import { type Clock, type HttpExchange, ManualClock, seededRandom, silentLog, sleepWith } from '#base'
import { createKubeClient, type KubeClient } from '#kube/client'
import type { AnyController } from '../controller/definition.ts'
import type { PassRecord } from '../controller/pass.ts'
import { createManager } from '../manager/manager.ts'
import type { ManagerOptions } from '../manager/options.ts'
import { advanceTo, type Running, Runs, runManager } from './drive.ts'

/** What the world needs of a server; `createApiServer` of `vouch/apiserver` gives more. */
export interface TestServer {
  as(): HttpExchange
  /** Until no event and no key of its own controllers is left. */
  settle(): Promise<void>
  close(): Promise<void>
}

export interface TestWorld<Server extends TestServer = TestServer> extends AsyncDisposable {
  readonly clock: ManualClock
  readonly server: Server
  /** As the admin, for the test itself. */
  readonly client: KubeClient
  /** Timers of the engine that are pending; 0 after a clean stop (L5). */
  timersLeft(): number
  /** Lets everything that can happen now happen; time stands still. */
  settle(): Promise<void>
  /** Moves time on, letting everything happen on the way. */
  advance(ms: number): Promise<void>
  /** Starts a manager with the controllers. */
  start(options: StartOptions): Running
}

export interface StartOptions extends Partial<Omit<ManagerOptions, 'controllers'>> {
  readonly controllers: readonly AnyController[]
  /** Gets between the engine and the server. */
  readonly through?: (exchange: HttpExchange) => HttpExchange
}

/** A world over the server that is started on its clock; the same seed gives the same run. */
export function testWorld<Server extends TestServer>(
  startServer: (clock: ManualClock) => Server,
  { seed = 1 }: { readonly seed?: number } = {},
): TestWorld<Server> {
  const clock = new ManualClock()
  const server = startServer(clock)
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
    start: ({ through, ...options }) => {
      const passes: PassRecord[] = []
      const exchange = through === undefined ? server.as() : through(server.as())
      const manager = createManager({
        identity: 'engine-test',
        ...options,
        client: options.client ?? createKubeClient({ clock: engineClock, address: 'test', exchange }),
        seams: options.seams ?? { clock: engineClock, random: seededRandom(seed), log: silentLog },
        onPass: record => {
          passes.push(record)
          options.onPass?.(record)
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
