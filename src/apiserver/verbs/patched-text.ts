// The text of the object that a JSON patch makes. A real server patches texts: what no operation went into stays as it was written, in
// the stored object as in the patch, and what one went into is written anew, with its keys in the order of the alphabet.
import { isRecord } from '#base'
import { applyJsonPatch } from '#kube'
import { isList, isObject, type Json, type JsonObject, renderJson } from '#schema'
import { asGoWrites, compactJson, readNodes, type TextPart } from '../text/json-nodes.ts'

/** The patch is one that can be carried out. Only a test of it may fail here, since equal values may be written in two ways. */
export function patchedText(live: string, patch: string): string {
  return new PatchedText(live, compactJson(patch)).text
}

class PatchedText {
  readonly #parts = new Map<object, TextPart>()
  readonly #opened = new Set<object>()
  readonly text: string

  constructor(live: string, patch: string) {
    const root = readNodes(asGoWrites(live), this.#parts)
    const operations = readNodes(patch, this.#parts)
    const patched = applyJsonPatch(root, isList(operations) ? operations.map(asOperation) : [], {
      opened: node => void this.#opened.add(node),
      copy: node => readNodes(this.#textOf(node), this.#parts),
    })
    // The object itself is always gone into.
    if (typeof patched === 'object' && patched !== null) this.#opened.add(patched)
    this.text = this.#textOf(patched)
  }

  #textOf(node: unknown): string {
    if (typeof node === 'string') return asGoWrites(node)
    if (typeof node !== 'object' || node === null) return 'null'
    const part = this.#opened.has(node) ? undefined : this.#parts.get(node)
    if (part !== undefined) return asGoWrites(part.text.slice(part.start, part.end))
    if (Array.isArray(node)) return `[${node.map(item => this.#textOf(item)).join(',')}]`
    const members = Object.entries(node).sort(([a], [b]) => (a < b ? -1 : 1))
    return `{${members.map(([key, value]) => `${asGoWrites(JSON.stringify(key))}:${this.#textOf(value)}`).join(',')}}`
  }
}

/** What an operation is about is read; its value stays a text. */
function asOperation(operation: Json): object {
  const { op, path, from, ...rest } = isObject(operation) ? operation : {}
  const read = (text: Json | undefined): unknown => (typeof text === 'string' ? JSON.parse(text) : undefined)
  return { ...rest, op: read(op), path: read(path), from: read(from) }
}

/** Texts in which equal values may be written in more than one way: with escapes, or with parts of a number that make no difference. */
const otherwise = /[<>&\\\u2028\u2029]|\d[.eE]/

/** Throws a `JsonPatchError` where a test of the patch holds by values, and not by the texts that a real server compares. */
export function checkTestsAsText(live: JsonObject, patch: string, operations: readonly unknown[]): void {
  if (otherwise.test(patch) && operations.some(isTest)) patchedText(renderJson(live), patch)
}

function isTest(operation: unknown): boolean {
  return isRecord(operation) && operation.op === 'test'
}
