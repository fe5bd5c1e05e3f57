// IAM roles, users and groups: what is attached to one and what is written into it have operations of their own, under names made of the
// noun, and it cannot go before they do.
import { AwsError } from '#aws'
import { given } from '#base'
import { samePolicies } from '../../delta/compare.ts'
import { isRecord, textOf } from '../../model/convert.ts'
import type { Content, Values } from '../../model/request.ts'
import { tagChanges, tagsIn } from '../../model/tags.ts'
import { missing, recordOf, sameText, tagList, textsOf, update } from '../calls.ts'
import type { Caller, Deviation, PlannedCall, SyncContext } from '../deviation.ts'
import { decodeDocument } from './documents.ts'

interface Noun {
  readonly noun: 'Role' | 'User' | 'Group'
  readonly hasTags: boolean
  readonly hasBoundary: boolean
  readonly unchangeable: readonly string[]
}

const gone = ['NoSuchEntity']

export const iamRole: Deviation = principal({ noun: 'Role', hasTags: true, hasBoundary: true, unchangeable: ['Name', 'Path'] })
export const iamUser: Deviation = principal({ noun: 'User', hasTags: true, hasBoundary: true, unchangeable: ['Name'] })
export const iamGroup: Deviation = principal({ noun: 'Group', hasTags: false, hasBoundary: false, unchangeable: ['Name'] })

function principal(one: Noun): Deviation {
  const { noun } = one
  const trust = noun === 'Role' ? ['AssumeRolePolicyDocument'] : []
  return {
    readMore: ({ caller, wanted }, found) => readMore(one, { caller, wanted }, found),
    same: { InlinePolicies: (wanted, latest) => sameInline(recordOf(wanted), recordOf(latest)), Description: sameText },
    // Service-linked roles are a kind of their own.
    exported: { skips: ({ Path }) => textOf(Path ?? '').startsWith('/aws-service-role/') },
    unchangeable: one.unchangeable,
    own: ['Policies', 'InlinePolicies', 'Tags', 'PermissionsBoundary', ...trust],
    sync: context => sync(one, context),
    beforeDelete: ({ latest }) => [
      ...textsOf(latest.spec['policies']).map(PolicyArn =>
        update(`Detach${noun}Policy`, { ...idOf(one, latest), PolicyArn }, gone),
      ),
      ...Object.keys(recordOf(latest.spec['inlinePolicies'])).map(PolicyName =>
        update(`Delete${noun}Policy`, { ...idOf(one, latest), PolicyName }, gone),
      ),
    ],
    // Several members of the same name as the one that identifies: a rename is no update of ours.
    ...(noun === 'User' ? { update: ({ UserName }, { wanted }) => ({ UserName, NewPath: wanted.spec['path'] }) } : {}),
    ...(noun === 'Group' ? { update: ({ GroupName }, { wanted }) => ({ GroupName, NewPath: wanted.spec['path'] }) } : {}),
  }
}

function idOf({ noun }: Noun, { spec }: Content): Values {
  return { [`${noun}Name`]: spec['name'] }
}

interface Reading {
  readonly caller: Caller
  readonly wanted: Content
}

async function readMore(one: Noun, { caller, wanted }: Reading, found: Content): Promise<Content> {
  const id = { [`${one.noun}Name`]: found.spec['name'] ?? wanted.spec['name'] }
  const attached = await caller.list(`ListAttached${one.noun}Policies`, id, 'AttachedPolicies')
  const policies = attached.filter(isRecord).map(({ PolicyArn }) => textOf(PolicyArn))
  const inlinePolicies = await readInline(one, caller, id)
  const { policies: _held, inlinePolicies: _inline, ...spec } = found.spec
  const document = decodeDocument(spec['assumeRolePolicyDocument'])
  return {
    ...found,
    spec: {
      ...spec,
      ...given({ assumeRolePolicyDocument: document }),
      ...(policies.length === 0 ? {} : { policies }),
      ...(Object.keys(inlinePolicies).length === 0 ? {} : { inlinePolicies }),
    },
  }
}

