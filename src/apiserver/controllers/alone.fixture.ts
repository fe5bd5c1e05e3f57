// One small controller by itself: the test puts objects into the store, and what the controller asks the server for is written down and
// answered. Nothing is carried out, so that each look shows what it alone does.
import assert from 'node:assert/strict'
import { drain, type HttpRequest, type HttpResponse, ManualClock } from '#base'
import type { ApiServerOptions } from '../api-server.ts'
import type { Fields } from '../ask.fixture.ts'
import { type Committed, type Draft, draftFrom } from '../draft.ts'
import { makeParts, type ServerParts } from '../make-parts.ts'
import { ControllerApi } from './api.ts'
import { plant } from './bootstrap.ts'
import type { EmbeddedController, MakeController } from './runner.ts'

export interface Asked {
  /** Method and path. */
  readonly what: string
  readonly body: Fields
}

/** What was sent with one of the requests. */
export function bodyAt(asked: readonly Asked[], index: number): Fields {
  const request = asked[index]
  assert.ok(request !== undefined, `request ${index} was made`)
  return request.body
}

export interface Told {
  readonly status: number
  readonly object: object
}

/** What a test says of an object to be there; uid, namespace and time of creation are given where it says nothing. */
export interface Given {
  readonly apiVersion?: string
  readonly kind: string
  readonly metadata: Draft['metadata'] & { readonly name: string }
  readonly [field: string]: unknown
}

export interface AloneOptions extends Pick<ApiServerOptions, 'emulate'> {
  /** Default: what was sent, as it was, with 200 or 201. */
  readonly answer?: (asked: Asked) => Told | undefined
}

export class Alone {
  readonly clock: ManualClock = new ManualClock(Date.UTC(2026, 0, 1))
  readonly ports: ServerParts
  readonly #controller: EmbeddedController
  #asked: Asked[] = []
  #noticed: string[] = []
  #underWay = 0

  constructor(make: MakeController, { emulate = '1.34', answer }: AloneOptions = {}) {
    this.ports = makeParts({ seed: 1, clock: this.clock, emulate }).ports
    const api = new ControllerApi(request => this.#take(request, answer))
    this.#controller = make({ ports: this.ports, api, ca: () => 'the CA' })
    this.ports.store.onCommit((event, table) => this.#noticed.push(...this.#controller.keys(event, table)))
  }

  get name(): string {
    return this.#controller.name
  }

  /** Puts objects there, and says which keys the controller takes from that. */
  put(...objects: readonly Given[]): readonly string[] {
    return this.#noticing(() => {
      for (const object of objects) plant(this.ports, structuredClone({ apiVersion: 'v1', ...object }) as Draft)
    })
  }

  change(table: string, key: string, change: (object: Draft) => void): readonly string[] {
    return this.#noticing(() => {
      const { rows } = this.ports.store.table(table)
      const version = rows.get(key)
      assert.ok(version !== undefined, `${table} ${key} is there`)
      const draft = structuredClone(draftFrom(version.object))
      change(draft)
      this.ports.store.update(this.ports.store.table(table), key, version, draft)
    })
  }

  remove(table: string, key: string): readonly string[] {
    return this.#noticing(() => {
      const version = this.ports.store.table(table).rows.get(key)
      assert.ok(version !== undefined, `${table} ${key} is there`)
      this.ports.store.remove(this.ports.store.table(table), key, version, draftFrom(version.object))
    })
  }

  get(table: string, key: string): Committed {
    const version = this.ports.store.table(table).rows.get(key)
    assert.ok(version !== undefined, `${table} ${key} is there`)
    return version.object
  }

  /** One look at the key: what it asks for, in its order, and after how many milliseconds it wants to look again. */
  async look(key: string): Promise<{ readonly asked: readonly Asked[]; readonly again: number | undefined }> {
    this.#asked = []
    const again = await this.#controller.reconcile(key)
    assert.equal(this.#underWay, 0, 'a look ends when its last request is answered')
    return { asked: this.#asked, again }
  }

  /** Method and path of what one look asks for. */
  async requests(key: string): Promise<readonly string[]> {
    return (await this.look(key)).asked.map(({ what }) => what)
  }

  #noticing(act: () => void): readonly string[] {
    this.#noticed = []
    act()
    return this.#noticed
  }

  async #take({ method, target, body }: HttpRequest, answer: AloneOptions['answer']): Promise<HttpResponse> {
    assert.equal(this.#underWay, 0, 'a controller waits for each answer before it asks for more')
    const asked: Asked = {
      what: `${method} ${target}`,
      body: body instanceof Uint8Array ? (JSON.parse(Buffer.from(body).toString()) as Fields) : {},
    }
    this.#asked.push(asked)
    this.#underWay++
    await drain()
    this.#underWay--
    const { status, object } = answer?.(asked) ?? { status: method === 'POST' ? 201 : 200, object: asked.body }
    return { status, headers: {}, body: Buffer.from(JSON.stringify(object)) }
  }
}
