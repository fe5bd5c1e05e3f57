// A built-in schema with the texts that `kubectl explain` shows; those of custom kinds come with their definitions.
import { textsOfAllFields, textsOfFields, textsOfKinds } from './texts-of-kinds.ts'

type Node = Readonly<Record<string, unknown>>

/** `name` is the schema's, such as `io.k8s.api.apps.v1.Deployment`. */
export function described(name: string, schema: Node): Node {
  const type = name.slice(name.lastIndexOf('.') + 1)
  const texts = { ...textsOfAllFields, ...textsOfFields[type] }
  const { properties } = schema
  const text = textsOfKinds[type] ?? (type.endsWith('List') ? `A list of objects of the kind ${type.slice(0, -4)}.` : undefined)
  return {
    ...(text !== undefined && { description: text }),
    ...schema,
    ...(typeof properties === 'object' && properties !== null && { properties: withTexts(properties, texts) }),
  }
}

function withTexts(properties: object, texts: Readonly<Record<string, string>>): Node {
  const told = ([field, schema]: [string, unknown]): [string, unknown] => {
    const text = Object.hasOwn(texts, field) ? texts[field] : undefined
    return [field, text === undefined || typeof schema !== 'object' ? schema : { description: text, ...schema }]
  }
  return Object.fromEntries(Object.entries(properties).map(told))
}