async function readInline({ noun }: Noun, caller: Caller, id: Values): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  for (const PolicyName of textsOf(await caller.list(`List${noun}Policies`, id, 'PolicyNames'))) {
    const document = await documentOf(caller, `Get${noun}Policy`, { ...id, PolicyName })
    if (document !== undefined) found[PolicyName] = document
  }
  return found
}

/** `undefined`: somebody deleted it since it was listed. */
async function documentOf(caller: Caller, operation: string, input: Values): Promise<string | undefined> {
  try {
    const { PolicyDocument } = await caller.call(operation, input)
    return decodeDocument(PolicyDocument) ?? ''
  } catch (error) {
    if (error instanceof AwsError && error.class === 'not-found') return undefined
    throw error
  }
}

/** In this order: a principal never has less than it needs, and whom a role trusts changes last. */
function sync(one: Noun, context: SyncContext): readonly PlannedCall[] {
  const { model, wanted, latest, isNew, delta } = context
  const { noun } = one
  const id = idOf(one, wanted)
  const [policies, attached] = [textsOf(wanted.spec['policies']), textsOf(latest.spec['policies'])]
  const calls: PlannedCall[] = [
    ...missing(policies, attached).map(PolicyArn => update(`Attach${noun}Policy`, { ...id, PolicyArn })),
    ...missing(attached, policies).map(PolicyArn => update(`Detach${noun}Policy`, { ...id, PolicyArn }, gone)),
    ...inlineCalls(one, context),
  ]
  // The create call carries the rest.
  if (isNew) return calls
  if (one.hasTags) {
    const tags = tagChanges(tagsIn(model, wanted.spec), tagsIn(model, latest.spec))
    if (tags.removed.length > 0) calls.push(update(`Untag${noun}`, { ...id, TagKeys: tags.removed }))
    if (Object.keys(tags.set).length > 0) calls.push(update(`Tag${noun}`, { ...id, Tags: tagList(tags.set) }))
  }
  if (one.hasBoundary) calls.push(...boundaryCalls(one, context))
  if (delta.includes('Spec.AssumeRolePolicyDocument'))
    calls.push(update('UpdateAssumeRolePolicy', { ...id, PolicyDocument: wanted.spec['assumeRolePolicyDocument'] }))
  return calls
}

/** A policy that got another name is put under the new name before the old name is deleted. */
function inlineCalls(one: Noun, { wanted, latest }: SyncContext): readonly PlannedCall[] {
  const { noun } = one
  const id = idOf(one, wanted)
  const [inline, held] = [recordOf(wanted.spec['inlinePolicies']), recordOf(latest.spec['inlinePolicies'])]
  const changed = Object.entries(inline).filter(([name, text]) => !Object.hasOwn(held, name) || !samePolicies(text, held[name]))
  return [
    ...changed.map(([PolicyName, PolicyDocument]) => update(`Put${noun}Policy`, { ...id, PolicyName, PolicyDocument })),
    ...missing(Object.keys(held), Object.keys(inline)).map(PolicyName =>
      update(`Delete${noun}Policy`, { ...id, PolicyName }, gone),
    ),
  ]
}

function boundaryCalls(one: Noun, { wanted, latest }: SyncContext): readonly PlannedCall[] {
  const [want, have] = [wanted.spec['permissionsBoundary'], latest.spec['permissionsBoundary']]
  const id = idOf(one, wanted)
  if (sameText(want, have)) return []
  if (want === undefined || want === '') return [update(`Delete${one.noun}PermissionsBoundary`, id, gone)]
  return [update(`Put${one.noun}PermissionsBoundary`, { ...id, PermissionsBoundary: want })]
}

function sameInline(wanted: Readonly<Record<string, string>>, latest: Readonly<Record<string, string>>): boolean {
  const names = Object.keys(wanted)
  if (names.length !== Object.keys(latest).length) return false
  return names.every(name => Object.hasOwn(latest, name) && samePolicies(wanted[name], latest[name]))
}
