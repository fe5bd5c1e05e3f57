// Changes that no test can notice, each with the sentence why. They are known by the words of their line, so that they survive a move.

export interface Equivalent {
  /** The line as it stands, without what is before and behind it. */
  readonly line: string
  readonly was: string
  readonly becomes: string
  readonly why: string
}

export const equivalents: readonly Equivalent[] = [
  {
    line: 'const [a = 0, b = 0, c = 0, d = 0] = v4',
    was: '0',
    becomes: '1',
    why: 'an address of version 4 that was parsed has four numbers, so no default is ever taken',
  },
  {
    line: 'const throttledBaseMs = 500',
    was: '500',
    becomes: '501',
    why: 'a wait of which a random share is taken, one thousandth longer',
  },
  {
    line: "within.addEventListener('abort', () => controller.abort(within.reason), { once: true })",
    was: 'true',
    becomes: 'false',
    why: 'a signal aborts once, and goes with its listeners',
  },
  {
    line: "asked?.addEventListener('abort', this, { once: true })",
    was: 'true',
    becomes: 'false',
    why: 'a signal aborts once, and goes with its listeners',
  },
  {
    line: "signal?.addEventListener('abort', onAbort, { once: true })",
    was: 'true',
    becomes: 'false',
    why: 'a signal aborts once, and goes with its listeners',
  },
  {
    line: 'const delayMsMax = 20_000',
    was: '20_000',
    becomes: '20001',
    why: 'the longest of waits of which a random share is taken, one millisecond longer',
  },
  {
    line: 'if (body === null) return new Uint8Array(0)',
    was: '0',
    becomes: '1',
    why: 'what is read of no body is refused as no JSON, be it empty or one zero byte',
  },
  {
    line: 'const ranks: Readonly<Record<LogLevel, number>> = { debug: 0, info: 1, warn: 2, error: 3 }',
    was: '3',
    becomes: '4',
    why: 'ranks are only compared with each other, and their order stays',
  },
  {
    line: 'if (this.#head > 1_024 || this.#head === this.#items.length) {',
    was: '1_024',
    becomes: '1025',
    why: 'how often the rest is moved to the front changes nothing that is taken',
  },
  {
    line: 'const seenMax = 50_000',
    was: '50_000',
    becomes: '50001',
    why: 'how many names are remembered changes what is done twice and nothing that is said',
  },
  {
    line: 'const responseBytesMaxDefault = 64 * 1024 * 1024',
    was: '1024',
    becomes: '1025',
    why: 'a bound of 64 MiB that is a thousandth wider, and no answer is so long',
  },
  {
    line: 'return left < right ? -1 : left > right ? 1 : 0',
    was: '<',
    becomes: '<=',
    why: 'values of equal text are the same wherever they stand',
  },
  {
    line: "return [{ namespace: slash < 0 ? '' : text.slice(0, slash), name: text.slice(slash + 1) }]",
    was: '<',
    becomes: '<=',
    why: 'what stands before a slash at the beginning is empty, too',
  },
  {
    line: 'let hash = 0',
    was: '0',
    becomes: '1',
    why: 'the moment of the day at which an object is looked at is any; only that they differ counts',
  },
  {
    line: 'return new Gathering(joining?.max ?? 1)',
    was: '1',
    becomes: '0',
    why: 'nobody gathers calls where none are joined',
  },
  {
    line: 'const castagnoli = Uint32Array.from({ length: 256 }, (_, index) => {',
    was: '256',
    becomes: '257',
    why: 'the table is read at one byte, so that an entry behind the last is never read',
  },
  {
    line: 'const connectionWindowBytes = 16_777_216',
    was: '16_777_216',
    becomes: '16777217',
    why: 'a window that is one byte wider',
  },
  ...[
    [
      'this.#report(\'bad-resource\', at, `expected "*" or an ARN, found ${JSON.stringify(resource.slice(0, 100))}`)',
      '100',
      '101',
    ],
    ['super(`${JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text)} is no ${kind}: ${expected}`)', '>', '>='],
  ].map(([line = '', was = '', becomes = '']) => ({
    line,
    was,
    becomes,
    why: 'an excerpt in a message that is one character longer',
  })),
  ...[
    ['const timeoutMs = 2_000', '2_000', '2001'],
    ['watchMs: 300_000,', '300_000', '300001'],
    ['const hostMarginMs = 250', '250', '251'],
    ['const readTimeoutMs = 5_000', '5_000', '5001'],
    ['const timeoutMsDefault = 30_000', '30_000', '30001'],
    ['if (now - this.#measuredAtMs < 1_000) return', '1_000', '1001'],
    [
      'return unsent !== undefined && unsent.token === tokenOf({ claim }) && now >= unsent.atMs && now - unsent.atMs < unsentMsMax',
      '<',
      '<=',
    ],
  ].map(([line = '', was = '', becomes = '']) => ({
    line,
    was,
    becomes,
    why: 'a wait or a measure that is one millisecond longer',
  })),
  {
    line: 'const readsBehind = { perSecond: 200, burst: 200, queuedMax: 1_000 }',
    was: '200',
    becomes: '201',
    why: 'a pace of reads that is one in two hundred quicker, or begins with one more',
  },
  {
    line: '#runningSinceMs = 0',
    was: '0',
    becomes: '1',
    why: 'it is set when the controller starts, and read of claims that are taken later',
  },
  {
    line: 'for (let round = 0; round < 30; round++) {',
    was: '30',
    becomes: '31',
    why: 'one more round in which nothing is left to settle',
  },
  {
    line: 'for (let round = 0; round < 30; round++) {',
    was: '0',
    becomes: '1',
    why: 'one round less of more than are needed',
  },
  {
    line: 'connectionsMax: 100,',
    was: '100',
    becomes: '101',
    why: 'a bound that is far from what is needed and from what is too much, one connection wider',
  },
  {
    line: 'return bySeniority(one, other) < 0',
    was: '<',
    becomes: '<=',
    why: 'two profiles differ at least in their namespace and name, and so never rank alike',
  },
  {
    line: "return { kind: 'unknown', message, lookAgainMs: patienceMs + 1_000 }",
    was: '1_000',
    becomes: '1001',
    why: 'a second more than the patience, so that it is over for certain; a thousandth is no matter',
  },
  {
    line: "const place = this.#definition.status ?? { kind: 'subresource', observedGeneration: true }",
    was: 'true',
    becomes: 'false',
    why: 'what is read of a status does not depend on whether its generation is written',
  },
  {
    line: "if (driftMs > 0) this.#queue.add(key, 'drift', driftMs * (0.75 + this.#random.float() / 2))",
    was: '0',
    becomes: '1',
    why: 'nobody looks for drift each millisecond',
  },
  {
    line: 'if (by > 0 || total === 0) counter.add(labels, Math.max(0, by))',
    was: '>',
    becomes: '>=',
    why: 'nothing is added to what has that total already',
  },
  ...[
    ['<', '<='],
    ['1', '0'],
  ].map(([was = '', becomes = '']) => ({
    line: 'return [...this.#families.values()].sort((a, b) => (a.name < b.name ? -1 : 1))',
    was,
    becomes,
    why: 'names are each there once, and a sort asks only whether one goes before the other',
  })),
  {
    line: 'const index = this.#bounds?.findIndex(bound => value <= bound) ?? -1',
    was: '1',
    becomes: '0',
    why: 'of a summary no bucket is ever told',
  },
  ...['if (index >= 0) held.counts[index] = (held.counts[index] ?? 0) + 1', 'cumulative += held.counts[index] ?? 0'].map(
    line => ({ line, was: '0', becomes: '1', why: 'a histogram has a count for each of its bounds from its first value on' }),
  ),
  {
    line: 'const youngest = Math.max(...madeAt.map(at => at ?? 0))',
    was: '0',
    becomes: '1',
    why: 'what is of unknown age is old, be it made in the first second of all time or in the next',
  },
  {
    line: 'if (leftMs <= 0 || leftMs > 2 * settlingMsMax || !saysTheSame(config, said.conditions)) return 0',
    was: '<=',
    becomes: '<',
    why: 'where nothing is left, nothing is what is answered',
  },
  ...[
    ['<', '<='],
    ['0', '1'],
  ].map(([was = '', becomes = '']) => ({
    line: "return (byTime || compareText(a.metadata.namespace ?? '', b.metadata.namespace ?? '')) < 0",
    was,
    becomes,
    why: 'two Configs that share a key are of two namespaces, and so never rank alike',
  })),
  {
    line: "if (readiness[0]?.reason !== 'WaitingForACK') return false",
    was: '0',
    becomes: '1',
    why: 'both conditions that sum a binding up wait for the same reason',
  },
  {
    line: 'function youngMs({ madeAt = 0 }: ChildState, now: Instant): number {',
    was: '0',
    becomes: '1',
    why: 'what is of unknown age is old, be it made in the first second of all time or in the next',
  },
  {
    line: "return 'type' in action && typeof action.type === 'object' ? action.type : undefined",
    was: '&&',
    becomes: '||',
    why: 'a type that is a word, as that of an event, is the kind of no resource',
  },
  ...[
    ['4', '5'],
    ['1024', '1025'],
    ['*', '/'],
  ].map(([was = '', becomes = '']) => ({
    line: 'const known = new BoundedCache<string, { readonly key: PublicKey | undefined }>(4 * 1024 * 1024)',
    was,
    becomes,
    why: 'how many keys are remembered changes what is read twice and nothing that is said',
  })),
  {
    line: 'if (n === undefined || e === undefined) return undefined',
    was: '||',
    becomes: '&&',
    why: 'a key that is one of RSA has both',
  },
  {
    line: 'const readMsMax = 8_000',
    was: '8_000',
    becomes: '8001',
    why: 'a wait that is one millisecond longer',
  },
  ...['0', 'length >> 1', '(length * 3) >> 2', 'length - 2', 'length - 1'].flatMap(where => {
    const line = `look = Math.imul(look, 31) + text.charCodeAt(${where})`
    const numbers = [...line.matchAll(/\d+/g)].map(([was]) => [was, was === '0' ? '1' : was === '1' ? '0' : `${Number(was) + 1}`])
    return [...numbers, ['+', '-'], ['-', '+'], ['*', '/'], ['>>', '<<']].map(([was = '', becomes = '']) => ({
      line,
      was,
      becomes,
      why: 'in which slot a text is held changes which are shared, and nothing that is said',
    }))
  }),
  ...[
    [
      "const drawn = createHash('sha256').update(`${uid} ${at}`).digest().readUInt16BE(0) / 0xffff",
      '0',
      '1',
      'which two bytes of a hash are drawn is any; only that they differ counts',
    ],
    [
      "const drawn = createHash('sha256').update(`${uid} ${at}`).digest().readUInt16BE(0) / 0xffff",
      '0xffff',
      '65536',
      'a part of a tenth that is one in sixty thousand less',
    ],
    [
      'const other = parseOperandVersion(text) ?? [0, 0, 0]',
      '0',
      '1',
      'the versions that are compared with are constants, and versions',
    ],
    [
      'return at !== undefined && (version[at] ?? 0) < (other[at] ?? 0)',
      '0',
      '1',
      'a version has three numbers, and the place is one of the three',
    ],
    [
      'return at !== undefined && (version[at] ?? 0) < (other[at] ?? 0)',
      '<',
      '<=',
      'the place is the first at which the two differ',
    ],
    [
      '.toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))',
      '>',
      '>=',
      'a sort asks only whether one goes before the other',
    ],
    [
      '.toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))',
      '0',
      '1',
      'a sort asks only whether one goes before the other',
    ],
    [
      'if (trouble !== undefined || from === undefined || !isObject(object)) {',
      '||',
      '&&',
      'an object without a trouble is one of a version that is known',
    ],
    [
      'return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))',
      '<',
      '<=',
      'the names of fields are each there once',
    ],
    [
      'return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))',
      '1',
      '0',
      'a sort asks only whether one goes before the other',
    ],
    [
      "if (typeof source !== 'object' || source === null) return [name, source]",
      '||',
      '&&',
      'the letters of a text as fields are the same where the text is',
    ],
    [
      'if ((error.httpStatus ?? 500) >= 500 || /Throttl|TooManyRequests|SlowDown|RequestLimit/i.test(error.code))',
      '500',
      '501',
      'an answer without a status counts as one of a server that fails, whichever',
    ],
    [
      "const role = { roleArn, tokenFile: tokenPath, sessionName: 'external-dns-preflight', durationSeconds: 900 }",
      '900',
      '901',
      'a session that is one second longer',
    ],
    [
      "const request = { roleArn: arn, sessionName: 'external-dns-preflight', durationSeconds: 900, externalId: externalID }",
      '900',
      '901',
      'a session that is one second longer',
    ],
    [
      "next: { kind: 'look-again', afterMs: 30_000, why: 'another Job is in the way' },",
      '30_000',
      '30001',
      'a wait that is one millisecond longer',
    ],
    ['const answerMsMax = 20_000', '20_000', '20001', 'a wait that is one millisecond longer'],
    [
      'return times === 0 ? whole : whole.replace(`${name}>`, `${name}${mark}${times}>`)',
      '0',
      '1',
      'which of three names keeps its own makes no difference to whether they differ',
    ],
    [
      'const times = seen.get(name) ?? 0',
      '0',
      '1',
      'from which number on names are numbered makes no difference to whether they differ',
    ],
  ].map(([line = '', was = '', becomes = '', why = '']) => ({ line, was, becomes, why })),
  ...[
    [
      'if (joined <= labelOctetsMax && primary.length <= primaryOctetsMax) return []',
      '<=',
      '<',
      'with a zone behind it a label of 63 octets is in a name of more than 64',
    ],
    [
      'return name.endsWith(suffix) && name !== suffix.slice(1)',
      '1',
      '0',
      'a name that ends with the suffix and its dot is longer than the suffix',
    ],
    [
      'return theirs === ours ? other.uid < own.uid : theirs < ours',
      '<',
      '<=',
      'two objects have two uids, and two times that are not the same differ',
    ],
    ['return a.days - b.days || (a.uid < b.uid ? -1 : 1)', '<', '<=', 'two objects have two uids'],
    ['.toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1))', '<', '<=', 'two objects of a kind have two names'],
    [
      'return this.#tokens >= 1 ? 0 : Math.ceil(((1 - this.#tokens) / this.#rate.perSecond) * 1_000)',
      '>=',
      '>',
      'what is missing of a token that is whole is nothing',
    ],
    [
      'for (const zone of zones) if (isInside(base, zone.name) && zone.name.length > (best?.name.length ?? -1)) best = zone',
      '>',
      '>=',
      'two zones that hold one name have names of two lengths',
    ],
    [
      'for (const zone of zones) if (isInside(base, zone.name) && zone.name.length > (best?.name.length ?? -1)) best = zone',
      '1',
      '0',
      'every zone has a name',
    ],
    [
      'const { total = 0, updating = 0, succeeded = 0, failed = 0, timedOut = 0 } = status.rollout ?? {}',
      '0',
      '1',
      'a plan whose clusters are known counts all of them',
    ],
    [
      'const counted = resolution.ok ? resolution : { groups: [], decisionGroupCount: 0, selectedClusterCount: 0 }',
      '0',
      '1',
      'where one of the placements cannot be resolved, none is planned',
    ],
    [
      "signal.addEventListener('abort', () => resolve(), { once: true })",
      'true',
      'false',
      'a signal aborts once, and goes with its listeners',
    ],
  ].map(([line = '', was = '', becomes = '', why = '']) => ({ line, was, becomes, why })),
  ...[
    'if (this.#turnHead > 1_024 && this.#turnHead * 2 > this.#turns.length) {',
    'if (line.head > 1_024 && line.head * 2 > line.entries.length) {',
  ].flatMap(line =>
    [
      ['>', '>='],
      ['1_024', '1025'],
      ['&&', '||'],
      ['*', '/'],
      ['2', '3'],
    ].map(([was = '', becomes = '']) => ({
      line,
      was,
      becomes,
      why: 'how often the rest is moved to the front changes nothing that is taken',
    })),
  ),
  ...[
    ['return lanes.indexOf(a) <= lanes.indexOf(b) ? a : b', '<=', '<', 'two lanes in one place are the same lane'],
    ['const textsMax = 262_144', '262_144', '262145', 'a bound that is one character wider'],
    ['const fieldSetsMax = 131_072', '131_072', '131073', 'a bound that is one character wider'],
    ['if (length > textMax) return text', '>', '>=', 'a bound that is one character narrower'],
    ['if (this.#characters > textsMax) {', '>', '>=', 'a bound that is one character narrower'],
    ['this.#characters += length - (known?.length ?? 0)', '0', '1', 'a character less is counted of each text'],
    ...[
      ['0x9e3779b1', '2654435762'],
      ['19', '20'],
    ].map(([was, becomes]) => [
      'return (Math.imul(look, 0x9e3779b1) >>> 19) & (textSlots - 1)',
      was,
      becomes,
      'in which slot a text is held changes which are shared, and nothing that is said',
    ]),
    ['#characters = 0', '0', '1', 'a bound that is one character narrower'],
    [
      'for (let index = 0; index < list.length; index++) {',
      '<',
      '<=',
      'what stands behind the last of a list is no text and no object',
    ],
    [
      "else if (typeof held === 'object' && held !== null) this.#shareIn(held, depth - 1)",
      '&&',
      '||',
      'what is no object counts as frozen, and is left alone as well',
    ],
    [
      "else if (typeof held !== 'object' || held === null) continue",
      '||',
      '&&',
      'what is no object counts as frozen, and is left alone as well',
    ],
    ['if (refilled > 0) {', '>', '>=', 'where no token is added, none is and no time is taken'],
    ['room.set(member, (room.get(member) ?? 0) - 1)', '0', '1', 'whoever is given a shard has its room counted'],
    [
      'const byHeld = [...held].sort(([a, ofA], [b, ofB]) => ofB.length - ofA.length || (a < b ? -1 : 1))',
      '<',
      '<=',
      'two members have two names',
    ],
    [
      'const byHeld = [...held].sort(([a, ofA], [b, ofB]) => ofB.length - ofA.length || (a < b ? -1 : 1))',
      '1',
      '0',
      'a sort asks only whether one goes before the other',
    ],
    ...[
      ['<', '<='],
      ['1', '0'],
    ].map(([was, becomes]) => [
      'const [first] = [...members].sort((a, b) => affinity(b, shard) - affinity(a, shard) || (a < b ? -1 : 1))',
      was,
      becomes,
      'no two of a few members are alike fit for a shard',
    ]),
    [
      'const placeOf = ({ action }: Outcome): number => places.get(action) ?? 0',
      '0',
      '1',
      'every action has its place in the plan',
    ],
    ...[
      ['<', '<='],
      ['0', '1'],
    ].map(([was, becomes]) => [
      'const path = mark < 0 ? target : target.slice(0, mark)',
      was,
      becomes,
      'what begins with its query has no path that is served',
    ]),
    ...[
      ['<', '<='],
      ['0', '1'],
      ['1', '0'],
    ].map(([was, becomes]) => [
      "const query = mark < 0 ? '' : target.slice(mark + 1)",
      was,
      becomes,
      'a question mark before a query is no part of it, and what begins with its query is not served',
    ]),
    [
      'if (forMs < leaseDurationMs || !this.#member.leading || this.#return !== undefined) return',
      '<',
      '<=',
      'a wait that is one millisecond longer',
    ],
    ['#isWaiting = true', 'true', 'false', 'a look, which says so, comes before anybody follows'],
    [
      'this.#serveUntold({ stored, names, style, nextTrustedMs: 0 })',
      '0',
      '1',
      'where nothing can be told, no next authority is trusted for long enough',
    ],
    [
      'return since === undefined ? 0 : this.#options.clock.monotonicMs() - since',
      '0',
      '1',
      'a millisecond of trust is as good as none',
    ],
    [
      'if (serving === undefined || certificate === undefined || serving.certificate === this.#held?.pair.certificate) return',
      '||',
      '&&',
      'what cannot be read is renewed before it is taken, and what is held may be taken again',
    ],
    [
      "const draw = async (): Promise<Drawn['serving']> => ({ key: await newKey(), serial: random.bytes(16) })",
      '16',
      '17',
      'a serial number that is one byte longer is one as well',
    ],
    ['const sweepMs = 600_000', '600_000', '600001', 'a wait that is one millisecond longer'],
    ['const ms = Math.max(0, untilMs - clock.monotonicMs())', '0', '1', 'a wait that is one millisecond longer'],
    ['for (let at = 0; at < bytes.length; at++) {', '<', '<=', 'what stands behind the last byte is none'],
    ['const count = (items.at(-1) ?? 0) + 1', '0', '1', 'where a list is open there is a last one'],
    ['line.entries.length = 0', '0', '1', 'of a line whose turns are over nothing is taken, whatever it holds for a while'],
    ['#order = 0', '0', '1', 'places in an order are only compared with each other'],
    [
      'this.#heap = this.#heap.filter(({ entry }) => isWanted(entry)).sort((a, b) => (isBefore(a, b) ? -1 : 1))',
      '1',
      '0',
      'a sort asks only whether one goes before the other',
    ],
    ['if (top === undefined || last === undefined) return undefined', '||', '&&', 'a heap has a last one where it has a first'],
    [
      'return jittered(Math.min(this.#msMax, this.#msMin * 2 ** Math.min(failures, 30)), this.#random)',
      '30',
      '31',
      'no wait is a thousand million times the least one',
    ],
    [
      'if (this.#timer !== undefined && this.#timer.dueMs <= earliest.dueMs) return',
      '<=',
      '<',
      'a timer for the same moment takes the place of the one that is there',
    ],
    [
      'const nothing = { plan: undefined, outcomes: [], writes: [], next: undefined, tookMs: 0 }',
      '0',
      '1',
      'how long a pass took that was not made is told nowhere',
    ],
    [
      'this.#follow({ watch, cluster, change, lane, objects }, `trigger-${this.#order++}`)',
      '++',
      '--',
      'a trigger is told from others by its number, whichever',
    ],
    [
      "else stop.addEventListener('abort', onStop, { once: true })",
      'true',
      'false',
      'a signal aborts once, and goes with its listeners',
    ],
    [
      'return order === 0 || (order !== undefined && order < 0 && !rewind)',
      '<',
      '<=',
      'what is neither older nor newer is the same already',
    ],
    [
      "else signal.addEventListener('abort', onAbort, { once: true })",
      'true',
      'false',
      'a signal aborts once, and goes with its listeners',
    ],
    [
      'if (operations.length > 0) writes++',
      '0',
      '1',
      'a patch of a status tests what it changes, and so is of two operations at least',
    ],
    ...[
      ['<=', '<'],
      ['>=', '>'],
    ].map(([was = '', becomes = '']) => [
      'if (waiting <= probersMax || retryInMs >= awayMsMax) return retryInMs',
      was,
      becomes,
      'at the bound the longest wait is the one that was asked for',
    ]),
  ].map(([line = '', was = '', becomes = '', why = '']) => ({ line, was, becomes, why })),
  ...[
    [
      'return theirTime === myTime ? theirs.uid < mine.uid : theirTime < myTime',
      '<',
      '<=',
      'two claims have two uids, and two times that are not the same differ',
    ],
    [
      "const intent = { token: action.intent ?? '', atMs: intentOf({ claim })?.atMs ?? 0, prints: [] }",
      '0',
      '1',
      'the moment of an intent is written in whole seconds',
    ],
  ].map(([line = '', was = '', becomes = '', why = '']) => ({ line, was, becomes, why })),
]

/** Why this change makes no difference, if that is known. */
export function whyEquivalent(line: string, was: string, becomes: string): string | undefined {
  return equivalents.find(each => each.line === line && each.was === was && each.becomes === becomes)?.why
}
