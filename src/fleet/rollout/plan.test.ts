import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ReadDecision } from './groups.ts'
import { planRollout, type RolloutRules } from './plan.ts'
import type { ClusterProgress } from './progress.ts'
import type { StrategySpec } from './strategy.ts'
import { groupsOf } from './vectors.fixture.ts'

const now = Date.parse('2026-11-22T12:00:00Z')
const states = { T: 'ToApply', P: 'Progressing', S: 'Succeeded', F: 'Failed', O: 'TimeOut', K: 'Skip' } as const

/** `S P@700 D`: cluster a is Succeeded, b has been Progressing for 700 seconds, c is to be changed and is not well with what it has. */
function statusesOf(text: string): readonly ClusterProgress[] {
  return text.split(' ').map((word, index): ClusterProgress => {
    const [letter = '', seconds] = word.split('@')
    const cluster = String.fromCodePoint('a'.codePointAt(0)! + index)
    const since = seconds === undefined ? {} : { since: now - Number(seconds) * 1000 }
    if (letter === 'D') return { cluster, state: 'ToApply', isDown: true }
    return { cluster, state: states[letter as keyof typeof states], ...since }
  })
}

const one: readonly ReadDecision[] = [{ groupName: '', groupIndex: 0, clusters: ['a', 'b', 'c', 'd'] }]
const two: readonly ReadDecision[] = [
  { groupName: 'first', groupIndex: 0, clusters: ['a', 'b'] },
  { groupName: 'second', groupIndex: 1, clusters: ['c', 'd'] },
]

interface Case {
  readonly strategy: StrategySpec
  readonly groups?: readonly ReadDecision[]
  readonly statuses: string
}

/** `a b | c | 300`: the list, what ran out of time, seconds until the next look. */
function planOf({ strategy, groups = one, statuses }: Case, rules: RolloutRules): string {
  const plan = planRollout({ groups: groupsOf(groups), statuses: statusesOf(statuses), strategy, now, rules })
  if (!plan.ok) return plan.message
  const names = (entries: readonly ClusterProgress[]): string => entries.map(({ cluster }) => cluster).join(' ') || '-'
  const recheck = plan.recheckAfterMs === undefined ? '-' : String(plan.recheckAfterMs / 1000)
  return `${names(plan.rollout)} | ${names(plan.timedOut)} | ${recheck}`
}

const all = (more = {}): StrategySpec => ({ type: 'All', all: more })
const progressive = (more = {}): StrategySpec => ({ type: 'Progressive', progressive: more })
const perGroup = (more = {}): StrategySpec => ({ type: 'ProgressivePerGroup', progressivePerGroup: more })
const mandatory = { mandatoryDecisionGroups: [{ groupIndex: 1 }] }
const tenMinutes = { progressDeadline: '10m' }

/** The plan of both rules, and ours where it is another. */
const worked: readonly (readonly [string, Case, string, string?])[] = [
  ['all at once', { strategy: {}, statuses: 'T T T T' }, 'a b c d | - | -'],
  ['what failed stays in the list', { strategy: all(), statuses: 'F S S S' }, 'a | - | -'],
  ['past the deadline', { strategy: all(tenMinutes), statuses: 'S P@700 S S' }, '- | b | -'],
  ['before the deadline', { strategy: all(tenMinutes), statuses: 'S P@100 S S' }, 'b | - | 500'],
  ['one at a time', { strategy: progressive({ maxConcurrency: 1 }), statuses: 'T T T T' }, 'a | - | -'],
  ['the next one', { strategy: progressive({ maxConcurrency: 1 }), statuses: 'S T T T' }, 'b | - | -'],
  ['soaking', { strategy: progressive({ maxConcurrency: 1, minSuccessTime: '5m' }), statuses: 'S@100 T T T' }, 'a | - | 200'],
  // The library begins a beside b; we wait for b.
  ['an earlier name', { strategy: progressive({ maxConcurrency: 1 }), statuses: 'T P T T' }, 'a | - | -', 'b | - | -'],
  ['one failure too many', { strategy: progressive({ maxConcurrency: 2, maxFailures: 0 }), statuses: 'F T T T' }, 'a | - | -'],
  ['a failure that may be', { strategy: progressive({ maxConcurrency: 2, maxFailures: 1 }), statuses: 'F T T T' }, 'a b | - | -'],
  ['half of them', { strategy: progressive({ maxConcurrency: '50%' }), statuses: 'T T T T' }, 'a b | - | -'],
  ['more than there are', { strategy: progressive({ maxConcurrency: 10 }), statuses: 'T T T T' }, 'a b c d | - | -'],
  ['complete', { strategy: progressive({ maxConcurrency: 1 }), statuses: 'S S S S' }, '- | - | -'],
  [
    'mandatory groups first',
    { strategy: progressive({ maxConcurrency: 1, ...mandatory }), groups: two, statuses: 'T T T T' },
    'c d | - | -',
  ],
  [
    'then the others',
    { strategy: progressive({ maxConcurrency: 1, ...mandatory }), groups: two, statuses: 'T T S S' },
    'a | - | -',
  ],
  ['group by group', { strategy: perGroup(), groups: two, statuses: 'T T T T' }, 'a b | - | -'],
  ['the second group', { strategy: perGroup(), groups: two, statuses: 'S S T T' }, 'c d | - | -'],
  ['a failed group holds', { strategy: perGroup({ maxFailures: 0 }), groups: two, statuses: 'F S T T' }, 'a | - | -'],
  [
    'a group failed within limits',
    { strategy: perGroup({ maxFailures: '50%' }), groups: two, statuses: 'F S T T' },
    'a c d | - | -',
  ],
  [
    // The library goes on although b is not done: the failure of a makes up for it.
    'a failure beside one in flight',
    { strategy: perGroup({ maxFailures: 1, ...tenMinutes }), groups: two, statuses: 'P@700 P@100 T T' },
    'b c d | a | 500',
    'b | a | 500',
  ],
]

