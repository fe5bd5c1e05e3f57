// `npm run fuzz -- parsers [--runs N] [--seed S] [--show N]`, or one of them by its name: mutated inputs at everything that reads what somebody
// else wrote; with `--large` inputs of up to a megabyte, and the processor time of the worst. A parser gives a value or its own kind of error, and takes no longer than an input of that size is worth.
import { type PolicyUse, parsePolicy } from '#aws'
import { parseCertificate, parseDuration, parseIpAddress, parseJsonText, parsePem, type Random, seededRandom } from '#base'
import { parseProviderFile } from '#fleet'
import { parseFieldSelector, parseKey, parseLabelSelector, parseNamedObjects } from '#kube'
import { parseKubeconfig } from '#kube/client'
import { parseCredentialsFile, parseRoleEntries } from '#operators/pods'
import { compileUnchecked } from '#schema'
import { leastProcessorMs } from '../../src/base/limits/least-processor-ms.fixture.ts'
import { manifestsOf } from '../../src/cli/files/yaml-text.ts'

export interface Target {
  /** Inputs that are fine, to be broken. */
  readonly seeds: readonly string[]
  readonly read: (text: string) => unknown
  /** Of its inputs; `lengthMax` when absent. */
  readonly longest?: number
  /** Of processor time for a megabyte, where it is another number than 50: the caller's own file, or several readings. */
  readonly cpuMsMax?: number
}

const role = 'arn:aws:iam::123456789012:role/r'
const policy = `{"Version":"2012-10-17","Statement":[{"Sid":"a","Effect":"Allow","Principal":{"Federated":"${role}"},"Action":["s3:Get*"],"Resource":"*","Condition":{"StringEquals":{"a:sub":["x"]}}}]}`

export const targets: Readonly<Record<string, Target>> = {
  policy: {
    // Three readings, one for each use.
    cpuMsMax: 150,
    seeds: [policy, '{}', '[]', '{"Statement":{"Effect":"Deny","NotAction":"*","NotResource":["a"]}}'],
    read: text => ['identity', 'trust', 'resource'].map(use => parsePolicy(text, use as PolicyUse)),
  },
  json: { seeds: [policy, '[1e9,-0.5,true,null,"\\u00e9\\n"]', '{"a":{"b":[{}]}}'], read: text => parseJsonText(text) },
  manifest: {
    seeds: [
      'apiVersion: v1\nkind: A\nmetadata: {name: &x b, labels: {c: *x}}\n---\n- d\n',
      'a: |\n  b\nc: >-\n  d\ne: "f"\n',
      policy,
    ],
    cpuMsMax: 100,
    read: text => manifestsOf('fuzzed.yaml', text),
  },
  kubeconfig: {
    seeds: [
      'apiVersion: v1\nkind: Config\ncurrent-context: a\nclusters: [{name: a, cluster: {server: "https://h:1"}}]\nusers: [{name: u, user: {exec: {apiVersion: client.authentication.k8s.io/v1, command: x, args: [y], env: [{name: A, value: b}]}}}]\ncontexts: [{name: a, context: {cluster: a, user: u, namespace: n}}]\n',
    ],
    read: text => parseKubeconfig(text, 'fuzzed'),
  },
  'provider-file': {
    seeds: [
      '{"providers":[{"name":"a","execConfig":{"apiVersion":"client.authentication.k8s.io/v1","command":"/bin/x","args":["a"],"env":[{"name":"A","value":"b"}],"provideClusterInfo":true}}]}',
    ],
    read: text => parseProviderFile(text, 'fuzzed'),
  },
  'label-selector': { seeds: ['a=b,c!=d,e in (f,g),h notin (i),!j,k'], read: text => parseLabelSelector(text) },
  'field-selector': { seeds: ['metadata.name=a,spec.nodeName!=b\\,c'], read: text => parseFieldSelector(text) },
  key: { seeds: ['a/b', 'b', '/'], read: text => parseKey(text) },
  'named-objects': { seeds: ['a/b', 'a/*', '*'], read: text => parseNamedObjects([text]) },
  duration: { seeds: ['1h2m3.5s', '-1us', '10m', '0'], read: text => parseDuration(text) },
  address: { seeds: ['10.0.0.1', '::1', 'fe80::1%eth0', '2001:db8::ffff:1.2.3.4'], read: text => parseIpAddress(text) },
  pem: { seeds: ['-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n'], read: text => parsePem(text) },
  certificate: {
    seeds: ['0\u0082\u0001\u00220\u0081\u00c9 \u0003\u0002\u0001\u0002', '0\u0080\u0000\u0000'],
    read: text => parseCertificate(Buffer.from(text, 'latin1')),
  },
  'role-entries': {
    seeds: [`{"a/b":{"RoleARN":"${role}","Audience":"x","UseRegionalSTS":true,"TokenExpiration":"600"}}`, '{}'],
    read: text => parseRoleEntries(text),
  },
  'credentials-file': {
    seeds: ['{"identities":[{"namespace":"a","serviceAccount":"b"}]}'],
    read: text => parseCredentialsFile(text),
  },
  cel: {
    // A rule is some lines; only the embedded API server reads any.
    longest: 8_192,
    seeds: [
      "self.a.all(x, x.startsWith('b') && size(x) < 3) ? [1, 2u, 3.5e1] : {'k': b'\\x00'}",
      'has(self.a) || oldSelf == self',
    ],
    read: text => compileUnchecked(text, ['self', 'oldSelf']),
  },
}

