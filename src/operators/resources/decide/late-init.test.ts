// What AWS chooses where a manifest leaves it out: what is filled in, what is waited for, and what is remembered of a resource in step.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { annotations, conditions } from '../api.ts'
import type { Deviation } from '../kinds/deviation.ts'
import type { Notes } from '../seen/notes.ts'
import { list, madeUpKind, structure } from '../testing/made-up-kind.ts'
import { arn, type Circumstances, situationOf } from '../testing/situation.ts'
import type { ResourcePlan } from './actions.ts'
import type { RestOptions } from './at-rest.ts'
import { settled } from './late-init.ts'
import { elementsOf } from './spoken-of.ts'

const kind = madeUpKind({
  spec: {
    Name: 'string',
    Chosen: { lateInitialize: { skipIncompleteCheck: true } },
    Zones: { type: list('string'), lateInitialize: { skipIncompleteCheck: true } },
    Needed: { lateInitialize: { skipIncompleteCheck: false } },
    AlsoNeeded: { lateInitialize: { skipIncompleteCheck: false } },
    Plain: 'string',
    Ports: list(structure('Port')),
    Token: 'string',
  },
  structures: { Port: { From: 'integer' } },
})
/** Nothing is left to AWS. */
const full = { chosen: 'c', zones: ['z'], needed: 'n', alsoNeeded: 'a' }

interface Case extends Circumstances {
  readonly latest?: object
  readonly rest?: Partial<RestOptions>
}

function planned({ latest, rest, spec, seen, ...more }: Case): ResourcePlan {
  const wanted = { spec: { name: 'one', ...spec }, status: {}, arn }
  const situation = situationOf({ model: kind, deviation: {}, ...more, spec: { ...spec }, seen: { wanted, ...seen } })
  return settled(situation, { spec: { name: 'one', ...spec, ...latest }, status: {}, arn }, { advisories: [], ...rest })
}

interface Patch {
  readonly key: object
  readonly body: { readonly spec?: object; readonly metadata?: { readonly annotations: object } }
}
const patches = (plan: ResourcePlan): readonly Patch[] =>
  plan.actions.flatMap(each => (each.kind === 'patch' ? [each as unknown as Patch] : []))
const filled = (of: Case): unknown => patches(planned(of)).find(({ body }) => body.spec !== undefined)?.body.spec
const noted = (of: Case): Notes | undefined =>
  planned(of).actions.flatMap(each => (each.kind === 'act:note' && each.notes !== 'forget' ? [each.notes] : []))[0]
const said = (of: Case, type: string): string | undefined => {
  const found = planned(of).conditions.find(each => each.type === type)
  return found === undefined ? undefined : `${found.status} ${found.reason}: ${found.message}`
}

test('what AWS chose is filled in where the manifest says nothing, and only there [10.3.18]', () => {
  assert.deepEqual(filled({ latest: full }), full)
  assert.deepEqual(filled({ spec: { chosen: 'mine' }, latest: { ...full, chosen: 'other' } }), {
    zones: ['z'],
    needed: 'n',
    alsoNeeded: 'a',
  })
  assert.deepEqual(filled({ spec: { zones: [] }, latest: full }), full, 'an empty list says nothing')
  assert.equal(filled({ latest: { plain: 'p', zones: [] } }), undefined)
  assert.equal(filled({ latest: { chosen: null } }), undefined)
  const wanted = { spec: { name: 'one', chosen: 'by reference' }, status: {}, arn }
  assert.equal(filled({ latest: { chosen: 'c' }, seen: { wanted } }), undefined)
  const [patch] = patches(planned({ latest: full }))
  assert.deepEqual(patch?.key, { namespace: 'default', name: 'one' })
})

test('a kind with one late field has it filled in like any other [10.3.18]', () => {
  const model = madeUpKind({ spec: { Name: 'string', Chosen: { lateInitialize: { skipIncompleteCheck: true } } } })
  assert.deepEqual(filled({ model, latest: { chosen: 'c' } }), { chosen: 'c' })
  const none = madeUpKind({ spec: { Name: 'string', Chosen: 'string' } })
  assert.equal(filled({ model: none, latest: { chosen: 'c' } }), undefined)
  assert.equal(said({ model: none }, conditions.lateInitialized), undefined)
})

test('code of the kind adds late fields, and takes some away [10.3.18]', () => {
  const of = (deviation: Deviation): unknown => filled({ deviation, latest: { ...full, plain: 'p' } })
  assert.deepEqual(of({ late: () => ['Plain'] }), { ...full, plain: 'p' })
  assert.deepEqual(of({ late: () => [] }), full)
  const neverLate = (_claim: unknown, camel: string): boolean => camel === 'Chosen'
  assert.deepEqual(of({ neverLate }), { zones: ['z'], needed: 'n', alsoNeeded: 'a' })
  assert.deepEqual(of({ late: () => ['Chosen'], neverLate }), full, 'what it adds is late all the same')
})

test('what AWS must still say is waited for by name, and other things are not [10.3.18]', () => {
  const of: Case = { latest: { ...full, needed: undefined, chosen: undefined } }
  assert.equal(said(of, conditions.lateInitialized), 'False DelayedLateInitialization: AWS has not said yet: Needed')
  assert.equal(said(of, conditions.synced), 'False NotSynced: AWS has not said yet: Needed')
  const bare = { ...of, latest: { ...of.latest, alsoNeeded: undefined } }
  assert.match(said(bare, conditions.synced) ?? '', /: Needed, AlsoNeeded$/)
  const found: Case = { latest: { ...full, chosen: undefined } }
  assert.equal(said(found, conditions.lateInitialized), 'True LateInitialized: ')
  assert.equal(said(found, conditions.synced), 'True Synced: Resource synced successfully')
  assert.equal(said({ ...found, rest: { unsynced: 'by others' } }, conditions.synced), 'False NotSynced: by others')
})

