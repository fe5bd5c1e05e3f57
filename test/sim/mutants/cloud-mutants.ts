// Defects of what everybody who calls a cloud shares, and of the walls that keep tenants from reaching through an operator. The tests beside
// them must notice.
import type { Mutant, MutantRow } from './mutants.ts'

const trouble = 'src/cloud/trouble.test.ts'
const change = 'src/cloud/change.test.ts'
const gathering = 'src/cloud/gathering.test.ts'
const direct = 'src/operators/identity/direct/direct.test.ts'
const attacks = 'test/resources/export-attacks.test.ts'
const hostile = 'src/operators/resources/life/hostile-manifests.test.ts'
const process = 'src/operators/resources/life/process.test.ts'
const acting = 'src/operators/resources/act.test.ts'

const cloud: readonly MutantRow<[tests: readonly string[]]>[] = [
  [
    'throttling-stops',
    'trouble.ts',
    "return make('backoff', 'Throttled'",
    "return make('stop', 'Throttled'",
    'after a throttled call nothing is tried again',
    [trouble],
  ],
  [
    'denial-stops',
    'trouble.ts',
    "return make('backoff', 'MissingPermission', message)",
    "return make('stop', 'MissingPermission', message)",
    'a right that comes back is not noticed',
    [trouble],
  ],
  [
    'conflict-stops',
    'trouble.ts',
    "return make('backoff', 'InUse', message)",
    "return make('stop', 'InUse', message)",
    'what exists already is never looked at',
    [trouble],
  ],
  [
    'lost-stops',
    'trouble.ts',
    "return make('backoff', 'OutcomeUnknown', `${error.service} ${error.operation}",
    "return make('stop', 'OutcomeUnknown', `${error.service} ${error.operation}",
    'an answer that says nothing of the effect is the end',
    [trouble],
  ],
  [
    'quota-unnamed',
    'trouble.ts',
    'if (limit === undefined) return message',
    "if (limit?.name !== '') return message",
    'a full quota is not called by its name',
    [trouble],
  ],
  ['limit-off-by-one', 'quotas.ts', 'if (found > value)', 'if (found >= value)', 'what AWS would take is not sent', [change]],
  [
    'limit-unchecked',
    'change.ts',
    'if (over !== undefined)',
    'if (over === null)',
    'what AWS refuses for ever is sent',
    [change],
  ],
  [
    'fence-skipped',
    'change.ts',
    'beforeTry: () => checkFence()',
    'beforeTry: () => {}',
    'who does not lead any more goes on writing',
    [change],
  ],
  [
    'always-repeats',
    'change.ts',
    'retryAmbiguous: isRepeatable',
    'retryAmbiguous: true',
    'a create call without an answer is sent again unseen',
    [change],
  ],
  [
    'gone-fails',
    'change.ts',
    "(isRemoval && error.class === 'not-found')",
    'false',
    'the deletion of what is gone fails',
    [change, acting],
  ],
  [
    'ambiguous-proves',
    'change.ts',
    ' || error.afterAmbiguousTry) return true',
    ') return true',
    'a refusal after a lost answer proves that nothing was made',
    [change],
  ],
  [
    'never-remembers',
    'readings.ts',
    '< this.#options.ageMsMax) return',
    '>= this.#options.ageMsMax) return',
    'AWS is asked anew with every look, and never again after the memory is old (B7)',
    [direct],
  ],
  [
    'gathers-too-many',
    'gathering.ts',
    '.splice(0, this.#max - 1)',
    '.splice(0)',
    'more questions go together than one call answers',
    [gathering],
  ],
  [
    'gathers-one-answer',
    'gathering.ts',
    'other.settle(rest[index] ?? unanswered)',
    'other.settle(rest[0] ?? unanswered)',
    'all who waited get the answer to the first of them',
    [gathering],
  ],
  [
    'gathers-one-leaves',
    'gathering.ts',
    'if (signals.every(signal => signal.aborted))',
    'if (signals.some(signal => signal.aborted))',
    'who stops waiting ends the call for all',
    [gathering],
  ],
]

const walls: readonly MutantRow<[tests: readonly string[]]>[] = [
  [
    'other-namespace',
    'exports/target.ts',
    'if (key.namespace !== from && !crossNamespace)',
    'if (false)',
    'an export leaves its namespace although nobody asked for that',
    [attacks],
  ],
  [
    'no-consent',
    'exports/target.ts',
    'if (key.namespace !== from && !accepts(target, from))',
    'if (false)',
    'a target is written that did not accept it',
    [attacks],
  ],
  [
    'consent-of-all',
    'exports/target.ts',
    'each.trim() === namespace) === true',
    "each.trim() !== '') === true",
    'who accepts one namespace accepts all',
    [attacks],
  ],
  [
    'own-labels-written',
    'exports/target.ts',
    'if (carriesOwnLabels(target)) return',
    'if (false) return',
    'what an operator made is written for a tenant',
    [attacks],
  ],
  [
    'controlled-written',
    'exports/target.ts',
    'if (controller !== undefined)',
    'if (controller === null)',
    'what a controller owns is written for a tenant',
    [attacks],
  ],
  [
    'mappings-written',
    'exports/target.ts',
    'if (holdsMappings(target)) return',
    'if (false) return',
    'a tenant maps himself to a role',
    [attacks],
  ],
  [
    'any-type-written',
    'exports/target.ts',
    "kind === 'ConfigMap' || secretTypes.includes(type)",
    "kind === 'ConfigMap' || type !== ''",
    'a Secret of any type is written',
    [attacks],
  ],
  [
    'reserved-made',
    'exports/target.ts',
    'if (reserved !== undefined) return',
    'if (reserved === null) return',
    'an export makes what an operator looks for',
    [attacks],
  ],
  [
    'unlisted-written',
    'exports/target.ts',
    "if (kind === 'Secret' && !isNamed(secrets, key)) return",
    'if (false) return',
    'a Secret is written that the settings do not name',
    [attacks],
  ],
  [
    'forged-finalizer',
    'exports/field-export.ts',
    'if (refusalOf(claim, seen) !== undefined) return { ...emptyPlan, actions: [release(claim)] }',
    '',
    'a finalizer in a manifest takes a key out of what may not be written',
    [attacks],
  ],
  [
    'watches-all-secrets',
    'secrets/secret-watch.ts',
    'fieldSelector: `metadata.name=${name}`, namespaces',
    "fieldSelector: '', namespaces",
    'all Secrets of a namespace are followed where one is named',
    [process],
  ],
  [
    'region-unchecked',
    'place/select-place.ts',
    'if (!isRegion(region.name)) return',
    "if (region.name === '') return",
    'a region that is none is an error of ours for ever',
    [hostile],
  ],
  [
    'aliases-unbounded',
    'delta/documents.ts',
    'if (--left < 0) return',
    'if (left < 0) return',
    'a document of aliases stands for as much as it likes',
    [hostile],
  ],
  [
    'depth-unbounded',
    'delta/documents.ts',
    'if (depth > depthMax) return',
    'if (depth > 1e9) return',
    'a document is as deep as it likes',
    [hostile],
  ],
]

function mutantsOf(prefix: string, room: string, rows: readonly MutantRow<[tests: readonly string[]]>[]): readonly Mutant[] {
  return rows.map(([id, file, find, replace, why, tests]) => ({
    id: `${prefix}-${id}`,
    file: `${room}/${file}`,
    find,
    replace,
    why,
    tests,
  }))
}

export const cloudMutants: readonly Mutant[] = [
  ...mutantsOf('cloud', 'src/cloud', cloud),
  ...mutantsOf('walls', 'src/operators/resources', walls),
]
