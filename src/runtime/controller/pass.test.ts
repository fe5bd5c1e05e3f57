import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HttpFailure, type Log, ManualClock, seededRandom, silentLog } from '#base'
import type { ResourceType, StoredObject } from '#kube'
import type { KubeClient } from '#kube/client'
import { fenced } from '../election/fence.ts'
import { openGate } from '../election/gate.ts'
import { Altered } from '../plan/altered.ts'
import { type Action, emptyPlan, type OwnAction, type Plan } from '../plan/plan.ts'
import type { ReportInput } from '../plan/report.ts'
import type { Target } from '../plan/target.ts'
import { Trouble, type TroubleOptions } from '../plan/trouble.ts'
import { type WriteRecord, Writer } from '../plan/writer.ts'
import { Breakers } from '../queue/breaker.ts'
import { Stopped } from '../scope.ts'
import type { AnyController } from './definition.ts'
import { type PassOptions, type PassRecord, runPass } from './pass.ts'

/** A pass whose look at the world ends in that error, while it is stopped for that reason; with what it logs as an error. */
async function passThatFails(
  error: unknown,
  why?: Error,
): Promise<{ readonly trouble: Trouble | undefined; readonly errors: number }> {
  const stop = new AbortController()
  if (why !== undefined) stop.abort(why)
  let errors = 0
  const log: Log = { ...silentLog, error: () => void errors++ }
  const observe = (): never => {
    throw error as Error
  }
  const options: Partial<PassOptions> = {
    definition: { name: 'greeting', reconciler: { observe, decide: () => assert.fail('nothing was seen') } } as never,
    key: { cluster: '', namespace: 'a', name: 'b' } as never,
    claim: undefined,
    writes: [],
    clock: new ManualClock(),
    log,
    signal: stop.signal,
    target: () => undefined,
  }
  const { trouble } = await runPass(options as PassOptions)
  return { trouble, errors }
}

const cut = new HttpFailure('aborted', 'the call was given up')

test('calls that were cut short because the lease was lost are no errors: another replica leads', async () => {
  const { trouble, errors } = await passThatFails(cut, fenced('leadership was lost'))
  assert.deepEqual([trouble?.kind, trouble?.reason, errors], ['soon', 'NotLeader', 0])
})

test('nor are those that were cut short by a deadline or the end of the process', async () => {
  for (const why of ['deadline', 'stop'] as const) {
    const { trouble, errors } = await passThatFails(cut, new Stopped(why, 'over'))
    assert.deepEqual([trouble?.kind, trouble?.reason, errors], ['backoff', 'DeadlineExceeded', 0])
  }
})

test('a defect is one whoever leads, and so is a call that was cut short by nobody', async () => {
  for (const [error, why] of [
    [new TypeError('x is not a function'), fenced('leadership was lost')],
    [cut, undefined],
  ] as const) {
    const { trouble, errors } = await passThatFails(error, why)
    assert.deepEqual([trouble?.reason, errors], ['InternalError', 1])
  }
})

const widgets: ResourceType = { group: 'example.com', version: 'v1', kind: 'Widget', plural: 'widgets', namespaced: true }

interface Said {
  readonly conditions?: readonly object[]
  readonly observedGeneration?: number
}

function widget(status?: Said, more: Partial<StoredObject['metadata']> = {}): StoredObject {
  const metadata = { namespace: 'a', name: 'w', uid: 'u', generation: 3, resourceVersion: '7', ...more }
  return { apiVersion: 'example.com/v1', kind: 'Widget', metadata, ...(status && { status }) } as StoredObject
}

interface Pass {
  readonly definition?: Partial<AnyController>
  readonly reconciler?: Partial<AnyController['reconciler']>
  readonly plan?: Partial<Plan<OwnAction>>
  /** Null for a claim that is gone. */
  readonly claim?: StoredObject | null
  readonly cluster?: string
  /** The clusters that are followed, the hub among them. */
  readonly followed?: readonly (string | undefined)[]
  readonly failures?: number
  readonly pretend?: boolean
  /** Thrown by writes of a status. */
  readonly statusError?: Error
}

