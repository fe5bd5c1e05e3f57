// What the members of an operation's input mean for a kind: told by their names, by the model and by the config, and the same for every claim.
import type { Member, ResourceField } from '#aws'
import { isAttributesMap } from './attributes.ts'
import { inputOf, type KindModel, onceOfKind, structureNamed } from './kind-model.ts'
import { nameKey, sameName } from './names.ts'
import { bindingOf, fieldOf, isArnName, isIdentifierName, isRenamedFor, ownIdentifier } from './own-names.ts'

export interface InputMember {
  readonly name: string
  readonly member: Member
  readonly isRequired: boolean
  /** The value that a config has for it, whatever the manifest says. */
  readonly fixed: unknown
  /** The map that holds the attributes. */
  readonly isAttributes: boolean
  /** The field that it means, and where that stands. */
  readonly field: ResourceField | undefined
  readonly holder: 'spec' | 'status'
  /** It says by its name that it identifies the resource. */
  readonly isIdentifier: boolean
  /** A read sends it: it says which resource is meant. */
  readonly namesResource: boolean
  /** Without it, an operation that both makes and changes refuses to change what is there. */
  readonly isOverwrite: boolean
  /** One of several ways to name the resource, none of which is required. */
  readonly goesBy: 'id' | 'name' | 'arn' | undefined
  /** Not required, and a version of what is named. */
  readonly isVersion: boolean
}

export interface InputMembers {
  readonly members: readonly InputMember[]
  /** The one member, by config, that holds all that the manifest says. */
  readonly wrapped: { readonly name: string; readonly members: readonly InputMember[] } | undefined
}

/** Of an operation; a config may name a wrapper that the operation does not have, which then takes nothing. */
export const inputMembers: (model: KindModel, operation: string) => InputMembers = onceOfKind((model, operation) => {
  const input = inputOf(model.service.model, operation)
  const meaning = ({ members, required }: Pick<typeof input, 'members' | 'required'>): readonly InputMember[] =>
    Object.entries(members).map(([name, member]) =>
      meaningOf(model, operation, { name, member, isRequired: required.includes(name) }),
    )
  const { inputWrapper } = bindingOf(model, operation)
  if (inputWrapper === undefined) return { members: meaning(input), wrapped: undefined }
  const wrapper = Object.entries(input.members).find(([name]) => sameName(name, inputWrapper))
  if (wrapper === undefined) return { members: [], wrapped: undefined }
  const [name, { target }] = wrapper
  return { members: meaning(input), wrapped: { name, members: meaning(structureNamed(model.service.model, target)) } }
})

function meaningOf(
  model: KindModel,
  operation: string,
  { name, member, isRequired }: Pick<InputMember, 'name' | 'member' | 'isRequired'>,
): InputMember {
  const field = fieldOf(model, operation, name)
  const isIdentifier = isIdentifierName(model, name)
  const own = ownIdentifier(model, name)
  const isItsName = field !== undefined && (field.primaryKey === true || own === field)
  const key = nameKey(name)
  const isOwnName = isIdentifier || isArnName(model, key.replace(/s$/, '')) || own !== undefined
  return {
    name,
    member,
    isRequired,
    fixed: fixedValue(model, operation, name, member),
    isAttributes: isAttributesMap(model, name, member),
    field,
    holder: field !== undefined && model.spec.named(field.camel) !== field ? 'status' : 'spec',
    isIdentifier,
    namesResource: isRequired || isIdentifier || isItsName || isRenamedFor(model, operation, name),
    isOverwrite: operation === model.kind.operations.create && sameName(name, 'Overwrite'),
    goesBy: isOwnName && !isRequired ? ways.find(({ ends }) => ends.test(key))?.way : undefined,
    isVersion: !isRequired && version.test(key) && !version.test(nameKey(model.kind.resource)),
  }
}

const ways = [
  { way: 'id', ends: /(?:id|identifier)s?$/ },
  { way: 'name', ends: /names?$/ },
  { way: 'arn', ends: /arns?$/ },
] as const

const version = /version(?:name|id|number)?$/

function fixedValue(model: KindModel, operation: string, name: string, { target }: Member): unknown {
  const overrides = bindingOf(model, operation).overrides ?? {}
  const found = Object.entries(overrides).find(([each]) => sameName(each, name))?.[1]
  if (found === undefined) return undefined
  switch (model.service.model.shapes[target]?.type) {
    case 'boolean':
      return found === 'true'
    case 'integer':
    case 'long':
    case 'short':
      return Number(found)
    default:
      return found
  }
}
