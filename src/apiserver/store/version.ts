// One committed state of one object. The text of a version is made once, when the first reader needs it, and every later reader and
// watcher sends the same bytes.

import type { Committed } from '../draft.ts'
import { stringifyJson } from '../text/json.ts'

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
    this.#json ??= bytesOf(stringifyJson(this.object))
    return this.#json
  }

  /** A newer version has taken its place: who still wants the text of this one has it made again. */
  retire(): void {
    this.#json = undefined
    // What a webhook converted is kept: it cannot be had again without asking.
    for (const view of this.#views?.values() ?? []) view.#json = undefined
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

/**
 * The text as bytes in memory of their own. Small buffers of Node share memory with whatever else is made at the time, and would keep
 * all of it alive.
 */
function bytesOf(text: string): Uint8Array {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text))
  bytes.write(text)
  return bytes
}
