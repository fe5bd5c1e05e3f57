// Defects of rollouts and of the ReplicaSet controller, with the subject or the tests that must notice them.
import type { Mutant, MutantRow } from './mutants.ts'

const room = 'src/operators/identity/replica-sets'
const rollout = 'src/fleet/rollout'
const planTests = [`${rollout}/plan.test.ts`, `${rollout}/plan.prop.test.ts`]
const setTests = [`${room}/cases.test.ts`, `${room}/steering.test.ts`]

/** Of timing and of what is read when: the simulator hunts them. */
const hunted: readonly MutantRow<[]>[] = [
  [
    'set-no-finalizer',
    `${room}/steps.ts`,
    'finalizers.replicaSet) === true) return []',
    'finalizers.replicaSet) !== true) return []',
    'a set gets no finalizer',
  ],
  [
    'set-releases-early',
    `${room}/deletion.ts`,
    'if (remaining.length > 0) {',
    'if (remaining.length > 9) {',
    'a set goes while its Roles are there',
  ],
  [
    'set-takes-foreign',
    `${room}/child.ts`,
    'metadata.name === set.metadata.name &&',
    'metadata.name === set.metadata.name ||',
    'a Role of somebody else counts as our own',
  ],
  [
    'set-two-at-a-time',
    `${rollout}/safe-plan.ts`,
    'const free = Math.max(0, size - view.inFlightOf(remaining).length)',
    'const free = Math.max(0, size)',
    'what is in flight takes no place',
  ],
  [
    'set-never-repairs',
    `${room}/cluster-view.ts`,
    'if (operations.length > 0 && !isGoing)',
    'if (operations.length > 99 && !isGoing)',
    'what somebody changed stays so',
  ],
  [
    'set-old-success',
    `${room}/cluster-view.ts`,
    "isConditionTrue(child, 'Ready') && observedGeneration === child.metadata.generation",
    'ready !== undefined || observedGeneration !== undefined',
    'a Role that was Ready once is Ready',
  ],
  [
    'set-deaf-to-decisions',
    `${room}/controller.ts`,
    'return placement === undefined ? [] : keys(setsOfPlacement(world, placement))',
    'return placement === undefined ? keys(setsOfPlacement(world, { namespace: "", name: "" })) : []',
    'a decision that changes wakes nobody',
  ],
]

/** Of annotations by which people steer a rollout. */
const steered: readonly MutantRow<[]>[] = [
  [
    'steered-retries-for-ever',
    `${room}/requests.ts`,
    "request === '' || request === held?.request",
    "request === ''",
    'each pass takes the same request up again',
  ],
  [
    'steered-forgets-the-request',
    `${room}/decide.ts`,
    'retry: retry === undefined ? undefined : { request: retry.request, since: retry.since },',
    'retry: undefined,',
    'a request that was taken up is not written down',
  ],
  [
    'steered-takes-nothing-back',
    `${room}/requests.ts`,
    "template: rollback === 'asked' && completed !== undefined ? completed : spec.template",
    "template: rollback === 'unavailable' && completed !== undefined ? completed : spec.template",
    'what is taken back is still rolled out',
  ],
  [
    'steered-ends-early',
    `${rollout}/fleet-plan.ts`,
    'if (total === 0 || updating > 0 || succeeded + failed + timedOut < total) return false',
    'if (total === 0) return false',
    'a template that was just begun is what a rollback brings back',
  ],
  [
    'steered-down-has-no-place',
    `${rollout}/safe-plan.ts`,
    'const down = waiting.filter(({ isDown }) => isDown === true)',
    'const down = waiting.filter(({ cluster }) => cluster.length === 0)',
    'after an edit more are out than may',
  ],
  ['steered-deaf-to-pause', `${room}/decide.ts`, 'isPaused: steering.paused,', 'isPaused: false,', 'a paused rollout goes on'],
  [
    'steered-goes-on',
    `${rollout}/safe-plan.ts`,
    'begun: isBreached ? [] : chooseNext(view.waitingOf(remaining), free)',
    'begun: chooseNext(view.waitingOf(remaining), free)',
    'a rollout that failed goes on',
  ],
]

