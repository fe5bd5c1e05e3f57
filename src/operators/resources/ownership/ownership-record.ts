// What the status says of whose a resource is. Annotations and finalizers are anybody's to write; the status is not, since it is a
// subresource with rights of its own, and what a manifest says of it is dropped when the object is made. So it is the one place where this
// controller can leave a note to itself that nobody else can forge. The note stands in a condition, because the CRDs are ACK's and have no
// field for it.
import { type Condition, findCondition } from '#kube'
import { conditions, type Fields, type Resource } from '../api.ts'
import { isRecord, parseRecord } from '../model/convert.ts'
import { type Intent, parseIntent, renderIntent } from './intent-text.ts'

/** The fields of the spec that tell a resource from its neighbours, where no ARN does. */
export type Identity = Readonly<Record<string, string>>

export type OwnershipRecord =
  /** Nothing was ever made or taken over for this object. */
  | { readonly kind: 'none' }
  /** It was only looked at. */
  | { readonly kind: 'only-read' }
  /** A create call was about to go out, for a resource that cannot carry a mark from its first moment. */
  | {
      readonly kind: 'intended'
      readonly intent: Intent
      readonly identity: Identity
      /** What was there already and looks alike, where the call's work can be told by nothing else. */
      readonly before?: readonly string[]
    }
  /** It was taken over, and bore this mark then. */
  | { readonly kind: 'adopted'; readonly formerMark: string | undefined; readonly identity: Identity }
  /** It was made or taken over, and has been in step. Without an identity where the ARN or an id in the status says which it is. */
  | { readonly kind: 'made'; readonly identity: Identity }

/** As this controller, an earlier version of it, or ACK left it. */
export function recordOf({ status }: Resource): OwnershipRecord {
  const note = findCondition(status?.conditions, conditions.ownership)
  if (note === undefined) return status?.ackResourceMetadata === undefined ? { kind: 'none' } : { kind: 'made', identity: {} }
  const said = parseRecord(note.message) ?? {}
  const identity = textsIn(said['is'])
  switch (note.reason) {
    case 'Intended': {
      const intent = parseIntent(typeof said['intent'] === 'string' ? said['intent'] : undefined)
      if (intent === undefined) return { kind: 'none' }
      const { before } = said
      return { kind: 'intended', intent, identity, ...(Array.isArray(before) ? { before: before.map(String) } : {}) }
    }
    case 'Adopted':
      return { kind: 'adopted', formerMark: typeof said['mark'] === 'string' ? said['mark'] : undefined, identity }
    case 'Made':
      return { kind: 'made', identity }
    default:
      return { kind: 'only-read' }
  }
}

/** Whether a resource was made or taken over for the object. */
export function hasResource(record: OwnershipRecord): boolean {
  return record.kind === 'made' || record.kind === 'adopted'
}

/** The condition that says so; `undefined` where nothing needs to be said, and what was said is taken back. */
export function recordCondition(record: OwnershipRecord): Condition | undefined {
  const { ownership: type } = conditions
  switch (record.kind) {
    case 'none':
      return undefined
    case 'only-read':
      return { type, status: 'False', reason: 'OnlyRead', message: '' }
    case 'intended': {
      const message = text({ intent: renderIntent(record.intent), before: record.before, is: record.identity })
      return { type, status: 'Unknown', reason: 'Intended', message }
    }
    case 'adopted':
      return { type, status: 'True', reason: 'Adopted', message: text({ mark: record.formerMark, is: record.identity }) }
    case 'made':
      return Object.keys(record.identity).length === 0
        ? undefined
        : { type, status: 'True', reason: 'Made', message: text({ is: record.identity }) }
    default:
      return undefined
  }
}

export function sameIdentity(a: Identity, b: Identity): boolean {
  const names = Object.keys(a)
  return names.length === Object.keys(b).length && names.every(name => a[name] === b[name])
}

function text({ is, ...rest }: { readonly is: Identity } & Fields): string {
  const names = Object.keys(is).sort()
  return JSON.stringify({
    ...rest,
    ...(names.length === 0 ? {} : { is: Object.fromEntries(names.map(name => [name, is[name]])) }),
  })
}

function textsIn(value: unknown): Identity {
  if (!isRecord(value)) return {}
  return Object.fromEntries(Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
}