/** One pass, with what it wrote as status and who wrote that, which events it recorded, and what it logged. */
async function passing(pass: Pass) {
  const { plan = {}, cluster = '', followed = [undefined], failures = 0, pretend = false, statusError } = pass
  const claim = pass.claim === undefined ? widget() : (pass.claim ?? undefined)
  const clock = new ManualClock()
  const said: { readonly by: string; readonly status: Said }[] = []
  const [events, infos, errors]: [string[], object[], object[]] = [[], [], []]
  const log: Log = {
    ...silentLog,
    info: (_message, fields) => void infos.push(fields ?? {}),
    error: (_message, fields) => void errors.push(fields ?? {}),
  }
  let reads = 0
  const later = async (): Promise<void> => {
    for (let turn = 0; turn < 10; turn++) await Promise.resolve()
  }
  const client: Partial<KubeClient> = {
    find: async () => {
      reads++
      return claim as never
    },
    create: async () => widget() as never,
    delete: async () => widget() as never,
    patch: async (_type, _key, _kind, body, options) => {
      await later()
      if (options?.subresource === 'status') {
        if (statusError !== undefined) throw statusError
        const operations = body as readonly { readonly path: string; readonly op: string; readonly value: Said }[]
        const whole = operations.find(({ path, op }) => path === '/status' && op === 'add')?.value
        said.push({ by: options?.fieldManager ?? '', status: whole ?? {} })
      }
      return widget(undefined, { resourceVersion: '8' }) as never
    },
  }
  const target = (name: string | undefined): Target | undefined =>
    followed.includes(name)
      ? {
          ...(name === undefined ? {} : { cluster: name }),
          client: client as KubeClient,
          unavailable: () => undefined,
          cached: () => ({ kind: 'unwatched' }),
          follow: () => undefined,
        }
      : undefined
  const writes: WriteRecord[] = []
  const written = new Map<string, StoredObject>()
  const writer = (fieldManager: string): Writer =>
    new Writer({
      fieldManager,
      gate: openGate,
      breakers: new Breakers({ clock, random: seededRandom(1) }),
      callTimeoutMs: 1_000,
      signal: new AbortController().signal,
      pretend,
      written,
      onWrite: write => writes.push(write),
      expect: () => {},
    })
  const definition = {
    name: 'widgets',
    claims: { type: widgets },
    ...pass.definition,
    reconciler: { observe: () => 'seen', decide: () => ({ ...emptyPlan, ...plan }), ...pass.reconciler },
  } as AnyController
  const record = await runPass({
    definition,
    key: { cluster, namespace: 'a', name: 'w' },
    world: {} as never,
    claim,
    writer: writer('writer'),
    teller: writer('teller'),
    lastTeller: writer('last'),
    writes,
    altered: new Altered(),
    recorder: {
      record: async (_writer: Writer, _target: Target, { reason }: { readonly reason: string }) => {
        await later()
        events.push(reason)
      },
    } as never,
    fieldManager: 'writer',
    failures,
    clock,
    log,
    signal: new AbortController().signal,
    target,
  })
  return { record, said, events, infos, errors, reads }
}

const condition = { type: 'Ready', status: 'True', reason: 'Done', message: 'it is done' } as const
const trouble = (kind: TroubleOptions['kind']): Trouble => new Trouble({ kind, reason: 'Cloudy', message: 'it rains' })

/** Actions of each kind, which succeed where nothing else is said. */
const own: OwnAction = { kind: 'act:make', summary: 'make' }
const making: Action = { kind: 'create', type: widgets, object: widget() }
const freeing = (object: StoredObject): Action => ({ kind: 'remove-finalizer', type: widgets, object, finalizer: 'f' })
const act = async (): Promise<{ readonly changed: boolean }> => ({ changed: true })

test('what the plan says is told of the generation that was looked at [S8]', async () => {
  const { record, said } = await passing({ plan: { conditions: [condition] } })
  assert.deepEqual([record.trouble, record.next, record.controller], [undefined, { kind: 'await-change' }, 'widgets'])
  assert.deepEqual(
    said.map(({ by, status }) => [by, status.observedGeneration, status.conditions?.map(each => Reflect.get(each, 'reason'))]),
    [['teller', 3, ['Done']]],
  )
})

for (const [what, pass] of [
  ['of a claim that is gone', { claim: null }],
  ['of a controller that says nothing', { definition: { status: { kind: 'none' } } }],
  ['of a claim whose cluster is not followed', { cluster: 'west' }],
  ['of a claim in the hub, where only another cluster is followed', { followed: ['west'] }],
  ['for which the report has nothing', { reconciler: { report: () => undefined } }],
  ['in a dry run', { pretend: true }],
] as const satisfies readonly (readonly [string, Pass])[])
  test(`no status is written ${what}`, async () => {
    const { record, said } = await passing({ plan: { conditions: [condition] }, ...pass })
    assert.deepEqual([record.trouble, said], [undefined, []])
  })

