// Plain YAML as the programs of Kubernetes read it: 0644 is an octal number, `yes` is true, `1_000` a thousand, `<<` joins another map. A
// reader of YAML 1.2 takes all of these for something else.
import {
  defineMappingTag,
  defineScalarTag,
  defineSequenceTag,
  FAILSAFE_SCHEMA,
  mapTag,
  mergeTag,
  NOT_RESOLVED,
  type Schema,
} from 'js-yaml'

type Resolved<T> = T | typeof NOT_RESOLVED
type Tag = ReturnType<typeof defineScalarTag<unknown>>

const core = 'tag:yaml.org,2002:'
const never = (): boolean => false

/** `first`: with which characters one may begin, or with none. */
function scalar<T>(name: string, first: readonly string[], resolve: (source: string) => Resolved<T>): Tag {
  return defineScalarTag<unknown>(`${core}${name}`, { implicit: true, implicitFirstChars: first, resolve, identify: never })
}

/** As they are, in capitals, and with a capital first. */
const spellings = (words: readonly string[]): ReadonlySet<string> =>
  new Set(words.flatMap(word => [word, word.toUpperCase(), `${word.charAt(0).toUpperCase()}${word.slice(1)}`]))

const truths = spellings(['true', 'yes', 'y', 'on'])
const falsehoods = spellings(['false', 'no', 'n', 'off'])
const nothings = new Set(['', '~', ...spellings(['null'])])

const beginnings = (words: Iterable<string>): readonly string[] => [...new Set([...words].map(word => word.charAt(0)))]
const ofNumbers = '-+0123456789'.split('')

const forms: readonly (readonly [form: RegExp, base: number])[] = [
  [/^[-+]?0[xX]([0-9a-fA-F]+)$/, 16],
  [/^[-+]?0[bB]([01]+)$/, 2],
  [/^[-+]?0[oO]?([0-7]+)$/, 8],
  [/^[-+]?(0|[1-9]\d*)$/, 10],
]
const prefixes: Readonly<Record<number, string>> = { 16: '0x', 2: '0b', 8: '0o', 10: '' }
const [least, most] = [-(2n ** 63n), 2n ** 63n - 1n]

/** Underscores stand between digits for the eye, and for nothing after a dot at the front. */
function withoutMarks(source: string): string {
  return /^[-+]?\d/.test(source) ? source.replaceAll('_', '') : source
}

function wholeNumber(source: string): bigint | undefined {
  const text = withoutMarks(source)
  for (const [form, base] of forms) {
    const digits = form.exec(text)?.[1]
    if (digits === undefined) continue
    const size = BigInt(`${prefixes[base]}${digits}`)
    const value = text.startsWith('-') ? -size : size
    return value >= least && value <= most ? value : undefined
  }
  return undefined
}

const floating = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/
const infinity = /^([-+]?)\.(?:inf|Inf|INF)$/

function floatingNumber(source: string): Resolved<number> {
  const sign = infinity.exec(source)?.[1]
  if (sign !== undefined) return sign === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
  if (['.nan', '.NaN', '.NAN'].includes(source)) return Number.NaN
  const text = withoutMarks(source)
  const value = floating.test(text) ? Number(text) : Number.NaN
  return Number.isFinite(value) ? value : NOT_RESOLVED
}

const base64 = /^[A-Za-z0-9+/]*={0,2}$/

function bytes(source: string): Resolved<string> {
  const text = source.replaceAll(/\s/g, '')
  return text.length % 4 === 0 && base64.test(text) ? Buffer.from(text, 'base64').toString() : NOT_RESOLVED
}

/** A map has texts for keys: what else is written as one is told as a text. */
function keyText(key: unknown): string {
  if (typeof key !== 'number') return String(key)
  if (Object.is(key, -0)) return '-0'
  if (Number.isNaN(key)) return '.nan'
  if (!Number.isFinite(key)) return key < 0 ? '-.inf' : '.inf'
  return Number.isSafeInteger(key) ? String(key) : shortFloat(key)
}

/** With the digits of a number of 32 bits, and an exponent of two digits at least. */
function shortFloat(value: number): string {
  let digits = 1
  while (digits < 9 && Math.fround(Number(value.toPrecision(digits))) !== Math.fround(value)) digits++
  const [mantissa = '', exponent] = value.toExponential(digits - 1).split('e')
  const power = Number(exponent)
  if (power >= -4 && power < 6) return String(Number(value.toPrecision(digits)))
  return `${mantissa}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`
}

/** Why something is no key. */
function keyProblem(key: unknown): string {
  if (key === null) return 'a map has a key that is null'
  return typeof key === 'object' ? 'a map has a key that is a map or a list' : ''
}

const map = defineMappingTag<Record<string, unknown>>(`${core}map`, {
  create: () => ({}),
  identify: never,
  addPair: (carrier, key, value) => {
    const problem = keyProblem(key)
    return problem === '' ? mapTag.addPair(carrier, keyText(key), value) : problem
  },
  has: (carrier, key) => Object.hasOwn(carrier, keyText(key)),
  keys: result => Object.keys(result),
  get: (result, key) => result[keyText(key)],
})

/** What is marked as something that nobody here knows is what it looks like without the mark. */
function unmarked(prefix: string): readonly (Tag | ReturnType<typeof list> | typeof map)[] {
  return [
    defineScalarTag<unknown>(prefix, { matchByTagPrefix: true, resolve: source => source, identify: never }),
    list(prefix),
    defineMappingTag<Record<string, unknown>>(prefix, { ...map, matchByTagPrefix: true }),
  ]
}

function list(prefix: string): ReturnType<typeof defineSequenceTag<unknown[]>> {
  return defineSequenceTag<unknown[]>(prefix, {
    matchByTagPrefix: true,
    create: () => [],
    addItem: (carrier, item) => {
      carrier.push(item)
      return ''
    },
    identify: never,
  })
}

function schemaOf(whole: (value: bigint) => unknown): Schema {
  return FAILSAFE_SCHEMA.withTags(
    map,
    scalar('null', beginnings(nothings), source => (nothings.has(source) ? null : NOT_RESOLVED)),
    scalar('bool', beginnings([...truths, ...falsehoods]), source =>
      truths.has(source) ? true : falsehoods.has(source) ? false : NOT_RESOLVED,
    ),
    scalar('int', ofNumbers, source => {
      const value = wholeNumber(source)
      return value === undefined ? NOT_RESOLVED : whole(value)
    }),
    scalar('float', ['.', ...ofNumbers], floatingNumber),
    defineScalarTag<unknown>(`${core}binary`, { resolve: bytes, identify: never }),
    mergeTag,
    ...unmarked('!'),
    ...unmarked(core),
  )
}

const isSafe = (value: bigint): boolean => Number.isSafeInteger(Number(value))

/** For manifests, kubeconfigs and values of charts. */
export const kubernetesYaml: Schema = schemaOf(Number)

/** Whole numbers that a double cannot hold are of the type that can. */
export const exactYaml: Schema = schemaOf(value => (isSafe(value) ? Number(value) : value))
