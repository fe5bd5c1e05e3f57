// All functions of the language: overloads by name, what they do and what they cost.
import type { CelValue } from '../values.ts'
import { addresses, ipOfNetwork } from './addresses.ts'
import { authorizerCosts, authorizerSignatures, authorizers } from './authorizer.ts'
import { conversionCosts, conversions } from './conversions.ts'
import { formatNames, formats } from './formats.ts'
import type { CelFunction, Cost, LibraryFunction, Overload } from './function.ts'
import { listCosts, lists } from './lists.ts'
import { operatorCosts, operators } from './operators.ts'
import { optionals } from './optionals.ts'
import { quantities } from './quantities.ts'
import { semverComparisons, semvers } from './semver.ts'
import { parseSignature } from './signatures.ts'
import { stringCosts, strings } from './strings.ts'
import { timeFunctions } from './time.ts'
import { urls } from './urls.ts'

const comparable = ['int', 'uint', 'double', 'bool', 'string', 'bytes', 'duration', 'timestamp']
const mixed = ['int uint', 'int double', 'uint int', 'uint double', 'double int', 'double uint']
const summable = ['int', 'uint', 'double', 'duration']
const timeParts = [
  'getFullYear',
  'getMonth',
  'getDayOfYear',
  'getDayOfMonth',
  'getDate',
  'getDayOfWeek',
  'getHours',
  'getMinutes',
  'getSeconds',
  'getMilliseconds',
]

function signatures(): string[] {
  return [
    '_==_(A, A) bool',
    '_!=_(A, A) bool',
    '!_(bool) bool',
    '_&&_(bool, bool) bool',
    '_||_(bool, bool) bool',
    '_?_:_(bool, A, A) A',
    ...['_<_', '_<=_', '_>_', '_>=_'].flatMap(name => [
      ...comparable.map(type => `${name}(${type}, ${type}) bool`),
      ...mixed.map(pair => `${name}(${pair.replace(' ', ', ')}) bool`),
    ]),
    ...['int', 'uint', 'double', 'string', 'bytes', 'list(A)', 'duration'].map(type => `_+_(${type}, ${type}) ${type}`),
    '_+_(timestamp, duration) timestamp',
    '_+_(duration, timestamp) timestamp',
    ...['int', 'uint', 'double', 'duration'].map(type => `_-_(${type}, ${type}) ${type}`),
    '_-_(timestamp, timestamp) duration',
    '_-_(timestamp, duration) timestamp',
    ...['_*_', '_/_'].flatMap(name => ['int', 'uint', 'double'].map(type => `${name}(${type}, ${type}) ${type}`)),
    '_%_(int, int) int',
    '_%_(uint, uint) uint',
    '-_(int) int',
    '-_(double) double',
    '-_(duration) duration',
    '@in(A, list(A)) bool',
    '@in(A, map(A, B)) bool',
    ...['string', 'bytes', 'list(A)', 'map(A, B)'].flatMap(type => [`size(${type}) int`, `${type}.size() int`]),
    'type(A) type',
    'dyn(A) dyn',
    ...['int', 'uint', 'double', 'string', 'timestamp', 'duration'].map(type => `int(${type}) int`),
    ...['int', 'uint', 'double', 'string'].flatMap(type => [`uint(${type}) uint`, `double(${type}) double`]),
    ...['string', 'int', 'uint', 'double', 'bool', 'bytes', 'timestamp', 'duration', 'net.IP', 'net.CIDR'].map(
      type => `string(${type}) string`,
    ),
    'bytes(bytes) bytes',
    'bytes(string) bytes',
    'bool(bool) bool',
    'bool(string) bool',
    ...['duration', 'int', 'string'].map(type => `duration(${type}) duration`),
    ...['timestamp', 'int', 'string'].map(type => `timestamp(${type}) timestamp`),
    ...timeParts.flatMap(name => [`timestamp.${name}() int`, `timestamp.${name}(string) int`]),
    ...timeParts.slice(6).map(name => `duration.${name}() int`),
    ...stringSignatures,
    ...listSignatures,
    ...addressSignatures,
    ...quantitySignatures,
    ...formatNames.map(name => `::format.${name}() kubernetes.NamedFormat`),
    ...optionalSignatures,
    ...authorizerSignatures,
  ]
}

const stringSignatures = [
  ...['startsWith', 'endsWith', 'contains', 'matches'].map(name => `string.${name}(string) bool`),
  'matches(string, string) bool',
  'string.charAt(int) string',
  ...['indexOf', 'lastIndexOf'].flatMap(name => [`string.${name}(string) int`, `string.${name}(string, int) int`]),
  ...['lowerAscii', 'upperAscii', 'trim'].map(name => `string.${name}() string`),
  'string.replace(string, string) string',
  'string.replace(string, string, int) string',
  'string.split(string) list(string)',
  'string.split(string, int) list(string)',
  'string.substring(int) string',
  'string.substring(int, int) string',
  'list(string).join() string',
  'list(string).join(string) string',
  '::strings.quote(string) string',
  'string.format(list(dyn)) string',
  'string.find(string) string',
  'string.findAll(string) list(string)',
  'string.findAll(string, int) list(string)',
]

