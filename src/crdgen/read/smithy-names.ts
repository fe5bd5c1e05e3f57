import type { Shape } from '#aws'
import { isRecord, type JsonRecord, own } from './json.ts'
import { primitives } from './primitives.ts'

/**
 * Shape ids to the names we key shapes by: the part after `#`. The service's own namespace has the first right to a name; a shape
 * of another namespace whose name is taken keeps its full id, so that two shapes never become one by accident. A plain primitive
 * merges with the service's shape of the same name and type, as the other model format writes it.
 */
export class ShapeNames {
  readonly #byId = new Map<string, string>()
  readonly #primitivesUsed = new Map<string, Shape>()
  readonly #shapes: JsonRecord
  readonly #namespace: string

  constructor(serviceId: string, service: JsonRecord, shapes: JsonRecord) {
    this.#shapes = shapes
    this.#namespace = serviceId.slice(0, serviceId.indexOf('#') + 1)
    const renames = own(service, 'rename')
    const taken = new Set<string>()
    const ids = Object.keys(shapes)
    for (const id of [...ids.filter(id => this.#isOwn(id)), ...ids.filter(id => !this.#isOwn(id))]) {
      const renamed = isRecord(renames) ? own(renames, id) : undefined
      const short = typeof renamed === 'string' ? renamed : id.slice(id.indexOf('#') + 1)
      const name = taken.has(short) ? id : short
      taken.add(name)
      this.#byId.set(id, name)
    }
  }

  /** The name of a shape that the document defines or that is a primitive; the id itself for anything else, which fails later. */
  of(id: string): string {
    return this.#byId.get(id) ?? this.#primitive(id) ?? id
  }

  /** The primitives that were asked for so far. */
  primitives(): Iterable<readonly [string, Shape]> {
    return this.#primitivesUsed
  }

  #primitive(id: string): string | undefined {
    const name = id.startsWith('smithy.api#') ? id.slice('smithy.api#'.length) : id
    const primitive = Object.hasOwn(primitives, name) ? primitives[name] : undefined
    if (primitive === undefined) return undefined
    const mine = own(this.#shapes, this.#namespace + name)
    if (isRecord(mine) && mine['type'] === primitive.type) return name
    const free = mine === undefined ? name : `smithy.api#${name}`
    this.#primitivesUsed.set(free, primitive)
    return free
  }

  #isOwn(id: string): boolean {
    return id.startsWith(this.#namespace)
  }
}