test('the worked plans of the specification come out, ours where the library is unsafe [6.6]', () => {
  for (const [name, given, library, ours = library] of worked) {
    assert.equal(planOf(given, 'ocm'), library, name)
    assert.equal(planOf(given, 'safe'), ours, `${name}, by our rules`)
  }
})

test('a mandatory group in which one failed holds all that comes after it, however many may fail elsewhere', () => {
  const lenient = { maxFailures: 2, ...mandatory }
  for (const strategy of [progressive({ maxConcurrency: 1, ...lenient }), perGroup(lenient)]) {
    assert.equal(planOf({ strategy, groups: two, statuses: 'T T F S' }, 'safe'), 'c | - | -', strategy.type)
    assert.notEqual(planOf({ strategy, groups: two, statuses: 'T T S S' }, 'safe'), '- | - | -', strategy.type)
  }
})

/** After an edit in the middle of a rollout: what is not well with the former template is out already. */
const edited: typeof worked = [
  ['one is down', { strategy: progressive({ maxConcurrency: 1 }), statuses: 'T T D T' }, 'a | - | -', 'c | - | -'],
  [
    'one is down, two may be out',
    { strategy: progressive({ maxConcurrency: 2 }), statuses: 'T T D T' },
    'a b | - | -',
    'a c | - | -',
  ],
  [
    'one is down beside one in flight',
    { strategy: progressive({ maxConcurrency: 2 }), statuses: 'T D P T' },
    'a b | - | -',
    'b c | - | -',
  ],
  [
    'one is down, and all places are taken',
    { strategy: progressive({ maxConcurrency: 1 }), statuses: 'T D P T' },
    'a | - | -',
    'c | - | -',
  ],
  [
    'more are down than may be in flight',
    { strategy: progressive({ maxConcurrency: 1 }), statuses: 'T D D D' },
    'a | - | -',
    'b | - | -',
  ],
  ['one is down after a breach', { strategy: progressive({ maxConcurrency: 2 }), statuses: 'F D T T' }, 'a | - | -'],
  ['all at once is all at once', { strategy: {}, statuses: 'T D T T' }, 'a b c d | - | -'],
  // A group is tried before the next one, also by what would mend the next one.
  ['one is down in a later group', { strategy: perGroup(), groups: two, statuses: 'T T D T' }, 'a b | - | -'],
  [
    'one is down behind a mandatory group',
    { strategy: progressive({ maxConcurrency: 1, ...mandatory }), groups: two, statuses: 'T D T T' },
    'c d | - | -',
  ],
]

test('what is not well with the former template has its place in the window, and comes first', () => {
  for (const [name, given, library, ours = library] of edited) {
    assert.equal(planOf(given, 'ocm'), library, name)
    assert.equal(planOf(given, 'safe'), ours, `${name}, by our rules`)
  }
})

const three: readonly ReadDecision[] = [
  { groupName: '', groupIndex: 0, clusters: ['a', 'b'] },
  { groupName: '', groupIndex: 1, clusters: ['c'] },
  { groupName: '', groupIndex: 2, clusters: ['d'] },
]
const canary: readonly ReadDecision[] = [
  { groupName: 'canary', groupIndex: 0, clusters: ['a'] },
  { groupName: 'rest', groupIndex: 1, clusters: ['b', 'c', 'd'] },
]
const gap: readonly ReadDecision[] = [
  { groupName: '', groupIndex: 0, clusters: ['a', 'b'] },
  { groupName: '', groupIndex: 7, clusters: ['c', 'd'] },
]

