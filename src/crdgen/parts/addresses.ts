// Which members of an operation's input say whose it is, and not what it sets: the resource's own name, id or ARN, and whatever its reads and
// its deletion are told as well, such as the registry that a repository is in.
import { type Api, type ApiStructure, structureOf } from '../infer/api.ts'
import type { InferredService } from '../infer/infer-service.ts'
import type { InferredKind } from '../infer/inferred-kind.ts'

export function keyOf(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9]/g, '').toLowerCase()
}

export interface Addresses {
  /** A member that names the resource itself. */
  isIdentity(member: string): boolean
  /** A member that names it by a word that any other resource might be named by: `Name`, `ResourceArn`. */
  isCommon(member: string): boolean
  /** A member that is told to find the resource. */
  isAddress(member: string): boolean
}

export function addressesOf({ api }: InferredService, kind: InferredKind): Addresses {
  const resource = keyOf(kind.resource)
  const keys = new Set(['id', 'arn', 'name', 'identifier', 'resourcearn', keyOf(kind.arnMember ?? 'arn'), resource])
  for (const what of ['name', 'id', 'arn', 'identifier']) keys.add(`${resource}${what}`)
  // A word shorter than the resource's: `KeyId` of a `ReplicaKey`.
  const isOwn = (member: string): boolean => {
    const [, stem = '', what] = /^(.+?)(id|name|identifier|arn)$/.exec(keyOf(member)) ?? []
    return keys.has(keyOf(member)) || (what !== undefined && stem.length > 2 && resource.endsWith(stem))
  }
  for (const field of kind.spec.values()) if (field.config?.is_primary_key === true) keys.add(keyOf(field.model))
  const told = new Set<string>()
  const { Delete, Get, List, GetAttributes } = kind.operations
  for (const operation of [Delete, Get, GetAttributes])
    for (const name of inputOf(api, operation)?.members.keys() ?? []) told.add(keyOf(name))
  // A list is asked by what many share, such as an alias or a state: that says where a resource is only where nothing else reads it.
  const listed = inputOf(api, List)
  for (const name of (Get ?? GetAttributes) === undefined ? (listed?.members.keys() ?? []) : (listed?.required ?? []))
    told.add(keyOf(name))
  const common = new Set(['id', 'arn', 'name', 'identifier', 'resourcearn'])
  return {
    isIdentity: isOwn,
    isCommon: member => common.has(keyOf(member)),
    isAddress: member => isOwn(member) || told.has(keyOf(member)),
  }
}

export function inputOf(api: Api, operation: string | undefined): ApiStructure | undefined {
  return structureOf(api, api.operations.get(operation ?? '')?.input ?? '')
}

export function outputOf(api: Api, operation: string | undefined): ApiStructure | undefined {
  return structureOf(api, api.operations.get(operation ?? '')?.output ?? '')
}

/** Members that say how one call is to be carried out, and are kept by nothing. */
export function isOption(member: string): boolean {
  return /^(?:bypass|force|skip|ignore|validateonly|dryrun|publish$|revisionid$|checksum$|etag$|allowoverwrite|overwrite$)|(?:token|verificationcode)$/.test(
    keyOf(member),
  )
}
