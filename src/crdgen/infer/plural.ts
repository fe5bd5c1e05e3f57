// English nouns as operation names use them, by the rules that the published kinds were made with (the `pluralize` rule set, version
// 8): they look at the end of the word and ignore case, so a compound noun goes through whole.

type Rule = readonly [pattern: RegExp, replacement: string]

/** Later rules win. */
const pluralRules: readonly Rule[] = [
  [/s?$/i, 's'],
  [/[^ -~]$/i, '$0'],
  [/([^aeiou]ese)$/i, '$1'],
  [/(ax|test)is$/i, '$1es'],
  [/(alias|[^aou]us|t[lm]as|gas|ris)$/i, '$1es'],
  [/(e[mn]u)s?$/i, '$1s'],
  [/([^l]ias|[aeiou]las|[ejzr]as|[iu]am)$/i, '$1'],
  [/(alumn|syllab|vir|radi|nucle|fung|cact|stimul|termin|bacill|foc|uter|loc|strat)(?:us|i)$/i, '$1i'],
  [/(alumn|alg|vertebr)(?:a|ae)$/i, '$1ae'],
  [/(seraph|cherub)(?:im)?$/i, '$1im'],
  [/(her|at|gr)o$/i, '$1oes'],
  [
    /(agend|addend|millenni|dat|extrem|bacteri|desiderat|strat|candelabr|errat|ov|symposi|curricul|automat|quor)(?:a|um)$/i,
    '$1a',
  ],
  [/(apheli|hyperbat|periheli|asyndet|noumen|phenomen|criteri|organ|prolegomen|hedr|automat)(?:a|on)$/i, '$1a'],
  [/sis$/i, 'ses'],
  [/(?:(kni|wi|li)fe|(ar|l|ea|eo|oa|hoo)f)$/i, '$1$2ves'],
  [/([^aeiouy]|qu)y$/i, '$1ies'],
  [/([^ch][ieo][ln])ey$/i, '$1ies'],
  [/(x|ch|ss|sh|zz)$/i, '$1es'],
  [/(matr|cod|mur|sil|vert|ind|append)(?:ix|ex)$/i, '$1ices'],
  [/\b((?:tit)?m|l)(?:ice|ouse)$/i, '$1ice'],
  [/(pe)(?:rson|ople)$/i, '$1ople'],
  [/(child)(?:ren)?$/i, '$1ren'],
  [/eaux$/i, '$0'],
  [/m[ae]n$/i, 'men'],
  [/^thou$/i, 'you'],
]

const singularRules: readonly Rule[] = [
  [/s$/i, ''],
  [/(ss)$/i, '$1'],
  [/(wi|kni|(?:after|half|high|low|mid|non|night|[^\w]|^)li)ves$/i, '$1fe'],
  [/(ar|(?:wo|[ae])l|[eo][ao])ves$/i, '$1f'],
  [/ies$/i, 'y'],
  [/\b(l|(?:neck|cross)?t|coll|faer|food|gen|goon|group|p|cut)ies$/i, '$1ie'],
  [/\b(mon|smil)ies$/i, '$1ey'],
  [/\b((?:tit)?m|l)ice$/i, '$1ouse'],
  [/(seraph|cherub)im$/i, '$1'],
  [/(x|ch|ss|sh|zz|tto|go|cho|alias|[^aou]us|t[lm]as|gas|(?:her|at|gr)o|[aeiou]ris)(?:es)?$/i, '$1'],
  [/(analy|diagno|parenthe|progno|synop|the|empha|cri|ne)(?:sis|ses)$/i, '$1sis'],
  [/(movie|twelve|abuse|e[mn]u)s$/i, '$1'],
  [/(test)(?:is|es)$/i, '$1is'],
  [/(alumn|syllab|vir|radi|nucle|fung|cact|stimul|termin|bacill|foc|uter|loc|strat)(?:us|i)$/i, '$1us'],
  [/(agend|addend|millenni|dat|extrem|bacteri|desiderat|strat|candelabr|errat|ov|symposi|curricul|quor)a$/i, '$1um'],
  [/(apheli|hyperbat|periheli|asyndet|noumen|phenomen|criteri|organ|prolegomen|hedr|automat)a$/i, '$1on'],
  [/(alumn|alg|vertebr)ae$/i, '$1a'],
  [/(cod|mur|sil|vert|ind)ices$/i, '$1ex'],
  [/(matr|append)ices$/i, '$1ix'],
  [/(pe)(rson|ople)$/i, '$1rson'],
  [/(child)ren$/i, '$1'],
  [/(eau)x?$/i, '$1'],
  [/men$/i, 'man'],
]