test('what AWS never said is told, and is waited for no more by the next process [10.3.18]', () => {
  const missing: Case = { latest: { ...full, needed: undefined } }
  const tired: Case = { ...missing, seen: { notes: { lateLooks: 10 } } }
  const never = 'True LateInitializationIncomplete: AWS never said a value of Needed'
  assert.equal(said(tired, conditions.advisory), never)
  assert.equal(said(tired, conditions.lateInitialized), 'True LateInitialized: ')
  assert.equal(said({ latest: full, seen: { notes: { lateLooks: 10 } } }, conditions.advisory), undefined)
  const told = (message: string): Case => ({
    ...missing,
    status: { conditions: [{ type: conditions.advisory, status: 'True', reason: 'R', message, lastTransitionTime: '' }] },
  })
  assert.equal(said(told('x; AWS never said a value of Needed'), conditions.advisory), never)
  assert.equal(said(told('something else'), conditions.advisory), undefined)
  assert.equal(said({ ...told('AWS never said a value of Needed'), latest: full }, conditions.advisory), undefined, 'it did')
})

test('what was found in step is remembered once, with the generation that our own filling leads to [6.4]', () => {
  const of: Case = { spec: full, metadata: { generation: 4 } }
  assert.equal(noted(of)?.inStepWith, 4)
  assert.equal(noted({ metadata: { generation: 4 }, latest: full })?.inStepWith, 5)
  assert.equal(noted({ spec: full, metadata: { generation: undefined } })?.inStepWith, 0)
  const known = (notes: Notes): Notes | undefined => noted({ ...of, seen: { notes: { inStepWith: 4, ...notes } } })
  assert.equal(known({}), undefined)
  assert.equal(known({ inStepWith: 3 })?.inStepWith, 4)
  const update = { hash: 'h', sent: 1, lastMs: 0, row: 1, generation: 4 }
  for (const notes of [{ update }, { creations: 1 }]) {
    const forgotten = known(notes)
    assert.ok(forgotten !== undefined && 'update' in forgotten && 'creations' in forgotten)
    assert.deepEqual([forgotten.update, forgotten.creations], [undefined, undefined])
  }
})

test('what the manifest spoke of is remembered, and its elements unless something stays in AWS [6.4]', () => {
  const ports = [{ from: 1 }]
  const spec = { ...full, ports }
  const given = ['name', 'chosen', 'zones', 'needed', 'alsoNeeded', 'ports', 'ports.0.from']
  const found = noted({ spec })
  assert.deepEqual([found?.given, found?.elements], [given, elementsOf(kind, spec)])
  assert.equal(found?.elements?.length, 1)
  assert.equal(noted({ spec: full })?.elements, undefined)
  const staying = noted({ spec, rest: { staying: ['Spec.Plain'] }, seen: { notes: { given: ['plain', 'token'] } } })
  assert.deepEqual([staying?.given, staying?.elements], [[...given, 'plain'], undefined])
})

test('an own choice of AWS is put on record of a manifest that changed [6.4]', () => {
  const of = (rest: Partial<RestOptions>): string | undefined =>
    said({ spec: full, metadata: { generation: 2 }, rest }, conditions.sent)
  assert.match(of({ hasOwnChoices: true }) ?? '', /^True Sent: /)
  assert.deepEqual([of({ hasOwnChoices: false }), of({})], [undefined, undefined])
})

test('Secrets of a resource are taken to be the ones that it has, where none is known yet [6.4]', () => {
  const of = (hash: string | undefined, held?: string): readonly (object | undefined)[] =>
    patches(
      planned({
        spec: full,
        annotations: held === undefined ? {} : { [annotations.secretHash]: held },
        seen: { secrets: { kind: 'read', spec: {}, hash } },
      }),
    ).map(({ body }) => body.metadata?.annotations)
  assert.deepEqual(of('h'), [{ [annotations.secretHash]: 'h' }])
  assert.deepEqual([of(undefined), of('h', 'old')], [[], []])
  assert.deepEqual(patches(planned({ spec: full, seen: { secrets: { kind: 'unusable', message: 'm' } } })), [])
})

test('where drift is only told, the generation that was in step is written down [6.4]', () => {
  const of = (more: Case): readonly (object | undefined)[] =>
    patches(planned({ spec: full, ...more })).flatMap(({ body }) => body.metadata?.annotations ?? [])
  const only = { [annotations.driftPolicy]: 'detect-only' }
  assert.deepEqual(of({ annotations: only }), [{ [annotations.inStepWith]: '1' }])
  assert.deepEqual(of({ annotations: only, spec: {}, latest: full }), [{ [annotations.inStepWith]: '2' }])
  assert.deepEqual(of({ annotations: only, metadata: { generation: undefined } }), [{ [annotations.inStepWith]: '0' }])
  assert.deepEqual(of({ annotations: { ...only, [annotations.inStepWith]: '1' } }), [])
  const inNamespace: Case = { seen: { namespaceAnnotations: only } }
  assert.deepEqual(of(inNamespace), [{ [annotations.inStepWith]: '1' }])
  assert.deepEqual(
    of({ ...inNamespace, annotations: { [annotations.driftPolicy]: 'correct' } }),
    [],
    'the claim has the last word',
  )
})