test('the status of a claim in another cluster is written there', async () => {
  const { said } = await passing({ plan: { conditions: [condition] }, cluster: 'west', followed: ['west'] })
  assert.equal(said.length, 1)
})

const deleted = widget(undefined, { deletionTimestamp: 'now', finalizers: ['f'] })
const living = widget(undefined, { finalizers: ['f'] })
const deleting: Action = { kind: 'delete', type: widgets, object: widget(undefined, { deletionTimestamp: 'now' }) }

for (const [what, actions, claim, isTold] of [
  ['whose finalizer went', [freeing(deleted)], deleted, false],
  ['whose finalizer went among other things', [making, freeing(deleted)], deleted, false],
  ['that was let go of, and stays', [freeing(living)], living, true],
  ['whose finalizer stays, since something before it failed', [{ ...making, cluster: 'gone' }, freeing(deleted)], deleted, true],
  ['of which a part is being deleted', [deleting], deleted, true],
  ['for which something was made', [making], deleted, true],
] as const satisfies readonly (readonly [string, readonly Action[], StoredObject, boolean])[])
  test(`a claim ${what} is ${isTold ? 'told of' : 'not written to any more'} [P5]`, async () => {
    const { said } = await passing({ plan: { actions, conditions: [condition] }, claim })
    assert.equal(said.length, isTold ? 1 : 0)
  })

for (const [what, actions, changed, by] of [
  ['made something outside', [own], true, 'last'],
  ['made something outside among other things', [making, own], true, 'last'],
  ['found everything made', [own], false, 'teller'],
  ['made something in the cluster', [making], true, 'teller'],
  ['could make nothing outside', [own], undefined, 'teller'],
] as const)
  test(`a pass that ${what} is told of ${by === 'last' ? 'also after a stop' : 'while it may work'}`, async () => {
    const { said } = await passing({
      plan: { actions, conditions: [condition] },
      reconciler: {
        act: async () => {
          if (changed === undefined) throw trouble('wait')
          return { changed }
        },
      },
    })
    assert.deepEqual(
      said.map(one => one.by),
      [by],
    )
  })

for (const [what, pass, reads] of [
  ['a claim that is there', {}, 1],
  ['one that is gone', { claim: null }, 0],
  ['one whose cluster is not followed', { cluster: 'west', followed: [undefined] }, 0],
  ['one of a cluster that is', { cluster: 'west', followed: ['west'] }, 1],
] as const satisfies readonly (readonly [string, Pass, number])[])
  test(`before something is destroyed for ${what} it is read ${reads} times [P4]`, async () => {
    const destroying = { ...own, destructive: true }
    assert.equal((await passing({ plan: { actions: [destroying] }, reconciler: { act }, ...pass })).reads, reads)
  })

for (const [what, pass, failures, reason] of [
  ['succeeds', {}, 0, undefined],
  ['fails for the first time', { failures: 0 }, 1, 'Cloudy'],
  ['fails once more', { failures: 4 }, 5, 'Cloudy'],
  ['succeeds after failures', { failures: 4 }, 0, undefined],
] as const)
  test(`a report of a pass that ${what} is told of ${failures} failures in a row`, async () => {
    const inputs: (ReportInput<OwnAction> & { readonly seen: unknown })[] = []
    const fails = reason !== undefined
    const { record } = await passing({
      ...pass,
      plan: { actions: [own] },
      reconciler: {
        act: async () => {
          if (fails) throw trouble('wait')
          return { changed: false }
        },
        report: input => {
          inputs.push(input)
          return undefined
        },
      },
    })
    assert.deepEqual(
      inputs.map(input => [input.failures, input.seen, input.generation, input.summary, input.current]),
      [[failures, 'seen', 3, 'Ready', []]],
    )
    assert.equal(record.trouble?.reason, reason)
  })

