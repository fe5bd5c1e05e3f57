// IAM roles: what is attached to a role and what is written into it have operations of their own, and a role cannot go before they do.
import type { Fields } from '../api.ts'
import { samePolicies } from '../delta/compare.ts'
import { isRecord } from '../model/convert.ts'
import type { Content } from '../model/request.ts'
import { tagChanges, tagsIn } from '../tags.ts'
import type { Call, Deviation, ReadContext, SyncContext } from './deviation.ts'
import { decodeDocument } from './iam-documents.ts'

export const iamRole: Deviation = {
  readMore: async ({ caller, wanted }, found) => {
    const RoleName = found.spec['name'] ?? wanted.spec['name']
    const attached = await caller.list('ListAttachedRolePolicies', { RoleName }, 'AttachedPolicies')
    const policies = attached.filter(isRecord).map(each => String(each['PolicyArn']))
    const inlinePolicies = await readInline(caller, RoleName)
    const { policies: _held, inlinePolicies: _inline, ...spec } = found.spec
    const document = decodeDocument(spec['assumeRolePolicyDocument'])
    return {
      ...found,
      spec: {
        ...spec,
        ...(document === undefined ? {} : { assumeRolePolicyDocument: document }),
        ...(policies.length === 0 ? {} : { policies }),
        ...(Object.keys(inlinePolicies).length === 0 ? {} : { inlinePolicies }),
      },
    }
  },
  same: { InlinePolicies: (wanted, latest) => sameInline(recordOf(wanted), recordOf(latest)), Description: sameText },
  unchangeable: ['Name', 'Path'],
  own: ['Policies', 'InlinePolicies', 'Tags', 'PermissionsBoundary', 'AssumeRolePolicyDocument'],
  sync: syncRole,
  beforeDelete: ({ latest }) => {
    const RoleName = latest.spec['name']
    return [
      ...textsOf(latest.spec['policies']).map(PolicyArn => update('DetachRolePolicy', { RoleName, PolicyArn }, ['NoSuchEntity'])),
      ...Object.keys(recordOf(latest.spec['inlinePolicies'])).map(PolicyName =>
        update('DeleteRolePolicy', { RoleName, PolicyName }, ['NoSuchEntity']),
      ),
    ]
  },
}

async function readInline(caller: ReadContext['caller'], RoleName: unknown): Promise<Record<string, string>> {
  const names = await caller.list('ListRolePolicies', { RoleName }, 'PolicyNames')
  const found: Record<string, string> = {}
  for (const PolicyName of names.map(String)) {
    const { PolicyDocument } = await caller.call('GetRolePolicy', { RoleName, PolicyName })
    found[PolicyName] = decodeDocument(PolicyDocument) ?? ''
  }
  return found
}

/** In this order: a role never has less than it needs, and its trust changes last. */
function syncRole({ model, wanted, latest, isNew, delta }: SyncContext): readonly Call[] {
  const RoleName = wanted.spec['name']
  const [policies, attached] = [textsOf(wanted.spec['policies']), textsOf(latest.spec['policies'])]
  const [inline, held] = [recordOf(wanted.spec['inlinePolicies']), recordOf(latest.spec['inlinePolicies'])]
  const calls: Call[] = [
    ...missing(policies, attached).map(PolicyArn => update('AttachRolePolicy', { RoleName, PolicyArn })),
    ...missing(attached, policies).map(PolicyArn => update('DetachRolePolicy', { RoleName, PolicyArn }, ['NoSuchEntity'])),
    ...Object.entries(inline)
      .filter(([name, document]) => held[name] === undefined || !samePolicies(document, held[name]))
      .map(([PolicyName, PolicyDocument]) => update('PutRolePolicy', { RoleName, PolicyName, PolicyDocument })),
    ...missing(Object.keys(held), Object.keys(inline)).map(PolicyName =>
      update('DeleteRolePolicy', { RoleName, PolicyName }, ['NoSuchEntity']),
    ),
  ]
  // The create call carries the rest.
  if (isNew) return calls
  const tags = tagChanges(tagsIn(model, wanted.spec), tagsIn(model, latest.spec))
  if (tags.removed.length > 0) calls.push(update('UntagRole', { RoleName, TagKeys: tags.removed }))
  if (Object.keys(tags.set).length > 0) calls.push(update('TagRole', { RoleName, Tags: tagList(tags.set) }))
  calls.push(...boundary(RoleName, wanted, latest))
  if (delta.includes('Spec.AssumeRolePolicyDocument'))
    calls.push(update('UpdateAssumeRolePolicy', { RoleName, PolicyDocument: wanted.spec['assumeRolePolicyDocument'] }))
  return calls
}

function boundary(RoleName: unknown, wanted: Content, latest: Content): readonly Call[] {
  const [want, have] = [wanted.spec['permissionsBoundary'], latest.spec['permissionsBoundary']]
  if (want === have) return []
  if (want === undefined || want === '') return [update('DeleteRolePermissionsBoundary', { RoleName }, ['NoSuchEntity'])]
  return [update('PutRolePermissionsBoundary', { RoleName, PermissionsBoundary: want })]
}

export function tagList(tags: Readonly<Record<string, string>>): readonly Fields[] {
  return Object.entries(tags).map(([Key, Value]) => ({ Key, Value }))
}

export function update(operation: string, input: Fields, tolerates?: readonly string[]): Call {
  return { operation, input, verb: 'UPDATE', ...(tolerates === undefined ? {} : { tolerates }) }
}

export function missing(wanted: readonly string[], held: readonly string[]): readonly string[] {
  const has = new Set(held)
  return [...new Set(wanted)].filter(each => !has.has(each))
}

export function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : []
}

export function recordOf(value: unknown): Readonly<Record<string, string>> {
  return isRecord(value) ? (value as Record<string, string>) : {}
}

function sameInline(wanted: Readonly<Record<string, string>>, latest: Readonly<Record<string, string>>): boolean {
  const names = Object.keys(wanted)
  return (
    names.length === Object.keys(latest).length &&
    names.every(name => latest[name] !== undefined && samePolicies(wanted[name], latest[name]))
  )
}

/** An empty description and none are the same. */
function sameText(wanted: unknown, latest: unknown): boolean {
  return (wanted ?? '') === (latest ?? '')
}
