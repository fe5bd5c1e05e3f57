// A bucket's ACL: asked for by a canned name or by grant headers, told as a list of grants. Which canned names a list may have come from is
// found by comparing it with what each of them makes.
import { isRecord, textOf } from '../../model/convert.ts'
import type { Content, Values } from '../../model/request.ts'
import { structuresOf, update } from '../calls.ts'
import type { PlannedCall } from '../deviation.ts'

const everyone = 'http://acs.amazonaws.com/groups/global/AllUsers'
const authenticated = 'http://acs.amazonaws.com/groups/global/AuthenticatedUsers'
const logDelivery = 'http://acs.amazonaws.com/groups/s3/LogDelivery'

/** The grants that each canned ACL stands for, besides the full control that the owner has. */
const canned: Readonly<Record<string, readonly string[]>> = {
  private: [],
  'public-read': [`${everyone} READ`],
  'public-read-write': [`${everyone} READ`, `${everyone} WRITE`],
  'authenticated-read': [`${authenticated} READ`],
  'log-delivery-write': [`${logDelivery} READ_ACP`, `${logDelivery} WRITE`],
  // On a bucket these two canned ACLs give the same grants as `private`.
  'bucket-owner-read': [],
  'bucket-owner-full-control': [],
}

const headers = [
  ['grantFullControl', 'FULL_CONTROL', 'GrantFullControl'],
  ['grantRead', 'READ', 'GrantRead'],
  ['grantReadACP', 'READ_ACP', 'GrantReadACP'],
  ['grantWrite', 'WRITE', 'GrantWrite'],
  ['grantWriteACP', 'WRITE_ACP', 'GrantWriteACP'],
] as const

/** The ACL as the manifest's fields: the canned names it may be, joined by `|`, and the grants as headers. */
export function readAcl({ Grants, Owner }: Values): Values {
  const owner = isRecord(Owner) ? Owner['ID'] : undefined
  const grants = structuresOf(Grants).flatMap(({ Grantee, Permission }) => {
    const grantee = isRecord(Grantee) ? Grantee : {}
    const isOwner = grantee['ID'] !== undefined && grantee['ID'] === owner
    if (isOwner && Permission === 'FULL_CONTROL') return []
    return [{ who: granteeText(grantee), uri: textOf(grantee['URI'] ?? ''), permission: textOf(Permission) }]
  })
  const list = grants.map(({ uri, permission }) => `${uri} ${permission}`).sort()
  const names = Object.entries(canned).filter(([, wanted]) => JSON.stringify([...wanted].sort()) === JSON.stringify(list))
  const told = headers.flatMap(([json, permission]) => {
    const who = grants.filter(grant => grant.permission === permission).map(grant => grant.who)
    return who.length === 0 ? [] : [[json, who.sort().join(',')] as const]
  })
  return { ...(names.length === 0 ? {} : { acl: names.map(([name]) => name).join('|') }), ...Object.fromEntries(told) }
}

function granteeText({ URI, ID, EmailAddress }: Values): string {
  if (URI !== undefined) return `uri="${textOf(URI)}"`
  return ID === undefined ? `emailAddress="${textOf(EmailAddress ?? '')}"` : `id="${textOf(ID)}"`
}

/** Whether the manifest's wish is fulfilled: a canned name by any list it may have made, headers by the same grants. */
export function sameAcl({ spec: wanted }: Content, { spec: latest }: Content): boolean {
  const possible = textOf(latest['acl'] ?? '').split('|')
  const name = wanted['acl']
  if (typeof name === 'string' && name !== '') return possible.includes(name)
  const given = headers.filter(([json]) => (wanted[json] ?? '') !== '')
  if (given.length === 0) return possible.includes('private')
  return headers.every(([json]) => grantees(wanted[json]) === grantees(latest[json]))
}

export function putAcl(bucket: unknown, { spec }: Content): PlannedCall {
  const given = headers.filter(([json]) => (spec[json] ?? '') !== '').map(([json, , member]) => [member, spec[json]] as const)
  const name = spec['acl'] ?? (given.length === 0 ? 'private' : undefined)
  return update('PutBucketAcl', { Bucket: bucket, ...(name === undefined ? Object.fromEntries(given) : { ACL: name }) })
}

function grantees(value: unknown): string {
  return textOf(value ?? '')
    .split(',')
    .map(each => each.trim())
    .sort()
    .join(',')
}
