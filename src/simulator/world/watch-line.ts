// What can be told from the lines of a watch without reading them as objects.

/** The oldest line that a later one about the same object has made untrue; of an object that is gone, where there is one. */
export function outdatedOf(lines: readonly Uint8Array[]): Uint8Array | undefined {
  const told = lines.map(line => subjectOf(line).split(' '))
  const latest = new Map(told.map(([type, name], index) => [name, { type, index }]))
  const isOutdated = (index: number): boolean => (latest.get(told[index]?.[1])?.index ?? index) > index
  const isOfDead = (index: number): boolean => latest.get(told[index]?.[1])?.type === 'DELETED'
  const outdated = [...lines.keys()].filter(index => told[index]?.[1] !== undefined && isOutdated(index))
  return lines[outdated.find(isOfDead) ?? outdated[0] ?? -1]
}

/** What a watch line is about: `MODIFIED default/theme`. Looked for as text, since a line may be anything. */
export function subjectOf(line: Uint8Array): string {
  const text = decoder.decode(line)
  const type = /^\{"type":"(\w+)"/.exec(text)?.[1] ?? 'something'
  const name = /"name":"([^"]+)"/.exec(text)?.[1]
  const namespace = /"namespace":"([^"]+)"/.exec(text)?.[1]
  if (name === undefined) return type
  return `${type} ${namespace === undefined ? name : `${namespace}/${name}`}`
}

const decoder = new TextDecoder()