const listSignatures = [
  ...comparable.map(type => `list(${type}).isSorted() bool`),
  ...summable.map(type => `list(${type}).sum() ${type}`),
  ...comparable.flatMap(type => [`list(${type}).min() ${type}`, `list(${type}).max() ${type}`]),
  'list(A).indexOf(A) int',
  'list(A).lastIndexOf(A) int',
  ...['contains', 'equivalent', 'intersects'].map(name => `::sets.${name}(list(A), list(A)) bool`),
]

const addressSignatures = [
  'isURL(string) bool',
  'url(string) kubernetes.URL',
  ...['getScheme', 'getHost', 'getHostname', 'getPort', 'getEscapedPath'].map(name => `kubernetes.URL.${name}() string`),
  'kubernetes.URL.getQuery() map(string, list(string))',
  'isIP(string) bool',
  'ip(string) net.IP',
  '::ip.isCanonical(string) bool',
  'net.IP.family() int',
  ...['isUnspecified', 'isLoopback', 'isLinkLocalMulticast', 'isLinkLocalUnicast', 'isGlobalUnicast'].map(
    name => `net.IP.${name}() bool`,
  ),
  'isCIDR(string) bool',
  'cidr(string) net.CIDR',
  'net.CIDR.containsIP(string) bool',
  'net.CIDR.containsIP(net.IP) bool',
  'net.CIDR.containsCIDR(string) bool',
  'net.CIDR.containsCIDR(net.CIDR) bool',
  'net.CIDR.ip() net.IP',
  'net.CIDR.masked() net.CIDR',
  'net.CIDR.prefixLength() int',
]

const quantitySignatures = [
  'isQuantity(string) bool',
  'quantity(string) kubernetes.Quantity',
  'sign(kubernetes.Quantity) int',
  'kubernetes.Quantity.isInteger() bool',
  'kubernetes.Quantity.asInteger() int',
  'kubernetes.Quantity.asApproximateFloat() double',
  ...['add', 'sub'].flatMap(name =>
    ['kubernetes.Quantity', 'int'].map(type => `kubernetes.Quantity.${name}(${type}) kubernetes.Quantity`),
  ),
  ...['kubernetes.Quantity', 'kubernetes.Semver'].flatMap(type => [
    `${type}.isGreaterThan(${type}) bool`,
    `${type}.isLessThan(${type}) bool`,
    `${type}.compareTo(${type}) int`,
  ]),
  'isSemver(string) bool',
  'isSemver(string, bool) bool',
  'semver(string) kubernetes.Semver',
  'semver(string, bool) kubernetes.Semver',
  ...['major', 'minor', 'patch'].map(name => `kubernetes.Semver.${name}() int`),
  'kubernetes.NamedFormat.validate(string) optional(list(string))',
  '::format.named(string) optional(kubernetes.NamedFormat)',
]

const optionalSignatures = [
  '::optional.of(A) optional(A)',
  '::optional.ofNonZeroValue(A) optional(A)',
  '::optional.none() optional(A)',
  'optional(A).value() A',
  'optional(A).hasValue() bool',
  'optional(A).or(optional(A)) optional(A)',
  'optional(A).orValue(A) A',
]

const runs: Readonly<Record<string, LibraryFunction>> = {
  ...operators,
  ...conversions,
  ...timeFunctions,
  ...strings,
  ...lists,
  ...addresses,
  ...urls,
  ...quantities,
  ...semvers,
  ...formats,
  ...optionals,
  ...authorizers,
  ip: args => addresses.ip?.(args) ?? ipOfNetwork(args[0]),
  isGreaterThan: args => either('isGreaterThan', args),
  isLessThan: args => either('isLessThan', args),
  compareTo: args => either('compareTo', args),
}

function either(name: string, args: readonly CelValue[]): CelValue | undefined {
  return quantities[name]?.(args) ?? semverComparisons[name]?.(args)
}

const costs: Readonly<Record<string, Cost>> = {
  ...operatorCosts,
  ...conversionCosts,
  ...stringCosts,
  ...listCosts,
  ...authorizerCosts,
}

let functions: ReadonlyMap<string, CelFunction> | undefined

/** Made on first use: a server without rules pays nothing. */
export function celFunction(name: string): CelFunction | undefined {
  functions ??= makeFunctions()
  return functions.get(name)
}

function makeFunctions(): ReadonlyMap<string, CelFunction> {
  const overloads = new Map<string, Overload[]>()
  for (const signature of signatures()) {
    const { name, overload } = parseSignature(signature)
    const known = overloads.get(name)
    if (known === undefined) overloads.set(name, [overload])
    else known.push(overload)
  }
  const made = new Map<string, CelFunction>()
  for (const [name, list] of overloads) {
    const cost = costs[name]
    made.set(name, { name, overloads: list, run: runs[name] ?? nothing, ...(cost !== undefined && { cost }) })
  }
  return made
}

/** Functions that the evaluator carries out itself, because they do not evaluate all their arguments. */
const nothing: LibraryFunction = () => undefined
