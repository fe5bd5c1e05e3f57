// The shared configuration files: sections, keys, and keys below keys.

export type IniSection = Readonly<Record<string, string>>

/** Sections by name. In the config file `[profile x]` is the profile x; `[default]` is the default in both files. */
export function parseIni(text: string, file: 'config' | 'credentials'): ReadonlyMap<string, IniSection> {
  const sections = new Map<string, Record<string, string>>()
  let section: Record<string, string> | undefined
  let parent = ''
  for (const raw of text.split(/\r?\n/)) {
    const line = raw.replace(/(?:^|\s)[#;].*$/, '').trimEnd()
    if (line.trim() === '') continue
    const header = /^\[\s*([^\]]+?)\s*\]$/.exec(line.trim())?.[1]
    if (header !== undefined) {
      section = sectionFor(header, file, sections)
      parent = ''
      continue
    }
    const [, indent = '', key = '', value = ''] = /^(\s*)([^=\s][^=]*?)\s*=\s*(.*)$/.exec(line) ?? []
    if (section === undefined || key === '') continue
    if (indent !== '' && parent !== '') section[`${parent}.${key.toLowerCase()}`] = value
    else {
      section[key.toLowerCase()] = value
      parent = value === '' ? key.toLowerCase() : ''
    }
  }
  return sections
}

function sectionFor(
  header: string,
  file: 'config' | 'credentials',
  sections: Map<string, Record<string, string>>,
): Record<string, string> | undefined {
  const [kind = '', ...rest] = header.split(/\s+/)
  const name = unquoted(rest.join(' '))
  let key: string | undefined
  if (file === 'credentials') key = unquoted(header)
  else if (header === 'default') key = 'default'
  else if (kind === 'profile') key = name
  else if (rest.length > 0) key = `${kind} ${name}`
  if (key === undefined) return undefined
  const known = sections.get(key) ?? (Object.create(null) as Record<string, string>)
  sections.set(key, known)
  return known
}

function unquoted(text: string): string {
  return text.replace(/^(["'])(.*)\1$/, '$2')
}
