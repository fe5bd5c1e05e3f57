// By which names operations speak of a kind: what a config says of their members, and by which other words than the kind's an API asks for the
// resource or tells its ARN: shorter ones, as `GroupIds` of a `SecurityGroup`, and others, where the read and the deletion ask for nothing else.
import type { OperationBinding, ResourceField, StructureShape } from '#aws'
import { own } from './convert.ts'
import { inputOf, type KindModel, outputOf, structureOfMember } from './kind-model.ts'
import { nameKey, propertyNamed, sameName } from './names.ts'

export function bindingOf({ kind }: KindModel, operation: string): OperationBinding {
  return own(kind.bindings, operation) ?? {}
}

/** What a config gives a name for this very operation is what the operation is told by, also where the model does not ask for it. */
export function isRenamedFor(model: KindModel, operation: string, member: string): boolean {
  return Object.keys(bindingOf(model, operation).inputRenames ?? {}).some(each => sameName(each, member))
}

/** A name that the creation gives a member is its name everywhere, unless the operation has one of its own for it. */
export function renamesOf(model: KindModel, operation: string): Readonly<Record<string, string>> {
  return { ...bindingOf(model, model.kind.operations.create).inputRenames, ...bindingOf(model, operation).inputRenames }
}

/** The field that a member of an operation's input means. */
export function fieldOf(model: KindModel, operation: string, member: string): ResourceField | undefined {
  const renames = renamesOf(model, operation)
  const renamed = Object.entries(renames).find(([from]) => sameName(from, member))?.[1] ?? member
  return model.spec.named(renamed) ?? model.status.named(renamed)
}

const identifier = /^(.+?)(id|name|identifier)s?$/

/** The field that a member asks for. */
export function ownIdentifier(model: KindModel, member: string): ResourceField | undefined {
  const [, stem = '', what = ''] = identifier.exec(nameKey(member)) ?? []
  if (stem === '') return undefined
  const isShort = nameKey(model.kind.resource).endsWith(stem)
  if (isShort) {
    const renames = renamesOf(model, model.kind.operations.create)
    const name = Object.entries(renames).find(([from]) => nameKey(from) === `${stem}${what}`)?.[1] ?? `${stem}${what}`
    const found = model.spec.named(name) ?? model.status.named(name)
    if (found !== undefined) return found
  }
  if (!isShortIdentifier(model, member) && !isAllThatIsAsked(model, member)) return undefined
  return model.status.named(`${stem}id`) ?? model.status.named(`${model.kind.resource}Id`) ?? model.status.named('id')
}

/** Whether a member asks for an id by the end of the kind's name. Not where the creation is told it: then it is that of something around. */
export function isShortIdentifier(model: KindModel, member: string): boolean {
  const [, stem = '', what = ''] = identifier.exec(nameKey(member)) ?? []
  if (stem.length < 3 || what === 'name' || !nameKey(model.kind.resource).endsWith(stem)) return false
  return isGivenByAws(model, member, stem)
}

/** Whether the read and the deletion of the kind ask for this alone. */
function isAllThatIsAsked(model: KindModel, member: string): boolean {
  const [, stem = '', what = ''] = identifier.exec(nameKey(member)) ?? []
  const { readOne, delete: deletion } = model.kind.operations
  const asked = [readOne, deletion].map(operation =>
    operation === undefined ? [] : inputOf(model.service.model, operation).required.map(nameKey),
  )
  return (
    what !== 'name' &&
    asked.every(([first, ...others]) => first === nameKey(member) && others.length === 0) &&
    isGivenByAws(model, member, stem)
  )
}

/** Neither told to the creation, nor the id of another kind of the service. */
function isGivenByAws({ service, kind }: KindModel, member: string, stem: string): boolean {
  const told = Object.keys(inputOf(service.model, kind.operations.create).members)
  const isOfAnother = Object.values(service.kinds).some(
    ({ resource }) => nameKey(resource) === stem && resource !== kind.resource,
  )
  return !isOfAnother && !told.some(name => nameKey(name) === nameKey(member))
}

