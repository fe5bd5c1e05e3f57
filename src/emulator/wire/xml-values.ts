// XML bodies by the model: what the query protocol answers, and what REST-XML sends and answers.
import type { Member, ServiceModel, StructureShape } from '#aws'
import { MalformedInput } from './malformed.ts'
import { parseScalar, renderScalar, type TextForm } from './scalars.ts'
import { membersOf, shapeOf } from './shapes.ts'
import { escapeXml, type XmlElement } from './xml.ts'

type Values = Record<string, unknown>

/** The inside of a structure's element: members in the model's order, absent ones left out. */
export function encodeXmlMembers(
  model: ServiceModel,
  structure: StructureShape,
  values: Readonly<Values>,
  form: TextForm,
): string {
  let text = ''
  for (const [name, member] of membersOf(structure)) {
    const value = values[name]
    if (value === undefined || value === null || member.location !== undefined || member.xmlAttribute) continue
    text += encodeXmlMember(model, member, member.locationName ?? name, value, form)
  }
  return text
}

export function encodeXmlMember(model: ServiceModel, member: Member, tag: string, value: unknown, form: TextForm): string {
  const shape = shapeOf(model, member.target)
  switch (shape.type) {
    case 'structure':
    case 'union':
      return `<${tag}${namespaceOf(member)}${attributesOf(model, shape, value as Values, form)}>${encodeXmlMembers(model, shape, value as Values, form)}</${tag}>`
    case 'list': {
      const flat = member.flattened
      const itemTag = flat ? tag : (shape.member.locationName ?? 'member')
      const items = (value as readonly unknown[]).map(item => encodeXmlMember(model, shape.member, itemTag, item, form)).join('')
      return flat ? items : `<${tag}${namespaceOf(member)}>${items}</${tag}>`
    }
    case 'map': {
      const flat = member.flattened
      const entries = Object.entries(value as Values).map(([key, item]) => {
        const inside =
          encodeXmlMember(model, shape.key, shape.key.locationName ?? 'key', key, form) +
          encodeXmlMember(model, shape.value, shape.value.locationName ?? 'value', item, form)
        return flat ? `<${tag}>${inside}</${tag}>` : `<entry>${inside}</entry>`
      })
      return flat ? entries.join('') : `<${tag}>${entries.join('')}</${tag}>`
    }
    default:
      return `<${tag}${namespaceOf(member)}>${escapeXml(renderScalar(member, shape, value, form))}</${tag}>`
  }
}

function namespaceOf(member: Member): string {
  if (member.xmlNamespace === undefined) return ''
  const { uri, prefix } = member.xmlNamespace
  return ` xmlns${prefix === undefined ? '' : `:${prefix}`}="${escapeXml(uri)}"`
}

function attributesOf(model: ServiceModel, structure: StructureShape, values: Readonly<Values>, form: TextForm): string {
  let text = ''
  for (const [name, member] of membersOf(structure)) {
    const value = values[name]
    if (!member.xmlAttribute || value === undefined || value === null) continue
    text += ` ${member.locationName ?? name}="${escapeXml(renderScalar(member, shapeOf(model, member.target), value, form))}"`
  }
  return text
}

export function decodeXmlStructure(model: ServiceModel, structure: StructureShape, element: XmlElement, path = ''): Values {
  const values: Values = {}
  for (const [name, member] of membersOf(structure)) {
    if (member.location !== undefined) continue
    const tag = member.locationName ?? name
    const memberPath = path === '' ? name : `${path}.${name}`
    if (member.xmlAttribute) {
      const attribute = element.attributes[tag]
      if (attribute !== undefined) values[name] = parseScalar(shapeOf(model, member.target), attribute, memberPath)
      continue
    }
    const found = element.children.filter(child => child.name === tag)
    if (found.length > 0) values[name] = decodeXmlMember(model, member, found, memberPath)
  }
  return values
}

/** `found`: the elements of that name in their order; more than one only where lists and maps are flattened. */
function decodeXmlMember(model: ServiceModel, member: Member, found: readonly XmlElement[], path: string): unknown {
  const shape = shapeOf(model, member.target)
  const [first] = found as readonly [XmlElement, ...XmlElement[]]
  switch (shape.type) {
    case 'structure':
    case 'union':
      return decodeXmlStructure(model, shape, first, path)
    case 'list': {
      const itemTag = shape.member.locationName ?? 'member'
      const items = member.flattened ? found : first.children.filter(child => child.name === itemTag)
      return items.map((item, index) => decodeXmlMember(model, shape.member, [item], `${path}.${index + 1}.member`))
    }
    case 'map': {
      const entries = member.flattened ? found : first.children.filter(child => child.name === 'entry')
      return Object.fromEntries(
        entries.map(entry => {
          const key = entry.children.find(child => child.name === (shape.key.locationName ?? 'key'))
          const value = entry.children.find(child => child.name === (shape.value.locationName ?? 'value'))
          if (key === undefined || value === undefined) throw new MalformedInput(path, 'an entry lacks its key or value')
          return [key.text, decodeXmlMember(model, shape.value, [value], `${path}.${key.text}`)]
        }),
      )
    }
    default:
      return parseScalar(shape, shape.type === 'string' ? first.text : first.text.trim(), path)
  }
}
