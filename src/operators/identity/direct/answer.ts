// Answers of AWS as values that are what they should be, or are not there.

import { AwsError, type Tags } from '#aws'
import type { AwsClient } from '#aws/client'
import { isRecord } from '#base'
import type { Values } from './action.ts'

/** `undefined` when AWS says that there is no such thing. */
export async function unlessAbsent<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof AwsError && error.class === 'not-found') return undefined
    throw error
  }
}

export async function listAll(
  client: AwsClient,
  call: { readonly operation: string; readonly input: Values; readonly member: string },
  signal: AbortSignal,
): Promise<readonly Values[]> {
  const found: Values[] = []
  for await (const page of client.pages(call.operation, call.input, { signal })) {
    const items = page[call.member]
    if (Array.isArray(items)) found.push(...items.map(item => (typeof item === 'object' ? (item as Values) : { value: item })))
  }
  return found
}

export function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

export function record(value: unknown): Values {
  return isRecord(value) ? value : {}
}

export type { Tags }

/** IAM's list as a map. */
export function tagMap(value: unknown): Tags {
  if (!Array.isArray(value)) return {}
  return Object.fromEntries(
    value.map(record).flatMap(({ Key, Value }) => (typeof Key === 'string' && typeof Value === 'string' ? [[Key, Value]] : [])),
  )
}

/** A map as IAM's list, sorted. */
export function iamTags(tags: Tags): readonly { readonly Key: string; readonly Value: string }[] {
  return Object.keys(tags)
    .sort()
    .map(Key => ({ Key, Value: tags[Key] ?? '' }))
}

/** Those of ours that are not there, or say something else. Tags of others stay (B30). */
export function missingTags(wanted: Tags, actual: Tags): Tags {
  return Object.fromEntries(Object.entries(wanted).filter(([name, value]) => actual[name] !== value))
}

/** IAM gives documents URL-encoded. */
export function decodeDocument(value: unknown): string {
  if (typeof value !== 'string') return ''
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}
