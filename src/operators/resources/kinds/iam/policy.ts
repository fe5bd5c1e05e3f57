// IAM managed policies: the document lives in versions, of which there are at most five.
import { samePolicies } from '../../delta/compare.ts'
import type { Content } from '../../model/request.ts'
import { tagChanges, tagsIn } from '../../model/tags.ts'
import { sameText, structuresOf, tagList, update } from '../calls.ts'
import type { Deviation, PlannedCall, SyncContext } from '../deviation.ts'
import { decodeDocument } from './documents.ts'

const versionsMax = 5

interface Version {
  readonly id: string
  readonly isDefault: boolean
  readonly createdMs: number
}

export const iamPolicy: Deviation = {
  // Policies that AWS owns are not exported, since nobody else can manage them.
  exported: { input: { Scope: 'Local' } },
  arnOf: ({ spec }, { account, partition }) =>
    `arn:${partition}:iam::${account}:policy${typeof spec['path'] === 'string' ? spec['path'] : '/'}${String(spec['name'])}`,
  readMore: async ({ caller, wanted, claim }, found) => {
    const id = { PolicyArn: found.arn }
    const { PolicyVersion } = await caller.call('GetPolicyVersion', { ...id, VersionId: found.status['defaultVersionID'] })
    const document = decodeDocument((PolicyVersion as { readonly Document?: unknown } | undefined)?.Document)
    const spec = { ...found.spec, policyDocument: document }
    // All versions are of interest only when one has to make room, or when all have to go.
    const isQuiet = claim.metadata.deletionTimestamp === undefined && samePolicies(wanted.spec['policyDocument'], document)
    if (isQuiet) return { ...found, spec }
    return { ...found, spec, extra: { versions: versionsIn(await caller.list('ListPolicyVersions', id, 'Versions')) } }
  },
  same: { Description: sameText },
  unchangeable: ['Name', 'Path', 'Description'],
  own: ['PolicyDocument', 'Tags'],
  sync: syncPolicy,
  beforeDelete: ({ latest }) =>
    versionsOf(latest)
      .filter(({ isDefault }) => !isDefault)
      .map(({ id }) => removeVersion(latest, id)),
}

function syncPolicy({ model, wanted, latest, delta, isNew }: SyncContext): readonly PlannedCall[] {
  if (isNew) return []
  const calls: PlannedCall[] = []
  const PolicyArn = latest.arn
  const tags = tagChanges(tagsIn(model, wanted.spec), tagsIn(model, latest.spec))
  if (tags.removed.length > 0) calls.push(update('UntagPolicy', { PolicyArn, TagKeys: tags.removed }))
  if (Object.keys(tags.set).length > 0) calls.push(update('TagPolicy', { PolicyArn, Tags: tagList(tags.set) }))
  if (!delta.includes('Spec.PolicyDocument')) return calls
  const versions = versionsOf(latest)
  const [oldest] = versions.filter(({ isDefault }) => !isDefault).sort((a, b) => a.createdMs - b.createdMs || older(a.id, b.id))
  if (versions.length >= versionsMax && oldest !== undefined) calls.push(removeVersion(latest, oldest.id))
  const PolicyDocument = wanted.spec['policyDocument']
  return [...calls, update('CreatePolicyVersion', { PolicyArn, PolicyDocument, SetAsDefault: true })]
}

function removeVersion({ arn }: Content, VersionId: string): PlannedCall {
  return update('DeletePolicyVersion', { PolicyArn: arn, VersionId }, ['NoSuchEntity'])
}

function versionsIn(items: readonly unknown[]): readonly Version[] {
  return structuresOf(items).map(({ VersionId, IsDefaultVersion, CreateDate }) => ({
    id: String(VersionId),
    isDefault: IsDefaultVersion === true,
    createdMs: CreateDate instanceof Date ? CreateDate.getTime() : 0,
  }))
}

function versionsOf({ extra }: Content): readonly Version[] {
  return (extra?.['versions'] as readonly Version[] | undefined) ?? []
}

/** `v2` before `v10`. */
function older(a: string, b: string): number {
  return Number(a.slice(1)) - Number(b.slice(1))
}
