// Secret fields: a manifest names a key of a Secret, the call gets its value. The value is in no plan that is shown, no status and no log;
// a hash of it tells when it changed.

import { createHmac } from 'node:crypto'
import type { ResourceField } from '#aws'
import type { ObjectKey } from '#kube'
import type { Fields, Resource } from '../api.ts'
import { isRecord, own } from '../model/convert.ts'
import { type KindModel, structureFields } from '../model/kind-model.ts'
import type { Secrets } from '../seen/seen.ts'
import { writtenTo } from './named-secrets.ts'
import type { Holder } from './protected-objects.ts'
import { refusedSource, type SecretAccess } from './secret-access.ts'

export interface SecretReads {
  read(key: ObjectKey): Promise<Holder | undefined>
  readonly crossNamespace: boolean
  readonly access: SecretAccess
}

class Unusable extends Error {}

/** The spec with the values of Secrets in the place of references to them. */
export async function readSecrets(model: KindModel, claim: Resource, spec: Fields, reads: SecretReads): Promise<Secrets> {
  const found: Found[] = []
  const one = async (reference: Fields): Promise<unknown> => {
    const each = await readOne(claim, reference, reads)
    found.push(each)
    return each.value
  }
  try {
    const made = await fill(model, model.kind.spec, spec, one)
    return { kind: 'read', spec: made, hash: found.length === 0 ? undefined : hashOf(claim, found) }
  } catch (error) {
    if (error instanceof Unusable) return { kind: 'unusable', message: error.message }
    throw error
  }
}

interface Found {
  readonly value: string
  /** Of the Secret. */
  readonly uid: string
}

/**
 * It stands on the claim, which more people may read than the Secret: keyed with the Secret's uid, which they do not know, it is of no use
 * for guessing short values; and with the claim's, so that equal secrets of two claims do not show as equal.
 */
function hashOf({ metadata }: Resource, found: readonly Found[]): string {
  return createHmac('sha256', JSON.stringify([metadata.uid, found.map(({ uid }) => uid)]))
    .update(JSON.stringify(found.map(({ value }) => value)))
    .digest('hex')
    .slice(0, 32)
}

async function fill(
  model: KindModel,
  fields: readonly ResourceField[],
  values: Fields,
  read: (reference: Fields) => Promise<unknown>,
): Promise<Fields> {
  const made: Record<string, unknown> = { ...values }
  for (const field of fields) {
    const value = values[field.json]
    if (value === undefined || value === null || writtenTo.includes(field.camel)) continue
    const { type } = field
    if (type.kind === 'secret') made[field.json] = isRecord(value) ? await read(value) : undefined
    else if (type.kind === 'structure' && isRecord(value))
      made[field.json] = await fill(model, structureFields(model.service, type.shape), value, read)
    else if (type.kind === 'list' && Array.isArray(value)) {
      const items: unknown[] = []
      for (const item of value as readonly unknown[]) {
        if (type.element.kind === 'secret') items.push(isRecord(item) ? await read(item) : item)
        else if (type.element.kind === 'structure' && isRecord(item))
          items.push(await fill(model, structureFields(model.service, type.element.shape), item, read))
        else items.push(item)
      }
      made[field.json] = items
    }
  }
  return made
}

async function readOne(claim: Resource, reference: Fields, reads: SecretReads): Promise<Found> {
  const { key, name, namespace } = reference
  const home = claim.metadata.namespace ?? ''
  const where = typeof namespace === 'string' && namespace !== '' ? namespace : home
  if (typeof name !== 'string' || name === '' || typeof key !== 'string')
    throw new Unusable('a secret reference needs name and key')
  if (where !== home && !reads.crossNamespace)
    throw new Unusable(
      `the secret ${where}/${name} is in another namespace than ${home}, which is not allowed: name one of ${home}, or have the operator run with --enable-cross-namespace`,
    )
  const at = { namespace: where, name }
  const unread = refusedSource(at, undefined, reads.access)
  if (unread !== undefined) throw new Unusable(unread)
  const found = await reads.read(at)
  if (found === undefined) throw new Unusable(`kubernetes secret not found: ${where}/${name}`)
  const refused = refusedSource(at, found, reads.access)
  if (refused !== undefined) throw new Unusable(refused)
  const value = own(found.data ?? {}, key)
  if (value === undefined) throw new Unusable(`the secret ${where}/${name} has no key ${key}`)
  return { value: Buffer.from(value, 'base64').toString('utf8'), uid: found.metadata.uid ?? '' }
}
