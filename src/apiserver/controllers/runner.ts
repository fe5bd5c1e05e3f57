// Runs the small controllers: a change in the store names keys, each key is looked at once however often it was named, one at a time
// per controller and in the order in which they came up.
import type { HttpExchange } from '#base'
import type { UserInfo } from '../api-server.ts'
import { masters } from '../auth/users.ts'
import type { Core } from '../core.ts'
import type { StoreEvent } from '../store/event-log.ts'
import type { Table } from '../store/store.ts'
import { ControllerApi } from './api.ts'
import { RepeatedWork } from './repeated-work.ts'

export interface Controller {
  readonly name: string
  /** Which keys an event concerns; called for the objects that are there at the start as well. */
  keys(event: Pick<StoreEvent, 'type' | 'key' | 'version' | 'previous'>, table: Table): readonly string[]
  /** Looks at the world and does the next thing for the key. A number asks to be called again after so many milliseconds. */
  reconcile(key: string): Promise<number | undefined>
}

export interface ControllerContext {
  readonly core: Core
  readonly api: ControllerApi
  /** What a controller cannot see in the API: the cluster's certificate authority. */
  readonly ca: () => string
}

export type MakeController = (context: ControllerContext) => Controller

export class ControllerRunner {
  readonly #controllers: readonly Running[]
  readonly #stop: () => void

  constructor(core: Core, exchangeOf: (user: UserInfo) => HttpExchange, ca: () => string, makers: readonly MakeController[]) {
    this.#controllers = makers.map(make => {
      const user: UserInfo = { username: 'system:kube-controller-manager', groups: [masters, 'system:authenticated'] }
      return new Running(core, make({ core, api: new ControllerApi(exchangeOf(user)), ca }))
    })
    this.#stop = core.store.onCommit((event, table) => {
      for (const running of this.#controllers) running.notice(event, table)
    })
    for (const table of core.store.tables.values()) {
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
  readonly #controller: Controller
  readonly #work: RepeatedWork

  constructor(core: Core, controller: Controller) {
    this.#controller = controller
    this.#work = new RepeatedWork(key => controller.reconcile(key), core, `${controller.name} controller`)
  }

  notice(event: Parameters<Controller['keys']>[0], table: Table): void {
    for (const key of this.#controller.keys(event, table)) this.#work.add(key)
  }

  stop(): void {
    this.#work.stop()
  }
}