/** Words without a plural of their own: a whole word, or a pattern that ends a compound. */
const uncountableWords: ReadonlySet<string> = new Set(
  (
    'adulthood advice agenda aid aircraft alcohol ammo analytics anime athletics audio bison blood bream buffalo butter carp cash ' +
    'chassis chess clothing cod commerce cooperation corps debris diabetes digestion elk energy equipment excretion expertise firmware ' +
    'flounder fun gallows garbage graffiti hardware headquarters health herpes highjinks homework housework information jeans justice ' +
    'kudos labour literature machinery mackerel mail media mews moose music mud manga news only personnel pike plankton pliers police ' +
    'pollution premises rain research rice salmon scissors series sewage shambles shrimp software species staff swine tennis traffic ' +
    'transportation trout tuna wealth welfare whiting wildebeest wildlife you'
  ).split(' '),
)

const uncountableEnds: readonly RegExp[] = [
  /pok[eé]mon$/i,
  /[^aeiou]ese$/i,
  /deer$/i,
  /fish$/i,
  /measles$/i,
  /o[iu]s$/i,
  /pox$/i,
  /sheep$/i,
]

/** Whole words only: singular, plural. */
const irregulars: readonly (readonly [string, string])[] = [
  ['I', 'we'],
  ['me', 'us'],
  ['he', 'they'],
  ['she', 'they'],
  ['them', 'them'],
  ['myself', 'ourselves'],
  ['yourself', 'yourselves'],
  ['itself', 'themselves'],
  ['herself', 'themselves'],
  ['himself', 'themselves'],
  ['themself', 'themselves'],
  ['is', 'are'],
  ['was', 'were'],
  ['has', 'have'],
  ['this', 'these'],
  ['that', 'those'],
  ['its', 'their'],
  ['his', 'their'],
  ['echo', 'echoes'],
  ['dingo', 'dingoes'],
  ['volcano', 'volcanoes'],
  ['tornado', 'tornadoes'],
  ['torpedo', 'torpedoes'],
  ['genus', 'genera'],
  ['viscus', 'viscera'],
  ['stigma', 'stigmata'],
  ['stoma', 'stomata'],
  ['dogma', 'dogmata'],
  ['lemma', 'lemmata'],
  ['schema', 'schemata'],
  ['anathema', 'anathemata'],
  ['ox', 'oxen'],
  ['axe', 'axes'],
  ['die', 'dice'],
  ['yes', 'yeses'],
  ['foot', 'feet'],
  ['eave', 'eaves'],
  ['goose', 'geese'],
  ['tooth', 'teeth'],
  ['quiz', 'quizzes'],
  ['human', 'humans'],
  ['proof', 'proofs'],
  ['carve', 'carves'],
  ['valve', 'valves'],
  ['looey', 'looies'],
  ['thief', 'thieves'],
  ['groove', 'grooves'],
  ['pickaxe', 'pickaxes'],
  ['passerby', 'passersby'],
]
const pluralBySingular = new Map(irregulars.map(([one, many]) => [one.toLowerCase(), many]))
const singularByPlural = new Map(irregulars.map(([one, many]) => [many.toLowerCase(), one]))

export function pluralOf(word: string): string {
  return inflect(word, { keep: singularByPlural, replace: pluralBySingular, rules: pluralRules })
}

export function singularOf(word: string): string {
  return inflect(word, { keep: pluralBySingular, replace: singularByPlural, rules: singularRules })
}

/** True when the word is its own plural; words without a plural are both. */
export function isPlural(word: string): boolean {
  return pluralOf(word) === word
}

interface Inflection {
  readonly keep: ReadonlyMap<string, string>
  readonly replace: ReadonlyMap<string, string>
  readonly rules: readonly Rule[]
}

function inflect(word: string, { keep, replace, rules }: Inflection): string {
  const lower = word.toLowerCase()
  if (keep.has(lower)) return matchCase(word, lower)
  const irregular = replace.get(lower)
  if (irregular !== undefined) return matchCase(word, irregular)
  if (word === '' || uncountableWords.has(lower) || uncountableEnds.some(pattern => pattern.test(word))) return word
  const rule = rules.findLast(([pattern]) => pattern.test(word))
  return rule === undefined ? word : replaceEnd(word, rule)
}

function replaceEnd(word: string, [pattern, replacement]: Rule): string {
  const match = pattern.exec(word)
  if (match === null) return word
  const text = replacement.replaceAll(/\$(\d)/g, (_, digit: string) => match[Number(digit)] ?? '')
  const cased = matchCase(match[0] === '' ? (word[match.index - 1] ?? '') : match[0], text)
  return word.slice(0, match.index) + cased + word.slice(match.index + match[0].length)
}

/** The replacement in the case of what it replaces, so `VPC` becomes `VPCS` and `Policy` becomes `Policies`. */
function matchCase(model: string, text: string): string {
  if (model === text) return text
  if (model === model.toLowerCase()) return text.toLowerCase()
  if (model === model.toUpperCase()) return text.toUpperCase()
  if (model[0] === model[0]?.toUpperCase()) return text.charAt(0).toUpperCase() + text.slice(1).toLowerCase()
  return text.toLowerCase()
}