/** What the library does, and what we do instead. */
const unsafe: readonly (readonly [string, Case, string, string])[] = [
  [
    'more failures allowed than there are clusters means all may fail, not none',
    { strategy: progressive({ maxConcurrency: 2, maxFailures: 10 }), statuses: 'F T T T' },
    'a | - | -',
    'a b | - | -',
  ],
  [
    'a failure late in the alphabet counts before anything is begun',
    { strategy: progressive({ maxConcurrency: 1, maxFailures: 0 }), statuses: 'T T T F' },
    'a | - | -',
    'd | - | -',
  ],
  [
    'nothing more of a group is begun when too much of it failed',
    { strategy: perGroup(), groups: two, statuses: 'F T T T' },
    'a b | - | -',
    'a | - | -',
  ],
  [
    'a cluster that ran out of time does not make up for one in flight',
    { strategy: perGroup({ maxFailures: 1, ...tenMinutes }), groups: three, statuses: 'P@3600 S T T' },
    'c d | a | -',
    'c | a | -',
  ],
  [
    'only clusters of mandatory groups hold the others back',
    {
      strategy: progressive({
        maxConcurrency: 3,
        maxFailures: '100%',
        ...tenMinutes,
        mandatoryDecisionGroups: [{ groupIndex: 0 }],
      }),
      groups: canary,
      statuses: 'S P@3600 T T',
    },
    '- | b | -',
    'c d | b | -',
  ],
  [
    'a group whose index leaves a gap is not forgotten',
    { strategy: perGroup(), groups: gap, statuses: 'S S T T' },
    '- | - | -',
    'c d | - | -',
  ],
  [
    'a time that is ahead of our clock holds nothing up: the clock of the server is another one',
    { strategy: progressive({ maxConcurrency: 1 }), statuses: 'S@-240 T T T' },
    'a | - | 240',
    'b | - | -',
  ],
  [
    'a deadline of milliseconds is looked at once a second',
    { strategy: all({ progressDeadline: '10ms' }), statuses: 'P S S S' },
    'a | - | 0.01',
    'a | - | 1',
  ],
]

test('where the library is unsafe ours is right, and the old way is there for who asks for it [6.8]', () => {
  for (const [name, given, library, ours] of unsafe) {
    assert.equal(planOf(given, 'ocm'), library, name)
    assert.equal(planOf(given, 'safe'), ours, `${name}, by our rules`)
  }
})

test('limits are reached at the very instant, soak and deadline alike [6.8]', () => {
  for (const rules of ['safe', 'ocm'] as const) {
    assert.equal(planOf({ strategy: all(tenMinutes), statuses: 'P@600 P@599 S S' }, rules), 'b | a | 1')
    assert.equal(planOf({ strategy: progressive({ minSuccessTime: '5m' }), statuses: 'S@300 S@299 S S' }, rules), 'b c d | - | 1')
    assert.equal(planOf({ strategy: all({ progressDeadline: '0s' }), statuses: 'P F S S' }, rules), '- | a b | -')
  }
})

test('a strategy that cannot be read says what is wrong with it, in the words of the library [6.8]', () => {
  const rows: readonly (readonly [StrategySpec, string])[] = [
    [
      progressive({ maxFailures: '5' }),
      "failed to parse the provided maxFailures: '5' is an invalid maximum threshold value: string is not a percentage",
    ],
    [
      progressive({ maxConcurrency: '5' }),
      "failed to parse the provided maxConcurrency: '5' is an invalid maximum threshold value: string is not a percentage",
    ],
    [progressive({ maxFailures: '5', progressDeadline: '5|' }), 'time: unknown unit "|" in duration "5|"'],
    [perGroup({ progressDeadline: '10mfoo' }), 'time: unknown unit "mfoo" in duration "10mfoo"'],
    [perGroup({ progressDeadline: '5mNone' }), 'time: unknown unit "mNone" in duration "5mNone"'],
    [all({ progressDeadline: '9999999h' }), 'time: invalid duration "9999999h"'],
    [all({ progressDeadline: '0' }), 'invalid timeout format'],
    [all({ progressDeadline: '3s7' }), 'time: missing unit in duration "3s7"'],
    [{ type: 'Canary' }, 'incorrect rollout strategy type Canary'],
    [progressive({ minSuccessTime: 'soon' }), 'failed to parse the provided minSuccessTime: time: invalid duration "soon"'],
  ]
  for (const [strategy, message] of rows) {
    for (const rules of ['safe', 'ocm'] as const) assert.equal(planOf({ strategy, statuses: 'T T T T' }, rules), message)
  }
  for (const progressDeadline of ['1h30m', '1m0.5s', '007m', '0s', '10ms', '', 'None']) {
    assert.match(planOf({ strategy: all({ progressDeadline }), statuses: 'S S S S' }, 'safe'), /^- \| - \| -$/, progressDeadline)
  }
})

test('what is wrong with the concurrency is no trouble while a mandatory group holds, and none for All [6.8]', () => {
  const strategy = progressive({ maxConcurrency: '5', ...mandatory })
  for (const rules of ['safe', 'ocm'] as const) {
    assert.equal(planOf({ strategy, groups: two, statuses: 'T T T T' }, rules), 'c d | - | -')
    assert.match(planOf({ strategy, groups: two, statuses: 'T T S S' }, rules), /^failed to parse the provided maxConcurrency/)
    assert.equal(planOf({ strategy: all({ maxFailures: '5' }), statuses: 'T T T T' }, rules), 'a b c d | - | -')
  }
})
