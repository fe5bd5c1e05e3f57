// Exported types by name: a name that stands for two things makes a reader ask which.

interface Source {
  readonly path: string
  readonly text: string
}

/** Names of types, interfaces and classes that more than one file exports, with the files. */
export function namedTwice(sources: readonly Source[]): ReadonlyMap<string, readonly string[]> {
  const paths = new Map<string, string[]>()
  for (const { path, text } of sources)
    for (const [, name = ''] of text
      .replaceAll(template, '')
      .matchAll(/^export (?:abstract )?(?:interface|class|type) ([A-Z]\w*)/gm))
      paths.set(name, [...(paths.get(name) ?? []), path])
  return new Map([...paths].filter(([, all]) => new Set(all).size > 1))
}

/** What is written in a template is text: the sources that a generator prints. */
const template = /`(?:[^`\\]|\\.)*`/g
