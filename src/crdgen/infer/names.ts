// Names of fields and types: every name of the model has a Go-style form (configs and types use it) and a JSON form (manifests use it).
import { initialisms } from './initialisms.ts'

export interface Names {
  /** As the model or the config spells it, after renames. */
  readonly original: string
  /** `KMSKeyID` */
  readonly camel: string
  /** `kmsKeyID` */
  readonly json: string
}

/** Go's keywords: a JSON name equal to one ends in an underscore, since published kinds have it so. */
const keywords: ReadonlySet<string> = new Set(
  'break case chan const continue default defer else fallthrough for func go goto if import interface map package range return select struct switch type var'.split(
    ' ',
  ),
)

const seen = new Map<string, Names>()
/** The pure function below is asked for the same few thousand names again and again; a service has fewer than this. */
const seenMax = 50_000

/** Both forms of a name. Total: characters that no name may hold are dropped. */
export function namesOf(original: string): Names {
  const known = seen.get(original)
  if (known !== undefined) return known
  const names = { original, camel: camelOf(original), json: jsonOf(original) }
  if (seen.size >= seenMax) seen.clear()
  seen.set(original, names)
  return names
}

function camelOf(name: string): string {
  return normalise(joinWords(name, 'upper'), 'upper')
}

function jsonOf(name: string): string {
  const json = normalise(joinWords(normalise(name, 'lower'), 'lower'), 'lower')
  return keywords.has(json) ? `${json}_` : json
}

type Mode = 'upper' | 'lower'

/** Letters stay, what separates words goes and the next letter becomes a capital; after a digit too. */
function joinWords(name: string, first: Mode): string {
  const trimmed = name.trim()
  const text = trimmed === 'ID' ? 'id' : trimmed
  let joined = ''
  let capitalNext = first === 'upper'
  for (const [index, character] of Array.from(text).entries()) {
    if (/[A-Za-z]/.test(character)) {
      const lowerFirst = index === 0 && first === 'lower'
      joined += capitalNext ? character.toUpperCase() : lowerFirst ? character.toLowerCase() : character
      capitalNext = false
    } else if (/[0-9]/.test(character)) {
      joined += character
      capitalNext = true
    } else {
      capitalNext = '_ .-'.includes(character)
    }
  }
  return joined
}

function normalise(name: string, mode: Mode): string {
  let text = name
  for (const { camel, upper, lower, pattern } of initialisms) {
    text =
      pattern === undefined
        ? replaceForm(text, { camel, upper, lower, mode })
        : replaceMatches(text, { pattern, upper, lower, mode })
  }
  return text
}

function replaceForm(
  name: string,
  { camel, upper, lower, mode }: { readonly camel: string; readonly upper: string; readonly lower: string; readonly mode: Mode },
): string {
  let text = name
  if (mode === 'lower' && text.startsWith(upper)) text = lower + text.slice(upper.length)
  if (!text.includes(camel)) return text
  if (mode === 'lower' && text.startsWith(camel)) text = lower + text.slice(camel.length)
  return text.replaceAll(camel, upper)
}

/** In lower mode a match at the very start becomes the lower form; it and only it. */
function replaceMatches(
  name: string,
  {
    pattern,
    upper,
    lower,
    mode,
  }: { readonly pattern: RegExp; readonly upper: string; readonly lower: string; readonly mode: Mode },
): string {
  if (pattern.exec(name) === null) return name
  return name.replaceAll(new RegExp(pattern.source, `g${pattern.flags}`), (match, ...rest: unknown[]) => {
    const offset = rest.find(each => typeof each === 'number')
    return mode === 'lower' && offset === 0 && match !== '' ? lower : upper
  })
}
