// Defects put in on purpose. Each replaces a text that stands exactly once in its file; the simulator must notice.
import type { FaultCode } from '#simulator'
import { certificateMutants } from './certificate-mutants.ts'
import { cloudMutants } from './cloud-mutants.ts'
import { dnsMutants } from './dns-mutants.ts'
import { hostedMutants } from './hosted-mutants.ts'
import { identityConfigMutants } from './identity-config-mutants.ts'
import { identityDirectMutants } from './identity-direct-mutants.ts'
import { identityRoleMutants } from './identity-role-mutants.ts'
import { identitySetMutants } from './identity-set-mutants.ts'
import { identityTargetMutants } from './identity-target-mutants.ts'
import { podMutants } from './pod-mutants.ts'
import { randomKindMutants } from './random-kind-mutants.ts'
import { resourceMutants } from './resource-mutants.ts'
import { shardMutants } from './shard-mutants.ts'
import { tenantMutants } from './tenant-mutants.ts'

export interface Mutant {
  readonly id: string
  readonly file: string
  readonly find: string
  readonly replace: string
  /** What is broken, in words. */
  readonly why: string
  /** Which subjects to hunt it with; the engine's own when absent. */
  readonly controllers?: readonly string[]
  /** Test files that must notice, where the defect is one of a decision and not of timing: the simulator is not asked. */
  readonly tests?: readonly string[]
  /** What the broken line is there for: schedules with these faults alone come first in the hunt. */
  readonly faults?: readonly FaultCode[]
  /** Those schedules have one replica: what it forgets nobody makes good. */
  readonly alone?: true
}

/** A mutant of a table; what comes last differs from table to table. */
export type MutantRow<Last extends readonly unknown[]> = readonly [
  id: string,
  file: string,
  find: string,
  replace: string,
  why: string,
  ...Last,
]

/** What the engine itself is simulated with. An operator's subject looks at the operator, and hunts its own defects. */
export const engineSubjects: readonly string[] = ['configmap-mirror', 'greeting-fleet']