/** Of what is decided: tables and worlds must notice. */
const decided: readonly MutantRow<[tests: readonly string[]]>[] = [
  [
    'rollout-limit-after',
    `${rollout}/classify.ts`,
    "return now < recheckAt ? { kind: 'in-flight', entry: { ...entry, recheckAt } } : { kind: 'settled', entry }",
    "return now <= recheckAt ? { kind: 'in-flight', entry: { ...entry, recheckAt } } : { kind: 'settled', entry }",
    'a soak lasts an instant too long',
    planTests,
  ],
  [
    'rollout-forgets-failures',
    `${rollout}/classify.ts`,
    "return entry.state === 'Failed' || entry.state === 'TimeOut'",
    "return entry.state === 'Failed'",
    'what ran out of time did not fail',
    planTests,
  ],
  [
    'rollout-goes-on',
    `${rollout}/safe-plan.ts`,
    'begun: isBreached ? [] : chooseNext(view.waitingOf(remaining), free)',
    'begun: chooseNext(view.waitingOf(remaining), free)',
    'a rollout that fails goes on',
    planTests,
  ],
  [
    'rollout-group-goes-on',
    `${rollout}/safe-plan.ts`,
    'if (isBreached) return { begun: [], isBreached, holds: true }',
    '',
    'a group that fails goes on',
    planTests,
  ],
  [
    'rollout-waits-for-clocks',
    `${rollout}/safe-plan.ts`,
    'status.since === undefined || status.since <= now ? status',
    'status.since !== Number.NaN ? status',
    'a server whose clock is ahead holds a rollout up',
    planTests,
  ],
  [
    'rollout-gap-forgotten',
    `${rollout}/plan.ts`,
    "rules === 'ocm' ? withoutGaps(groups) : groups",
    'withoutGaps(groups)',
    'a group with a gap before its index is forgotten',
    planTests,
  ],
  [
    'set-ignores-pause',
    `${room}/decide.ts`,
    'isPaused: steering.paused,',
    'isPaused: false,',
    'a paused rollout goes on',
    setTests,
  ],
  [
    'set-prunes-while-paused',
    `${room}/decide.ts`,
    'const strays = steering.paused ? [] : seen.strays',
    'const strays = seen.strays',
    'a paused rollout takes Roles away',
    setTests,
  ],
  [
    'set-believes-a-new-placement',
    'src/fleet/resolve-placement.ts',
    'if (Object.keys(status).length === 0) return',
    'if (Object.keys(status).length < 0) return',
    'a Placement that says nothing yet takes every Role away',
    setTests,
  ],
  [
    'set-believes-a-part',
    'src/fleet/resolve-placement.ts',
    'return held < counted ?',
    'return held < 0 ?',
    'a part of the decisions is taken for the whole',
    setTests,
  ],
  [
    'set-forgets-unlisted',
    `${room}/seen.ts`,
    'remaining: own.length > 0 ? own : await readRemaining(claim, world, signal)',
    'remaining: own',
    'a Role that the cache does not show is left behind',
    [`${room}/seen.test.ts`],
  ],
  [
    'set-without-placements-means-nobody',
    `${room}/decide.ts`,
    "if (refsOf(claim).length === 0) return 'spec.placementRefs is missing; name the placements that choose the clusters'",
    '',
    'a stored set that lacks its placements is taken for one that means no cluster',
    setTests,
  ],
  [
    'set-believes-its-cache',
    `${room}/seen.ts`,
    'for (const { name } of refsOf(now)) {',
    'for (const { name } of refsOf(claim)) {',
    'a cache of the set that is behind takes a Role away',
    [`${room}/seen.test.ts`],
  ],
  [
    'set-soaks-from-an-old-ready',
    `${room}/cluster-view.ts`,
    "const since = rules === 'ocm' ? readySince : latest(readySince, changedAt(child))",
    'const since = readySince',
    'a soak time counts from before the change',
    setTests,
  ],
  [
    'set-keeps-strays',
    `${room}/decide.ts`,
    '      ...strays.flatMap(prune),\n',
    '',
    'a cluster that left keeps its Role',
    setTests,
  ],
  [
    'set-fails-for-ever',
    `${room}/cluster-view.ts`,
    "const since = rules === 'ocm' ? undefined : latest(rolloutSince, retrySince)",
    'const since = undefined',
    'what failed without a time keeps its place for ever',
    setTests,
  ],
  [
    'set-forgets-time-outs',
    `${rollout}/safe-plan.ts`,
    'isOpen && timedOutAt !== undefined ? Math.max(now, timedOutAt) : now',
    'isOpen && timedOutAt !== undefined ? now : now',
    'by a clock that is behind a cluster has time again',
    [`${room}/timed-out.test.ts`],
  ],
  [
    'set-believes-any-time',
    `${room}/tally.ts`,
    'at - now <= aheadMsMax',
    '!Number.isNaN(at)',
    'a time years ahead makes a cluster late',
    [`${room}/timed-out.test.ts`],
  ],
  [
    'set-removes-theirs',
    `${room}/child.ts`,
    "if (reach === 'all') return () => true",
    "if (reach === 'all' || reach === 'own') return () => true",
    'labels of others go',
    setTests,
  ],
]

export const identitySetMutants: readonly Mutant[] = [
  ...hunted.map(([id, file, find, replace, why]): Mutant => ({ id, file, find, replace, why, controllers: ['identity-sets'] })),
  ...steered.map(
    ([id, file, find, replace, why]): Mutant => ({ id, file, find, replace, why, controllers: ['identity-steered'] }),
  ),
  ...decided.map(([id, file, find, replace, why, tests]): Mutant => ({ id, file, find, replace, why, tests })),
]
