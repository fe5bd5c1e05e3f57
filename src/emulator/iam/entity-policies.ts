// Inline and attached policies of roles, users and groups: the same operations three times (§5.1, §5.3).

import type { ServiceError } from '../error.ts'
import type { Handler } from '../service.ts'
import { arnOrGuess, ask, encodedDocument, type IamCall, keyOf } from './ask.ts'
import { checkIdentityDocument, checkInlineSize } from './documents.ts'
import {
  groupMissing,
  invalidInput,
  limitExceeded,
  noSuchEntity,
  policyMissing,
  roleMissing,
  unmodifiable,
  userMissing,
} from './errors.ts'
import { documentOf } from './managed.ts'
import { type Entity, type IamState, newest, type Role } from './model.ts'
import { type PageInput, page, pageOfNames } from './pages.ts'
import { iamQuotas } from './quotas.ts'
import { saveEntity } from './save.ts'

interface Kind {
  readonly label: 'Role' | 'User' | 'Group'
  readonly word: 'role' | 'user' | 'group'
  readonly table: 'roles' | 'users' | 'groups'
  readonly missing: (name: string) => ServiceError
}

const kinds: readonly Kind[] = [
  { label: 'Role', word: 'role', table: 'roles', missing: roleMissing },
  { label: 'User', word: 'user', table: 'users', missing: userMissing },
  { label: 'Group', word: 'group', table: 'groups', missing: groupMissing },
]

type Input = Readonly<Record<string, string>>

/** `PutRolePolicy`, `AttachUserPolicy`, `ListAttachedGroupPolicies` … */
export const entityPolicyOperations: Readonly<Record<string, Handler<IamState>>> = Object.fromEntries(
  kinds.flatMap((kind): readonly (readonly [string, Handler<IamState>])[] => [
    [`Put${kind.label}Policy`, (call: IamCall<Input>) => putPolicy(kind, call)],
    [`Get${kind.label}Policy`, (call: IamCall<Input>) => getPolicy(kind, call)],
    [`Delete${kind.label}Policy`, (call: IamCall<Input>) => deletePolicy(kind, call)],
    [`List${kind.label}Policies`, (call: IamCall<Input & PageInput>) => listPolicies(kind, call)],
    [`Attach${kind.label}Policy`, (call: IamCall<Input>) => attachPolicy(kind, call)],
    [`Detach${kind.label}Policy`, (call: IamCall<Input>) => detachPolicy(kind, call)],
    [`ListAttached${kind.label}Policies`, (call: IamCall<Input & PageInput>) => listAttached(kind, call)],
  ]),
)

function entityFor(kind: Kind, call: IamCall<Input>): Entity {
  const name = call.input[`${kind.label}Name`] as string
  const entity: Entity | undefined = newest(call.store.get(), kind.table, keyOf(name))
  const policyArn = call.input['PolicyArn']
  const context = policyArn === undefined ? {} : { 'iam:PolicyARN': policyArn }
  ask(call, arnOrGuess(call, kind.word, name, entity), {
    tags: entity?.tags ?? [],
    context: { ...context, 'iam:PermissionsBoundary': entity?.boundary },
  })
  if (entity === undefined) throw kind.missing(name)
  return entity
}

function modifiable(kind: Kind, call: IamCall<Input>): Entity {
  const entity = entityFor(kind, call)
  if (kind.table === 'roles' && (entity as Role).serviceLinked !== undefined) {
    throw unmodifiable(
      `Cannot perform the operation on the protected role '${entity.name}' - this role is only modifiable by AWS`,
    )
  }
  return entity
}

function save(kind: Kind, call: IamCall, before: Entity, after: Entity): void {
  saveEntity(call, kind.table, before as never, after as never)
}

function putPolicy(kind: Kind, call: IamCall<Input>): void {
  const entity = modifiable(kind, call)
  const { PolicyName: name, PolicyDocument: document } = call.input as { PolicyName: string; PolicyDocument: string }
  checkIdentityDocument(call, document)
  const inline = { ...entity.inline, [storedName(entity, name)]: document }
  checkInlineSize(kind.word, entity.name, Object.values(inline))
  save(kind, call, entity, { ...entity, inline })
}

/** Inline policies too are found without regard to case. */
function storedName(entity: Entity, name: string): string {
  return Object.keys(entity.inline).find(stored => stored.toLowerCase() === name.toLowerCase()) ?? name
}

function getPolicy(kind: Kind, call: IamCall<Input>): object {
  const entity = entityFor(kind, call)
  const name = storedName(entity, call.input['PolicyName'] as string)
  const document = entity.inline[name]
  if (document === undefined) throw inlineMissing(kind, name)
  return { [`${kind.label}Name`]: entity.name, PolicyName: name, PolicyDocument: encodedDocument(document) }
}

function deletePolicy(kind: Kind, call: IamCall<Input>): void {
  const entity = modifiable(kind, call)
  const name = storedName(entity, call.input['PolicyName'] as string)
  if (entity.inline[name] === undefined) throw inlineMissing(kind, name)
  const { [name]: _gone, ...inline } = entity.inline
  save(kind, call, entity, { ...entity, inline })
}

function inlineMissing(kind: Kind, name: string): ServiceError {
  return noSuchEntity(`The ${kind.word} policy with name ${name} cannot be found.`)
}

function listPolicies(kind: Kind, call: IamCall<Input & PageInput>): object {
  const entity = entityFor(kind, call)
  const { items, rest } = pageOfNames(call, Object.keys(entity.inline), entity.arn)
  return { PolicyNames: items, ...rest }
}

function attachPolicy(kind: Kind, call: IamCall<Input>): void {
  const entity = modifiable(kind, call)
  const arn = call.input['PolicyArn'] as string
  checkPolicyArn(arn)
  if (documentOf(call, arn) === undefined) throw noSuchEntity(`Policy ${arn} does not exist or is not attachable.`)
  if (entity.attached.includes(arn)) return
  const quota = call.quota(iamQuotas.attachedPolicies)
  if (entity.attached.length >= quota) throw limitExceeded(`Cannot exceed quota for PoliciesPer${kind.label}: ${quota}`)
  save(kind, call, entity, { ...entity, attached: [...entity.attached, arn] })
}

function detachPolicy(kind: Kind, call: IamCall<Input>): void {
  const entity = modifiable(kind, call)
  const arn = call.input['PolicyArn'] as string
  checkPolicyArn(arn)
  if (!entity.attached.includes(arn)) throw policyMissing(arn)
  save(kind, call, entity, { ...entity, attached: entity.attached.filter(attached => attached !== arn) })
}

function checkPolicyArn(arn: string): void {
  if (!/^arn:[^:]+:iam::(?:\d{12}|aws):policy\/.+/.test(arn)) throw invalidInput(`ARN ${arn} is not valid.`)
}

function listAttached(kind: Kind, call: IamCall<Input & PageInput>): object {
  const entity = entityFor(kind, call)
  const prefix = call.input['PathPrefix'] ?? '/'
  const named = entity.attached
    .map(arn => ({ PolicyName: arn.slice(arn.lastIndexOf('/') + 1), PolicyArn: arn }))
    .filter(({ PolicyArn: arn }) => arn.slice(arn.indexOf(':policy/') + 7).startsWith(prefix))
  const { items, rest } = page(
    call,
    after => {
      const start = after === undefined ? 0 : named.findIndex(({ PolicyArn: arn }) => arn === after) + 1
      return named.slice(start).map(entry => [entry.PolicyArn, entry] as const)
    },
    [entity.arn, prefix],
  )
  return { AttachedPolicies: items, ...rest }
}
