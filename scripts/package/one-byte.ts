// V8 keeps the text of a program for as long as it runs, with two bytes for each character if a single one of them is none of Latin-1's.
// The bundler writes such characters of strings as escapes and leaves them as they are in comments and regular expressions.
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Of a bundled program, where an escape means the same in strings and regular expressions, and nothing in comments. One with such a character
 * in a raw template, where an escape is six characters, stays as it is.
 */
export function inOneByte(program: string): string {
  if (/String\.raw`[^`]*[^\0-\x7f]/.test(program)) return program
  return program.replaceAll(/[^\0-\x7f]/g, character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** Rewrites those programs of a folder that need it. */
export function writeInOneByte(folder: string): void {
  for (const name of globSync('**/*.{js,mjs}', { cwd: folder })) {
    const path = join(folder, name)
    const program = readFileSync(path, 'utf8')
    const escaped = inOneByte(program)
    if (escaped !== program) writeFileSync(path, escaped)
  }
}