for (const [summary, type] of [
  [undefined, 'Ready'],
  ['Synced', 'Synced'],
] as const)
  test(`what kept a pass from seeing anything is told in the condition ${type}, whatever its report would say`, async () => {
    const { record, said, infos } = await passing({
      definition: { ...(summary && { summary }) },
      reconciler: {
        observe: () => {
          throw trouble('wait')
        },
        report: () => assert.fail('nothing was seen'),
      },
    })
    assert.equal(record.trouble?.reason, 'Cloudy')
    assert.deepEqual(
      said.map(({ status }) => (status.conditions as readonly (typeof condition)[]).map(({ type, reason }) => [type, reason])),
      [[[type, 'Cloudy']]],
    )
    assert.equal(infos.length, 1)
  })

for (const [kind, told] of [
  ['soon', 0],
  ['backoff', 1],
  ['wait', 1],
  ['stop', 1],
] as const)
  test(`trouble of the kind ${kind} in an action is logged ${told} times`, async () => {
    const { record, infos, errors } = await passing({
      plan: { actions: [own] },
      reconciler: {
        act: async () => {
          throw trouble(kind)
        },
      },
    })
    assert.deepEqual([record.trouble?.kind, infos.length, errors.length], [kind, told, 0])
  })

test('a defect is logged with where it happened', async () => {
  const { errors } = await passing({
    reconciler: {
      decide: () => {
        throw new TypeError('x is not a function')
      },
    },
  })
  const { error } = errors[0] as { readonly error: string }
  assert.match(error, /^TypeError: x is not a function\n +at /)
})

test('a status that could not be written is trouble, also of a pass that succeeded [P10]', async () => {
  const { record } = await passing({ plan: { conditions: [condition] }, statusError: trouble('backoff') })
  assert.equal(record.trouble?.reason, 'Cloudy')
  const seen = await passing({
    reconciler: {
      observe: () => {
        throw new Trouble({ kind: 'stop', reason: 'Wrong', message: 'the spec is wrong' })
      },
    },
    statusError: trouble('backoff'),
  })
  assert.equal(seen.record.trouble?.reason, 'Cloudy')
})

const held = (more: Partial<Record<keyof typeof condition, string>>): StoredObject =>
  widget({
    observedGeneration: 3,
    conditions: [
      { type: 'Other', status: 'True', reason: 'Done', message: '', observedGeneration: 3, lastTransitionTime: 't' },
      { ...condition, observedGeneration: 3, lastTransitionTime: 't', ...more },
    ],
  })

for (const [what, pass, events] of [
  ['that is new', {}, ['about Ready']],
  ['whose status is another', { claim: held({ status: 'False' }) }, ['about Ready']],
  ['whose reason is another', { claim: held({ reason: 'Doing' }) }, ['about Ready']],
  ['whose message alone is another', { claim: held({ message: 'soon' }) }, []],
  ['that is as it was', { claim: held({}) }, []],
  ['that is new in a dry run', { pretend: true }, []],
  ['that nobody tells of', { definition: { eventsOf: undefined as never } }, []],
  ['that could not be written', { statusError: trouble('wait') }, []],
] as const satisfies readonly (readonly [string, Pass, readonly string[]])[])
  test(`of a condition ${what} ${events.length === 0 ? 'no event is' : 'an event is'} told, once its status is written`, async () => {
    const asked: number[] = []
    const eventsOf: AnyController['eventsOf'] = (_claim, changed) => {
      asked.push(changed.length)
      return changed.map(({ type }) => ({ reason: `about ${type}` }) as never)
    }
    const told = await passing({ plan: { conditions: [condition] }, definition: { eventsOf }, ...pass })
    assert.deepEqual([told.events, asked], [events, events.map(() => 1)])
  })

test('how long a pass took counts from its begin to its last word', async () => {
  const clock = new ManualClock()
  const record: PassRecord = await runPass({
    definition: {
      name: 'widgets',
      claims: { type: widgets },
      status: { kind: 'none' },
      reconciler: {
        observe: async () => {
          await clock.advance(250)
        },
        decide: () => emptyPlan,
      },
    },
    key: { cluster: '', namespace: 'a', name: 'w' },
    writes: [],
    clock: await started(clock),
    signal: new AbortController().signal,
    target: () => undefined,
  } as unknown as PassOptions)
  assert.deepEqual([record.tookMs, record.plan], [250, emptyPlan])
})

/** Later than zero, so that nobody takes a moment for a time that passed. */
async function started(clock: ManualClock): Promise<ManualClock> {
  await clock.advance(1_000)
  return clock
}