export const mutants: readonly Mutant[] = [
  ...podMutants,
  ...randomKindMutants,
  ...resourceMutants,
  ...tenantMutants,
  ...cloudMutants,
  ...certificateMutants,
  ...dnsMutants,
  ...hostedMutants,
  ...identityConfigMutants,
  ...identityTargetMutants,
  ...identityDirectMutants,
  ...identitySetMutants,
  ...shardMutants,
  {
    id: 'queue-lost-again',
    file: 'src/runtime/queue/work-queue.ts',
    find: 'if (again === undefined || this.#closed) {',
    replace: 'if (again === undefined || !this.#closed) {',
    why: 'a key that changed while it was worked on is forgotten',
  },
  {
    id: 'queue-ignores-active',
    file: 'src/runtime/queue/work-queue.ts',
    find: "    } else if (entry.state === 'active') {\n",
    replace: "    } else if (entry.state === 'active') {\n      return\n",
    why: 'a change that comes during a pass is not remembered',
  },
  {
    id: 'queue-takes-twice',
    file: 'src/runtime/queue/work-queue.ts',
    find: "    entry.state = 'active'\n    entry.ticket++",
    replace: "    this.#entries.delete(entry.id)\n    entry.state = 'active'\n    entry.ticket++",
    why: 'a key can be taken by two workers',
  },
  {
    id: 'queue-no-timer',
    file: 'src/runtime/queue/work-queue.ts',
    find: '      this.#delayed.push(entry.dueMs, place)\n      this.#arm()',
    replace: '      this.#delayed.push(entry.dueMs, place)',
    why: 'a delayed key is never due',
  },
  {
    id: 'queue-keeps-old-places',
    file: 'src/runtime/queue/work-queue.ts',
    find: '> 2 * this.#entries.size + oldPlacesMax',
    replace: '=== -1',
    why: 'a key that changes often leaves its old places behind',
    tests: ['src/runtime/queue/work-queue.test.ts'],
  },
  {
    id: 'queue-heap-disorder',
    file: 'src/runtime/queue/due-heap.ts',
    find: '.sort((a, b) => (isBefore(a, b) ? -1 : 1))',
    replace: '.sort((a, b) => (isBefore(a, b) ? 1 : -1))',
    why: 'what is left of the places is no heap any more',
    tests: ['src/runtime/queue/work-queue.test.ts'],
  },
  {
    id: 'queue-drops-delayed',
    file: 'src/runtime/queue/work-queue.ts',
    find: 'if (place !== undefined && isCurrent(place)) this.#place(place.entry)',
    replace: 'if (place === undefined) this.#place(earliest.entry.entry)',
    why: 'a key whose time came is dropped',
  },
  {
    id: 'queue-late',
    file: 'src/runtime/queue/work-queue.ts',
    find: 'timer: this.#options.clock.timer(delayMs, () => this.#onDue()) }',
    replace: 'timer: this.#options.clock.timer(delayMs + 20_000, () => this.#onDue()) }',
    why: 'a delayed key is served twenty seconds late',
  },
  {
    id: 'queue-hasten-lost',
    file: 'src/runtime/queue/work-queue.ts',
    find: '      this.#hasten(entry, lane, dueMs)',
    replace: '      // nothing',
    why: 'news of a key that waits out a back-off do not hasten it',
    faults: ['F7'],
  },
  {
    id: 'controller-soon-lost',
    file: 'src/runtime/controller/schedule.ts',
    find: "        this.#queue.add(key, 'retry', this.#soon.next(id))\n",
    replace: '',
    why: 'a conflict is not tried again',
    faults: ['F5'],
  },
  {
    id: 'controller-backoff-lost',
    file: 'src/runtime/controller/schedule.ts',
    find: "        this.#queue.add(key, 'retry', Math.max(own, this.#asked(trouble)))",
    replace: '        void Math.max(own, this.#asked(trouble))',
    why: 'weather is not tried again',
    faults: ['F7'],
  },
  {
    id: 'controller-backoff-zero',
    file: 'src/runtime/controller/schedule.ts',
    find: 'this.#backoff.next(id)\n        this.#queue.add',
    replace: '0\n        this.#queue.add',
    why: 'weather is tried again without a pause',
  },
  {
    id: 'controller-claims-lost',
    file: 'src/runtime/controller/controller.ts',
    find: '    this.queue.add({ cluster, namespace, name }, this.#schedule.laneOf(change))',
    replace: "    if (change.kind !== 'changed') this.queue.add({ cluster, namespace, name }, this.#schedule.laneOf(change))",
    why: 'a claim that changes is not looked at',
  },
  {
    id: 'controller-watched-lost',
    file: 'src/runtime/controller/controller.ts',
    find: '    this.#fanOut.change(watch, cluster, change)',
    replace: '    void [watch, cluster, change]',
    why: 'changes of dependents reach no claim',
  },
  {
    id: 'controller-stop-lost',
    file: 'src/runtime/controller/controller.ts',
    find: '    if (stop.aborted) this.queue.add(taken.key, taken.lane)\n',
    replace: '    if (stop.aborted) return\n',
    why: 'a key under work when leadership ends is forgotten',
    faults: ['F18'],
    alone: true,
  },
  {
    id: 'fan-out-previous',
    file: 'src/runtime/controller/fan-out.ts',
    find: "const objects = change.kind === 'changed' ? [change.previous, change.object] : [change.object]",
    replace: "const objects = change.kind === 'removed' ? [] : [change.object]",
    why: 'a dependent that vanishes concerns nobody',
  },
  {
    id: 'holds-stay',
    file: 'src/runtime/informer/cache.ts',
    find: '    this.#moves.push(move)\n',
    replace: '',
    why: 'a key waits for its own write for ever',
  },
  {
    id: 'holds-none',
    file: 'src/runtime/controller/writers.ts',
    find: 'expect: (follower, written) => this.#options.holds.expect(waiter, follower, written),',
    replace: 'expect: () => {},',
    why: 'a key is worked on before the cache has seen its own write',
    faults: ['F12'],
  },
  {
    id: 'kind-missing-is-gone',
    file: 'src/runtime/plan/gone.ts',
    find: ' && error.status?.details?.name === key.name',
    replace: '',
    why: 'an object whose kind is not served just now counts as gone',
    controllers: ['greeting-fleet'],
    faults: ['F16'],
    alone: true,
  },
  {
    id: 'untold-is-told',
    file: 'src/runtime/controller/pass.ts',
    find: '  return decidingTrouble([trouble, untold].filter(one => one !== undefined))',
    replace: '  return trouble ?? untold',
    why: 'a refusal that could not be told is not told later',
    controllers: ['greeting-fleet'],
    faults: ['F5', 'F3', 'F16'],
  },
  {
    id: 'fence-missing-in-writer',
    file: 'src/runtime/plan/writer.ts',
    find: '        this.#options.gate.check()\n        return call(place.target.client)',
    replace: '        return call(place.target.client)',
    why: 'a write is not fenced',
    faults: ['F3'],
  },
  {
    id: 'fence-wide',
    file: 'src/runtime/election/election.ts',
    find: 'this.#options.clock.monotonicMs() - this.#provedMs < this.#fenceMs\n',
    replace: 'this.#options.clock.monotonicMs() - this.#provedMs < this.#fenceMs * 1000\n',
    why: 'the fence closes long after the lease has run out',
    faults: ['F3'],
  },
  {
    id: 'fence-by-wall-clock',
    file: 'src/runtime/election/election.ts',
    find: '    const sentMs = clock.monotonicMs()\n',
    replace: '    const sentMs = clock.monotonicMs() + 3_600_000\n',
    why: 'leadership is believed for an hour more than it was proved',
    faults: ['F3'],
  },
  {
    id: 'lease-stolen',
    file: 'src/runtime/election/election.ts',
    find: 'this.#options.clock.monotonicMs() - this.#seen.atMs > this.#seen.durationMs',
    replace: 'this.#options.clock.monotonicMs() - this.#seen.atMs >= 0',
    why: 'a lease is taken from a living holder',
    faults: ['F14'],
  },
  {
    id: 'waiters-for-the-proof-forgotten',
    file: 'src/runtime/election/election.ts',
    find: '    if (leftMs > 0) for (const { resolve } of this.#waiting) resolve()',
    replace: '',
    why: 'a write at rest waits for ever for a proof that is there',
  },
  {
    id: 'proof-not-kept-fresh',
    file: 'src/runtime/election/election.ts',
    find: 'if (this.#restMs === undefined || this.#inside > 0 || this.#isInDoubt) return atWorkMs',
    replace: 'if (this.#restMs === undefined) return atWorkMs',
    why: 'the fence closes in the middle of work, and writes wait for the next renewal at rest',
  },
  {
    id: 'lease-unconditional',
    file: 'src/runtime/election/lease-calls.ts',
    find: 'client.update(leases, wish, limits)',
    replace: "client.update(leases, { ...wish, metadata: { ...wish.metadata, resourceVersion: '' } }, limits)",
    why: 'a lease is written over whoever wrote it meanwhile',
    faults: ['F3'],
  },
  {
    id: 'lease-ours-is-everyones',
    file: 'src/runtime/election/election.ts',
    find: "if (held === undefined || holder === '' || holder === this.#options.identity) return true",
    replace: "if (held === undefined || holder === '' || holder.length === this.#options.identity.length) return true",
    why: "another replica's lease counts as our own",
  },
  {
    id: 'informer-dies',
    file: 'src/runtime/informer/informer.ts',
    find: '      if (outcome !== undefined) await this.#wait(outcome, signal)',
    replace: '      if (outcome !== undefined) return',
    why: 'an informer ends at the first trouble',
  },
  {
    id: 'informer-deaf-to-silence',
    file: 'src/runtime/informer/informer.ts',
    find: "        scope.end(new Stopped('stall', `the watch was silent for ${allowedMs} ms`))",
    replace: '        void allowedMs',
    why: 'a silent stream counts as a quiet one',
    faults: ['F8'],
  },
  {
    id: 'informer-never-relists',
    file: 'src/runtime/informer/informer.ts',
    find: '    this.cache.losePosition()\n',
    replace: '',
    why: 'an expired position is asked for again and again',
    faults: ['F9'],
  },
  {
    id: 'informer-slow',
    file: 'src/runtime/informer/informer.ts',
    find: "    const delayMs = Math.max(backoff.next(''), askedMs)",
    replace: '    const delayMs = 7_200_000',
    why: 'an informer waits two hours after any trouble',
  },
  {
    id: 'cache-hides-additions',
    file: 'src/runtime/informer/cache.ts',
    find: "      if (held === undefined) changes.push({ kind: 'added', object, initial })\n      else if",
    replace: '      if (held === undefined) void initial\n      else if',
    why: 'what a list brings is told to nobody',
    faults: ['F10', 'F11'],
  },
  {
    id: 'cache-hides-deletions',
    file: 'src/runtime/informer/cache.ts',
    find: "        changes.push({ kind: 'removed', object: held })",
    replace: '        void held',
    why: 'what a list does not bring any more is told to nobody',
    faults: ['F10'],
  },
  {
    id: 'cache-forgets-deletions',
    file: 'src/runtime/informer/cache.ts',
    find: "    if (type === 'DELETED') this.#remove(object, held)\n    else this.#set(object, held)",
    replace: "    if (type !== 'DELETED') this.#set(object, held)",
    why: 'deleted objects stay in the cache',
  },
  {
    id: 'cache-goes-back',
    file: 'src/runtime/informer/cache.ts',
    find: "if (order !== undefined && order <= 0) return 'repeated'",
    replace: "if (order !== undefined && order === 0) return 'repeated'",
    why: 'a line that comes again brings back an older state of an object',
    faults: ['F9'],
  },
  {
    id: 'cache-brings-back-the-dead',
    file: 'src/runtime/informer/cache.ts',
    find: "  if (!outOfOrder) return 'applied'",
    replace: "  if (!outOfOrder || type !== 'DELETED') return 'applied'",
    why: 'a line that comes again brings back an object that was deleted since',
    faults: ['F9'],
  },
  {
    id: 'breaker-stays-open',
    file: 'src/runtime/queue/breaker.ts',
    find: '    this.#circuits.delete(dependency)\n    this.#backoff.reset(dependency)\n    if (circuit',
    replace: '    if (circuit',
    why: 'a dependency that works again counts as down',
    faults: ['F7', 'F13'],
  },
  {
    id: 'backoff-never-back',
    file: 'src/runtime/queue/backoff.ts',
    find: '    this.#failures?.delete(name)',
    replace: '    void name',
    why: 'delays only grow',
    faults: ['F7'],
  },
  {
    id: 'finalizer-never-on',
    file: 'src/runtime/plan/finalizer.ts',
    find: '      if (finalizers?.includes(finalizer)) return []\n',
    replace: "      if (finalizers?.includes(finalizer) || resourceVersion !== '') return []\n",
    why: 'the finalizer is not put on',
  },
  {
    id: 'finalizer-gone-claim',
    file: 'src/runtime/plan/finalizer.ts',
    find: '  if (held === undefined) throw',
    replace: '  if (held === null) throw',
    why: 'a claim that vanished counts as held',
    faults: ['F8', 'F20'],
  },
  {
    id: 'finalizer-never-off',
    file: 'src/runtime/plan/finalizer.ts',
    find: 'return index < 0 ? []',
    replace: 'return index < 99 ? []',
    why: 'the finalizer is never taken off',
  },
  {
    id: 'patch-swallows-conflict',
    file: 'src/runtime/plan/compare-and-patch.ts',
    find: '      if (!isTestFailure(error)) throw error\n',
    replace: '      if (!isTestFailure(error)) throw error\n      if (attempt > 0) return base\n',
    why: 'a patch that did not fit counts as done',
    faults: ['F18', 'F20'],
  },
  {
    id: 'patch-not-found-is-done',
    file: 'src/runtime/plan/compare-and-patch.ts',
    find: '      if (saysGone(error, key)) return undefined\n',
    replace: '      if (saysGone(error, key)) return base\n',
    why: 'a patch to what is gone counts as done',
  },
  {
    id: 'delete-without-precondition',
    file: 'src/runtime/plan/delete.ts',
    find: '      preconditions: { uid, resourceVersion },\n',
    replace: '',
    why: 'a delete names no uid',
  },
  {
    id: 'delete-any',
    file: 'src/runtime/plan/delete.ts',
    find: '    if (!saysGone(error, key)) throw error\n',
    replace: '',
    why: 'a delete that failed counts as done',
  },
  {
    id: 'foreign-adopted',
    file: 'src/runtime/plan/apply.ts',
    find: '  if (hasMark(object, mark)) return\n  const message',
    replace: "  if (hasMark(object, mark) || kind !== '') return\n  const message",
    why: "somebody else's object is taken over",
  },
  {
    id: 'create-not-exclusive',
    file: 'src/runtime/plan/apply.ts',
    find: "return { kind: 'created', object: await writer.create({ target, type: action.type, key }, action.object) }",
    replace:
      "return { kind: 'created', object: await writer.apply({ target, type: action.type, key }, action.object, { force: true }) }",
    why: 'a create takes over what is there',
    faults: ['F12', 'F19'],
  },
  {
    id: 'exists-is-created',
    file: 'src/runtime/plan/apply.ts',
    find: "return { kind: 'exists' }\n    throw error",
    replace: "return { kind: 'created', object: undefined }\n    throw error",
    why: 'a name that is taken counts as made',
    faults: ['F19'],
  },
  {
    id: 'apply-always',
    file: 'src/runtime/plan/apply.ts',
    find: "  if (differs && !altered.isKnown(placeOf(target.cluster, action.type, keyOf(actual)), wanted, actual)) return { kind: 'apply' }",
    replace: "  if (differs || !altered.isKnown('', wanted, actual)) return { kind: 'apply' }",
    why: 'equal objects are written again',
  },
  {
    id: 'apply-never',
    file: 'src/runtime/plan/apply.ts',
    find: '  const differs = findDifference(wanted, actual, owned) !== undefined',
    replace: '  const differs = findDifference(wanted, wanted, owned) !== undefined',
    why: 'a copy that differs is left so',
  },
  {
    id: 'status-always',
    file: 'src/runtime/plan/status.ts',
    find: '  if (isEqualJson(current ?? {}, wanted)) return []\n',
    replace: '',
    why: 'an equal status is written again',
  },
  {
    id: 'status-never',
    file: 'src/runtime/plan/status.ts',
    find: 'const written = await compareAndPatch(writer, { target, type, key: keyOf(claim), seen: claim, build, ...subresource })\n',
    replace: 'const written = [writer, target, type, build, subresource]\n',
    why: 'the status is never written',
  },
  {
    id: 'transition-always-now',
    file: 'src/kube/conditions.ts',
    find: 'lastTransitionTime: held?.status === wanted.status ? held.lastTransitionTime : renderTime(options.now),',
    replace: 'lastTransitionTime: renderTime(options.now),',
    why: 'the transition time moves with each message',
  },
  {
    id: 'transition-never',
    file: 'src/kube/conditions.ts',
    find: 'lastTransitionTime: held?.status === wanted.status ? held.lastTransitionTime : renderTime(options.now),',
    replace: 'lastTransitionTime: held?.lastTransitionTime ?? renderTime(options.now),',
    why: 'the transition time never moves',
  },
  {
    id: 'branch-goes-on',
    file: 'src/runtime/plan/run.ts',
    find: "      if (!ok) this.outcomes.push({ kind: 'skipped', action })\n      else if",
    replace:
      "      if (!ok && action.kind === 'remove-finalizer') this.outcomes.push({ kind: 'skipped', action })\n      else if",
    why: 'actions after a failed one are carried out',
  },
  {
    id: 'lost-reply-is-done',
    file: 'src/runtime/plan/writer.ts',
    find: "      if (error instanceof KubeError) this.#record(verb, place, error.code === 'unknown-outcome' ? 'lost' : 'refused')\n      throw error",
    replace: "      if (error instanceof KubeError && error.code === 'unknown-outcome') return undefined\n      throw error",
    why: 'a call whose answer was lost counts as done',
    faults: ['F4'],
  },
  {
    id: 'success-despite-failure',
    file: 'src/runtime/plan/report.ts',
    find: '  if (troubles.length === 0) return { conditions',
    replace: '  if (troubles.length >= 0) return { conditions',
    why: 'success is reported although an action failed',
  },
  {
    id: 'outcomes-in-racing-order',
    file: 'src/runtime/plan/run.ts',
    find: '  return inPlanOrder(run.outcomes, actions)',
    replace: '  return inPlanOrder(run.outcomes, []) ',
    why: 'which of two failures is told depends on which came first',
    faults: ['F18'],
  },
  {
    id: 'example-copies-first',
    file: 'examples/configmap-mirror/mirror.ts',
    find: 'actions: [hold, ...remove, copy]',
    replace: 'actions: [...remove, copy, hold]',
    why: 'the finalizer comes after the copies',
  },
  {
    id: 'example-releases-early',
    file: 'examples/configmap-mirror/mirror.ts',
    find: 'return { actions: surplus.length > 0 ? remove : hasFinalizer(source) ? [release] : [], ...done }',
    replace: 'return { actions: hasFinalizer(source) ? [release] : [], ...done }',
    why: 'the finalizer goes while copies are there',
  },
  {
    id: 'example-unmarked',
    file: 'examples/configmap-mirror/mirror.ts',
    find: 'object, mark: { labels } }',
    replace: 'object }',
    why: 'copies are made over what others have',
  },
  {
    id: 'example-keeps-surplus',
    file: 'examples/configmap-mirror/mirror.ts',
    find: "const surplus = copies.filter(copy => !wanted.includes(copy.metadata.namespace ?? ''))",
    replace: "const surplus = copies.filter(copy => wanted.length === 0 && !wanted.includes(copy.metadata.namespace ?? ''))",
    why: 'a namespace that is named no more keeps its copy',
  },
  ...identityRoleMutants,
]