/** As much processor time as an input of at most this length may take. */
const lengthMax = 65_536
const cpuMsMax = 50
/** What a mistake of ours throws, and no parser. */
const mistakes = new Set(['TypeError', 'RangeError', 'ReferenceError', 'AssertionError', 'Bug'])

export interface Finding {
  readonly target: string
  readonly input: string
  readonly what: string
}

/** Throws mutated inputs at one target. */
export function fuzzParser(name: string, { runs, seed }: { readonly runs: number; readonly seed: number }): readonly Finding[] {
  const target = targets[name]
  if (target === undefined) throw new Error(`no target ${name}: ${Object.keys(targets).join(', ')}`)
  const random = seededRandom(`${seed}/${name}`)
  const found: Finding[] = []
  for (let run = 0; run < runs; run++) {
    const input = mutated(target.seeds, random).slice(0, target.longest)
    const what = tryIt(target, input)
    if (what !== undefined) found.push({ target: name, input, what })
  }
  return found
}

function tryIt(target: Target, input: string): string | undefined {
  const { cpuMs, mistake } = timed(target, input, cpuMsMax)
  return mistake ?? (cpuMs > cpuMsMax ? `${cpuMs.toFixed(0)} ms for ${input.length} characters` : undefined)
}

function timed(
  { read }: Target,
  input: string,
  limitMs: number,
): { readonly cpuMs: number; readonly mistake: string | undefined } {
  let mistake: string | undefined
  const cpuMs = leastProcessorMs(() => {
    try {
      read(input)
    } catch (error) {
      if (!(error instanceof Error)) mistake = String(error)
      else if (mistakes.has(error.name)) mistake = error.stack ?? error.name
    }
  }, limitMs)
  return { cpuMs, mistake }
}

const pieces = [
  '\0',
  '"',
  "'",
  '{',
  '}',
  '[',
  ']',
  ':',
  ',',
  '-',
  '\\',
  '\n',
  '\r',
  '\ud800',
  '\u202e',
  '$',
  '*',
  '&a',
  '*a',
  '<<: ',
  '!!js/function ',
  '%',
  '__proto__',
  'constructor',
  '1e999',
  '-0',
  '9007199254740993',
  '0x1',
  'null',
  '(',
  ')',
  '||',
  '\u0000\u0001',
  '....',
  '///',
  '[[[[[[[[',
  '{"a":',
]

function mutated(seeds: readonly string[], random: Random): string {
  const one = <T>(list: readonly T[]): T => list[random.integer(list.length)] as T
  let text = one(seeds)
  for (let count = 1 + random.integer(4); count > 0; count--) {
    const [a, b] = [random.integer(text.length + 1), random.integer(text.length + 1)].toSorted((x, y) => x - y) as [
      number,
      number,
    ]
    const part = text.slice(a, b)
    text = one([
      () => text.slice(0, a) + text.slice(b),
      () => text.slice(0, a) + part + part + text.slice(b),
      () => text.slice(0, a) + one(pieces) + text.slice(a),
      () => text.slice(0, a) + one(pieces).repeat(1 + random.integer(2_000)) + text.slice(b),
      () => text.slice(0, a) + part.repeat(1 + random.integer(60)) + text.slice(b),
      () => text.slice(0, a) + String.fromCharCode(random.integer(0x3000)) + text.slice(a + 1),
      () => text.slice(0, b) + one(seeds).slice(random.integer(40)),
    ])()
  }
  return text.slice(0, lengthMax)
}

