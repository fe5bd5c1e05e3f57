// Service-linked roles: IAM names them itself, shows them like other roles, and deletes them in the background.
import { given } from '#base'
import { annotations } from '../../api.ts'
import { answerOf } from '../../model/answer.ts'
import { isRecord, textOf } from '../../model/convert.ts'
import type { KindModel } from '../../model/kind-model.ts'
import type { Content, Values } from '../../model/request.ts'
import { parseIntent } from '../../ownership/intent-text.ts'
import { sameText, structuresOf, update } from '../calls.ts'
import type { Deviation, ReadContext } from '../deviation.ts'
import { decodeDocument } from './documents.ts'

export const iamServiceLinkedRole: Deviation = {
  findsByList: ({ status, arn }) => status['roleName'] === undefined && arn === undefined,
  read: readRole,
  // The name is taken by then.
  repeatable: true,
  created: (output, found, { model }) => ({ ...found, ...factsOf(model, output['Role']) }),
  proves: ({ status }, { intent }) => Date.parse(String(status['createDate'])) >= intent.atMs - 60_000,
  same: { Description: sameText },
  unchangeable: ['AWSServiceName', 'CustomSuffix'],
  own: ['Description'],
  // Nothing else of such a role can be changed.
  sync: ({ wanted, latest, isNew }) =>
    isNew
      ? []
      : [update('UpdateRoleDescription', { RoleName: latest.status['roleName'], Description: wanted.spec['description'] ?? '' })],
  delete: ({ latest }) => ({
    operation: 'DeleteServiceLinkedRole',
    input: { RoleName: latest.status['roleName'] },
    verb: 'DELETE',
  }),
}

async function readRole(context: ReadContext): Promise<Content | undefined> {
  const { wanted, caller, model } = context
  const known = wanted.status['roleName'] ?? wanted.arn?.split('/').at(-1) ?? (await findName(context))
  if (typeof known !== 'string' || known === '') return undefined
  const { Role } = await caller.call('GetRole', { RoleName: known })
  if (!isRecord(Role)) return undefined
  const { description: _held, ...spec } = wanted.spec
  const Description = Role['Description']
  const facts = factsOf(model, Role)
  const text = typeof Description === 'string' && Description !== '' ? { description: Description } : {}
  return { spec: { ...spec, ...text }, arn: facts.arn, status: { ...wanted.status, ...facts.status } }
}

/** The role that our call made when its answer was lost, or that was there before it. */
async function findName({ claim, wanted, caller }: ReadContext): Promise<string | undefined> {
  if (parseIntent(claim.metadata.annotations?.[annotations.createIntent]) === undefined) return undefined
  const { awsServiceName, customSuffix } = wanted.spec
  const suffix = typeof customSuffix === 'string' && customSuffix !== '' ? `_${customSuffix}` : ''
  for await (const page of caller.pages('ListRoles', { PathPrefix: `/aws-service-role/${textOf(awsServiceName)}/` })) {
    const names = structuresOf(page['Roles']).map(({ RoleName }) => textOf(RoleName))
    const found = names.find(name => (suffix === '' ? !name.includes('_') : name.endsWith(suffix)))
    if (found !== undefined) return found
  }
  return undefined
}

function factsOf(model: KindModel, role: unknown): { readonly arn: string; readonly status: Values } {
  const wanted: Content = { spec: {}, status: {} }
  const { status, arn = '' } = answerOf(model, 'GetRole', { output: { Role: role }, wanted, method: 'ReadOne' })
  const assumeRolePolicyDocument = decodeDocument(status['assumeRolePolicyDocument'])
  return { arn, status: { ...status, ...given({ assumeRolePolicyDocument }) } }
}
