// One committed state of one object. The text of a version is made once, when the first reader needs it, and every later reader and
// watcher sends the same bytes.

import type { Committed } from '../draft.ts'
import { stringifyJson } from '../http/json.ts'

export class Version {
  readonly revision: number
  readonly object: Committed
  #json: Uint8Array | undefined
  /** The same object as other served versions or newer schemas show it, by the kind that asked. */
  #views: Map<object, Version> | undefined

  constructor(revision: number, object: Committed) {
    this.revision = revision
    this.object = object
  }

  get json(): Uint8Array {
    this.#json ??= Buffer.from(stringifyJson(this.object))
    return this.#json
  }

  hasView(kind: object): boolean {
    return this.#views?.has(kind) === true
  }

  /** The version as `kind` shows it, computed once. */
  viewAs(kind: object, compute: (object: Committed) => Committed): Version {
    let view = this.#views?.get(kind)
    if (view !== undefined) return view
    const object = compute(this.object)
    view = object === this.object ? this : new Version(this.revision, object)
    this.#views ??= new Map()
    this.#views.set(kind, view)
    return view
  }
}
