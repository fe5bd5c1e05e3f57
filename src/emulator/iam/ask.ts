// What every IAM operation begins with: whose object, and may the caller do this to it?
import { requestTagKeys } from '../core/caller/condition-keys.ts'
import type { ContextKeys } from '../policy/access.ts'
import type { Call } from '../service.ts'
import type { Entity, IamState, Tag } from './model.ts'

export type IamCall<I = unknown> = Call<IamState, I>

export interface AskOptions {
  readonly context?: ContextKeys
  readonly tags?: readonly Tag[]
  /** Tags that come with a create: they need the tag action too (§4.4). */
  readonly newTags?: { readonly tags: readonly Tag[]; readonly action: string }
}

/** Authorises `iam:<operation>` on the resource. */
export function ask(call: IamCall, resource: string, options: AskOptions = {}): void {
  const newTags = Object.fromEntries((options.newTags?.tags ?? []).map(tag => [tag.Key, tag.Value]))
  const resourceTags = Object.fromEntries((options.tags ?? []).map(tag => [tag.Key, tag.Value]))
  const context: ContextKeys = {
    ...Object.fromEntries(Object.entries(resourceTags).map(([key, value]) => [`iam:ResourceTag/${key}`, value])),
    ...requestTagKeys(newTags),
    ...options.context,
  }
  call.authorise({ action: `iam:${call.operation}`, resource, context, resourceTags })
  if (options.newTags !== undefined && options.newTags.tags.length > 0) {
    call.authorise({ action: `iam:${options.newTags.action}`, resource, context, resourceTags })
  }
}

/** `arn:aws:iam::123456789012:role/path/name` */
export function arnOf(call: Pick<Call, 'partition' | 'account'>, kind: string, path: string, name: string): string {
  return `arn:${call.partition}:iam::${call.account}:${kind}${path}${name}`
}

/** The ARN of an object that may not be there: without it the path is not known. */
export function arnOrGuess(call: IamCall, kind: string, name: string, found: Pick<Entity, 'arn'> | undefined): string {
  return found?.arn ?? arnOf(call, kind, '/', name)
}

export function keyOf(name: string): string {
  return name.toLowerCase()
}

/** Percent-encoded as in all IAM answers: everything but RFC 3986's unreserved characters. */
export function encodedDocument(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, character => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
}

const idAlphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** A new unique id, e.g. `AROA` and 17 characters. */
export function newId(call: IamCall, prefix: string): string {
  let text = prefix
  for (const byte of call.random(`id/${prefix}/${call.serial()}`).bytes(17)) text += idAlphabet[byte % 32]
  return text
}
