// The input of a read, out of what is known of a resource.
import { inputMembers } from './input-members.ts'
import { inputOf, type KindModel, onceOfKind } from './kind-model.ts'
import { nameKey } from './names.ts'
import { isRenamedFor } from './own-names.ts'
import { type Content, requestOf, type Values } from './request.ts'

/** The input of a read; `undefined` when an identifier is missing. */
export function readInput(model: KindModel, operation: string, wanted: Content): Values | undefined {
  const { required, chosen, attributes } = readOf(model, operation)
  const input = requestOf(model, operation, wanted, { method: 'ReadOne' })
  if (required.some(name => input[name] === undefined || input[name] === '')) return undefined
  if (chosen.some(name => input[name] === undefined)) return undefined
  // A read that names nothing would tell of something else, such as of ourselves.
  if (Object.keys(input).length === 0) return undefined
  return { ...attributes, ...input }
}

interface Read {
  readonly required: readonly string[]
  /** Ids that AWS chose: without one, the read would tell of what stands above, such as of a function instead of its version. */
  readonly chosen: readonly string[]
  readonly attributes: Values
}

const readOf: (model: KindModel, operation: string) => Read = onceOfKind((model, operation) => {
  const members = inputMembers(model, operation).members.filter(({ holder }) => holder === 'status')
  return {
    required: inputOf(model.service.model, operation).required,
    chosen: members.map(({ name }) => name).filter(name => isRenamedFor(model, operation, name)),
    attributes: allAttributes(model, operation),
  }
})

/** Attribute APIs tell nothing unless asked: by config for what, otherwise for all of them, where they have a word for it. */
function allAttributes({ service, kind }: KindModel, operation: string): Values {
  const overrides = kind.settings.unpackAttributes?.getOverrides ?? {}
  const made: Record<string, unknown> = {}
  for (const [name, member] of Object.entries(inputOf(service.model, operation).members)) {
    const shape = service.model.shapes[member.target]
    const values = Object.entries(overrides).find(([each]) => nameKey(each) === nameKey(name))?.[1]
    if (values !== undefined) made[name] = shape?.type === 'list' ? values : values[0]
    else if (shape?.type === 'list' && nameKey(name) === 'attributenames') {
      const element = service.model.shapes[shape.member.target]
      if (element?.type === 'string' && element.enum?.includes('All') === true) made[name] = ['All']
    }
  }
  return made
}