/** A megabyte, and what most of those that refuse a megabyte still take. */
const largeLengths = [262_144, 1_000_000]
/** What makes readers work: openings without end, entries without content, escapes, digits, keys. */
const fillings = [
  '"',
  "'",
  '{',
  '[',
  '{"a":',
  '[{',
  'a: {b: [',
  '- ',
  '-\n',
  'a:\n',
  '  a: b\n',
  '&a ',
  '*a ',
  '\\',
  '\n',
  ',',
  'a',
  'a,',
  'a=b,',

  'a in (b),',
  '1',
  '1h',
  '9999999999,',
  '/',
  '\u00e9',
  '\u202e',
  ':',
  '0.',
  '%',
  '|\n',
  '---\n',
  '# x\n',
  '"a":1,',
  '{"a":"b"},',
  '-----BEGIN CERTIFICATE-----\n',
  'MIIB\n',
  '(',
  '||',
  '!',
  'x.',
  '\0',
  '0\u0080',
  '0\u0082\u0001',
  'a b ',
]

/** What one target took longest over, of all large inputs. */
export interface LargestCost {
  readonly cpuMs: number
  readonly filling: string
}

/** Each filling alone and within a sound text, as long as allowed: the processor time of the worst, and what failed in a wrong way. */
export function tryLargeInputs(name: string): { readonly worst: LargestCost; readonly found: readonly Finding[] } {
  const target = targets[name]
  if (target === undefined) throw new Error(`no target ${name}: ${Object.keys(targets).join(', ')}`)
  const found: Finding[] = []
  let worst: LargestCost = { cpuMs: 0, filling: '' }
  for (const { filling, text } of largeInputs(target)) {
    const { cpuMs, mistake } = timed(target, text.slice(0, target.longest), target.cpuMsMax ?? cpuMsMax)
    if (mistake !== undefined) found.push({ target: name, input: text, what: mistake })
    if (cpuMs > worst.cpuMs) worst = { cpuMs, filling }
  }
  return { worst, found }
}

function* largeInputs({ seeds }: Target): Generator<{ readonly filling: string; readonly text: string }> {
  const [seed = ''] = seeds
  const middle = seed.length >> 1
  for (const length of largeLengths) {
    for (const filling of [...fillings, ...seeds.map(each => `${each},`)]) {
      const text = filling.repeat(Math.ceil(length / filling.length)).slice(0, length)
      yield { filling, text }
      yield { filling, text: seed.slice(0, middle) + text.slice(seed.length) + seed.slice(middle) }
    }
    const keys = Array.from({ length: Math.floor(length / 17) }, (_, index) => `"k${100_000 + index}":"xyz"`)
    yield { filling: 'keys', text: `{${keys.join(',')}}` }
  }
}

/** The exit code. */
export function fuzzLargeInputs(names: readonly string[]): number {
  const slow = names.filter(name => {
    const { worst, found } = tryLargeInputs(name)
    console.log(`${name}: at most ${worst.cpuMs.toFixed(0)} ms of processor time, for ${JSON.stringify(worst.filling)}`)
    for (const { what } of found) console.log(`  ${what}`)
    return found.length > 0 || worst.cpuMs > (targets[name]?.cpuMsMax ?? cpuMsMax)
  })
  console.log(slow.length === 0 ? `none above ${cpuMsMax} ms` : `above ${cpuMsMax} ms or wrong: ${slow.join(', ')}`)
  return slow.length > 0 ? 1 : 0
}

/** The exit code. */
export function fuzzParsers(
  names: readonly string[],
  { runs, seed, show }: { readonly runs: number; readonly seed: number; readonly show: number },
): number {
  let failed = 0
  for (const name of names) {
    const found = fuzzParser(name, { runs, seed })
    console.log(`${name}: ${runs} inputs, ${found.length} findings`)
    for (const { input, what } of found.slice(0, show)) console.log(`  ${what}\n    ${JSON.stringify(input.slice(0, 300))}`)
    failed += found.length
  }
  return failed > 0 ? 1 : 0
}
