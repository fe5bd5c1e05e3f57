// Whether a text is a Go template, as far as can be said without Go: its brackets close, its quotes end, its words are known, and what it
// opens it ends.

const functions: ReadonlySet<string> = new Set(
  `and or not len index slice print printf println html js urlquery call eq ne lt le gt ge
  toLower toUpper replace trim trimPrefix trimSuffix contains hasPrefix hasSuffix isIPv6 isIPv4 fromJson hasKey`
    .trim()
    .split(/\s+/),
)
const opening: ReadonlySet<string> = new Set(['if', 'range', 'with', 'block', 'define'])
const others: ReadonlySet<string> = new Set(['else', 'end', 'template', 'break', 'continue', 'nil', 'true', 'false'])

/** Why it is none; undefined when it may be one. */
export function templateProblem(text: string): string | undefined {
  let depth = 0
  let at = 0
  for (;;) {
    const open = text.indexOf('{{', at)
    if (open < 0) return depth > 0 ? 'an action is not ended' : undefined
    const action = readAction(text, open + 2)
    if (action === undefined) return 'an action has no closing brackets'
    const words = action.words.filter(word => !word.startsWith('.') && !word.startsWith('$'))
    const unknown = words.find(word => !functions.has(word) && !opening.has(word) && !others.has(word))
    if (unknown !== undefined) return `function "${unknown}" is not defined`
    if (words[0] !== undefined && opening.has(words[0])) depth++
    if (words[0] === 'end' && --depth < 0) return 'an end ends nothing'
    at = action.end
  }
}

interface Action {
  readonly words: readonly string[]
  readonly end: number
}

/** Up to the closing brackets, quoted texts and comments left out. */
function readAction(text: string, from: number): Action | undefined {
  const pattern = /"(?:[^"\\\n]|\\.)*"|`[^`]*`|'(?:[^'\\\n]|\\.)+'|\/\*[\s\S]*?\*\/|\}\}|[.$]?[\p{L}_][\p{L}\p{N}_.]*|["`']/gu
  pattern.lastIndex = from
  const words: string[] = []
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const [token] = match
    if (token === '}}') return { words, end: pattern.lastIndex }
    if (/^["`']$/.test(token)) return undefined
    if (/^[.$\p{L}_]/u.test(token)) words.push(token)
  }
  return undefined
}

/** The longest first label that it can write into a name, as far as its fixed text says. */
export function fixedLabelLength(text: string): number {
  const [label = ''] = text.replaceAll(/\{\{[\s\S]*?\}\}/g, '').split('.')
  return label.length
}
