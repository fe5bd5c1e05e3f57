// A name that changed under a living resource: what is looked for then is another resource, and to make that one would leave the first
// behind for ever. The recorded ARN says what the resource was called.
import { tryParseArn } from '#aws'
import type { Fields, Resource } from '../api.ts'
import type { KindModel } from '../model/kind-model.ts'
import { adoptionKeys } from './adoption-keys.ts'

export interface Renamed {
  readonly json: string
  readonly camel: string
  readonly was: string
}

/** Ids that AWS makes up say nothing of names. One of a proxy may happen to have no digit. */
const madeUp =
  /^(?:[a-z]+-)?[0-9a-f]{8,}(?:-[0-9a-f-]+)?$|^[A-Z0-9]{10,}$|^[a-z]{2,4}-(?=[a-z]*\d)[0-9a-z]{15,}$|^prx-[0-9a-z]{17}$/i

/** `undefined`: it has its name, or nothing is known of how it was called. */
export function renamedFrom(model: KindModel, claim: Resource, spec: Fields): Renamed | undefined {
  const arn = claim.status?.ackResourceMetadata?.arn
  const keys = adoptionKeys(model)
  const [key = 'Name'] = keys
  const field = keys.length <= 1 ? model.spec.named(key) : undefined
  const is = field === undefined ? undefined : spec[field.json]
  if (arn === undefined || field === undefined || typeof is !== 'string' || is === '') return undefined
  // Some services write the name into the ARN in lower case, and some write more behind it.
  if (arn.toLowerCase().includes(is.toLowerCase().replace(/^\//, ''))) return undefined
  const was = tryParseArn(arn)?.resource.split(/[/:]/).at(-1)
  if (was === undefined || was === '' || madeUp.test(was)) return undefined
  return { json: field.json, camel: field.camel, was }
}
