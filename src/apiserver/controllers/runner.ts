// Runs the small controllers: a change in the store names keys, each key is looked at once however often it was named, one at a time
// per controller and in the order in which they came up.
import type { Clock, HttpExchange } from '#base'
import type { EmulatedVersion } from '../emulated-version.ts'
import type { Registry } from '../registry/registry.ts'
import type { StoreEvent } from '../store/event-log.ts'
import type { StorePort, Table } from '../store/store.ts'
import type { PodLogs } from '../subresources/pod-logs.ts'
import type { UserInfo } from '../users.ts'
import { masters } from '../users.ts'
import { ControllerApi } from './api.ts'
import type { WorkPorts } from './repeated-work.ts'
import { RepeatedWork } from './repeated-work.ts'

export interface EmbeddedController {
  readonly name: string
  /** Which keys an event concerns; called for the objects that are there at the start as well. */
  keys(event: Pick<StoreEvent, 'type' | 'key' | 'version' | 'previous'>, table: Table): readonly string[]
  /** Looks at the world and does the next thing for the key. A number asks to be called again after so many milliseconds. */
  reconcile(key: string): Promise<number | undefined>
}

/** What controllers look at in the process; they write through the API, like every other client. */
export interface ControllerPorts extends StorePort {
  readonly registry: Registry
  readonly clock: Clock
  readonly logs: PodLogs
  readonly emulate: EmulatedVersion
}

interface RunnerPorts extends ControllerPorts, WorkPorts {}

export interface ControllerContext {
  readonly ports: ControllerPorts
  readonly api: ControllerApi
  /** What a controller cannot see in the API: the cluster's certificate authority. */
  readonly ca: () => string
}

export type MakeController = (context: ControllerContext) => EmbeddedController

export class ControllerRunner {
  readonly #controllers: readonly Running[]
  readonly #stop: () => void

  constructor(
    ports: RunnerPorts,
    exchangeOf: (user: UserInfo) => HttpExchange,
    ca: () => string,
    makers: readonly MakeController[],
  ) {
    this.#controllers = makers.map(make => {
      const user: UserInfo = { username: 'system:kube-controller-manager', groups: [masters, 'system:authenticated'] }
      return new Running(ports, make({ ports, api: new ControllerApi(exchangeOf(user)), ca }))
    })
    this.#stop = ports.store.onCommit((event, table) => {
      for (const running of this.#controllers) running.notice(event, table)
    })
    for (const table of ports.store.tables.values()) {
      table.rows.visit('', (version, key) => {
        for (const running of this.#controllers) running.notice({ type: 'ADDED', key, version, previous: undefined }, table)
        return true
      })
    }
  }

  stop(): void {
    this.#stop()
    for (const running of this.#controllers) running.stop()
  }
}

class Running {
  readonly #controller: EmbeddedController
  readonly #work: RepeatedWork

  constructor(ports: RunnerPorts, controller: EmbeddedController) {
    this.#controller = controller
    this.#work = new RepeatedWork(key => controller.reconcile(key), ports, `${controller.name} controller`)
  }

  notice(event: Parameters<EmbeddedController['keys']>[0], table: Table): void {
    for (const key of this.#controller.keys(event, table)) this.#work.add(key)
  }

  stop(): void {
    this.#work.stop()
  }
}
