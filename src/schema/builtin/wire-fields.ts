// Which number on the wire belongs to which JSON name, and how zero values read: the table beside this file, parsed on demand.
import table from './wire-fields.gen.json' with { type: 'json' }

export interface WireField {
  readonly number: number
  /** Zero, false and the empty string are values and not absence. */
  readonly pointer: boolean
  /** Written even when it is zero. */
  readonly always: boolean
  /** A structure or a time that is left out when it is zero; other plain ones are written as `{}` and `null`. */
  readonly omitZero: boolean
  /** `v1.PodPhase`, `[]v1.IPFamily`: what its decoder calls the type, where the type has a name that no schema knows. */
  readonly goName: string | undefined
}

export interface WireMessage {
  /** All fields that JSON shows in the object, those of inlined messages included. */
  readonly byName: ReadonlyMap<string, WireField>
  /** What the bytes of this message itself hold. */
  readonly byNumber: ReadonlyMap<number, { readonly name: string } | { readonly inline: WireMessage }>
}

const rows = table as unknown as Readonly<Record<string, string>>
const messages = new Map<string, WireMessage>()

/** By the schema's name (`io.k8s.api.core.v1.Pod`); a message without fields when unknown. */
export function wireMessage(name: string): WireMessage {
  let message = messages.get(name)
  if (message === undefined) {
    message = parseMessage(rows[name] ?? '')
    messages.set(name, message)
  }
  return message
}

function parseMessage(row: string): WireMessage {
  const byName = new Map<string, WireField>()
  const byNumber = new Map<number, { readonly name: string } | { readonly inline: WireMessage }>()
  for (const part of row.split(' ')) {
    const [, name, number, flags, goName] = /^(.*):(\d+)([*!?]*)(?:=(.+))?$/.exec(part) ?? []
    if (name !== undefined && number !== undefined && flags !== undefined) {
      byName.set(name, wireField(Number(number), flags, goName))
      byNumber.set(Number(number), { name })
      continue
    }
    const [, inlineNumber, inlined] = /^@(\d+):(.*)$/.exec(part) ?? []
    if (inlineNumber === undefined || inlined === undefined) continue
    const inline = wireMessage(inlined)
    for (const [key, field] of inline.byName) byName.set(key, field)
    byNumber.set(Number(inlineNumber), { inline })
  }
  return { byName, byNumber }
}

function wireField(number: number, flags: string, goName: string | undefined): WireField {
  return { number, pointer: flags.includes('*'), always: flags.includes('!'), omitZero: flags.includes('?'), goName }
}
