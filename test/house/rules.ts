// Codes of rules that comments, names of tests and pages cite, held against docs/rules, where each has its sentence.
import { inBrackets } from './codes.ts'

/** Which page of docs/rules tells the codes of a file; the first that fits. Reliability holds everywhere. */
const pageOf: readonly (readonly [RegExp, string])[] = [
  [/^(?:src\/apiserver|src\/schema|test\/conformance\/apiserver|test\/real\/(?:token-rotation|go-manager))/, 'apiserver'],
  [/^(?:src\/emulator|test\/conformance\/aws|test\/real\/(?:aws|java|go-sdk|go-aws|ack)|bench\/emulator)/, 'emulator'],
  [/^src\/operators\/dns|^src\/cli\/operator\/dns-|^test\/(?:dns|sim\/dns|real\/(?:external-)?dns)|^bench\/dns/, 'dns'],
  [/^src\/operators\/hosted|^src\/cli\/(?:render\/|dev\/)?hosted|^test\/(?:real|sim|e2e)\/hosted|^bench\/hosted/, 'hosted'],
  [/pod-webhook|^src\/operators\/pods|^test\/webhook|webhook/, 'webhook'],
  [/^(?:src\/operators|test)\/certificates|certificates[\w-]*\.real/, 'certificates'],
  [/identity|remote-credentials|(?:fleet|skew)\.real|^src\/(?:runtime\/otlp|fleet|credentials|cli)/, 'identity'],
  [
    /^(?:src\/(?:operators\/resources|crdgen|aws|cloud)|test\/(?:resources|sim\/resources|real\/(?:botocore|(?:sub-)?resources)))/,
    'resources',
  ],
]

/** By file, which pages its codes may stand on. */
export function pagesFor(file: string): readonly string[] {
  const page = pageOf.find(([path]) => path.test(file))?.[1]
  if (/^src\/cli\/(?:infer|plan|export)/.test(file)) return ['resources', 'reliability']
  return page === undefined ? ['reliability'] : [page, 'reliability']
}

/** The codes that have a row on a page. */
export function codesOf(page: string): ReadonlySet<string> {
  return new Set([...page.matchAll(/^\| ([^|]+?) \|/gm)].map(([, code = '']) => code))
}

/** What a source cites: in brackets behind the words of a name, and in comments. */
export function* citedIn(source: string): Generator<{ readonly code: string; readonly line: number }> {
  for (const [index, line] of source.split('\n').entries()) {
    for (const code of [...inBrackets(line), ...inComment(line)]) yield { code, line: index + 1 }
  }
}

const inText =
  /(?<![\w.#§-])(?:(?<!RFC \d+ )§\d+(?:\.\d+)*|(?<!14\.1 )[WPBFSLDX]\d{1,2}(?![\w.]|-\w)|14\.1 L\d+|(?!P-(?:256|384|521))[APFTEGB]-\d{2,3}(?!\w))/g

function inComment(line: string): readonly string[] {
  const comment = /^\s*(?:\/\/|\/?\*+)(.*)|\s\/\/ (.*)/.exec(line)
  return (comment?.[1] ?? comment?.[2] ?? '').match(inText) ?? []
}

/** What a page cites. */
export function* citedOnPage(text: string): Generator<{ readonly code: string; readonly line: number }> {
  for (const [index, line] of text.split('\n').entries())
    for (const code of line.match(inText) ?? []) yield { code, line: index + 1 }
}

/** Whether a code, or the code that stands for it, has a row: a case without its section, a section of three numbers without its third. */
export function isTold(code: string, told: ReadonlySet<string>): boolean {
  const plain = code.replace('§', '')
  const ends = /^(.*?)(\d+)(?: to |[-–])(?:[A-Z]-?|#|\d+\.)?(\d+)$/.exec(plain)
  if (ends !== null && !/^[A-Z]-\d+$/.test(plain)) {
    const [, front = '', from = '', to = ''] = ends
    return [from, to].every(number => isTold(`${front}${number}`, told))
  }
  const parts = [
    plain,
    plain.replace(/^[\d.]+ (?=#)/, ''),
    plain.replace(/ step \d+$/, ''),
    plain.replace(/^(\d+\.\d+)\.\d+$/, '$1'),
  ]
  return parts.some(part => told.has(part))
}
