// The input of a read, out of what is known of a resource.
import { inputOf, type KindModel } from './kind-model.ts'
import { nameKey } from './names.ts'
import { isRenamedFor } from './own-names.ts'
import { type Content, fieldOf, requestOf, type Values } from './request.ts'

/** The input of a read; `undefined` when an identifier is missing. */
export function readInput(model: KindModel, operation: string, wanted: Content): Values | undefined {
  const shape = inputOf(model.service.model, operation)
  const input = requestOf(model, operation, wanted, { method: 'ReadOne' })
  if (shape.required.some(name => input[name] === undefined || input[name] === '')) return undefined
  // Without the id that AWS chose, the read would tell of what stands above, such as of a function instead of its version.
  const chosen = Object.keys(shape.members).filter(
    name => isRenamedFor(model, operation, name) && isOfStatus(model, operation, name),
  )
  if (chosen.some(name => input[name] === undefined)) return undefined
  // A read that names nothing would tell of something else, such as of ourselves.
  if (Object.keys(input).length === 0) return undefined
  return { ...allAttributes(model, operation), ...input }
}

function isOfStatus(model: KindModel, operation: string, member: string): boolean {
  const field = fieldOf(model, operation, member)
  return field !== undefined && model.spec.named(field.camel) !== field
}

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