/** Whether a member says by its name that it identifies the resource: `Id`, `RoleName`, `TopicArn`. */
export function isIdentifierName(model: KindModel, name: string): boolean {
  const key = nameKey(name)
  const resource = nameKey(model.kind.resource)
  const names = ['id', 'ids', 'name', 'names', 'identifier'].flatMap(each => [each, `${resource}${each}`])
  return names.includes(key) || isArnName(model, key)
}

export function isArnName(model: KindModel, key: string): boolean {
  const { kind } = model
  const names = ['arn', `${kind.resource}arn`, 'resourcearn', kind.arnMember ?? 'arn']
  return names.some(name => nameKey(name) === key) || isShortArnName(model, key)
}

/** A kind that goes by its ARN may be asked for by a shorter word than its own: `EndpointArn` of a platform endpoint. */
export function isShortArnName({ kind }: KindModel, name: string): boolean {
  const stem = /^(.{3,})arn$/.exec(nameKey(name))?.[1]
  return kind.settings.arnIsPrimaryKey === true && stem !== undefined && nameKey(kind.resource).endsWith(stem)
}

/** The best first. */
export function arnNames(model: KindModel, { members }: StructureShape): readonly string[] {
  const { arnMember = 'Arn', resource } = model.kind
  const short = Object.keys(members).filter(name => isShortArnName(model, name) || isShortAndGiven(model, name))
  return [arnMember, 'Arn', `${resource}Arn`, ...short, ...(isOwnResourceArn(model) ? ['ResourceArn'] : [])]
}

/** `ModelArn` of a `CustomModel`: an end of the kind's name, and nothing that the creation is told. */
function isShortAndGiven({ kind, service }: KindModel, name: string): boolean {
  const stem = /^(.{3,})arn$/.exec(nameKey(name))?.[1]
  if (stem === undefined || !nameKey(kind.resource).endsWith(stem)) return false
  const told = Object.keys(inputOf(service.model, kind.operations.create).members)
  const isOfAnother = Object.values(service.kinds).some(
    ({ resource }) => nameKey(resource) === stem && resource !== kind.resource,
  )
  return !isOfAnother && !told.some(each => nameKey(each) === nameKey(name))
}

/**
 * Whether `ResourceArn` in an answer is the ARN of the resource itself, as a file system's and a table's are told, and not that of another to
 * which it belongs: its own operations, or those on tags, ask for it under that name, and its creation asks for no resource.
 */
function isOwnResourceArn(model: KindModel): boolean {
  const { operations } = model.service.model
  const { create, readOne, delete: deletion } = model.kind.operations
  const asks = (operation: string | undefined): boolean =>
    operation !== undefined && inputOf(model.service.model, operation).required.some(name => nameKey(name) === 'resourcearn')
  const others = Object.keys(inputOf(model.service.model, create).members).filter(name => nameKey(name).startsWith('resource'))
  const tagging = ['TagResource', 'AddTagsToResource', 'AddTags'].filter(name => Object.hasOwn(operations, name))
  return others.length === 0 && [readOne, deletion, ...tagging].some(asks)
}

/** Structures within structures that are searched for an ARN: an answer, what is around the resource, a list of resources, the resource. */
const depthMax = 3

/** Whether an answer ever tells the ARN. Where attributes are a map, they may. */
export function tellsArn(model: KindModel): boolean {
  const { create, readOne, readMany, getAttributes } = model.kind.operations
  if (getAttributes !== undefined) return true
  const isTold = (shape: StructureShape, depth: number): boolean =>
    arnNames(model, shape).some(name => propertyNamed(shape.members, name) !== undefined) ||
    (depth > 0 &&
      Object.values(shape.members).some(member => {
        const inner = structureOfMember(model.service.model, member)
        return inner !== undefined && isTold(inner, depth - 1)
      }))
  const answers = [create, readOne, readMany].filter(each => each !== undefined)
  return answers.some(operation => isTold(outputOf(model.service.model, operation), depthMax - 1))
}
